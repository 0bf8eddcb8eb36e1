package link

import (
	"bytes"
	"debug/elf"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"arcv2dsp/internal/dev/testkit/gnutools"
	"arcv2dsp/internal/dev/testkit/level"
	"arcv2dsp/internal/program/elfarc"

	"github.com/stretchr/testify/require"
)

// gnu runs a GNU ARC tool in a directory and returns its output.
func gnu(t testing.TB, dir, tool string, args ...string) string {
	t.Helper()
	cmd := exec.Command(gnutools.Path(t, tool), args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s %s\n%s", tool, strings.Join(args, " "), out)
	return string(out)
}

// write makes a file in dir.
func write(t testing.TB, dir, name, text string) {
	t.Helper()
	require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
}

// assemble makes name.o from source text.
func assemble(t testing.TB, dir, name, source string, flags ...string) {
	t.Helper()
	write(t, dir, name+".s", source)
	gnu(t, dir, "as", append(flags, "-mcpu=em4", name+".s", "-o", name+".o")...)
}

// inputs reads files of dir as link inputs.
func inputs(t testing.TB, dir string, names ...string) []Input {
	t.Helper()
	var in []Input
	for _, n := range names {
		data, err := os.ReadFile(filepath.Join(dir, n))
		require.NoError(t, err)
		in = append(in, Input{Name: n, Data: data})
	}
	return in
}

// linkOurs links files of dir and reads the result back.
func linkOurs(t testing.TB, dir string, opts Options, names ...string) *elfarc.File {
	t.Helper()
	if opts.Open == nil {
		opts.Open = func(name string) ([]byte, error) { return os.ReadFile(filepath.Join(dir, name)) }
	}
	im, err := Link(opts, inputs(t, dir, names...))
	require.NoError(t, err)
	data, err := im.Bytes()
	require.NoError(t, err)
	write(t, dir, "ours.elf", string(data))
	f, err := elfarc.Read(data)
	require.NoError(t, err)
	return f
}

// linkGNU links files of dir with GNU ld.
func linkGNU(t testing.TB, dir string, args ...string) *elfarc.File {
	t.Helper()
	gnu(t, dir, "ld", append([]string{"-marcelf", "-z", "max-page-size=0x2000", "-o", "gnu.elf"}, args...)...)
	data, err := os.ReadFile(filepath.Join(dir, "gnu.elf"))
	require.NoError(t, err)
	f, err := elfarc.Read(data)
	require.NoError(t, err)
	return f
}

// loadAddress finds where a section is loaded.
func loadAddress(f *elfarc.File, s *elfarc.Section) uint32 {
	for _, seg := range f.Segments {
		if seg.Type == elf.PT_LOAD && s.Addr >= seg.VAddr && s.Addr-seg.VAddr < seg.MemSz {
			return s.Addr - seg.VAddr + seg.PAddr
		}
	}
	return s.Addr
}

// describe lists what two links must agree on: the sections with their places and contents, the global
// symbols with their values, and the entry. Empty sections do not count.
func describe(f *elfarc.File) string {
	var b strings.Builder
	fmt.Fprintf(&b, "entry %#x flags %#x\n", f.Entry, f.Flags)
	var lines []string
	for _, s := range f.Sections {
		if s.Len() == 0 {
			continue
		}
		line := fmt.Sprintf("section %s %#x size %#x nobits %v", s.Name, s.Addr, s.Len(), s.Type == elf.SHT_NOBITS)
		if s.Flags&elf.SHF_ALLOC != 0 {
			line += fmt.Sprintf(" load %#x %v", loadAddress(f, s), s.Flags&(elf.SHF_WRITE|elf.SHF_EXECINSTR))
		}
		for i := 0; i < len(s.Data); i += 16 {
			line += fmt.Sprintf("\n  %06x % x", i, s.Data[i:min(i+16, len(s.Data))])
		}
		lines = append(lines, line)
	}
	sort.Strings(lines)
	var syms []string
	for _, s := range f.Symbols {
		if s.Bind != elf.STB_LOCAL && !s.Undefined() {
			syms = append(syms, fmt.Sprintf("symbol %s %#x size %d type %v bind %v", s.Name, s.Value, s.Size, s.Type, s.Bind))
		}
	}
	sort.Strings(syms)
	b.WriteString(strings.Join(append(lines, syms...), "\n"))
	return b.String()
}

// requireSame fails when two links differ, and shows the lines that do.
func requireSame(t testing.TB, want, got *elfarc.File) {
	t.Helper()
	count := map[string]int{}
	wantLines, gotLines := strings.Split(describe(want), "\n"), strings.Split(describe(got), "\n")
	for _, l := range wantLines {
		count[l]++
	}
	for _, l := range gotLines {
		count[l]--
	}
	var diff []string
	for _, l := range wantLines {
		if count[l] > 0 {
			diff = append(diff, "- "+l)
		}
	}
	for _, l := range gotLines {
		if count[l] < 0 {
			diff = append(diff, "+ "+l)
		}
	}
	if len(diff) > 0 {
		t.Fatalf("GNU ld (-) and this linker (+) differ:\n%s", strings.Join(diff[:min(len(diff), 40)], "\n"))
	}
}

// TestProgramsAgainstGNU links compiled C programs with both linkers, by the scripts of the programs,
// and expects the same bytes at the same addresses.
func TestProgramsAgainstGNU(t *testing.T) {
	type program struct {
		dir   string
		files []string
		cpus  []string
		gc    bool
	}
	var programs []program
	for _, p := range []string{"sort", "crc32", "matmul16", "strings", "fsm"} {
		programs = append(programs, program{dir: "small", files: []string{"crt0.S", p + ".c", "lib.c"}, cpus: []string{"em4", "em4_dmips", "hs38"}, gc: true})
	}
	programs = append(programs,
		program{dir: "perf", files: []string{"crt0.S", "sort.c", "rt.c"}, cpus: []string{"em4_dmips", "hs38"}},
		program{dir: "perf", files: []string{"crt0.S", "dspfir.c", "dspfir_asm.S", "rt.c"}, cpus: []string{"hs38"}})
	flags := strings.Fields("-ffreestanding -fno-pic -fwrapv -funsigned-char -mno-millicode -fno-asynchronous-unwind-tables -ffunction-sections -w")
	n := 0
	for _, p := range programs {
		for _, cpu := range p.cpus {
			for _, how := range []string{"-O0 -gdwarf-4", "-O2 -gdwarf-5", "-Os", "-O2 -mbig-endian -gdwarf-4"} {
				if n++; !level.Wants(n-1, 5, 5) {
					continue
				}
				t.Run(p.dir+"/"+p.files[1]+"/"+cpu+"/"+how, func(t *testing.T) {
					t.Parallel()
					gnutools.Path(t, "gcc")
					dir := t.TempDir()
					source, err := filepath.Abs("testdata/" + p.dir)
					require.NoError(t, err)
					var objects []string
					for _, f := range p.files {
						o := strings.TrimSuffix(f, filepath.Ext(f)) + ".o"
						args := append([]string{"-mcpu=" + cpu, "-c", filepath.Join(source, f), "-o", o}, flags...)
						gnu(t, dir, "gcc", append(args, strings.Fields(how)...)...)
						objects = append(objects, o)
					}
					script, err := os.ReadFile(filepath.Join(source, "link.ld"))
					require.NoError(t, err)
					args := append([]string{"-T", filepath.Join(source, "link.ld")}, objects...)
					if p.gc {
						args = append(args, "--gc-sections")
					}
					if strings.Contains(how, "big") {
						args = append(args, "-EB")
					}
					want := linkGNU(t, dir, args...)
					got := linkOurs(t, dir, Options{Script: &Script{Name: "link.ld", Text: string(script)}, GCSections: p.gc}, objects...)
					requireSame(t, want, got)
					require.NotContains(t, gnu(t, dir, "readelf", "-aW", "ours.elf"), "Warning")
				})
			}
		}
	}
}

// contents returns the contents of a section of a linked file.
func contents(t testing.TB, f *elfarc.File, name string) []byte {
	t.Helper()
	for _, s := range f.Sections {
		if s.Name == name {
			return s.Data
		}
	}
	t.Fatalf("no section %s", name)
	return nil
}

// TestArchivesAgainstGNU links members of archives, one pulled by another, in both orders.
func TestArchivesAgainstGNU(t *testing.T) {
	gnutools.Path(t, "as")
	dir := t.TempDir()
	assemble(t, dir, "main", "\t.global __start\n__start:\tbl one\n\tbl four\n\t.weak three\n\t.word three\n")
	assemble(t, dir, "one", "\t.align 4\n\t.global one\none:\tbl two\n\tj_s [blink]\n")
	assemble(t, dir, "two", "\t.align 4\n\t.global two\ntwo:\tj_s [blink]\n\t.data\n\t.word 2\n")
	assemble(t, dir, "three", "\t.align 4\n\t.global three\nthree:\tnop\n")
	assemble(t, dir, "four_with_a_long_name", "\t.align 4\n\t.global four\nfour:\tb one\n")
	gnu(t, dir, "ar", "rcs", "liba.a", "two.o", "three.o", "one.o")
	gnu(t, dir, "ar", "rcs", "libb.a", "four_with_a_long_name.o")
	for _, order := range [][]string{{"main.o", "liba.a", "libb.a"}, {"main.o", "libb.a", "liba.a"}} {
		want := linkGNU(t, dir, order...)
		got := linkOurs(t, dir, Options{}, order...)
		requireSame(t, want, got)
		require.Zero(t, symbolValueOr(got, "three"), "a weak reference pulls nothing")
	}

	// A group is searched until nothing changes.
	assemble(t, dir, "loop1", "\t.align 4\n\t.global loop1\nloop1:\tbl loop2\n")
	assemble(t, dir, "loop2", "\t.align 4\n\t.global loop2\nloop2:\tbl loop3\n")
	assemble(t, dir, "loop3", "\t.align 4\n\t.global loop3\nloop3:\tnop\n")
	assemble(t, dir, "entry", "\t.global __start\n__start:\tbl loop1\n")
	gnu(t, dir, "ar", "rcs", "odd.a", "loop1.o", "loop3.o")
	gnu(t, dir, "ar", "rcs", "even.a", "loop2.o")
	want := linkGNU(t, dir, "entry.o", "--start-group", "even.a", "odd.a", "--end-group")
	in := inputs(t, dir, "entry.o", "even.a", "odd.a")
	in[1].Group, in[2].Group = 1, 1
	im, err := Link(Options{}, in)
	require.NoError(t, err)
	data, err := im.Bytes()
	require.NoError(t, err)
	got, err := elfarc.Read(data)
	require.NoError(t, err)
	requireSame(t, want, got)
	in[1].Group, in[2].Group = 0, 0
	_, err = Link(Options{}, in)
	require.EqualError(t, err, `odd.a(loop1.o)(.text+0x0): undefined symbol "loop2"`)

	// --whole-archive
	want = linkGNU(t, dir, "entry.o", "--whole-archive", "odd.a", "even.a")
	in[1].Whole, in[2].Whole = true, true
	im, err = Link(Options{}, []Input{in[0], in[2], in[1]})
	require.NoError(t, err)
	data, err = im.Bytes()
	require.NoError(t, err)
	got, err = elfarc.Read(data)
	require.NoError(t, err)
	requireSame(t, want, got)
}

func symbolValueOr(f *elfarc.File, name string) uint32 {
	for _, s := range f.Symbols {
		if s.Name == name {
			return s.Value
		}
	}
	return 0
}

// TestDebugStringsAgainstGNU checks that merged strings get the places that GNU ld gives them.
func TestDebugStringsAgainstGNU(t *testing.T) {
	gnutools.Path(t, "as")
	dir := t.TempDir()
	strs := "\t.section .rodata.str1.%d,\"aMS\",@progbits,%d\n\t.balign %d\n"
	body := func(prefix string, align, width int, words ...string) string {
		s := fmt.Sprintf(strs, align, width, align)
		for i, w := range words {
			s += fmt.Sprintf("%s%d:\t.string%s \"%s\"\n\t.balign %d\n", prefix, i, map[int]string{1: "", 2: "16", 4: "32"}[width], w, align)
		}
		s += "\t.data\n"
		for i := range words {
			s += fmt.Sprintf("\t.word %s%d, %s%d+1\n", prefix, i, prefix, i)
		}
		return s
	}
	consts := "\t.section .rodata.cst4,\"aM\",@progbits,4\n\t.balign 4\nc0:\t.word 1,2,3,1,2\n\t.data\n\t.word c0, c0+4, c0+8, c0+12\n"
	a := body("a", 1, 1, "world", "hello world", "", "ld", "abc", "xabc") + body("b", 4, 1, "one", "none", "xxone", "", "two") +
		body("w", 2, 2, "wide", "ide") + consts
	b := body("a", 1, 1, "hello world", "bc", "world", "new") + body("b", 4, 1, "two", "xtwo", "one") + body("w", 2, 2, "de", "wide", "q") + consts
	assemble(t, dir, "a", "\t.global __start\n__start:\tnop\n"+a)
	assemble(t, dir, "b", b)
	write(t, dir, "t.ld", "SECTIONS { .text 0x100 : { *(.text) } .ro : { *(.rodata*) } .data : { *(.data) } }")
	for _, order := range [][]string{{"a.o", "b.o"}, {"b.o", "a.o"}} {
		want := linkGNU(t, dir, append([]string{"-T", "t.ld"}, order...)...)
		got := linkOurs(t, dir, Options{Script: &Script{Name: "t.ld", Text: "SECTIONS { .text 0x100 : { *(.text) } .ro : { *(.rodata*) } .data : { *(.data) } }"}}, order...)
		requireSame(t, want, got)
		require.NotEmpty(t, bytes.TrimLeft(contents(t, got, ".ro"), "\x00"))
	}
}

// scriptObjects assembles the objects that the scripts of testdata/scripts link.
func scriptObjects(t testing.TB) string {
	t.Helper()
	gnutools.Path(t, "as")
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, os.DirFS("testdata/scripts")))
	for _, n := range []string{"main", "second", "member"} {
		gnu(t, dir, "as", "-mcpu=em4", n+".s", "-o", n+".o")
	}
	gnu(t, dir, "ar", "rcs", "libmember.a", "member.o")
	return dir
}

