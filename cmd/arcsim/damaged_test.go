package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/binary"
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode"

	"github.com/stretchr/testify/require"

	"arcv2dsp/asm"
	"arcv2dsp/internal/check/regress"
	"arcv2dsp/internal/dev/testkit/level"
	"arcv2dsp/internal/dev/testkit/perturb"
	"arcv2dsp/internal/network/model"
	"arcv2dsp/internal/term/cli"
	"arcv2dsp/nn"
)

var (
	damaged     = flag.Int("damaged", 0, "damaged inputs of each kind, in place of those of the level; a process takes 100 KB for each command")
	damagedFrom = flag.Int("from", 0, "number of the first damaged input")
)

// input is a kind of file with commands that read it.
type input struct {
	kind  string
	data  []byte // a valid file
	ext   string
	name  string // of the file, where it must have one
	text  bool
	files map[string][]byte       // what stands beside it; a message may name one of these
	args  []string                // @ is the damaged file, # its folder
	read  func(path string) error // in place of a command
}

const (
	guestELF   = "../../testdata/guest/elf/hello.elf"
	programELF = "../../testdata/elf/small/sort-em4_dmips-O0.elf"
	network    = "../../benchmarks/networks/keywords.tflite"
)

// made lets a command write a file and returns it.
func made(t *testing.T, name string, args ...string) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	var out bytes.Buffer
	for i := range args {
		args[i] = strings.ReplaceAll(args[i], "@", path)
	}
	require.Contains(t, []int{0, statusInstLimit}, Main(args, strings.NewReader(""), &out, &out), "%q: %s", args, out.String())
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	return data
}

// read returns a file of the tree.
func read(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	require.NoError(t, err)
	return data
}

