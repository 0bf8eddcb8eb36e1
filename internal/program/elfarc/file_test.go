package elfarc

import (
	"bytes"
	"debug/elf"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"arcv2dsp/internal/dev/testkit/gnutools"

	"github.com/stretchr/testify/require"
)

// sample is an object with everything the model can say.
func sample(big bool) *File {
	text := &Section{Name: ".text", Type: elf.SHT_PROGBITS, Flags: elf.SHF_ALLOC | elf.SHF_EXECINSTR, Align: 4, Data: make([]byte, 12)}
	once := &Section{Name: ".text.once", Type: elf.SHT_PROGBITS, Flags: elf.SHF_ALLOC | elf.SHF_EXECINSTR | elf.SHF_GROUP, Align: 2, Data: make([]byte, 6)}
	bss := &Section{Name: ".bss", Type: elf.SHT_NOBITS, Flags: elf.SHF_ALLOC | elf.SHF_WRITE, Align: 8, Size: 64}
	order := &Section{Name: ".order", Type: elf.SHT_PROGBITS, Flags: elf.SHF_ALLOC | elf.SHF_LINK_ORDER, Align: 4, Data: make([]byte, 4), Link: text}
	var attrs Attrs
	attrs.Set(Attr{Tag: TagCPUName, Str: "em4"})
	attrs.Set(Attr{Tag: TagCPUBase, Num: CPUBaseARCv2EM})
	attrSection := &Section{Name: SectionAttributes, Type: SectionTypeAttributes, Align: 1, Data: attrs.Encode(big)}
	start := &Symbol{Name: "start", Section: text, Size: 12, Bind: elf.STB_GLOBAL, Type: elf.STT_FUNC}
	local := &Symbol{Name: "local", Section: bss, Value: 8, Size: 4, Type: elf.STT_OBJECT}
	ext := &Symbol{Name: "ext", Bind: elf.STB_WEAK, Vis: elf.STV_HIDDEN}
	common := &Symbol{Name: "common", Bind: elf.STB_GLOBAL, Value: 4, Size: 16, Index: elf.SHN_COMMON, Type: elf.STT_OBJECT}
	abs := &Symbol{Name: "abs", Bind: elf.STB_GLOBAL, Value: 0xdeadbeef, Index: elf.SHN_ABS}
	sig := &Symbol{Name: "sig", Section: once}
	text.Relocs = []Rela{
		{Offset: 0, Type: R_ARC_S25W_PCREL, Sym: ext, Addend: -4},
		{Offset: 8, Type: R_ARC_32, Sym: local, Addend: 2},
	}
	once.Relocs = []Rela{{Offset: 2, Type: R_ARC_32_ME}}
	group := &Group{Signature: sig, Comdat: true, Members: []*Section{once}}
	once.Group = group
	return &File{
		Type: elf.ET_REL, Machine: MachineARCv2, Flags: FlagCPUEM | FlagABIv4, BigEndian: big,
		Sections: []*Section{text, once, bss, order, attrSection},
		Symbols:  []*Symbol{start, local, ext, common, abs, sig},
		Groups:   []*Group{group},
	}
}