// TestScriptsAgainstGNU links the same objects by many scripts.
func TestScriptsAgainstGNU(t *testing.T) {
	scripts, err := filepath.Glob("testdata/scripts/*.ld")
	require.NoError(t, err)
	require.NotEmpty(t, scripts)
	for _, path := range scripts {
		name := filepath.Base(path)
		t.Run(name, func(t *testing.T) {
			dir := scriptObjects(t)
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			want := linkGNU(t, dir, "-T", name, "main.o", "second.o", "libmember.a")
			got := linkOurs(t, dir, Options{Script: &Script{Name: name, Text: string(text)}}, "main.o", "second.o", "libmember.a")
			requireSame(t, want, got)
		})
	}
}

// TestDefaultsAgainstGNU links without a script, with the options that change what the default does.
func TestDefaultsAgainstGNU(t *testing.T) {
	for _, c := range []struct {
		name string
		args []string
		opts Options
	}{
		{name: "plain"},
		{name: "text address", args: []string{"-Ttext=0x4000"}, opts: Options{SectionStart: map[string]uint32{".text": 0x4000}}},
		{name: "data address", args: []string{"-Tdata=0x80000000", "--section-start=.bss=0x90000000"}, opts: Options{SectionStart: map[string]uint32{".data": 0x80000000, ".bss": 0x90000000}}},
		{name: "segment address", args: []string{"-Ttext-segment=0x2000"}, opts: Options{SegmentStart: map[string]uint32{"text-segment": 0x2000}}},
		{name: "entry", args: []string{"-e", "bfun"}, opts: Options{Entry: "bfun"}},
		{name: "entry address", args: []string{"-e", "0x123"}, opts: Options{Entry: "0x123"}},
		{name: "gc", args: []string{"--gc-sections"}, opts: Options{GCSections: true}},
		{name: "gc undefined", args: []string{"--gc-sections", "-u", "unused_fun"}, opts: Options{GCSections: true, Undefined: []string{"unused_fun"}}},
		{
			name: "defsym", args: []string{"--defsym", "__HEAP_SIZE=0x100", "--defsym", "__STACK_SIZE=2K", "--defsym", "other=foo+8"},
			opts: Options{Defines: []Define{{Name: "__HEAP_SIZE", Expr: "0x100"}, {Name: "__STACK_SIZE", Expr: "2K"}, {Name: "other", Expr: "foo+8"}}},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := scriptObjects(t)
			assemble(t, dir, "unused", "\t.section .text.unused_fun,\"ax\"\n\t.global unused_fun\nunused_fun:\tmov r0,unused_data\n"+
				"\t.section .data.unused_data,\"aw\"\nunused_data:\t.word 1\n\t.section .debug_info,\"\",@progbits\n\t.word unused_fun\n")
			files := []string{"main.o", "second.o", "unused.o", "libmember.a"}
			want := linkGNU(t, dir, append(c.args, files...)...)
			got := linkOurs(t, dir, c.opts, files...)
			requireSame(t, want, got)
		})
	}
}

