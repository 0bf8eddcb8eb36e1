package link

import (
	"debug/elf"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"arcv2dsp/asm"
	"arcv2dsp/internal/program/dwarf"
	"arcv2dsp/internal/program/elfarc"

	"github.com/stretchr/testify/require"
)

// relocSource refers to small data, the jump table, code and position-independent data in every way the
// assembler has.
const relocSource = `
	.text
	.global __start
	.weak nowhere
__start:
	ldb r0,[gp,v1@sda]
	ld.as r0,[gp,v2@sda]
	ldh.as r0,[gp,v2@sda]
	ld_s r0,[gp,v2@sda]
	ldb_s r0,[gp,v1@sda]
	ldh_s r0,[gp,v2@sda]
	st_s r0,[gp,v2@sda]
	add r0,gp,v2@sda
	add r0,gp,v2@sda+4
	jli_s jt
	bl_s jf
	beq jf
	bleq jf
	b jf
	mov r2,jf
	add r2,pcl,v2@pcl
	bl jf@plt
	beq jf@plt
	ld r3,[pcl,v2@gotpc]
	ld r3,[pcl,jf@gotpc]
	ld r3,[pcl,v2@gotpc]
	bl nowhere
	mov r0,nowhere
	.word nowhere-., jf-., jf
	.short half
	.byte byte
	.section .jlitab,"ax"
	.align 4
	b jf
	.align 4
	.global jt
jt:	b jf
	.section .sdata,"aw"
v1:	.byte 1
	.align 4
v2:	.word 2,3
	.section .text.jf,"ax"
	.align 4
	.global jf, half, byte
jf:	j_s [blink]
	.set half, 0x1234
	.set byte, 0x56
`

// TestRelocationsAgainstGNU links all of them in both byte orders.
func TestRelocationsAgainstGNU(t *testing.T) {
	for _, endian := range []string{"-EL", "-EB"} {
		dir := t.TempDir()
		assemble(t, dir, "r", relocSource, endian)
		want := linkGNU(t, dir, endian, "r.o")
		got := linkOurs(t, dir, Options{}, "r.o")
		requireSame(t, want, got)
	}
}

// TestGOTOffset checks the addresses that the two steps of position-independent data access add up to.
// GNU ld 2.40 counts @gotoff of static programs from another place than @gotpc and so is no reference.
func TestGOTOffset(t *testing.T) {
	dir := t.TempDir()
	assemble(t, dir, "p", "\t.global __start\n__start:\tadd r1,pcl,_GLOBAL_OFFSET_TABLE_@gotpc\n\tadd r0,r1,var@gotoff\n\t.data\n\t.word 0\nvar:\t.word 1\n")
	f := linkOurs(t, dir, Options{}, "p.o")
	text := contents(t, f, ".text")
	limm := func(off int) uint32 {
		return uint32(text[off+1])<<24 | uint32(text[off])<<16 | uint32(text[off+3])<<8 | uint32(text[off+2])
	}
	require.Equal(t, symbolValueOr(f, "var"), symbolValueOr(f, "__start")+limm(4)+limm(12))
}