// inputs are all kinds of files that commands read.
func inputs(t *testing.T) []input {
	t.Helper()
	var picture, array, sound bytes.Buffer
	img := image.NewGray(image.Rect(0, 0, 96, 96))
	img.SetGray(5, 5, color.Gray{Y: 200})
	require.NoError(t, png.Encode(&picture, img))
	head := "{'descr': '|i1', 'fortran_order': False, 'shape': (1, 49, 10, 1), }"
	fmt.Fprintf(&array, "\x93NUMPY\x01\x00%s%s\n", string(binary.LittleEndian.AppendUint16(nil, 118)), head+strings.Repeat(" ", 117-len(head)))
	array.Write(make([]byte, 490))
	sound.WriteString("RIFF")
	require.NoError(t, binary.Write(&sound, binary.LittleEndian, struct {
		Size          uint32
		Wave, Format  [4]byte
		N             uint32
		PCM, Channels uint16
		Rate, Bytes   uint32
		Block, Bits   uint16
		Data          [4]byte
		Len           uint32
		Samples       [200]int16
	}{436, [4]byte([]byte("WAVE")), [4]byte([]byte("fmt ")), 16, 1, 1, 16000, 32000, 2, 16, [4]byte([]byte("data")), 400, [200]int16{1, 2, 3}}))
	var packed bytes.Buffer
	z := zip.NewWriter(&packed)
	dir := t.TempDir()
	var out bytes.Buffer
	require.Zero(t, Main([]string{"model", "run", network, "--record", "-o", filepath.Join(dir, "case_0")}, nil, &out, &out), out.String())
	require.NoError(t, z.AddFS(os.DirFS(filepath.Join(dir, "case_0"))))
	require.NoError(t, z.Close())
	var recorded bytes.Buffer // the same in a folder
	z = zip.NewWriter(&recorded)
	require.NoError(t, z.AddFS(os.DirFS(dir)))
	require.NoError(t, z.Close())
	object, err := asm.Assemble(asm.Options{CPU: "em9d"}, asm.Source{Name: "relu.s", Text: strings.ReplaceAll(assembly, "__start", "mli_krn_relu_fx8")})
	require.NoError(t, err)
	code, err := object.Bytes()
	require.NoError(t, err)
	library := []byte("!<arch>\n")
	for _, name := range []string{"relu.o/", "other.o/"} {
		library = fmt.Appendf(library, "%-16s%-12d%-6d%-6d%-8o%-10d`\n%s", name, 0, 0, 0, 0o644, len(code), code)
		code = bytes.ReplaceAll(code, []byte("relu_fx8"), []byte("relu_fx9")) // another member
	}
	folder := map[string][]byte{} // a test directory of TOSA
	gz, err := gzip.NewReader(bytes.NewReader(read(t, "../../testdata/tosa/files/cases_1_0.tar.gz")))
	require.NoError(t, err)
	for tr := tar.NewReader(gz); ; {
		h, err := tr.Next()
		require.NoError(t, err)
		name, ok := strings.CutPrefix(h.Name, "cases/add-0011/")
		if !ok && len(folder) > 0 {
			break
		}
		if ok && name != "" {
			folder[name], err = io.ReadAll(tr)
			require.NoError(t, err)
		}
	}
	graph, description := folder["add-0011.tosa"], folder["desc.json"]
	delete(folder, "desc.json")
	graphFile := filepath.Join(dir, "graph.tosa")
	require.NoError(t, os.WriteFile(graphFile, graph, 0o600))
	mlir := read(t, "../../internal/check/tosacheck/testdata/mlir/conv2d-0022.mlir")
	const hex = ":020000040001F9\n:040000006162636472\n:04000400656667685E\n:020000021000EC\n:010010007877\n:0400000500000100F6\n:00000001FF\n"
	limits := []string{"--memory", "16M", "--max-inst", "20000", "--timeout", "20s"}
	run := func(args ...string) []string { return append(append([]string{"run"}, limits...), args...) }
	return []input{
		{kind: "ELF", data: read(t, guestELF), args: run("@", "a")},
		{kind: "ELF with debug information", data: read(t, programELF), args: []string{"debug", "--batch", "--ex", "info functions m", "--ex", "break mix", "--ex", "runfor 500", "--ex", "bt", "--ex", "info locals", "--ex", "info line", "@"}},
		{kind: "Intel hex", data: []byte(hex), ext: ".hex", text: true, args: run("@")},
		{kind: "assembly", data: []byte(assembly), ext: ".s", text: true, args: run("@")},
		{kind: "library archive", data: library, ext: ".a", args: []string{"kernels", "run", "relu_fx8/1024", "--library", "@"}},
		{kind: ".tflite", data: read(t, network), ext: ".tflite", args: []string{"model", "show", "@"}},
		{kind: ".tflite that runs", data: read(t, network), ext: ".tflite", args: []string{"model", "run", "@"}},
		{kind: ".tosa", data: graph, ext: ".tosa", args: []string{"model", "show", "@"}},
		{kind: "MLIR", data: mlir, ext: ".mlir", text: true, args: []string{"model", "show", "@"}},
		{kind: "quantized MLIR", data: read(t, "../../internal/network/mlir/testdata/all.mlir"), ext: ".mlir", text: true, args: []string{"model", "convert", "@"}},
		{kind: "properties", data: read(t, "../../internal/board/config/testdata/board_em.props"), ext: ".props", text: true, args: []string{"run", "--print-config", "--props", "@"}},
		{kind: "tcf", data: tcfFile(read(t, "../../internal/board/config/testdata/board_em.props")), ext: ".tcf", text: true, args: []string{"run", "--print-config", "--tcf", "@"}},
		{kind: "TOML suite", data: read(t, "../../benchmarks/suites.toml"), ext: ".toml", text: true, args: []string{"bench", "--suite", "@", "--list"}},
		{kind: "TOML devices", data: []byte("[devices.pll]\nbase = 0xf0001000\nsize = 0x100\n[[devices.pll.registers]]\nname = \"STATUS\"\noffset = 4\nwrite = 0\nreset = 0x11\nreads = [0, 0, 1]\n"),
			ext: ".toml", text: true, files: map[string][]byte{"hello.elf": read(t, guestELF)}, args: run("--devices", "@", "#/hello.elf")},
		{kind: "JSON case", data: made(t, "case.json", "kernels", "run", "relu_fx8/1024", "--save-case", "@"), ext: ".json", text: true, args: []string{"kernels", "run", "--case", "@"}},
		{kind: "records", data: read(t, "../../testdata/tosa/abs.jsonl.gz"), ext: ".jsonl.gz", args: []string{"regress", "--vectors", "@", "-j", "1", "--core", "em9d"}},
		{kind: "baseline", data: made(t, "baseline", "bench", "crc", "--core", "em9d", "--format", "go", "-o", "@"), text: true, args: []string{"bench", "crc", "--core", "em9d", "--baseline", "@"}},
		{kind: "snapshot", data: made(t, "snap", "run", "--save", "@", "--max-inst", "1000", guestELF), args: run("--restore", "@", guestELF)},
		{kind: "NPY", data: array.Bytes(), ext: ".npy", args: []string{"model", "run", network, "--input", "@"}},
		{kind: "NPZ", data: packed.Bytes(), ext: ".npz", args: []string{"model", "check", network, "--case", "@"}},
		{kind: "PNG", data: picture.Bytes(), ext: ".png", args: []string{"model", "run", "../../benchmarks/networks/person.tflite", "--input", "@"}},
		{kind: "WAV", data: sound.Bytes(), ext: ".wav", read: func(path string) error {
			_, err := model.ReadInput(path, &nn.Tensor{Type: nn.I16, Shape: []int{1, 40}}, 20)
			return err
		}},
		{kind: "gemm description", data: []byte(`{"size": "8x5x12", "lhs_offset": -120, "rhs_offset": -131, "stages": ["fixed-point:multiplier=1518500250,shift=5,offset=128", "u8"]}`),
			ext: ".gemm", text: true, args: []string{"model", "show", "@"}},
		{kind: "commands", data: []byte("break mix if h == 0\ncommands\nsilent\nprintf \"%d\\n\", v\nend\nwatch a[3]\nrun\nif $pc > 4\nx/4i $pc\nelse\nbt full\nend\nset $i = 0\nwhile $i < 3\nset $i = 3\nloop_break\nend\ninfo registers\nptype a\nprint/x a[2]@3\ndisplay $r1\nfinish\n"),
			ext: ".gdb", text: true, args: []string{"debug", "--batch", "-x", "@", programELF}},
		{kind: "TOSA in JSON", data: made(t, "graph.json", "model", "convert", graphFile, "-o", "@"), ext: ".json", text: true, args: []string{"model", "show", "@"}},
		{kind: "TOSA description", data: description, name: "desc.json", files: folder, args: []string{"model", "run", "@"}},
		{kind: "manifest", data: []byte(`{"models": [{"model": "keywords", "file": "n.tflite", "npz": "n.npz", "prefix": "", "macs": 5, "cases": [{"case": 0, "label": "one", "steps": 0}]}]}`),
			name: "manifest.json", files: map[string][]byte{"n.tflite": read(t, network), "n.npz": recorded.Bytes()}, args: []string{"model", "check", "#"}},
		{kind: "statistics", data: []byte(`{"conv": [-1.5, 2.25], "ff": [0, 6e0], "none": [-1, 1]}`), ext: ".json", text: true,
			args: []string{"model", "convert", "../../internal/network/mlir/testdata/all.mlir", "--stats", "@"}},
		{kind: "failed cases", data: []byte(`{"schema": 1, "seed": 5, "failed": ["mli_krn_relu_fx8/1/em9d"], "vectors": ["a.jsonl"]}`), ext: ".json", read: func(path string) error {
			_, err := regress.ReadState(path)
			return err
		}},
		{kind: "NPY of reals", data: array.Bytes(), ext: ".npy", args: []string{"quant", "check", "@", "@"}},
	}
}

