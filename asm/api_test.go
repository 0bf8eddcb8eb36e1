package asm

import (
	"bytes"
	"debug/dwarf"
	"debug/elf"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/program/elfarc"
)

func text(t *testing.T, opts Options, source string) []byte {
	t.Helper()
	obj, err := AssembleString(opts, "test.s", source)
	require.NoError(t, err)
	return obj.Section(".text")
}

// TestFileSystem reads .include and .incbin files from an fs.FS: beside the source, then in the
// directories of Options.Include.
func TestFileSystem(t *testing.T) {
	files := fstest.MapFS{
		"kernels/fir/fir.s":         {Data: []byte(" .include \"taps.inc\"\n .include \"common.inc\"\n .incbin \"table.bin\",1,2\n")},
		"kernels/fir/taps.inc":      {Data: []byte(" .byte 1\n")},
		"kernels/shared/common.inc": {Data: []byte(" .byte 2")},
		"kernels/fir/table.bin":     {Data: []byte{9, 8, 7, 6}},
	}
	opts := Options{FS: files, Include: []string{"kernels/shared"}}
	sources, err := ReadSources(opts, "kernels/fir/fir.s")
	require.NoError(t, err)
	obj, err := Assemble(opts, sources...)
	require.NoError(t, err)
	require.Equal(t, []byte{1, 2, 8, 7}, obj.Section(".text"))
}

func TestDefsym(t *testing.T) {
	opts := Options{Defsym: map[string]int64{"TAPS": 32, "BIG": -1}}
	require.Equal(t, []byte{32, 255}, text(t, opts, " .byte TAPS, BIG\n"))
	require.Equal(t, []byte{1}, text(t, opts, " .ifdef TAPS\n .byte 1\n .endif\n"))
}

// TestDataAsGNU holds bytes of data that GNU as wrote for the same text.
func TestDataAsGNU(t *testing.T) {
	require.Equal(t, []byte{1, 0, 0, 0, 0, 0, 0, 0, 0xaa, 0, 0, 0xc0, 0x3f, '\n', 7, 0xbb, 0x11, 0x11, 0x11, 0x11, 0xcc}, text(t, Options{}, `
	.fill	1,9,1
	.byte	0xaa
	.float	0f1.5
	.macro	two n
	.byte	'\n, \n
	.endm
	two	7
	.byte	0xbb
here:	.org	here+4,0x11
	.byte	0xcc
`))
}

// TestSources takes several files as one program.
func TestSources(t *testing.T) {
	obj, err := Assemble(Options{}, Source{Name: "a.s", Text: " .set x,5\nl: .byte x"}, Source{Name: "b.s", Text: " .byte x+1, .-l"})
	require.NoError(t, err)
	require.Equal(t, []byte{5, 6, 2}, obj.Section(".text"))
	_, err = Assemble(Options{}, Source{Name: "a.s", Text: " nop"}, Source{Name: "b.s", Text: "\n nopp"})
	require.ErrorContains(t, err, "b.s:2:2: unknown instruction")
}

// TestReentrant assembles at the same time, with the same result.
func TestReentrant(t *testing.T) {
	source := ".macro m x\n add r0,r1,\\x\n.endm\n .rept 50\n m 5\n m 500\n.endr\n .word l\nl:\n"
	want, err := AssembleString(Options{}, "a.s", source)
	require.NoError(t, err)
	wantBytes, err := want.Bytes()
	require.NoError(t, err)
	var wg sync.WaitGroup
	results := make([][]byte, 16)
	for i := range results {
		wg.Go(func() {
			obj, err := AssembleString(Options{}, "a.s", source)
			if err == nil {
				results[i], _ = obj.Bytes()
			}
		})
	}
	wg.Wait()
	for _, got := range results {
		require.Equal(t, wantBytes, got)
	}
}

