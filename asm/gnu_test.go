package asm

import (
	"bytes"
	"debug/elf"
	"flag"
	"fmt"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/gnutools"
	"arcv2dsp/isa"
)

var (
	fuzzSeed  = flag.Int64("gnu-seed", 1, "seed of the random instructions given to both assemblers")
	fuzzLines = flag.Int("gnu-lines", 20_000, "random instructions for each core")
)

// gnuAssemble runs GNU as and returns the object file, or the lines it refuses.
func gnuAssemble(t *testing.T, source string, flags ...string) (object string, refused map[int]string) {
	t.Helper()
	gas := gnutools.Path(t, "as")
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in.s"), filepath.Join(dir, "out.o")
	require.NoError(t, os.WriteFile(in, []byte(source), 0o666))
	cmd := exec.Command(gas, append(flags, "-I", "testdata", "-o", out, in)...)
	message, err := cmd.CombinedOutput()
	if err == nil {
		return out, nil
	}
	refused = make(map[int]string)
	for _, m := range regexp.MustCompile(`:(?:(\d+):)? Error: (.*)`).FindAllStringSubmatch(string(message), -1) {
		n, _ := strconv.Atoi(m[1]) // 0 when it names no line
		refused[n] = m[2]
	}
	require.NotEmpty(t, refused, "%s", message)
	return "", refused
}

// gnuText is the code in an object file.
func gnuText(t *testing.T, object string) []byte {
	t.Helper()
	f, err := elf.Open(object)
	require.NoError(t, err)
	defer f.Close()
	data, err := f.Section(".text").Data()
	require.NoError(t, err)
	return data
}

// TestGNURandom assembles random instructions of the table with both assemblers: the bytes must be
// equal wherever GNU as takes the line.
func TestGNURandom(t *testing.T) {
	gnutools.Path(t, "as")
	for _, core := range []struct {
		name  string
		flags []string
		opts  Options
		legal isa.Feature
	}{
		{name: "em4", flags: []string{"-mcpu=em4"}, opts: Options{CPU: "em4"}, legal: isa.GNUEM},
		{name: "em4 fpuda", flags: []string{"-mcpu=em4_fpuda"}, opts: Options{CPU: "em4_fpuda"},
			legal: isa.GNUEM | isa.AllFPUSingle | isa.FPUDoubleAssist},
		{name: "em4 dpfp", flags: []string{"-mcpu=em4", "-mdpfp", "-mspfp"}, opts: Options{CPU: "em4", DPFP: true, SPFP: true},
			legal: isa.GNUEM | isa.FPXDouble | isa.FPXSingle},
		{name: "quarkse_em", flags: []string{"-mcpu=quarkse_em"}, opts: Options{CPU: "quarkse_em"}, legal: isa.GNUEM | isa.QuarkSE},
		{name: "em", flags: []string{"-mcpu=em"}, opts: Options{CPU: "em"}, legal: isa.GNUEM &^ isa.CodeDensity},
		{name: "hs4xd", flags: []string{"-mcpu=hs4xd"}, opts: Options{CPU: "hs4xd"}, legal: isa.GNUHS | isa.AllFPUSingle | isa.AllFPUDouble},
		{name: "big", flags: []string{"-mcpu=em4", "-EB"}, opts: Options{CPU: "em4", BigEndian: true}, legal: isa.GNUEM},
	} {
		t.Run(core.name, func(t *testing.T) {
			// GNU's table faults are known, see TestGNUBugs; everything else must agree.
			core.opts.GNUBugs = true
			rng := rand.New(rand.NewSource(*fuzzSeed))
			var lines []string
			var codes [][]byte
			forms := formsFor(core.legal)
			onlyHere := 0
			var rejected []string
			for range *fuzzLines {
				line := randomLine(rng, forms[rng.Intn(len(forms))])
				obj, err := AssembleString(core.opts, "a.s", line)
				if err != nil {
					rejected = append(rejected, line)
					continue
				}
				lines = append(lines, line)
				codes = append(codes, obj.Section(".text"))
			}
			require.Greater(t, len(lines), *fuzzLines/2)
			// A nop_s behind each line keeps delay slots legal.
			source := strings.Join(lines, "\n nop_s\n") + "\n nop_s\n"
			object, refused := gnuAssemble(t, source, core.flags...)
			if refused != nil {
				var kept []string
				var keptCodes [][]byte
				for i, line := range lines {
					if msg, no := refused[2*i+1]; no {
						onlyHere++
						if onlyHere <= 10 {
							t.Logf("taken here only: %s (%s)", line, msg)
						}
						continue
					}
					kept, keptCodes = append(kept, line), append(keptCodes, codes[i])
				}
				lines, codes = kept, keptCodes
				source = strings.Join(lines, "\n nop_s\n") + "\n nop_s\n"
				object, refused = gnuAssemble(t, source, core.flags...)
				require.Empty(t, refused)
			}
			gnu := gnuText(t, object)
			bad := 0
			for i, code := range codes {
				n := len(code) + 2
				if len(gnu) < n || !bytes.Equal(gnu[:len(code)], code) {
					if bad++; bad <= 20 {
						t.Errorf("%s\n\tGNU  %x\n\there %x", lines[i], gnu[:min(len(gnu), 8)], code)
					}
					// Find the place again by the line alone.
					object, refused := gnuAssemble(t, lines[i]+"\n", core.flags...)
					require.Empty(t, refused)
					n = len(gnuText(t, object)) + 2
				}
				gnu = gnu[min(n, len(gnu)):]
			}
			// GNU as must refuse the same lines.
			if len(rejected) > 0 {
				_, refused := gnuAssemble(t, strings.Join(rejected, "\n nop_s\n")+"\n nop_s\n", core.flags...)
				for i, line := range rejected {
					// Above 1023 GNU as takes the operand of jli_s for a byte offset.
					if _, no := refused[2*i+1]; !no && !strings.HasPrefix(line, " jli_s ") {
						t.Errorf("refused here only: %s", line)
					}
				}
			}
			t.Logf("%d instructions compared, %d more are taken here only, %d refused", len(lines), onlyHere, len(rejected))
		})
	}
}