const assembly = `	.macro	twice n
	.rept	2
	add	r0, r0, \n
	.endr
	.endm
	.section .text
	.globl	__start
__start: mov	r0, 4 + (3 << 2)
	twice	5
	ld.ab	r1, [r2, 4]
	.equ	size, . - __start
	.if	size > 8
	flag	1
	.else
	.fill	3, 4, 0x12
	.endif
	.align	4
table:	.word	1, 2, table + 4
	.ascii	"text\n"
`

// TestDamagedShards: the same for plans and the results of shards, which are several files.
func TestDamagedShards(t *testing.T) {
	dir := t.TempDir()
	plan := filepath.Join(dir, "plan.json")
	var out bytes.Buffer
	require.Zero(t, Main([]string{"farm", "plan", "-o", plan, "--shards", "1", "bench", "--core", "em9d", "-run", "^crc$"}, nil, &out, &out), out.String())
	require.Zero(t, Main([]string{"farm", "run", plan, "--shard", "1"}, nil, &out, &out), out.String())
	files, err := filepath.Glob(filepath.Join(dir, "plan*", "*.json"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for k, file := range append(files, plan) {
		good := read(t, file)
		refused := 0
		for i := range count() {
			r := rand.New(rand.NewPCG(uint64(k), uint64(*damagedFrom+i)))
			require.NoError(t, os.WriteFile(file, perturb.Text(r, good), 0o600))
			if endsWell(t, Main, fmt.Sprintf("%s %d", filepath.Base(file), i), []string{"farm", "merge", plan}, dir, false) {
				refused++
			}
		}
		require.NoError(t, os.WriteFile(file, good, 0o600))
		t.Logf("%s: %d of %d are refused", filepath.Base(file), refused, count())
		require.NotZero(t, refused)
	}
}

// count is how many inputs of each kind are damaged.
func count() int {
	if *damaged > 0 {
		return *damaged
	}
	return level.Count(50, 12, 8)
}

// tcfFile is a tool configuration with properties.
func tcfFile(props []byte) []byte {
	return fmt.Appendf(nil, "<config_list><configuration filename=\"nsim.props\"><string><![CDATA[\n%s]]></string></configuration></config_list>\n", props)
}

// TestDamagedInputs: whatever is damaged in a file, the command that reads it ends soon, does not panic, takes little memory, and when it
// refuses the file says so in one line that names it.
func TestDamagedInputs(t *testing.T) {
	n := count()
	for k, in := range inputs(t) {
		t.Run(in.kind, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, cmp.Or(in.name, "damaged"+in.ext))
			named := path // what a message must name
			if in.files != nil {
				named = dir
			}
			for name, data := range in.files {
				require.NoError(t, os.WriteFile(filepath.Join(dir, name), data, 0o600))
			}
			args := make([]string, len(in.args))
			for i, a := range in.args {
				args[i] = strings.NewReplacer("@", path, "#", dir).Replace(a)
			}
			command := Main
			if in.read != nil {
				args = []string{"read"}
				command = func(_ []string, stdin io.Reader, out, msg io.Writer) int {
					s := cli.Streams{Name: "arcsim", In: stdin, Out: out, Err: msg}
					return s.Run(func(cli.Streams) error { return cli.HostError(in.read(path)) })
				}
			}
			require.NoError(t, os.WriteFile(path, in.data, 0o600))
			require.False(t, endsWell(t, command, "as it is", args, named, in.text), "the file is refused as it is")
			refused := 0
			for i := range n {
				r := rand.New(rand.NewPCG(uint64(k), uint64(*damagedFrom+i)))
				change := perturb.File
				if in.text {
					change = perturb.Text
				}
				require.NoError(t, os.WriteFile(path, change(r, in.data), 0o600))
				if endsWell(t, command, fmt.Sprintf("input %d", *damagedFrom+i), args, named, in.text) {
					refused++
				}
			}
			t.Logf("%d of %d are refused", refused, n)
			require.NotZero(t, refused)
		})
	}
}