// TestObjectRoundTrip writes an object, reads it back and expects the same, local symbols first.
func TestObjectRoundTrip(t *testing.T) {
	for _, big := range []bool{false, true} {
		f := sample(big)
		data, err := f.Bytes()
		require.NoError(t, err)
		got, err := Read(data)
		require.NoError(t, err)
		require.Equal(t, f.Flags, got.Flags)
		require.Equal(t, big, got.BigEndian)
		require.Len(t, got.Sections, len(f.Sections))
		for i, s := range got.Sections {
			want := f.Sections[i]
			require.Equal(t, want.Name, s.Name)
			require.Equal(t, want.Type, s.Type)
			require.Equal(t, want.Flags, s.Flags)
			require.Equal(t, want.Align, s.Align)
			require.Equal(t, want.Len(), s.Len())
			require.Equal(t, want.Index, s.Index)
			require.True(t, bytes.Equal(want.Data, s.Data))
			require.Len(t, s.Relocs, len(want.Relocs))
			for n, r := range s.Relocs {
				require.Equal(t, want.Relocs[n].Offset, r.Offset)
				require.Equal(t, want.Relocs[n].Type, r.Type)
				require.Equal(t, want.Relocs[n].Addend, r.Addend)
				if want.Relocs[n].Sym == nil {
					require.Nil(t, r.Sym)
				} else {
					require.Equal(t, want.Relocs[n].Sym.Name, r.Sym.Name)
				}
			}
		}
		require.Equal(t, ".text", got.Sections[3].Link.Name)
		var names []string
		for _, s := range got.Symbols {
			names = append(names, s.Name)
		}
		require.Equal(t, "local sig start ext common abs", strings.Join(names, " "))
		require.True(t, got.Symbols[3].Undefined())
		require.True(t, got.Symbols[4].Common())
		require.Equal(t, elf.STV_HIDDEN, got.Symbols[3].Vis)
		require.Len(t, got.Groups, 1)
		require.Equal(t, "sig", got.Groups[0].Signature.Name)
		require.Equal(t, ".text.once", got.Groups[0].Members[0].Name)
		attrs, err := DecodeAttrs(got.Sections[4].Data, big)
		require.NoError(t, err)
		require.Equal(t, "em4", attrs.Get(TagCPUName).Str)
		require.Equal(t, uint32(CPUBaseARCv2EM), attrs.Get(TagCPUBase).Num)

		// The reading of debug/elf must agree too.
		std, err := elf.NewFile(bytes.NewReader(data))
		require.NoError(t, err)
		require.Equal(t, ".rela.text", std.Sections[3].Name)
	}
}

// TestReadelfAcceptsObject has the GNU tools read what Write wrote.
func TestReadelfAcceptsObject(t *testing.T) {
	readelf := gnutools.Path(t, "readelf")
	for _, big := range []bool{false, true} {
		data, err := sample(big).Bytes()
		require.NoError(t, err)
		dir := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(dir, "s.o"), data, 0o644))
		out, err := run(t, dir, readelf, "-aW", "s.o")
		require.NoError(t, err, out)
		for _, want := range []string{"ARC EM, v4 ABI", "R_ARC_S25W_PCREL", "ext - 4", "Tag_ARC_CPU_name: \"em4\"", "COMDAT group section", "HIDDEN", "COM common"} {
			require.Contains(t, out, want)
		}
		for _, bad := range []string{"Warning", "Error", "corrupt", "unrecognized"} {
			require.NotContains(t, out, bad)
		}
	}
}

// TestExecutableLayout checks that Write keeps offset and address equal modulo the page size.
func TestExecutableLayout(t *testing.T) {
	text := &Section{Name: ".text", Type: elf.SHT_PROGBITS, Flags: elf.SHF_ALLOC | elf.SHF_EXECINSTR, Addr: 0x104, Align: 4, Data: []byte{1, 2, 3, 4, 5, 6}}
	ro := &Section{Name: ".rodata", Type: elf.SHT_PROGBITS, Flags: elf.SHF_ALLOC, Addr: 0x120, Align: 16, Data: []byte{7, 8}}
	data := &Section{Name: ".data", Type: elf.SHT_PROGBITS, Flags: elf.SHF_ALLOC | elf.SHF_WRITE, Addr: 0x80000010, Align: 4, Data: []byte{9}}
	bss := &Section{Name: ".bss", Type: elf.SHT_NOBITS, Flags: elf.SHF_ALLOC | elf.SHF_WRITE, Addr: 0x80000020, Align: 4, Size: 0x100}
	f := &File{
		Type: elf.ET_EXEC, Machine: MachineARCv2, Flags: FlagCPUEM | FlagABIv4, Entry: 0x104,
		Sections: []*Section{text, ro, data, bss},
		Segments: []*Segment{
			{Type: elf.PT_LOAD, Flags: elf.PF_R | elf.PF_X, VAddr: 0x104, PAddr: 0x104, MemSz: 0x1e, Align: 0x1000, Sections: []*Section{text, ro}},
			{Type: elf.PT_LOAD, Flags: elf.PF_R | elf.PF_W, VAddr: 0x80000010, PAddr: 0x200, MemSz: 0x110, Align: 0x1000, Sections: []*Section{data, bss}},
		},
	}
	b, err := f.Bytes()
	require.NoError(t, err)
	got, err := Read(b)
	require.NoError(t, err)
	require.Len(t, got.Segments, 2)
	code, rw := got.Segments[0], got.Segments[1]
	require.Equal(t, uint32(0x104), code.Offset)
	require.Equal(t, uint32(0x1e), code.FileSz)
	require.Equal(t, []byte{1, 2, 3, 4, 5, 6}, code.Data[:6])
	require.Equal(t, []byte{7, 8}, code.Data[0x1c:])
	require.Equal(t, uint32(0x10), rw.Offset%0x1000)
	require.Equal(t, uint32(1), rw.FileSz)
	require.Equal(t, uint32(0x110), rw.MemSz)
	require.Equal(t, uint32(0x200), rw.PAddr)
	require.Equal(t, got.Sections[2].Data, rw.Data)
}