func TestOptionErrors(t *testing.T) {
	for _, c := range []struct {
		opts Options
		want string
	}{
		{opts: Options{CPU: "em9"}, want: `unknown core "em9", did you mean em9d`},
		{opts: Options{CPU: "arc700"}, want: "core arc700 is no ARCv2 core"},
		{opts: Options{CPU: "z80"}, want: `unknown core "z80", expected one of`},
		{opts: Options{DPFP: true, FPUDA: true}, want: "exclude each other"},
		{opts: Options{MaxErrors: -1}, want: "error limit -1 is negative"},
	} {
		_, err := AssembleString(c.opts, "a.s", "")
		require.ErrorContains(t, err, c.want)
	}
}

func TestMessages(t *testing.T) {
	obj, err := AssembleString(Options{}, "a.s", " .print \"hello\"\n .warning \"careful\"\n .byte 300\n")
	require.NoError(t, err)
	require.Equal(t, []string{"hello"}, obj.Printed)
	require.Len(t, obj.Warnings, 2)
	require.Equal(t, "a.s:2:2: warning: careful\n\t .warning \"careful\"\n\t ^", obj.Warnings[0].Error())
	require.Contains(t, obj.Warnings[1].Msg, "does not fit in 8 bits")
}

// TestLineMarkers counts lines as a preprocessor's markers say.
func TestLineMarkers(t *testing.T) {
	_, err := AssembleString(Options{}, "a.s", "# 1 \"orig.S\"\n nop\n# 40 \"other.S\" 1\n nop\n nopp\n")
	require.ErrorContains(t, err, "other.S:41:2: unknown instruction")
}

// TestCPUDirective chooses the core in the source, unless it was given.
func TestCPUDirective(t *testing.T) {
	obj, err := AssembleString(Options{}, "a.s", " .cpu hs38\n ldd r0,[r2]\n")
	require.NoError(t, err)
	require.EqualValues(t, elfarc.FlagCPUHS|elfarc.FlagABIv4, obj.file.Flags)
	_, err = AssembleString(Options{CPU: "em4"}, "a.s", " .cpu hs38\n ldd r0,[r2]\n")
	require.ErrorContains(t, err, "core em4 has no ldd")
	_, err = AssembleString(Options{}, "a.s", " .cpu em4\n .cpu hs\n")
	require.ErrorContains(t, err, "a second .cpu")
}

// TestAuxNames knows the registers that the GNU assembler has no names for, and those defined by the
// source.
func TestAuxNames(t *testing.T) {
	for name, addr := range map[string]uint32{
		"DSP_CTRL": 0x59f, "dsp_fft_ctrl": 0x59e, "ACC0_LO": 0x580, "acc0_ghi": 0x583, "agu_ap0": 0x5c0, "AGU_AP11": 0x5cb,
		"agu_os7": 0x5d7, "agu_mod23": 0x5f7, "xccm_base": 0x5f8, "YCCM_BASE": 0x5f9, "mine": 0x777, "lp_start": 2,
	} {
		want := text(t, Options{}, fmt.Sprintf(" sr r0,[%#x]\n", addr))
		require.Equal(t, want, text(t, Options{}, " .extAuxRegister mine, 0x777, r|w\n sr r0,["+name+"]\n"), name)
	}
}

// TestExcerpt: the source line of a message is fit for a terminal, whatever the file holds.
func TestExcerpt(t *testing.T) {
	for _, c := range []struct{ source, want string }{
		{source: " .ascii \"é\",\tx\n", want: "a.s:1:15: expected a string in double quotes\n\t .ascii \"é\",\tx\n\t            \t^"},
		{source: "\xef\xbb\xbf nop\n", want: "a.s:1:1: unknown instruction \"\\ufeff\"\n\t? nop\n\t^"},
		{source: " foo\x1b[2J\xff\n", want: "a.s:1:2: unknown instruction \"foo\"\n\t foo?[2J?\n\t ^"},
		{
			source: " .word " + strings.Repeat("1,", 100_000) + ")" + strings.Repeat("é", 100_000) + "\n",
			want: "a.s:1:200008: expected a value\n\t..." + strings.Repeat("1,", 60) + ")" + strings.Repeat("é", 59) + "...\n\t" +
				strings.Repeat(" ", 123) + "^",
		},
	} {
		_, err := AssembleString(Options{}, "a.s", c.source)
		require.EqualError(t, err, c.want)
	}
}

