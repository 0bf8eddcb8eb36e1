package main

import (
	"context"
	"encoding/hex"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/benchmarks"
	"arcv2dsp/internal/dev/testkit/gnutools"
	"arcv2dsp/internal/dev/testkit/level"
	"arcv2dsp/internal/dev/testkit/shared"
	"arcv2dsp/internal/network/model"
	"arcv2dsp/mlikernels"
	"arcv2dsp/nn"
	"arcv2dsp/nn/golden"
	"arcv2dsp/nn/tflite"
)

// target is the core and options that a compiled network is built for.
type target struct {
	name string
	core string
	make []string // arguments
	run  []string
}

var targets = []target{
	{name: "em9d", core: "em9d"},
	{name: "em9d_xy", core: "em9d", make: []string{"XY=1"}, run: []string{"-p", "xy_size=0x80000"}},
	{name: "em7d", core: "em7d"},
}

// compiled builds a network with the GNU tools, runs it and returns the lines it prints.
func compiled(t *testing.T, to target, network string, flags ...string) []string {
	t.Helper()
	for _, tool := range []string{"gcc", "as", "ld"} {
		gnutools.Path(t, tool)
	}
	dir := t.TempDir()
	var out, errs strings.Builder
	args := append([]string{"model", "compile", network, "--core", to.core, "-o", dir}, flags...)
	require.Zero(t, Main(args, strings.NewReader(""), &out, &errs), errs.String())
	text, err := exec.Command("make", append(to.make, "-C", dir)...).CombinedOutput()
	require.NoError(t, err, string(text))
	out.Reset()
	run := append([]string{"run", "--core", to.core}, to.run...)
	require.Zero(t, Main(append(run, elfIn(t, dir)), strings.NewReader(""), &out, &errs), errs.String()+out.String())
	return strings.Split(strings.TrimSpace(out.String()), "\n")
}

// elfIn is the program in a folder.
func elfIn(t *testing.T, dir string) string {
	t.Helper()
	list, err := filepath.Glob(filepath.Join(dir, "*.elf"))
	require.NoError(t, err)
	require.Len(t, list, 1)
	return list[0]
}

// TestCompiledLibrary: the library that firmware links has no names for others but its own and no absolute symbols; its figures are
// those of the header; constructors of what it is linked with run before main; and a build beyond a limit fails with a line that says by how much. The stack that the analysis
// finds is at least what the kernels' frames on em9d take, 244 bytes (the comment of StackBytes), and below a kilobyte.
func TestCompiledLibrary(t *testing.T) {
	level.NeedsPlain(t, "builds a program")
	nm := gnutools.Path(t, "nm")
	dir := t.TempDir()
	var out, errs strings.Builder
	require.Zero(t, Main([]string{"model", "compile", "keywords", "-o", dir}, strings.NewReader(""), &out, &errs), errs.String())
	text, err := exec.Command("make", "-C", dir).CombinedOutput()
	require.NoError(t, err, string(text))
	text, err = exec.Command(nm, filepath.Join(dir, "libkeywords.a")).Output()
	require.NoError(t, err)
	global := 0
	for _, line := range strings.Split(string(text), "\n") {
		fields := strings.Fields(line)
		if len(fields) != 3 {
			continue
		}
		require.NotContains(t, []string{"a", "A"}, fields[1], line)
		if strings.ToUpper(fields[1]) == fields[1] {
			require.True(t, strings.HasPrefix(fields[2], "keywords_"), line)
			global++
		}
	}
	require.Equal(t, 7, global)
	early := "#include <stdint.h>\nvoid write_text(const char *text, uint32_t size);\nstatic void __attribute__((constructor)) early(void)\n{\n    write_text(\"early\\n\", 6);\n}\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "early.c"), []byte(early), 0o644))
	text, err = exec.Command("make", "-C", dir, "PROGRAM=start.o main.o program.o early.o").CombinedOutput()
	require.NoError(t, err, string(text))
	out.Reset()
	require.Zero(t, Main([]string{"run", elfIn(t, dir)}, strings.NewReader(""), &out, &errs), errs.String())
	require.True(t, strings.HasPrefix(out.String(), "early\nlayer 0 "), "constructors run before main")
	header, err := os.ReadFile(filepath.Join(dir, "keywords.h"))
	require.NoError(t, err)
	sizes, err := os.ReadFile(filepath.Join(dir, "keywords.sizes"))
	require.NoError(t, err)
	var code, constants, data, stack, arena, bound int
	_, err = fmt.Sscanf(string(sizes), "code %d\nconstants %d\ndata %d\nstack %d\n", &code, &constants, &data, &stack)
	require.NoError(t, err)
	i := strings.Index(string(header), "#define KEYWORDS_ARENA_BYTES")
	require.Positive(t, i)
	_, err = fmt.Sscanf(string(header)[i:], "#define KEYWORDS_ARENA_BYTES %d /* activations and scratch; at least %d live", &arena, &bound)
	require.NoError(t, err)
	require.LessOrEqual(t, arena, bound+bound/20)
	require.InDelta(t, arena, data, 64)
	require.Positive(t, code)
	require.Positive(t, constants)
	require.GreaterOrEqual(t, stack, 244)
	require.Less(t, stack, 1024)
	text, err = exec.Command("make", "-C", dir, "-B", "keywords.sizes", fmt.Sprintf("DATA_MOST=%d", data-1)).CombinedOutput()
	require.Error(t, err)
	require.Contains(t, string(text), fmt.Sprintf("keywords: data takes %d bytes, %d are allowed", data, data-1))
}