// TestCommonsAgainstGNU: the common blocks of an object that nothing refers to are collected.
func TestCommonsAgainstGNU(t *testing.T) {
	dir := t.TempDir()
	assemble(t, dir, "a", "\t.global __start\n__start:\tmov r0,used\n\t.comm used,4\n\t.comm beside,20\n")
	assemble(t, dir, "b", "\t.section .text.f,\"ax\"\n\t.global f\nf:\tmov r0,unused\n\t.comm unused,400,64\n")
	assemble(t, dir, "c", "\t.comm kept,8\n")
	for _, c := range []struct{ name, script string }{
		{"collected", "ENTRY(__start) SECTIONS { .text 0x100 : { *(.text*) } .bss : { *(.bss) *(COMMON) } }"},
		{"kept", "ENTRY(__start) SECTIONS { .text 0x100 : { *(.text*) } .bss : { *(.bss) KEEP(c.o(COMMON)) *(COMMON) } }"},
		{"extern", "ENTRY(__start) EXTERN(unused) SECTIONS { .text 0x100 : { *(.text*) } .bss : { *(.bss) *(COMMON) } }"},
	} {
		t.Run(c.name, func(t *testing.T) {
			write(t, dir, "t.ld", c.script)
			want := linkGNU(t, dir, "--gc-sections", "-T", "t.ld", "a.o", "b.o", "c.o")
			got := linkOurs(t, dir, Options{GCSections: true, Script: &Script{Name: "t.ld", Text: c.script}}, "a.o", "b.o", "c.o")
			requireSame(t, want, got)
		})
	}
}