// TestDamagedOptions: the same for what options say by themselves.
func TestDamagedOptions(t *testing.T) {
	n := count()
	dir := t.TempDir()
	for k, line := range [][]string{
		{"run", "--max-inst", "500", "--trace", filepath.Join(dir, "x"), "--trace-format", "@jsonl", programELF},
		{"run", "--max-inst", "500", "--vcd", filepath.Join(dir, "x"), "--vcd-signals", "@pc,r1?,acc*,lp_count", programELF},
		{"run", "--max-inst", "500", "--dprintf", `@mix,"%d %x\n",h,v@2`, programELF},
		{"run", "--max-inst", "500", "--set-reg", "@r3=0x12345678", programELF},
		{"run", "--max-inst", "500", "-p", "@nsim_mem-dev=uart0,kind=dwuart,base=0xf0000000,irq=24", programELF},
		{"run", "--max-inst", "@500k", "--memory", "64M", programELF},
		{"bench", "--list", "-run", "@relu_(fx8|fx16)/[0-9]*$"},
		{"report", "timeline", "--from", "@main", "--count", "5", "--format", "csv", programELF},
	} {
		t.Run(strings.Join(line[:4], " "), func(t *testing.T) {
			for i := range n {
				r := rand.New(rand.NewPCG(uint64(k), uint64(*damagedFrom+i)))
				var args []string
				for _, a := range line {
					if rest, ok := strings.CutPrefix(a, "@"); ok {
						a = strings.ReplaceAll(string(perturb.Text(r, []byte(rest))), "/dev/zero", "")
					}
					args = append(args, a)
				}
				endsWell(t, Main, fmt.Sprintf("line %d", i), args, "", false)
			}
		})
	}
}