// goldenOutputs are the lines of a network's outputs by the golden functions.
func goldenOutputs(t *testing.T, g *nn.Graph, steps [][]*nn.Tensor) (lines []string) {
	t.Helper()
	s := nn.NewSession(g, nn.GoldenExecutor{})
	for _, in := range steps {
		out, err := s.Run(context.Background(), in)
		require.NoError(t, err)
		for i, o := range out {
			lines = append(lines, fmt.Sprintf("output %d %s", i, hex.EncodeToString(mlikernels.Elements(o))))
		}
	}
	return lines
}

// TestCompiledNetworks: networks as C programs, by GCC and GNU ld, print the bytes of the golden functions, step
// after step, and cycles for every layer.
func TestCompiledNetworks(t *testing.T) {
	level.NeedsPlain(t, "builds the networks")
	for i, name := range []string{"keywords", "anomaly"} {
		own, err := benchmarks.LookupNetwork(name)
		require.NoError(t, err)
		data, err := own.File()
		require.NoError(t, err)
		g, err := tflite.Read(data, golden.Operators(), nn.Double)
		require.NoError(t, err)
		first, second := own.Input(), model.RandomInputs(g, 7)[0]
		both := &nn.Tensor{Type: first.Type, Shape: append([]int{2}, first.Shape...)}
		both.Ints = append(append(both.Ints, first.Ints...), second.Ints...)
		file, err := nn.FormatNPY(both)
		require.NoError(t, err)
		input := filepath.Join(t.TempDir(), "input.npy")
		require.NoError(t, os.WriteFile(input, file, 0o644))
		want := goldenOutputs(t, g, [][]*nn.Tensor{{first}, {second}})
		require.NotEqual(t, want[0], want[1])
		for k, to := range targets {
			if !level.Wants(i+k, 2, 2) {
				continue
			}
			t.Run(name+"/"+to.name, func(t *testing.T) {
				var outputs []string
				layers := 0
				for _, line := range compiled(t, to, name, "--input", input) {
					var index, cycles int
					var op string
					if strings.HasPrefix(line, "output") {
						outputs = append(outputs, line)
					} else if n, _ := fmt.Sscanf(line, "layer %d %s cycles %d", &index, &op, &cycles); n == 3 {
						require.Equal(t, g.Nodes[index].Op.Name, op)
						require.Positive(t, cycles)
						layers++
					}
				}
				require.Equal(t, want, outputs)
				require.Equal(t, 2*len(g.Nodes), layers)
			})
		}
	}
}

// TestCompiledFiles does the same with files from elsewhere: state that lives for several steps in SVDF, LSTM and an
// estimate of noise, 16-bit data, records with pointers.
func TestCompiledFiles(t *testing.T) {
	level.NeedsPlain(t, "builds programs of seven networks")
	for i, file := range []struct {
		name     string
		stateful bool
	}{
		{"mnist_lstm_int8", true}, {"keyword_scrambled_16bit_state", true}, {"audio_preprocessor_int8", true},
		{"keyword_scrambled_8bit", false}, // its filters saturate whatever they remember
		{"dtln_noise_suppression", false}, {"seanet/seanet_conv0", false}, {"network_tester", false},
	} {
		if !level.Wants(i, 3, 3) {
			continue
		}
		name, stateful := file.name, file.stateful
		t.Run(name, func(t *testing.T) {
			path := shared.Path(t, "vectors", "models", "models", filepath.FromSlash(name+".tflite"))
			g, err := model.Load(path, golden.Operators(), nn.Double)
			require.NoError(t, err)
			if stateful {
				path = shown(t, g)
			}
			steps, flags := stepsOf(t, g, 3)
			var outputs []string
			for _, line := range compiled(t, targets[0], path, flags...) {
				if strings.HasPrefix(line, "output") {
					outputs = append(outputs, line)
				}
			}
			want := goldenOutputs(t, g, steps)
			require.Equal(t, want, outputs)
			if stateful { // what a step computes is not what it computes first
				require.NotEqual(t, goldenOutputs(t, g, steps[2:]), want[2*len(g.Outputs):])
			}
		})
	}
}