// TestOurObjects links what our assembler makes of the start code, with C compiled by GCC, by both
// linkers, and expects the same as when the GNU assembler makes it.
func TestOurObjects(t *testing.T) {
	for _, c := range []struct {
		dir, asm, c, entry string
		cpu                string
	}{
		{dir: "small", asm: "crt0.S", c: "matmul16.c lib.c", cpu: "em4_dmips"},
		{dir: "small", asm: "crt0.S", c: "strings.c lib.c", cpu: "hs38"},
		{dir: "perf", asm: "crt0.S dspfir_asm.S", c: "dspfir.c rt.c", cpu: "hs38"},
	} {
		for _, big := range []bool{false, true} {
			dir := t.TempDir()
			require.NoError(t, os.CopyFS(dir, os.DirFS("testdata/"+c.dir)))
			endian, asmEndian := "-mlittle-endian", "-EL"
			if big {
				endian, asmEndian = "-mbig-endian", "-EB"
			}
			var ours, theirs []string
			for _, name := range strings.Fields(c.asm) {
				stem := strings.TrimSuffix(name, ".S")
				text, err := os.ReadFile(filepath.Join(dir, name))
				require.NoError(t, err)
				o, err := asm.AssembleString(asm.Options{CPU: c.cpu, BigEndian: big}, name, string(text))
				require.NoError(t, err)
				data, err := o.Bytes()
				require.NoError(t, err)
				write(t, dir, stem+".ours.o", string(data))
				gnu(t, dir, "as", "-mcpu="+c.cpu, asmEndian, name, "-o", stem+".o")
				ours, theirs = append(ours, stem+".ours.o"), append(theirs, stem+".o")
			}
			for _, name := range strings.Fields(c.c) {
				o := strings.TrimSuffix(name, ".c") + ".o"
				gnu(t, dir, "gcc", "-mcpu="+c.cpu, endian, "-O2", "-ffreestanding", "-fno-pic", "-mno-millicode",
					"-fno-asynchronous-unwind-tables", "-fno-tree-loop-distribute-patterns", "-w", "-c", name, "-o", o)
				ours, theirs = append(ours, o), append(theirs, o)
			}
			script, err := os.ReadFile(filepath.Join(dir, "link.ld"))
			require.NoError(t, err)
			opts := Options{Script: &Script{Name: "link.ld", Text: string(script)}}
			want := linkGNU(t, dir, append([]string{"-T", "link.ld", asmEndian}, theirs...)...)
			requireSame(t, want, linkOurs(t, dir, opts, theirs...))
			// The attributes differ in what the assemblers record beside the code.
			requireSame(t, withoutAttributes(want), withoutAttributes(linkOurs(t, dir, opts, ours...)))
			requireSame(t, want, withoutAttributes(linkGNU(t, dir, append([]string{"-T", "link.ld", asmEndian}, ours...)...)))
		}
	}
}

func withoutAttributes(f *elfarc.File) *elfarc.File {
	f.Sections = slices.DeleteFunc(f.Sections, func(s *elfarc.Section) bool { return s.Name == elfarc.SectionAttributes })
	return f
}

// TestFramesOfDroppedFunctions collects functions that have unwind records: the records go too, the
// others still lead to their common records.
func TestFramesOfDroppedFunctions(t *testing.T) {
	dir := t.TempDir()
	fn := func(name string) string {
		return "\t.section .text." + name + ",\"ax\",@progbits\n\t.align 4\n\t.global " + name + "\n" + name +
			":\t.cfi_startproc\n\tsub sp,sp,8\n\t.cfi_def_cfa_offset 8\n\tj_s [blink]\n\t.cfi_endproc\n"
	}
	assemble(t, dir, "f", "\t.cfi_sections .eh_frame\n"+fn("drop1")+fn("keep1")+fn("drop2")+fn("keep2")+fn("drop3")+
		"\t.section .text.__start,\"ax\",@progbits\n\t.align 4\n\t.global __start\n__start:\tbl keep1\n\tbl keep2\n")
	f := linkOurs(t, dir, Options{GCSections: true}, "f.o")
	dump := gnu(t, dir, "readelf", "--debug-dump=frames", "ours.elf")
	require.NotContains(t, dump, "Warning")
	require.Equal(t, 1, strings.Count(dump, " CIE"))
	require.Equal(t, 2, strings.Count(dump, " FDE "), dump)
	for _, name := range []string{"keep1", "keep2"} {
		require.Contains(t, dump, "pc="+hex8(symbolValueOr(f, name)))
	}
	// Without collection everything stays as it was.
	whole := linkOurs(t, dir, Options{}, "f.o")
	require.Greater(t, len(contents(t, whole, ".eh_frame")), len(contents(t, f, ".eh_frame")))
}