// formsFor lists the forms of the instructions that a core has.
func formsFor(legal isa.Feature) []*isa.Form {
	var forms []*isa.Form
	for _, row := range isa.Rows() {
		for _, f := range row.Forms() {
			if !row.Own && legal.Has(f.Needs) {
				forms = append(forms, f)
			}
		}
	}
	return forms
}

// randomLine writes an instruction that a form may take; operands on and beyond the limits make other
// forms compete for it.
func randomLine(rng *rand.Rand, f *isa.Form) string {
	line := " " + f.Row.Name + randomSuffixes(rng, f) + " "
	if f.Row.Shape == isa.ShapeList {
		return line + strconv.Itoa(rng.Intn(128))
	}
	ops := make([]string, len(f.Args))
	for i := range f.Args {
		fd := &f.Args[i]
		if fd.Same >= 0 {
			ops[i] = ops[fd.Same]
		} else {
			ops[i] = randomOperand(rng, fd)
		}
	}
	for i, op := range ops {
		if i > 0 {
			line += ","
		}
		if int(f.Open) == i {
			line += "["
		}
		line += op
		if int(f.Close) == i {
			line += "]"
		}
	}
	return line
}

func randomSuffixes(rng *rand.Rand, f *isa.Form) string {
	var s []string
	pick := func(kind isa.ModSet, fixed string, choices ...string) {
		switch {
		case f.Require&kind != 0:
			s = append(s, fixed)
		case f.Allow&kind != 0 && rng.Intn(3) == 0:
			s = append(s, choices[rng.Intn(len(choices))])
		}
	}
	pick(isa.ModSize, "", ".b", ".h", ".w")
	pick(isa.ModF, ".f", ".f")
	pick(isa.ModCC, "."+f.Fix.Cond.String(), ".al", ".eq", ".ne", ".z", ".nz", ".p", ".n", ".c", ".lo", ".hs", ".v", ".nv", ".gt", ".ge",
		".lt", ".le", ".hi", ".ls", ".pnz")
	pick(isa.ModD, ".d", ".d", ".nd")
	pick(isa.ModT, ".t", ".t", ".nt")
	pick(isa.ModAA, ".as", ".aw", ".ab", ".as", ".a")
	pick(isa.ModX, ".x", ".x")
	pick(isa.ModDI, ".di", ".di")
	rng.Shuffle(len(s), func(i, j int) { s[i], s[j] = s[j], s[i] })
	return strings.Join(s, "")
}