// TestAuxNameOverLabel: the name of a register wins over a label, as in GNU as, but not the names that
// only this assembler has.
func TestAuxNameOverLabel(t *testing.T) {
	opts := Options{CPU: "em9d"}
	require.Equal(t, text(t, opts, " nop\n lr r0,[4]\n"), text(t, opts, "identity: nop\n lr r0,[identity]\n"))
	obj, err := AssembleString(opts, "a.s", "dsp_ctrl: nop\n lr r0,[dsp_ctrl]\n")
	require.NoError(t, err)
	require.Len(t, obj.file.Sections[0].Relocs, 1)
}

// TestGNUBugs encodes the forms that the GNU table has wrong, both ways. The correct bytes follow from
// the format that the other forms of the same instructions have; the others are those of GNU as 2.40.
func TestGNUBugs(t *testing.T) {
	for _, c := range []struct{ source, right, gnu string }{
		// The register must not turn into a literal: operand format 00 as in "0,b,c".
		{source: "vadd4b 0,0x12345678,r1", right: "242e7e7034127856", gnu: "642e7e7034127856"},
		{source: "dmachf 0,0x12345678,r5", right: "2c2e7e7134127856", gnu: "6c2e7e7134127856"},
		{source: "bspush 0,0x12345678,r1", right: "2e2e7ef034127856", gnu: "6e2e7ef034127856"},
		// Sub-opcodes 0 and 2 as in the form "a,b,c", which is right.
		{source: "cmpyhnfr r0,r1,r2", right: "00318080", gnu: "00318080"},
		{source: "cmpyhnfr r0,r1,5", right: "40314081", gnu: "42314081"},
		{source: "cmpychnfr 0,r1,r2", right: "0231be80", gnu: "0031be80"},
		// Bit 15 as in the form "a,b,c".
		{source: "vasls2h r0,r1,r2", right: "21298080", gnu: "21298080"},
		{source: "vasls2h 0,r1,r2", right: "2129be80", gnu: "2129be00"},
		// Operation 0x19 as in the five other forms.
		{source: "cbflyhf1r 0,r1", right: "2f365970", gnu: "2f365970"},
		{source: "cbflyhf1r r0,r1", right: "2f305900", gnu: "2f307900"},
	} {
		require.Equal(t, c.right, hex.EncodeToString(text(t, Options{CPU: "em4"}, " "+c.source+"\n")), c.source)
		require.Equal(t, c.gnu, hex.EncodeToString(text(t, Options{CPU: "em4", GNUBugs: true}, " "+c.source+"\n")), c.source)
	}
}

