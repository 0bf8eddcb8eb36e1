package regress

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/sbinet/npyio"
	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/shared"
	"arcv2dsp/nn"
)

const reluRecord = `{"id":1,"lib":"1.1","round":"convergent","kernel":"mli_krn_relu_fx8","cfg":{"relu":1},` +
	`"in":{"type":"fx8","shape":[2,2],"frac":3,"data":[1,-2,3,-4]},"out":{"type":"fx8","shape":[2,2],"frac":3,"data":[1,0,3,0]},"status":0}`

// vectorFileOf writes records to a file.
func vectorFileOf(t *testing.T, lines ...string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "mine.jsonl")
	require.NoError(t, os.WriteFile(name, []byte(strings.Join(lines, "\n")+"\n"), 0o644))
	return name
}

// TestVectorFiles: good records pass on all cores, bad ones and bad lines fail by themselves.
func TestVectorFiles(t *testing.T) {
	change := func(old, new string) string {
		require.Contains(t, reluRecord, old)
		return strings.Replace(reluRecord, old, new, 1)
	}
	for _, c := range []struct {
		name, line string
		kind       Kind
		want       string // in the message, "" when the record passes
	}{
		{name: "good", line: reluRecord},
		{name: "no expected data", line: change(`,"data":[1,0,3,0]}`, `}`)},
		{name: "refused", line: change(`"relu":1`, `"relu":9`)[:len(reluRecord)-len(`"status":0}`)] + `"status":4}`},
		{name: "wrong status", line: strings.Replace(reluRecord, `"status":0`, `"status":2`, 1), kind: KindStatus, want: "status is OK, expected SHAPE_MISMATCH"},
		{name: "other output", line: change(`[1,0,3,0]`, `[1,0,3,1]`), kind: KindMismatch,
			want: "out[1 1], element 3, is 0, expected 1; 1 of 4 elements differ; the golden model differs from the record in the same way"},
		{name: "no JSON", line: `{"id":`, kind: KindInput, want: "mine.jsonl:2: unexpected end of JSON input"},
		{name: "no kernel", line: `{"id":3,"in":{"type":"fx8","shape":[1],"frac":0,"data":[1]}}`, kind: KindInput, want: "mine.jsonl:2: no kernel name"},
		{name: "unknown kernel", line: change("mli_krn_relu_fx8", "mli_krn_relu_fx9"), kind: KindInput, want: "there is no mli_krn_relu_fx9 of mli11"},
		{name: "other library", line: change(`"lib":"1.1"`, `"lib":"3.0"`), kind: KindInput, want: `of library "3.0"`},
		{name: "short data", line: change(`[1,-2,3,-4]`, `[1,-2,3]`), kind: KindInput, want: `tensor "in": shape [2 2] needs 4 elements, there are 3`},
		{name: "too wide", line: change(`[1,-2,3,-4]`, `[1,-2,3,400]`), kind: KindInput, want: "element 3 is 400, outside i8"},
		{name: "unknown rounding", line: change("convergent", "sideways"), kind: KindInput, want: "sideways"},
		{name: "no input", line: change(`"in":`, `"inn":`), kind: KindGolden, want: "input in is missing"},
		{name: "too many dimensions", line: change(`"shape":[2,2],"frac":3,"data":[1,-2`, `"shape":[2,1,1,1,2],"frac":3,"data":[1,-2`),
			kind: KindFault, want: "5 dimensions, at most 4"},
		{name: "many fractional bits", line: strings.ReplaceAll(reluRecord, `"frac":3`, `"frac":-1`), kind: KindFault,
			want: `argument "in": -1 fractional bits, a tensor holds 0 to 255`},
		{name: "wide padding", line: strings.NewReplacer("relu_fx8", "padding2d_chw_fx8", `"relu":1`, `"pad_l":200,"pad_r":256`,
			`[2,2]`, `[1,2,2]`).Replace(reluRecord), kind: KindGolden, want: "pad_r is 256"},
		{name: "enormous", line: change(`"shape":[2,2],"frac":3,"data":[1,-2,3,-4]`, `"shape":[99999,99999],"frac":3,"data":[1]`), kind: KindInput, want: "more than"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			first := strings.Replace(reluRecord, `"id":1`, `"id":100`, 1)
			last := strings.Replace(reluRecord, `"id":1`, `"id":101`, 1)
			sum := run(t, Options{Vectors: []string{vectorFileOf(t, first, c.line, last)}}, RunOptions{Workers: 1})
			passed := 0
			var failures []*Failure
			for i := range sum.Results {
				if f := sum.Results[i].Failure; f != nil {
					failures = append(failures, f)
				} else {
					passed++
				}
			}
			if c.want == "" {
				require.Empty(t, failures)
				require.Equal(t, 6, passed)
				return
			}
			require.Equal(t, 4, passed, "the other records")
			require.NotEmpty(t, failures)
			require.Equal(t, c.kind, failures[0].Kind)
			require.Contains(t, failures[0].Message, c.want)
			require.Contains(t, failures[0].Repeat, "--vectors ")
		})
	}
}