// TestCompiledNetworksFromElsewhere compiles the 32 networks of whole numbers that nobody here made, among them those with floats at
// their ends, with elements without a sign, and with constants among their outputs.
func TestCompiledNetworksFromElsewhere(t *testing.T) {
	level.NeedsPlain(t, "builds programs of many networks")
	files, err := filepath.Glob(filepath.Join(shared.Path(t, "vectors", "networks"), "*.tflite"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	compared := 0
	for i, path := range files {
		g, err := model.Load(path, golden.Operators(), nn.Double)
		if err != nil || floats(g) {
			continue
		}
		for k, to := range []target{targets[0], targets[2]} {
			if stride := level.Count(3, 16, 16); (2*i+k)%stride != 0 && os.Getenv("ARCV2DSP_SOAK") == "" {
				continue
			}
			count := 2
			if g.Values[g.Inputs[0]].Tensor.Len() > 500_000 { // a picture of 513 x 513, with the long tests
				if count = 1; !level.Long() {
					continue
				}
			}
			compared++
			t.Run(strings.TrimSuffix(filepath.Base(path), ".tflite")+"/"+to.name, func(t *testing.T) {
				steps, flags := stepsOf(t, g, count)
				var outputs []string
				for _, line := range compiled(t, to, path, flags...) {
					if strings.HasPrefix(line, "output") {
						outputs = append(outputs, line)
					}
				}
				require.Equal(t, goldenOutputs(t, g, steps), outputs)
			})
		}
	}
	require.GreaterOrEqual(t, compared, level.Count(20, 1, 1))
}

// TestCompiledConversions: floats become integers and integers floats in C exactly as the golden functions say: at ties
// and their neighbours, among denormal numbers, and for what is no number.
func TestCompiledConversions(t *testing.T) {
	level.NeedsPlain(t, "builds programs")
	r := rand.New(rand.NewPCG(3, 7))
	for i, scale := range []float32{1, 0.1, 1.0 / 255, 1.1754944e-38, 1e-44, 3e36, 0.00012207031} {
		if !level.Wants(i, 2, 2) {
			continue
		}
		typ := []nn.Type{nn.I8, nn.U8, nn.I16}[i%3]
		lo, hi := typ.Range()
		zero := []int64{lo, hi, 3}[i%3]
		if typ == nn.I16 {
			zero = 0
		}
		x := &nn.Tensor{Type: nn.F32, Shape: []int{1, 1200}, Floats: []float32{0, float32(math.Inf(1)), float32(math.Inf(-1)), float32(math.NaN()), -1e-45, math.MaxFloat32}}
		for len(x.Floats) < 1200 {
			v := math.Float32frombits(r.Uint32())
			if len(x.Floats)%4 > 0 { // near a tie
				v = float32(float64(scale) * (float64(r.Int64N(hi-lo+3)+lo-1-zero) + 0.5))
				v = math.Float32frombits(math.Float32bits(v) + uint32(r.IntN(5)) - 2)
			}
			x.Floats = append(x.Floats, v)
		}
		g := &nn.Graph{Inputs: []int{0}, Outputs: []int{1, 2, 3}}
		format := nn.Format{Kind: nn.Scaled, Scales: []float32{scale}, Zeros: []int64{zero}}
		for k, typ := range []nn.Type{nn.F32, typ, typ, nn.F32} {
			v := nn.Value{Name: fmt.Sprintf("v%d", k), Tensor: &nn.Tensor{Type: typ, Shape: x.Shape}}
			if typ != nn.F32 {
				v.Tensor.Format = format
			}
			g.Values = append(g.Values, v)
		}
		for k, name := range []string{"QUANTIZE", "RESHAPE", "DEQUANTIZE"} {
			op, ok := golden.Operators().Lookup(nn.TFLite, name)
			require.True(t, ok)
			g.Nodes = append(g.Nodes, nn.Node{Name: name, Op: op, In: []int{k}, Out: []int{k + 1}})
		}
		require.NoError(t, g.Check())
		data, err := tflite.Write(g)
		require.NoError(t, err)
		path := filepath.Join(t.TempDir(), "conversions.tflite")
		require.NoError(t, os.WriteFile(path, data, 0o644))
		npy, err := nn.FormatNPY(x)
		require.NoError(t, err)
		input := filepath.Join(t.TempDir(), "x.npy")
		require.NoError(t, os.WriteFile(input, npy, 0o644))
		t.Run(fmt.Sprint(typ, scale), func(t *testing.T) {
			var outputs []string
			for _, line := range compiled(t, targets[2], path, "--input", input) {
				if strings.HasPrefix(line, "output") {
					outputs = append(outputs, line)
				}
			}
			require.Equal(t, goldenOutputs(t, g, [][]*nn.Tensor{{x}}), outputs)
		})
	}
}

// TestCompiledPlaced: a network at the addresses of a placement gives the bytes of the golden functions in the memories of boards, one
// with prefetched weights and one without room for the program in ICCM among them, and takes the cycles of model bench --placed but for the functions around its kernels.
func TestCompiledPlaced(t *testing.T) {
	level.NeedsPlain(t, "builds programs")
	for i, test := range []struct{ network, core string }{
		{"keywords", "emsk23-em9d"}, {"keywords", "iotdk-em9d"}, {"anomaly", "emsk23-em9d"}, {"keywords", "em9d"}, {"resnet8", "emsk23-em11d"}, {"keywords", "em7d"},
	} {
		if !level.Wants(i, 2, 2) {
			continue
		}
		t.Run(test.network+" "+test.core, func(t *testing.T) {
			own, err := benchmarks.LookupNetwork(test.network)
			require.NoError(t, err)
			data, err := own.File()
			require.NoError(t, err)
			g, err := tflite.Read(data, golden.Operators(), nn.Double)
			require.NoError(t, err)
			in := model.RandomInputs(g, 1)
			want := goldenOutputs(t, g, [][]*nn.Tensor{in})
			bench, err := model.RunBench(context.Background(), g, in, model.BenchOptions{Core: test.core, Placed: true})
			require.NoError(t, err)
			npy, err := nn.FormatNPY(in[0])
			require.NoError(t, err)
			input := filepath.Join(t.TempDir(), "x.npy")
			require.NoError(t, os.WriteFile(input, npy, 0o644))
			to := target{core: test.core, make: []string{"LDSCRIPT=" + test.network + ".ld"}}
			lines := compiled(t, to, test.network, "--placed", "--input", input)
			require.Equal(t, want, lines[len(lines)-1:])
			cycles := uint64(0)
			_, err = fmt.Sscanf(lines[len(lines)-2], "all layers cycles %d", &cycles)
			require.NoError(t, err)
			require.InEpsilon(t, bench.Cycles, cycles, 0.01)
		})
	}
}

// floats reports whether an operator other than a conversion at an end computes with floats.
func floats(g *nn.Graph) bool {
	for i := range g.Nodes {
		n := &g.Nodes[i]
		if n.Op.Name == "QUANTIZE" || n.Op.Name == "DEQUANTIZE" {
			continue
		}
		for _, v := range append(n.In[:len(n.In):len(n.In)], n.Out...) {
			if v != nn.Absent && g.Values[v].Tensor.Type.Float() {
				return true
			}
		}
	}
	return false
}

// shown is a file of the network with the results of filters over time among the outputs: layers behind them in
// networks of scrambled weights give the same for every input.
func shown(t *testing.T, g *nn.Graph) string {
	t.Helper()
	for _, n := range g.Nodes {
		if n.Op.Name == "SVDF" {
			g.Outputs = append(g.Outputs, n.Out[0])
		}
	}
	data, err := tflite.Write(g)
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "network.tflite")
	require.NoError(t, os.WriteFile(path, data, 0o644))
	return path
}

// stepsOf are random inputs for n steps, and the flags that give them to a command.
func stepsOf(t *testing.T, g *nn.Graph, n int) (steps [][]*nn.Tensor, flags []string) {
	t.Helper()
	for i := range n {
		in := model.RandomInputs(g, uint64(i+1))
		for k, v := range g.Inputs { // the shape of an output is no random number
			if out := g.Values[g.Outputs[0]].Tensor; g.Values[v].Tensor.Type == nn.I32 && in[k].Len() == len(out.Shape) {
				for d, size := range out.Shape {
					in[k].Ints[d] = int64(size)
				}
			}
		}
		steps = append(steps, in)
	}
	for i, v := range g.Inputs {
		x := g.Values[v].Tensor
		all := &nn.Tensor{Type: x.Type, Shape: append([]int{n}, x.Shape...)}
		for _, in := range steps {
			all.Ints, all.Floats = append(all.Ints, in[i].Ints...), append(all.Floats, in[i].Floats...)
		}
		data, err := nn.FormatNPY(all)
		require.NoError(t, err)
		file := filepath.Join(t.TempDir(), fmt.Sprintf("input%d.npy", i))
		require.NoError(t, os.WriteFile(file, data, 0o644))
		flags = append(flags, "--input", file)
	}
	return steps, flags
}