// TestLibraryAgainstGNU links a program with the compiler's library, which has debug information,
// hidden symbols and calls through @plt.
func TestLibraryAgainstGNU(t *testing.T) {
	gnutools.Path(t, "gcc")
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, os.DirFS("testdata/small")))
	for _, f := range []string{"crt0.S", "softfloat.c", "lib.c"} {
		gnu(t, dir, "gcc", "-mcpu=hs38", "-O2", "-g", "-ffreestanding", "-fno-pic", "-mno-millicode", "-w", "-c", f)
	}
	lib, err := os.ReadFile(strings.TrimSpace(gnu(t, dir, "gcc", "-mcpu=hs38", "-print-libgcc-file-name")))
	require.NoError(t, err)
	write(t, dir, "libgcc.a", string(lib))
	script, err := os.ReadFile("testdata/small/link.ld")
	require.NoError(t, err)
	files := []string{"crt0.o", "softfloat.o", "lib.o", "libgcc.a"}
	for _, gc := range []bool{false, true} {
		args := append([]string{"-T", "link.ld"}, files...)
		if gc {
			args = append(args, "--gc-sections")
		}
		requireSame(t, linkGNU(t, dir, args...), linkOurs(t, dir, Options{Script: &Script{Name: "link.ld", Text: string(script)}, GCSections: gc}, files...))
	}
}