func TestVectorFileErrors(t *testing.T) {
	_, err := Plan(Options{Vectors: []string{"no-such.jsonl"}})
	require.ErrorIs(t, err, os.ErrNotExist)
	_, err = Plan(Options{Cores: []string{"em4"}})
	require.ErrorContains(t, err, `core "em4" does not run the kernels, these do: em5d, em7d, em9d, em11d`)
}

// TestFilesOfEveryFormat: lines are told apart by their content; an unusable one fails by itself, with its place.
func TestFilesOfEveryFormat(t *testing.T) {
	const (
		gemm = `{"kind":"x","m":1,"n":1,"k":2,"lhs_order":"row","rhs_order":"col","out_order":"row","lhs_stride":2,"rhs_stride":2,` +
			`"out_stride":1,"lhs":[1,2],"rhs":[3,4],"out":[11],"out_type":"i32","pipeline":[]}`
		relu = `{"op":"tanh_s8","rounding":"single","id":7,"input_scale":0.0625,"input":[-128,0,127],"output":[-128,0,127]}`
		tosa = `{"id":"abs","op":"ABS","tag":"i32","level":"none","attrs":{},"inputs":[{"dtype":"i32","shape":[2],"data":[-5,6]}],` +
			`"outputs":[{"dtype":"i32","shape":[2],"data":[5,6]}],"expect":"valid"}`
	)
	dir := t.TempDir()
	write := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text+"\n"), 0o644))
	}
	write("a", "{\n"+reluRecord)
	write("b", gemm+"\n"+strings.Replace(gemm, "[11]", "[12]", 1))
	write("c", relu+"\n"+`{"op":"QuantizeMultiplier","rounding":"single","x":[0.5],"multiplier":[1073741824],"shift":[0]}`+"\n"+strings.Replace(relu, "[-128,0,127]}", "[-128,1,127]}", 1))
	write("d", tosa+"\n"+strings.Replace(tosa, "[5,6]", "[5,7]", 1)+"\n"+strings.Replace(tosa, `"valid"`, `"sideways"`, 1))
	write("e.md", "# Text")
	write("g.tsv", "a\tb")
	write("f.gz", "\x1f\x8bnot packed")
	sum := run(t, Options{Vectors: []string{dir}}, RunOptions{Workers: 1})
	var failures []string
	passed := map[string]int{}
	for i := range sum.Results {
		if f := sum.Results[i].Failure; f != nil {
			failures = append(failures, f.Message)
		} else {
			passed[sum.Results[i].Group]++
		}
	}
	require.Equal(t, map[string]int{"mli_krn_relu_fx8": 2, "arcq_gemm_u8": 2, "arcq_gemm_naive_u8": 2, "TANH of tflite": 2, "ABS of tosa": 2, "requantization of TensorFlow Lite": 1}, passed)
	for i, want := range []string{"a:1: unexpected end of JSON input", "is 11, expected 12; 1 of 1 elements differ", "is 11, expected 12", "is 11, expected 12", "is 11, expected 12", "is 0, expected 1", "is 0, expected 1",
		"d:2: the golden model differs from the record: output 0", "d:2: ", `d:3: unknown outcome "sideways"`, "f.gz: gzip: invalid header"} {
		require.Contains(t, failures[i], want)
	}
	require.Len(t, failures, 11)
	require.Len(t, sum.Suite.LeftOut, 2)
	require.False(t, sum.Good())
	var text strings.Builder
	require.NoError(t, sum.Text(&text))
	require.Contains(t, text.String(), "left out: "+filepath.Join(dir, "e.md")+": no records\nrefused: "+filepath.Join(dir, "g.tsv")+": neither calls nor numbers are in it\n")

	named := run(t, Options{Vectors: []string{filepath.Join(dir, "e.md")}}, RunOptions{})
	require.Equal(t, 1, named.Failed)
	_, err := Plan(Options{Vectors: []string{t.TempDir()}})
	require.ErrorContains(t, err, "there are no recorded calls in ")
}