func TestWriteErrors(t *testing.T) {
	stray := &Symbol{Name: "stray"}
	text := &Section{Name: ".text", Type: elf.SHT_PROGBITS, Data: make([]byte, 4), Relocs: []Rela{{Type: R_ARC_32, Sym: stray}}}
	_, err := (&File{Type: elf.ET_REL, Machine: MachineARCv2, Sections: []*Section{text}}).Bytes()
	require.EqualError(t, err, `section .text: relocation at 0x0 names symbol "stray" that is not in the file`)
	_, err = (&File{Symbols: []*Symbol{{Name: "s", Section: text}}}).Bytes()
	require.EqualError(t, err, `symbol "s" is defined in section .text that is not in the file`)
}

func TestReadErrors(t *testing.T) {
	good, err := sample(false).Bytes()
	require.NoError(t, err)
	patch := func(off int, b ...byte) []byte {
		d := append([]byte(nil), good...)
		copy(d[off:], b)
		return d
	}
	for _, c := range []struct {
		name string
		data []byte
		want string
	}{
		{name: "empty", data: nil, want: "offset 0x0: the file is empty"},
		{name: "text", data: []byte("hello"), want: "offset 0x0: not an ELF file"},
		{name: "short", data: good[:20], want: "offset 0x14: truncated ELF header (20 bytes, expected 52)"},
		{name: "class", data: patch(4, 2), want: "offset 0x4: ELFCLASS64: expected a 32-bit ELF file"},
		{name: "order", data: patch(5, 7), want: "offset 0x5: unknown byte order 7"},
		{name: "machine", data: patch(18, 93), want: "offset 0x12: machine 93 (EM_ARC_COMPACT): expected ARCv2 (195)"},
		{name: "core file", data: patch(16, 4), want: "offset 0x10: ET_CORE: expected an object or an executable"},
		{name: "truncated", data: good[:len(good)-1], want: "section header table of"},
		{name: "sections", data: patch(48, 0xff, 0xff), want: "section header table of"},
		{name: "names", data: patch(50, 0xff), want: "offset 0x32: section name table 255"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Read(c.data)
			require.ErrorContains(t, err, c.want)
			var format *FormatError
			require.ErrorAs(t, err, &format)
		})
	}
}