// TestDebugLines writes a line table that the standard library reads back.
func TestDebugLines(t *testing.T) {
	source := strings.Join([]string{
		" .type f,@function",       // 1
		"f: mov r0,5",              // 2
		" .macro two",              // 3
		" nop",                     // 4
		" nop_s",                   // 5
		" .endm",                   // 6
		" two",                     // 7
		" .rept 2",                 // 8
		" nop_s",                   // 9
		" .endr",                   // 10
		" j_s [blink]",             // 11
		" .size f,.-f",             // 12
		" .section .text.g,\"ax\"", // 13
		"g: nop_s",                 // 14
	}, "\n")
	for _, big := range []bool{false, true} {
		obj, err := AssembleString(Options{Debug: true, CompDir: "/src", BigEndian: big}, "dir/a.s", source)
		require.NoError(t, err)
		var buf bytes.Buffer
		require.NoError(t, obj.Write(&buf))
		f, err := elf.NewFile(bytes.NewReader(buf.Bytes()))
		require.NoError(t, err)
		section := func(name string) []byte { return relocated(t, obj.file, name) }
		d, err := dwarf.New(section(".debug_abbrev"), nil, nil, section(".debug_info"), section(".debug_line"), nil, section(".debug_ranges"), nil)
		require.NoError(t, err)
		require.NotNil(t, f.Section(".debug_aranges"))
		r := d.Reader()
		cu, err := r.Next()
		require.NoError(t, err)
		require.Equal(t, "dir/a.s", cu.Val(dwarf.AttrName))
		require.Equal(t, "/src", cu.Val(dwarf.AttrCompDir))
		lines, err := d.LineReader(cu)
		require.NoError(t, err)
		var got []string
		for {
			var e dwarf.LineEntry
			if lines.Next(&e) != nil {
				break
			}
			if e.EndSequence {
				got = append(got, fmt.Sprintf("%x end", e.Address))
			} else {
				got = append(got, fmt.Sprintf("%x %d", e.Address, e.Line))
			}
		}
		require.Equal(t, []string{"0 2", "4 7", "a 8", "e 11", "10 end", "0 14", "2 end"}, got)
		fn, err := r.Next()
		require.NoError(t, err)
		require.Equal(t, "f", fn.Val(dwarf.AttrName))
	}
}

// relocated returns a section of an object with its relocations applied, all sections at 0.
func relocated(t *testing.T, f *elfarc.File, name string) []byte {
	for _, s := range f.Sections {
		if s.Name != name {
			continue
		}
		data := bytes.Clone(s.Data)
		for _, r := range s.Relocs {
			v, err := r.Type.Row().Value(elfarc.Terms{S: r.Sym.Value, A: r.Addend, Place: r.Offset})
			require.NoError(t, err)
			require.NoError(t, r.Type.Row().Apply(data, r.Offset, v, f.BigEndian))
		}
		return data
	}
	return nil
}

// TestLeftOut: directives whose effect is left out say so, once; .mri is refused but for .mri 0.
func TestLeftOut(t *testing.T) {
	obj, err := AssembleString(Options{}, "a.s", ` .symver f, f@V1
 .symver g, g@V1
 .stabs "x.c",100,0,0,f
 .stabn 68,0,1,f
 .stabd 68,0,2
 .mri 0
f: nop
g: nop
 .attach_to_group one
 .attach_to_group two
`)
	require.NoError(t, err)
	var got []string
	for _, w := range obj.Warnings {
		got = append(got, w.Pos.String()+": "+w.Msg)
	}
	require.Equal(t, []string{
		"a.s:1:2: versions of symbols are left out: only shared libraries have them",
		"a.s:3:2: stabs debug information is left out: use -g or .loc",
		"a.s:10:2: section .text stays in group one",
	}, got)
	_, err = AssembleString(Options{}, "a.s", " .mri 1\n")
	require.ErrorContains(t, err, "a.s:1:2: .mri: the syntax of the MRI assembler is not supported")
}

// TestNoConstants: local names of numbers stay out of the symbol table, places and global names do not.
func TestNoConstants(t *testing.T) {
	const text = "\t.equ\tN,4\nm = N+1\n\t.global\tsize\nsize = 6\n\t.equ\tplace,f+2\nf:\tmov\tr0,N\n\tmov\tr1,m+flag\n"
	names := func(o Options) (list []string) {
		o.Defsym = map[string]int64{"flag": 1}
		obj, err := AssembleString(o, "n.s", text)
		require.NoError(t, err)
		for _, s := range obj.Symbols() {
			if s.Name != "" {
				list = append(list, s.Name)
			}
		}
		slices.Sort(list)
		return list
	}
	require.Equal(t, []string{"N", "f", "flag", "m", "place", "size"}, names(Options{}))
	require.Equal(t, []string{"f", "place", "size"}, names(Options{NoConstants: true}))
}