// TestAttributesAgainstGNU merges pairs of attributes.
func TestAttributesAgainstGNU(t *testing.T) {
	for _, c := range []struct{ name, a, b string }{
		{name: "PCS_config", a: "1", b: "2"}, {name: "PCS_config", a: "0", b: "2"},
		{name: "ABI_rf16", a: "1", b: "0"}, {name: "ABI_rf16", a: "0", b: "1"}, {name: "ABI_rf16", a: "1", b: "1"},
		{name: "ABI_sda", a: "1", b: "2"}, {name: "ABI_sda", a: "0", b: "2"}, {name: "ABI_sda", a: "2", b: "2"},
		{name: "ABI_pic", a: "1", b: "2"}, {name: "ABI_pic", a: "1", b: "0"},
		{name: "ABI_enumsize", a: "1", b: "2"}, {name: "ABI_exceptions", a: "1", b: "2"}, {name: "ABI_double_size", a: "1", b: "2"},
		{name: "ISA_mpy_option", a: "2", b: "8"}, {name: "ISA_mpy_option", a: "8", b: "2"},
		{name: "CPU_variation", a: "2", b: "3"}, {name: "ABI_osver", a: "3", b: "4"}, {name: "ABI_osver", a: "4", b: "3"},
		{name: "ATR_version", a: "1", b: "2"}, {name: "ATR_version", a: "2", b: "1"},
		{name: "ISA_apex", a: `"a"`, b: `"b"`}, {name: "CPU_name", a: `"a"`, b: `"b"`},
		{name: "ISA_config", a: `"BS,CD"`, b: `"CD"`}, {name: "ISA_config", a: `"SWAP"`, b: `"DIV_REM,SA,BS"`},
		{name: "ISA_config", a: `"FPUS"`, b: `"CD,SPFP"`}, {name: "ISA_config", a: `"FPUDA"`, b: `"DPFP"`}, {name: "ISA_config", a: `"FPUDA"`, b: `"FPUS,CD"`},
	} {
		t.Run(fmt.Sprintf("%s %s %s", c.name, c.a, c.b), func(t *testing.T) {
			dir := t.TempDir()
			assemble(t, dir, "a", "\t.cpu em4\n\t.arc_attribute Tag_ARC_"+c.name+", "+c.a+"\n\t.global __start\n__start:\tnop\n")
			assemble(t, dir, "b", "\t.cpu em4\n\t.arc_attribute Tag_ARC_"+c.name+", "+c.b+"\n")
			cmd := exec.Command(gnutools.Path(t, "ld"), "-marcelf", "a.o", "b.o", "-o", "gnu.elf")
			cmd.Dir = dir
			refused := cmd.Run() != nil
			_, err := Link(Options{}, inputs(t, dir, "a.o", "b.o"))
			require.Equal(t, refused, err != nil, "%v", err)
			if !refused {
				requireSame(t, linkGNU(t, dir, "a.o", "b.o"), linkOurs(t, dir, Options{}, "a.o", "b.o"))
			}
		})
	}
}