func hex8(v uint32) string {
	const digits = "0123456789abcdef"
	var b [8]byte
	for i := range b {
		b[i] = digits[v>>(28-4*i)&15]
	}
	return string(b[:])
}

// TestComdat links two copies of a group: one stays, and debug information of the other names nothing.
func TestComdat(t *testing.T) {
	dir := t.TempDir()
	once := "\t.section .text.once,\"axG\",@progbits,once,comdat\n\t.align 4\n\t.weak once\nonce:\tj_s [blink]\n" +
		"\t.section .debug_info,\"\",@progbits\n\t.word once\n"
	assemble(t, dir, "a", "\t.global __start\n__start:\tbl once\n"+once)
	assemble(t, dir, "b", "\t.text\n\t.align 4\n\tbl once\n"+once)
	f := linkOurs(t, dir, Options{}, "a.o", "b.o")
	requireSame(t, linkGNU(t, dir, "a.o", "b.o"), f)
	require.Len(t, contents(t, f, ".text"), 12)
}

// TestComdatDebug: debug information that refers into its copy of a group finds the copy that is linked.
func TestComdatDebug(t *testing.T) {
	dir := t.TempDir()
	shared := "\t.section .debug_macro,\"G\",@progbits,%s,comdat\n.L%s:\t.word %s\n"
	refer := "\t.section .debug_macro,\"\",@progbits\n\t.word .La, .Lb, .Lb+4\n"
	assemble(t, dir, "a", "\t.global __start\n__start:\tnop\n"+refer+fmt.Sprintf(shared, "a", "a", "1,2")+fmt.Sprintf(shared, "b", "b", "3,4"))
	assemble(t, dir, "b", "\t.word 1\n"+refer+fmt.Sprintf(shared, "a", "a", "1,2")+fmt.Sprintf(shared, "b", "b", "3,4"))
	assemble(t, dir, "c", "\t.word 2\n"+refer+fmt.Sprintf(shared, "a", "a", "1,2,3")+fmt.Sprintf(shared, "b", "b", "3,4"))
	f := linkOurs(t, dir, Options{}, "a.o", "b.o", "c.o")
	requireSame(t, linkGNU(t, dir, "a.o", "b.o", "c.o"), f)
	require.Len(t, contents(t, f, ".debug_macro"), 3*12+2*8)
	for _, s := range f.Symbols {
		require.NotContains(t, []string{"a", "b"}, s.Name, "the name of a group is no symbol of the program")
	}
}

// TestHeaders links by a script with PHDRS.
func TestHeaders(t *testing.T) {
	dir := t.TempDir()
	assemble(t, dir, "h", "\t.global __start\n__start:\tnop\n\t.data\n\t.word 1\n\t.bss\n\t.space 4\n\t.section .extra,\"aw\"\n\t.word 2\n")
	script := `
PHDRS { code PT_LOAD FILEHDR PHDRS FLAGS(5); data PT_LOAD; spare PT_LOAD AT(0x9000) FLAGS(6); mark 4; }
SECTIONS {
	.text 0x1000 : { *(.text) } :code
	.data 0x8000 : { *(.data) } :data
	.bss : { *(.bss) }
	.extra 0x20000 : { *(.extra) } :spare :mark
}`
	f := linkOurs(t, dir, Options{Script: &Script{Name: "h.ld", Text: script}}, "h.o")
	require.Len(t, f.Segments, 4)
	code, data, spare, mark := f.Segments[0], f.Segments[1], f.Segments[2], f.Segments[3]
	require.Equal(t, elf.PF_R|elf.PF_X, code.Flags)
	require.Equal(t, uint32(0x1000), code.VAddr)
	require.Equal(t, uint32(0x8000), data.VAddr)
	require.Equal(t, uint32(4), data.FileSz)
	require.Equal(t, uint32(8), data.MemSz)
	require.Equal(t, uint32(0x9000), spare.PAddr)
	require.Equal(t, uint32(0x20000), spare.VAddr)
	require.Equal(t, elf.PT_NOTE, mark.Type)
	require.Equal(t, uint32(4), mark.FileSz)
	require.NotContains(t, gnu(t, dir, "readelf", "-lW", "ours.elf"), "Warning")
}