func randomOperand(rng *rand.Rand, fd *isa.Field) string {
	switch fd.Kind {
	case isa.FieldReg:
		for {
			r := uint8(rng.Intn(64))
			if rng.Intn(2) == 0 {
				r = uint8(rng.Intn(4)) // small numbers make short and equal operands likely
			}
			if fd.FitsReg(r) {
				return isa.RegName(r)
			}
		}
	case isa.FieldReg3, isa.FieldRegH, isa.FieldRegG:
		for {
			if r := uint8(rng.Intn(32)); fd.FitsReg(r) {
				return isa.RegName(r)
			}
		}
	case isa.FieldFixed:
		return isa.RegName(fd.Reg)
	case isa.FieldNull, isa.FieldZero:
		return "0"
	}
	lo, hi, step := fd.Range()
	v := int64(0)
	switch rng.Intn(6) {
	case 0:
		v = lo
	case 1:
		v = hi
	case 2:
		v = hi + step
	case 3:
		v = lo - step
	default:
		v = lo + rng.Int63n((hi-lo)/step+1)*step
	}
	if rng.Intn(2) == 0 && v >= 0 {
		return fmt.Sprintf("%#x", v)
	}
	return strconv.FormatInt(v, 10)
}

// objectSources are programs whose whole objects must equal those of GNU as: sections, relocations and
// symbols.
var objectSources = []string{"symbolic_enc.s", "branch_enc.s", "macro_enc.s", "relax_enc.s", "ext_enc.s", "objects.s", "mentions.s", "aliases.s", "overrides.s", "lenient.s", "cfi.s", "cie.s", "sections.s"}

// TestGNUObjects compares objects with those of GNU as.
func TestGNUObjects(t *testing.T) {
	for _, name := range objectSources {
		t.Run(name, func(t *testing.T) {
			source, err := os.ReadFile(filepath.Join("testdata", name))
			require.NoError(t, err)
			opts := sourceOptions(t, string(source))
			flags := []string{"-mcpu=" + opts.CPU}
			if opts.Relax {
				flags = append(flags, "-mrelax")
			}
			object, refused := gnuAssemble(t, string(source), flags...)
			require.Empty(t, refused)
			obj, err := AssembleString(opts, name, string(source))
			require.NoError(t, err)
			ours := filepath.Join(t.TempDir(), "ours.o")
			writeObject(t, obj, ours)
			compareObjects(t, object, ours)
		})
	}
}

// TestGNULines compares the line table of .loc directives with that of GNU as, view numbers aside.
func TestGNULines(t *testing.T) {
	objdump := gnutools.Path(t, "objdump")
	source, err := os.ReadFile(filepath.Join("testdata", "loc.s"))
	require.NoError(t, err)
	object, refused := gnuAssemble(t, string(source), "-mcpu=em4")
	require.Empty(t, refused)
	obj, err := AssembleString(sourceOptions(t, string(source)), "loc.s", string(source))
	require.NoError(t, err)
	ours := filepath.Join(t.TempDir(), "ours.o")
	writeObject(t, obj, ours)
	rows := func(object string) (rows []string) {
		out, err := exec.Command(objdump, "--dwarf=decodedline", object).Output()
		require.NoError(t, err)
		for _, m := range regexp.MustCompile(`(?m)^loc\.c +(\d+|-) +(0x[0-9a-f]+|0)(?: .*?(x)?)? *$`).FindAllStringSubmatch(string(out), -1) {
			rows = append(rows, strings.Join(m[1:], " "))
		}
		return rows
	}
	want := rows(object)
	require.Len(t, want, 9)
	require.Equal(t, want, rows(ours))
	require.Equal(t, sectionOf(t, object, ".data"), sectionOf(t, ours, ".data"))
	// A source that has .loc but no .debug_info gets a unit, so that debuggers find the lines.
	units := func(object string) []string {
		out, err := exec.Command(objdump, "--dwarf=info", object).Output()
		require.NoError(t, err)
		return regexp.MustCompile(`DW_AT_name .*loc\.c|DW_TAG_\w+|DW_AT_stmt_list.*`).FindAllString(string(out), -1)
	}
	require.Len(t, units(object), 3)
	require.Len(t, units(ours), 3)
}