// TestNetworkFolders: recorded runs of real networks pass; a manifest that names absent files fails with their names.
func TestNetworkFolders(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "manifest.json"),
		[]byte(`{"models":[{"model":"gone","file":"gone.tflite","npz":"gone.npz","cases":[{"case":0}]}]}`), 0o644))
	sum := run(t, Options{Vectors: []string{dir}, Cores: []string{"em9d"}}, RunOptions{})
	require.Len(t, sum.Results, 1)
	require.Equal(t, KindInput, sum.Results[0].Failure.Kind)
	require.Contains(t, sum.Results[0].Failure.Message, "gone.tflite: no such file")

	sum = run(t, Options{Vectors: []string{shared.Path(t, "vectors", "models")},
		Match: regexp.MustCompile("^(hello_world_int8|ad01_int8|seanet_conv0)/case0/")}, RunOptions{})
	require.True(t, sum.Good())
	require.Len(t, sum.Results, 6)
	for _, r := range sum.Results {
		require.NotZero(t, r.Cycles, r.Name)
	}
}

// askFile makes the call of a record in a file.
func askFile(name string, id int, any bool) (*Asked, error) {
	r, err := First(name, id, any)
	if err != nil {
		return nil, err
	}
	return AskRecord(r, "")
}

// TestSingle: one record, with its profile; the profile adds up to the call.
func TestSingle(t *testing.T) {
	c, err := askFile(vectorFileOf(t, reluRecord), 1, false)
	require.NoError(t, err)
	plain, err := RunSingle(context.Background(), c, SingleOptions{Core: "em9d"})
	require.NoError(t, err)
	require.Nil(t, plain.Failure)
	require.Equal(t, []int64{1, 0, 3, 0}, plain.Report.Results["out"].Ints)
	s, err := RunSingle(context.Background(), c, SingleOptions{Core: "em9d", Profile: true})
	require.NoError(t, err)
	require.Nil(t, s.Failure)
	require.Equal(t, plain.Report.Cycles, s.Report.Cycles, "profiling does not change the cycles")
	var insts, cycles uint64
	for _, l := range s.Lines {
		insts += l.Insts
		cycles += l.Cycles
	}
	require.Equal(t, s.Report.Insts, insts)
	require.Equal(t, s.Report.Cycles, cycles)

	_, err = askFile(vectorFileOf(t, reluRecord), 2, false)
	require.ErrorContains(t, err, "no record with id 2")

	broken := filepath.Join(t.TempDir(), "one.json") // lines as an editor breaks them
	require.NoError(t, os.WriteFile(broken, []byte(strings.ReplaceAll(reluRecord, ",", ",\n  ")), 0o644))
	c, err = askFile(broken, 1, false)
	require.NoError(t, err)
	require.Equal(t, "mli_krn_relu_fx8", c.Kernel.Name())
	_, err = askFile(broken, 3, false)
	require.ErrorContains(t, err, "no record with id 3")
	require.NoError(t, os.WriteFile(broken, []byte("{\n}"), 0o644))
	_, err = askFile(broken, 0, true)
	require.ErrorContains(t, err, "one.json: no kernel name")
}

// TestOwnSource: a function of a user's, right and wrong.
func TestOwnSource(t *testing.T) {
	const relu = "\t.global\tmine\nmine:\tld\tr3,[r0]\n\tld\tr4,[r2]\n\tmov\tr5,4\n1:\tldb.x.ab\tr6,[r3,1]\n\tmax\tr6,r6,%\n" +
		"\tstb.ab\tr6,[r4,1]\n\tsub.f\tr5,r5,1\n\tbne\t1b\n" +
		"\tadd\tr6,r2,4*2\n\tmov\tr7,0\n\tst\tr7,[r6]\n\tst\tr7,[r6,4]\n\tmov\tr7,2\n\tst\tr7,[r2,24]\n\tst\tr7,[r2,28]\n\tst\tr7,[r2,40]\n" +
		"\tmov\tr7,0\n\tst\tr7,[r2,44]\n\tld\tr7,[r0,48]\n\tst\tr7,[r2,48]\n\tmov\tr0,0\n\tj\t[blink]\n"
	c, err := askFile(vectorFileOf(t, reluRecord), 1, true)
	require.NoError(t, err)
	for limit, message := range map[string]string{"0": "", "1": "out[0 1], element 1, is 1, expected 0; 2 of 4 elements differ"} {
		dir := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(dir, "my.s"), []byte(strings.Replace(relu, "%", limit, 1)), 0o644))
		s, err := RunSingle(context.Background(), c, SingleOptions{Core: "em7d", Tree: os.DirFS(dir), Source: "my.s", Symbol: "mine"})
		require.NoError(t, err)
		if message == "" {
			require.Nil(t, s.Failure)
			continue
		}
		require.NotNil(t, s.Failure)
		require.Equal(t, message, s.Failure.Message)
	}
	dir := t.TempDir()
	for text, message := range map[string]string{"\tadd r0,r0\n\tfrob r1\n": "my.s:2:", "\tnop\n": "my.s does not define mine"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, "my.s"), []byte(text), 0o644))
		_, err := RunSingle(context.Background(), c, SingleOptions{Core: "em9d", Tree: os.DirFS(dir), Source: "my.s", Symbol: "mine"})
		require.ErrorContains(t, err, message)
	}
}