// TestMap checks what a map tells.
func TestMap(t *testing.T) {
	dir := scriptObjects(t)
	text, err := os.ReadFile("testdata/scripts/regions.ld")
	require.NoError(t, err)
	var b strings.Builder
	for _, gc := range []bool{false, true} {
		_, err = Link(Options{Script: &Script{Name: "regions.ld", Text: string(text)}, GCSections: gc, Map: &b},
			inputs(t, dir, "main.o", "second.o", "libmember.a"))
		require.NoError(t, err)
	}
	for _, want := range []string{
		"libmember.a(member.o)\n    main.o wants lfun\n",
		" .weird                  0x3 main.o: nothing refers to it\n",
		"ROM              0x00001000 0x10000",
		"\n.text            0x00001000",
		" main.o(.text)\n",
		"            __start\n",
		"d_start (script)\n",
		"load address 0x",
		"fill",
	} {
		require.Contains(t, b.String(), want)
	}
}

// TestStrip checks what the strip options leave out.
func TestStrip(t *testing.T) {
	dir := t.TempDir()
	assemble(t, dir, "s", "\t.global __start\n__start:\tnop\nlocal:\tnop\n\t.section .debug_info,\"\",@progbits\n\t.word 1\n")
	has := func(f *elfarc.File, name string) bool {
		for _, s := range f.Symbols {
			if s.Name == name {
				return true
			}
		}
		for _, s := range f.Sections {
			if s.Name == name {
				return true
			}
		}
		return false
	}
	for _, c := range []struct {
		opts                 Options
		debug, local, global bool
	}{
		{debug: true, local: true, global: true},
		{opts: Options{StripDebug: true}, local: true, global: true},
		{opts: Options{StripDiscards: true}, debug: true, global: true},
		{opts: Options{StripAll: true}},
	} {
		f := linkOurs(t, dir, c.opts, "s.o")
		require.Equal(t, c.debug, has(f, ".debug_info"))
		require.Equal(t, c.local, has(f, "local"))
		require.Equal(t, c.global, has(f, "__start"))
	}
}

// TestDebugOfAssembler follows the lines of an assembler source through both linkers to addresses.
func TestDebugOfAssembler(t *testing.T) {
	dir := t.TempDir()
	source := "\t.global __start\n__start:\n\tmov r0,1\n\tbl far\n\n\t.section .text.far,\"ax\"\n\t.align 4\n\t.global far\n\t.type far,@function\nfar:\tadd r0,r0,1\n\tj_s [blink]\n\t.size far,.-far\n"
	o, err := asm.AssembleString(asm.Options{CPU: "em4", Debug: true, CompDir: "/src"}, "lines.s", source)
	require.NoError(t, err)
	data, err := o.Bytes()
	require.NoError(t, err)
	write(t, dir, "lines.o", string(data))
	for _, f := range []*elfarc.File{linkOurs(t, dir, Options{}, "lines.o"), linkGNU(t, dir, "lines.o")} {
		info, err := dwarf.Read(f)
		require.NoError(t, err)
		require.NotNil(t, info)
		far := symbolValueOr(f, "far")
		for addr, line := range map[uint32]int{f.Entry: 3, f.Entry + 4: 4, far: 10, far + 4: 11} {
			row, ok := info.At(addr)
			require.True(t, ok, "%#x", addr)
			require.Equal(t, line, row.Line, "%#x", addr)
			require.Equal(t, "/src/lines.s", row.File)
		}
		require.Equal(t, "far", info.Function(far+4).Name())
	}
	where := strings.TrimSpace(gnu(t, dir, "addr2line", "-f", "-e", "ours.elf", "0x"+hex8(symbolValueOr(linkOurs(t, dir, Options{}, "lines.o"), "far"))))
	require.Equal(t, "far\n/src/lines.s:10", where)
}