// foldSource fills subsections of .text and .data in turn.
const foldSource = `	.text
f:	nop
	.word	d, e-., e-f
	.data
	.align	4
d:	.word	1, f
	.data	2
e:	.short	1
	.text	2
	.word	5
	.data
	.word	e
	.pushsection .text
	nop_s
	.popsection
	.byte	3
	.lcomm	q, 4
	.comm	r, 4
	.section .rodata
	.word	d
	.section .data.x, "aw"
	.word	e
`

// TestGNUFoldData compares objects of -R with those of GNU as.
func TestGNUFoldData(t *testing.T) {
	object, refused := gnuAssemble(t, foldSource, "-mcpu=em4", "-R")
	require.Empty(t, refused)
	ours := filepath.Join(t.TempDir(), "ours.o")
	obj, err := AssembleString(Options{CPU: "em4", FoldData: true}, "fold.s", foldSource)
	require.NoError(t, err)
	writeObject(t, obj, ours)
	compareObjects(t, object, ours)
	// Of .section .data GNU as moves the bytes but not the labels; here it is .data by another name.
	named := strings.Replace(foldSource, ".data\n\t.align", ".section .data\n\t.align", 1)
	again, err := AssembleString(Options{CPU: "em4", FoldData: true}, "fold.s", named)
	require.NoError(t, err)
	require.Equal(t, obj.Section(".text"), again.Section(".text"))
}

// TestGNURefusals gives what GNU as refuses too, and what it takes.
func TestGNURefusals(t *testing.T) {
	for _, c := range []struct {
		source string
		want   string // "" when both take it
	}{
		{source: ".file 1 \"a.c\"\n .file 1 \"a.c\""},
		{source: ".file 1 \"a.c\"\n .file 1 \"b.c\"", want: `a.s:2:8: file number 1 is already "a.c", not "b.c"`},
		{source: ".file 1 \"d\" \"a.c\"\n .file 1 \"e\" \"a.c\"", want: `a.s:2:8: file number 1 is already "d/a.c", not "e/a.c"`},
		{source: "f: .cfi_startproc\n .cfi_label l\n .cfi_label l\n .cfi_endproc"},
		{source: "f: .cfi_startproc\n .cfi_label l\n nop\n .cfi_label l\n .cfi_endproc", want: `a.s:4:2: symbol "l" is already defined at a.s:2:2`},
		{source: "l: .cfi_startproc\n .cfi_label l\n .cfi_endproc", want: `a.s:2:2: symbol "l" is already defined at a.s:1:1`},
		{source: ".cfi_sections .eh_frame,.debug_frame\n .cfi_startproc\n .cfi_label l\n .cfi_endproc",
			want: `a.s:3:2: label "l" would be both in .eh_frame and in .debug_frame`},
		{source: " .section .y,\"ax\",@progbits,unique,-1", want: "a.s:1:36: section number -1 is out of range 0 to 4294967294"},
		{source: " .section .y,\"ax\",@progbits,1", want: "a.s:1:29: expected unique, or what the flags call for"},
		{source: " .attach_to_group", want: "a.s:1:18: the group name is missing"},
	} {
		_, refused := gnuAssemble(t, c.source+"\n", "-mcpu=em4")
		_, err := AssembleString(Options{CPU: "em4"}, "a.s", c.source)
		if c.want == "" {
			require.Empty(t, refused, "%s", c.source)
			require.NoError(t, err, "%s", c.source)
			continue
		}
		require.NotNil(t, refused, "%s", c.source)
		require.ErrorContains(t, err, c.want)
	}
}

const viewSource = `	.file 1 "loc.c"
	.text
f:	.loc 1 10 1 view -0
	.loc 1 11 3 view .L1
	nop
	.loc 1 12 1 view 0
	.loc 1 13 1 view -0
	.loc 1 14 1 view .L2
	.loc 1 15 1 view -0
	nop
	.loc 1 16 1 view -0
	nop
	.data
	.word .L1, .L2
`