// TestNPY: tensors come back from NumPy files, with shape and type; others are refused.
func TestNPY(t *testing.T) {
	dir := t.TempDir()
	tensors := map[string]*nn.Tensor{
		"a": {Type: nn.I8, Shape: []int{2, 1, 3, 1}, Ints: []int64{-128, 127, 0, 1, -1, 5}},
		"b": {Type: nn.I16, Shape: []int{3}, Ints: []int64{-32768, 32767, 2}},
		"c": {Type: nn.I32, Shape: []int{1, 2}, Ints: []int64{math.MinInt32, math.MaxInt32}},
		"d": {Type: nn.I8, Shape: []int{2}},
	}
	names, err := WriteNPY(dir, tensors)
	require.NoError(t, err)
	require.Len(t, names, 3)
	for role, want := range tensors {
		if !want.Filled() {
			continue
		}
		name := filepath.Join(dir, role+".npy")
		f, err := os.Open(name)
		require.NoError(t, err)
		r, err := npyio.NewReader(f)
		require.NoError(t, err)
		require.Equal(t, want.Shape, r.Header.Descr.Shape)
		require.NoError(t, f.Close())
		got := *want
		got.Ints = nil
		require.NoError(t, ReadNPY(name, &got))
		require.Equal(t, want.Ints, got.Ints)
	}
	require.ErrorContains(t, ReadNPY(filepath.Join(dir, "a.npy"), &nn.Tensor{Type: nn.I8, Shape: []int{7}}), "shape [2 1 3 1] has 6 elements, the tensor [7] has 7")
	require.ErrorContains(t, ReadNPY(filepath.Join(dir, "b.npy"), &nn.Tensor{Type: nn.I8, Shape: []int{3}}), "elements of i16 do not fit a tensor of i8")
	require.Error(t, ReadNPY(filepath.Join(dir, "none.npy"), tensors["a"]))
	bad := filepath.Join(dir, "bad.npy")
	for _, text := range []string{"", "no magic at all", "\x93NUMPY\x01\x00\xff\xff{", "\x93NUMPY\x01\x00\x02\x00{}",
		"\x93NUMPY\x02\x00\xff\xff\xff\xff{}", "\x93NUMPY\x01\x00\x3e\x00{'descr': '|i1', 'fortran_order': True, 'shape': (2, 1, 3, 1), } xxxxxx",
		"\x93NUMPY\x01\x00\x3e\x00{'descr': '|i1', 'fortran_order': False, 'shape': (2, 1, 3, 1)}  xxxxx"} {
		require.NoError(t, os.WriteFile(bad, []byte(text), 0o644))
		require.Error(t, ReadNPY(bad, tensors["a"]), "%q", text)
	}
}

// TestNumberFolders: folders of numbers pass as a whole; a file of another kind beside them makes the run incomplete.
func TestNumberFolders(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"mlir_types_roundtrip.jsonl.gz", "gemmlowp_primitives.jsonl.gz"} {
		data, err := os.ReadFile(filepath.Join("../../../testdata/quant", name))
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), data, 0o644))
	}
	status := func() string {
		sum := run(t, Options{Vectors: []string{dir}, Cores: []string{"em9d"}}, RunOptions{Workers: 1})
		var text strings.Builder
		require.NoError(t, sum.Text(&text))
		lines := strings.Split(strings.TrimSpace(text.String()), "\n")
		require.Equal(t, sum.Good(), strings.HasSuffix(lines[len(lines)-1], "PASSED"))
		return lines[len(lines)-1]
	}
	require.Equal(t, "Summary Status: PASSED", status())
	require.NoError(t, os.WriteFile(filepath.Join(dir, "other.jsonl"), []byte(`{"a":1}`), 0o644))
	require.Equal(t, "Summary Status: INCOMPLETE, 1 file of records refused", status())
	require.NoError(t, os.WriteFile(filepath.Join(dir, "wrong.jsonl"), []byte(`{"fn":"SaturatingAdd","type":"i16","a":[1],"b":[1],"out":[3]}`), 0o644))
	require.Equal(t, "Summary Status: FAILED", status())
}