// printed keeps the beginning of what a command prints: a damaged program may print much.
type printed struct{ bytes.Buffer }

func (p *printed) Write(b []byte) (int, error) {
	p.Buffer.Write(b[:min(len(b), 1<<20-p.Len())])
	return len(b), nil
}

// endsWell runs a command on a damaged file and reports whether it refused the file. What is wrong with a text may be said in lines, of
// which the first names the file.
func endsWell(t *testing.T, command func([]string, io.Reader, io.Writer, io.Writer) int, name string, args []string, path string, lines bool) bool {
	t.Helper()
	type result struct {
		status   int
		out, msg printed
	}
	done := make(chan *result, 1)
	start := time.Now()
	go func() {
		r := &result{}
		r.status = command(args, strings.NewReader(""), &r.out, &r.msg)
		done <- r
	}()
	if args[0] == "debug" { // a damaged loop may have no end, as any of a user: it has to end by a signal
		self, err := os.FindProcess(os.Getpid())
		require.NoError(t, err)
		defer time.AfterFunc(10*time.Second, func() { _ = self.Signal(syscall.SIGTERM) }).Stop()
	}
	var r *result
	select {
	case r = <-done:
	case <-time.After(time.Minute):
		t.Fatalf("%s does not end: %q", name, args)
	}
	require.NotContains(t, r.msg.String(), "internal error", name)
	require.Less(t, time.Since(start), 30*time.Second, name)
	text := r.msg.String()
	own := args[0] == "run" && (!strings.HasPrefix(text, "arcsim: ") || strings.Contains(text, "file access is off")) // the program's own status
	own = own || args[0] == "bench" && strings.Contains(text, "% over ")                                              // a comparison with what the file says
	if r.status != cli.Failed && r.status != cli.Usage && r.status != cli.Host || own {
		return false
	}
	if text == "" { // the failure is in the output, of a file or of a function in it
		return bytes.Contains(r.out.Bytes(), []byte("damaged.jsonl"))
	}
	head, _, _ := strings.Cut(text, "\n")
	if args[0] == "debug" {
		head = text // an expression stands above what is wrong with it
	}
	require.Contains(t, head, path, name)
	if !lines && args[0] != "debug" {
		require.Equal(t, len(head)+1, len(text), "%s: %q", name, text)
	}
	for _, c := range text {
		require.False(t, unicode.IsControl(c) && c != '\n' && c != '\t', "%s: %q", name, text)
	}
	return true
}