// TestGNUViews compares the view numbers that readelf counts in a line table with those of GNU as:
// "view -0" begins the count again at the same address.
func TestGNUViews(t *testing.T) {
	readelf := gnutools.Path(t, "readelf")
	object, refused := gnuAssemble(t, viewSource, "-mcpu=em4")
	require.Empty(t, refused)
	obj, err := AssembleString(Options{CPU: "em4"}, "view.s", viewSource)
	require.NoError(t, err)
	ours := filepath.Join(t.TempDir(), "ours.o")
	writeObject(t, obj, ours)
	rows := func(object string) []string {
		out, err := exec.Command(readelf, "--debug-dump=decodedline", object).Output()
		require.NoError(t, err)
		return regexp.MustCompile(`(?m)^loc\.c .*`).FindAllString(string(out), -1)
	}
	want := rows(object)
	require.Len(t, want, 8)
	require.Equal(t, want, rows(ours))
	require.Equal(t, sectionOf(t, object, ".data"), sectionOf(t, ours, ".data"))
	for _, c := range []struct{ row, want string }{
		{row: ".loc 1 11 view 0", want: "the view here is 1, not 0"},
		{row: ".loc 1 11 view 3", want: "view 3: a number can only be 0"},
	} {
		source := "\t.file 1 \"loc.c\"\n\t.loc 1 10 view -0\n\t" + c.row + "\n\tnop\n"
		_, refused := gnuAssemble(t, source, "-mcpu=em4")
		require.Contains(t, refused, 3)
		_, err := AssembleString(Options{CPU: "em4"}, "view.s", source)
		require.ErrorContains(t, err, "view.s:3:")
		require.ErrorContains(t, err, c.want)
	}
}

func writeObject(t *testing.T, obj *Object, name string) {
	t.Helper()
	data, err := obj.Bytes()
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(name, data, 0o666))
}

// TestCompilerOutput assembles what gcc makes of C, and expects the objects of GNU as.
func TestCompilerOutput(t *testing.T) {
	gcc := gnutools.Path(t, "gcc")
	for _, options := range []string{"-O2 -mcpu=em4_dmips", "-Os -mcpu=em4_dmips -mcode-density-frame", "-O1 -g -mcpu=em4", "-O2 -mcpu=hs38 -fPIC", "-O0 -mcpu=em"} {
		t.Run(options, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "c.s")
			out, err := exec.Command(gcc, append(strings.Fields(options), "-S", "-o", file, filepath.Join("testdata", "interchange.c"))...).CombinedOutput()
			require.NoError(t, err, "%s", out)
			source, err := os.ReadFile(file)
			require.NoError(t, err)
			cpu := regexp.MustCompile(`-mcpu=(\w+)`).FindStringSubmatch(options)[1]
			object, refused := gnuAssemble(t, string(source), "-mcpu="+cpu)
			require.Empty(t, refused)
			obj, err := AssembleString(Options{CPU: cpu}, "c.s", string(source))
			require.NoError(t, err)
			ours := filepath.Join(t.TempDir(), "ours.o")
			writeObject(t, obj, ours)
			compareObjects(t, object, ours)
		})
	}
}

// TestInterchange links our object with compiled C by GNU ld; the program must be the one that the
// object of GNU as gives.
func TestInterchange(t *testing.T) {
	gcc, ld := gnutools.Path(t, "gcc"), gnutools.Path(t, "ld")
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	run := func(tool string, args ...string) {
		out, err := exec.Command(tool, args...).CombinedOutput()
		require.NoError(t, err, "%s", out)
		require.Empty(t, string(out))
	}
	run(gcc, "-O2", "-mcpu=em4_dmips", "-fno-pic", "-c", "-o", at("c.o"), filepath.Join("testdata", "interchange.c"))
	source, err := os.ReadFile(filepath.Join("testdata", "interchange.s"))
	require.NoError(t, err)
	gnu, refused := gnuAssemble(t, string(source), "-mcpu=em4_dmips")
	require.Empty(t, refused)
	for _, cpu := range []string{"em4_dmips", "em9d"} {
		obj, err := AssembleString(Options{CPU: cpu}, "interchange.s", string(source))
		require.NoError(t, err)
		writeObject(t, obj, at("s.o"))
		run(ld, "--no-warn-rwx-segments", "-e", "start", "-T", filepath.Join("testdata", "interchange.ld"), "-o", at("ours.elf"), at("s.o"), at("c.o"))
		run(ld, "--no-warn-rwx-segments", "-e", "start", "-T", filepath.Join("testdata", "interchange.ld"), "-o", at("gnu.elf"), gnu, at("c.o"))
		for _, section := range []string{".text", ".data", ".rodata", ".sdata"} {
			require.Equal(t, sectionOf(t, at("gnu.elf"), section), sectionOf(t, at("ours.elf"), section), section)
		}
	}
}