func TestArchiveRoundTrip(t *testing.T) {
	obj, err := sample(false).Bytes()
	require.NoError(t, err)
	a := &Archive{Members: []*Member{
		{Name: "short.o", Data: obj},
		{Name: "a_rather_long_member_name.o", Data: append(append([]byte(nil), obj...), 0)},
	}}
	b, err := a.Bytes()
	require.NoError(t, err)
	got, err := ReadArchive(b)
	require.NoError(t, err)
	require.Len(t, got.Members, 2)
	for i, m := range got.Members {
		require.Equal(t, a.Members[i].Name, m.Name)
		require.True(t, bytes.Equal(a.Members[i].Data, m.Data))
	}
	var names []string
	for _, e := range got.Index {
		names = append(names, e.Name+"="+e.Member.Name)
	}
	const long = "a_rather_long_member_name.o"
	require.Equal(t, []string{
		"start=short.o", "common=short.o", "abs=short.o", "start=" + long, "common=" + long, "abs=" + long,
	}, names)

	ar := gnutools.Path(t, "ar")
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "l.a"), b, 0o644))
	out, err := run(t, dir, ar, "t", "l.a")
	require.NoError(t, err, out)
	require.Equal(t, "short.o\na_rather_long_member_name.o\n", out)
	// And the other way round.
	require.NoError(t, os.WriteFile(filepath.Join(dir, "x_with_a_long_name_too.o"), obj, 0o644))
	out, err = run(t, dir, ar, "rcs", "m.a", "x_with_a_long_name_too.o")
	require.NoError(t, err, out)
	m, err := os.ReadFile(filepath.Join(dir, "m.a"))
	require.NoError(t, err)
	gnu, err := ReadArchive(m)
	require.NoError(t, err)
	require.Equal(t, "x_with_a_long_name_too.o", gnu.Members[0].Name)
	require.Equal(t, IndexEntry{Name: "start", Member: gnu.Members[0]}, gnu.Index[0])
}

func TestArchiveErrors(t *testing.T) {
	head := func(name, size string) string {
		return name + strings.Repeat(" ", 48-len(name)) + size + strings.Repeat(" ", 10-len(size)) + "`\n"
	}
	for _, c := range []struct{ name, data, want string }{
		{name: "magic", data: "!<arc>\n", want: "offset 0x0: not an archive"},
		{name: "thin", data: "!<thin>\n", want: "offset 0x0: thin archives are not supported: make one without the T modifier"},
		{name: "header", data: "!<arch>\nabc", want: "offset 0x8: truncated member header"},
		{name: "end", data: "!<arch>\n" + strings.Repeat("x", 60), want: "offset 0x42: bad member header"},
		{name: "size", data: "!<arch>\n" + head("a.o/", "12x"), want: `offset 0x38: bad member size "12x       "`},
		{name: "beyond", data: "!<arch>\n" + head("a.o/", "4"), want: "offset 0x38: member of 4 bytes lies beyond the end of the archive (68 bytes)"},
		{name: "long", data: "!<arch>\n" + head("/7", "0"), want: `offset 0x8: bad member name "/7"`},
		{name: "index", data: "!<arch>\n" + head("/", "4") + "\x00\x00\x00\x09", want: "offset 0x44: symbol index of 9 symbols in 4 bytes"},
		{name: "stray", data: "!<arch>\n" + head("/", "10") + "\x00\x00\x00\x01\x00\x00\x00\x01s\x00", want: `offset 0x48: symbol index: "s" is at 0x1, which is no member`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := ReadArchive([]byte(c.data))
			require.EqualError(t, err, c.want)
		})
	}
}

func TestAttrErrors(t *testing.T) {
	for _, c := range []struct{ name, data, want string }{
		{name: "format", data: "B", want: ".ARC.attributes: offset 0x0: unknown format 0x42"},
		{name: "truncated", data: "A\x01", want: ".ARC.attributes: offset 0x1: truncated vendor section"},
		{name: "length", data: "A\x40\x00\x00\x00", want: ".ARC.attributes: offset 0x1: bad vendor section length 0x40"},
		{name: "vendor", data: "A\x05\x00\x00\x00x", want: ".ARC.attributes: offset 0x5: unterminated vendor name"},
		{name: "list", data: "A\x0a\x00\x00\x00ARC\x00\x01\x09", want: ".ARC.attributes: offset 0x9: truncated attribute list"},
		{name: "string", data: "A\x0f\x00\x00\x00ARC\x00\x01\x07\x00\x00\x00\x07x", want: ".ARC.attributes: offset 0xe: unterminated value of tag 7"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := DecodeAttrs([]byte(c.data), false)
			require.EqualError(t, err, c.want)
		})
	}
}