func sectionOf(t *testing.T, file, name string) []byte {
	t.Helper()
	f, err := elf.Open(file)
	require.NoError(t, err)
	defer f.Close()
	s := f.Section(name)
	if s == nil {
		return nil
	}
	data, err := s.Data()
	require.NoError(t, err)
	return data
}

// compareObjects expects the same sections, relocations and symbols in two objects.
func compareObjects(t *testing.T, gnu, ours string) {
	t.Helper()
	want, got := describeObject(t, gnu), describeObject(t, ours)
	require.Equal(t, want, got)
}

// describeObject lists what a linker sees of an object. Left out are line tables and attributes, which
// say the same in other words; relocations are sorted by offset.
func describeObject(t *testing.T, name string) []string {
	t.Helper()
	f, err := elf.Open(name)
	require.NoError(t, err)
	defer f.Close()
	var out []string
	symbols, err := f.Symbols()
	require.NoError(t, err)
	where := func(s elf.Symbol) string {
		if int(s.Section) > 0 && int(s.Section) < len(f.Sections) {
			return f.Sections[s.Section].Name
		}
		return s.Section.String()
	}
	for _, s := range f.Sections {
		switch {
		case s.Type == elf.SHT_GROUP:
			data, err := s.Data()
			require.NoError(t, err)
			group := fmt.Sprintf("group %s flags %d:", symbols[s.Info-1].Name, f.ByteOrder.Uint32(data))
			for data = data[4:]; len(data) > 0; data = data[4:] {
				group += " " + f.Sections[f.ByteOrder.Uint32(data)].Name
			}
			out = append(out, group)
			continue
		case s.Type == elf.SHT_SYMTAB, s.Type == elf.SHT_STRTAB, s.Type == elf.SHT_NULL,
			s.Name == ".debug_line", s.Name == ".ARC.attributes", s.Size == 0:
			continue
		}
		var data []byte
		if s.Type != elf.SHT_NOBITS {
			data, err = s.Data()
			require.NoError(t, err)
		}
		if s.Type == elf.SHT_RELA {
			if s.Name == ".rela.debug_line" {
				continue
			}
			var relocs []string
			for ; len(data) >= 12; data = data[12:] {
				info := f.ByteOrder.Uint32(data[4:])
				target := "none"
				if n := info >> 8; n > 0 {
					y := symbols[n-1]
					if target = y.Name; elf.ST_TYPE(y.Info) == elf.STT_SECTION {
						target = where(y)
					}
				}
				relocs = append(relocs, fmt.Sprintf("%s %08x type %d %s%+d", s.Name, f.ByteOrder.Uint32(data), info&0xff, target, int32(f.ByteOrder.Uint32(data[8:]))))
			}
			sort.Strings(relocs)
			out = append(out, relocs...)
			continue
		}
		out = append(out, fmt.Sprintf("section %s %v %v align %d entry %d size %d %x", s.Name, s.Type, s.Flags, s.Addralign, s.Entsize, s.Size, data))
	}
	var names []string
	for _, y := range symbols {
		if typ := elf.ST_TYPE(y.Info); typ != elf.STT_SECTION && typ != elf.STT_FILE {
			names = append(names, fmt.Sprintf("symbol %s %x size %d %v %v %v %s", y.Name, y.Value, y.Size, elf.ST_BIND(y.Info), typ, elf.ST_VISIBILITY(y.Other), where(y)))
		}
	}
	sort.Strings(names)
	return append(out, names...)
}
