package main

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/level"
	"arcv2dsp/internal/dev/testkit/shared"
	"arcv2dsp/internal/network/model"
	"arcv2dsp/internal/network/quantnet"
	"arcv2dsp/nn"
	"arcv2dsp/nn/golden"
	"arcv2dsp/nn/tflite"
)

// numpy is a Python that has NumPy; without one the test is skipped.
func numpy(t *testing.T) string {
	t.Helper()
	for _, path := range []string{"/usr/bin/python3", "python3"} {
		if exec.Command(path, "-c", "import numpy").Run() == nil {
			return path
		}
	}
	t.Skip("no Python with NumPy")
	return ""
}

// digits is the network that a script of NumPy has trained into a folder, as a .tflite file of floats.
func digits(t *testing.T, dir string) string {
	t.Helper()
	g := &nn.Graph{Name: "digits"}
	value := func(name string, x *nn.Tensor) int {
		g.Values = append(g.Values, nn.Value{Name: name, Tensor: x})
		return len(g.Values) - 1
	}
	trained := func(name string) int {
		data, err := os.ReadFile(filepath.Join(dir, name+".npy"))
		require.NoError(t, err)
		x, err := nn.ParseNPY(data)
		require.NoError(t, err)
		return value(name, x)
	}
	x := value("picture", &nn.Tensor{Type: nn.F32, Shape: []int{1, 12, 12, 1}})
	g.Inputs = []int{x}
	for _, n := range []struct {
		op    string
		attrs nn.Attrs
		more  []string
		shape []int
	}{
		{op: golden.Conv2D, attrs: nn.Attrs{"padding": "VALID", "stride_h": 1, "stride_w": 1, "fused_activation_function": "RELU"}, more: []string{"w1", "b1"}, shape: []int{1, 10, 10, 8}},
		{op: golden.MaxPool2D, attrs: nn.Attrs{"padding": "VALID", "stride_h": 2, "stride_w": 2, "filter_height": 2, "filter_width": 2}, shape: []int{1, 5, 5, 8}},
		{op: golden.Conv2D, attrs: nn.Attrs{"padding": "VALID", "stride_h": 1, "stride_w": 1, "fused_activation_function": "RELU"}, more: []string{"w2", "b2"}, shape: []int{1, 3, 3, 16}},
		{op: golden.Reshape, attrs: nn.Attrs{"new_shape": []int{1, 144}}, shape: []int{1, 144}},
		{op: golden.FullyConnected, more: []string{"w3", "b3"}, shape: []int{1, 10}},
	} {
		op, ok := golden.Floats().Lookup(nn.TFLite, n.op)
		require.True(t, ok)
		in := []int{x}
		for _, name := range n.more {
			in = append(in, trained(name))
		}
		x = value(n.op, &nn.Tensor{Type: nn.F32, Shape: n.shape})
		g.Nodes = append(g.Nodes, nn.Node{Name: n.op, Op: op, Attrs: n.attrs, In: in, Out: []int{x}})
	}
	g.Outputs = []int{x}
	require.NoError(t, g.Check())
	data, err := tflite.Write(g)
	require.NoError(t, err)
	path := filepath.Join(dir, "digits.tflite")
	require.NoError(t, os.WriteFile(path, data, 0o644))
	return path
}

// classOf is the first greatest element of an output in hexadecimal.
func classOf(t *testing.T, text string, width int) int {
	t.Helper()
	b, err := hex.DecodeString(text)
	require.NoError(t, err)
	at := func(i int) int {
		if width == 1 {
			return int(int8(b[i]))
		}
		return int(int16(binary.LittleEndian.Uint16(b[2*i:])))
	}
	best := 0
	for i := range len(b) / width {
		if at(i) > at(best) {
			best = i
		}
	}
	return best
}

// TestDigitsReachTheCore: a network that NumPy trains becomes integers, a file and a C program, and the program on em9d tells
// digits apart as well as the floats, within one of a hundred, with a dead unit in the network or none.
func TestDigitsReachTheCore(t *testing.T) {
	level.NeedsLong(t, "trains a network and builds it")
	python := numpy(t)
	for _, c := range []struct {
		way, file string
		width     int
		dead      bool
	}{
		{way: "int8", file: "int8.tflite", width: 1},
		{way: "fx16", file: "fx16.mlir", width: 2},
		{way: "int8", file: "int8.tflite", width: 1, dead: true},
		{way: "fx16", file: "fx16.mlir", width: 2, dead: true},
	} {
		t.Run(fmt.Sprintf("%s/dead=%t", c.way, c.dead), func(t *testing.T) {
			if c.dead || c.width > 1 {
				level.NeedsLong(t, "trains and builds again")
			}
			dir := t.TempDir()
			args := []string{filepath.FromSlash("../../internal/network/quantnet/testdata/digits.py"), dir}
			if c.dead {
				args = append(args, "--dead")
			}
			said, err := exec.Command(python, args...).CombinedOutput()
			require.NoError(t, err, string(said))
			var trained float64 // as NumPy itself counts it
			_, err = fmt.Sscanf(string(said), "%f %% of 500", &trained)
			require.NoError(t, err)
			in := func(name string) string { return filepath.Join(dir, name) }

			var out, errs bytes.Buffer
			require.Zero(t, Main([]string{"model", "quantize", digits(t, dir), "--as", c.way, "--calibrate", in("calibrate.npy"), "--eval", in("evaluate.npy"),
				"--labels", in("labels.npy"), "-o", in(c.file), "--json"}, nil, &out, &errs), errs.String())
			var report struct {
				Networks []struct {
					Accuracy struct {
						Float     float64 `json:"float_top1"`
						Integer   float64 `json:"integer_top1"`
						Core      float64 `json:"core_top1"`
						Confusion [][]int
					}
				}
			}
			require.NoError(t, json.Unmarshal(out.Bytes(), &report))
			a := report.Networks[0].Accuracy
			require.InDelta(t, trained/100, a.Float, 0.0021, "one picture may fall otherwise in single precision")
			require.GreaterOrEqual(t, a.Core, a.Float-0.01)
			require.Equal(t, a.Integer, a.Core)

			labels, err := os.ReadFile(in("labels.npy"))
			require.NoError(t, err)
			_, classes, err := nn.ParseNPYReals(labels)
			require.NoError(t, err)
			right, picture := 0, 0
			confusion := make([][]int, 10)
			for i := range confusion {
				confusion[i] = make([]int, 10)
			}
			for _, line := range compiled(t, targets[0], in(c.file), "--input", in("evaluate.npy")) {
				if text, ok := strings.CutPrefix(line, "output 0 "); ok {
					class := classOf(t, text, c.width)
					confusion[int(classes[picture])][class]++
					if class == int(classes[picture]) {
						right++
					}
					picture++
				}
			}
			require.Equal(t, 500, picture)
			require.Equal(t, a.Confusion, confusion, "C on the core finds what the report says")
			require.GreaterOrEqual(t, float64(right)/500, a.Float-0.01)
			t.Logf("%s: NumPy %.2f %%, floats %.2f %%, C on em9d %.2f %%", c.way, trained, 100*a.Float, float64(right)/5)
		})
	}
}

// TestPublicFloatsBecomeC: ten networks of floats that others made are quantized, written and compiled, and the program prints the
// bytes that the golden functions give for the file.
func TestPublicFloatsBecomeC(t *testing.T) {
	level.NeedsPlain(t, "builds networks")
	for _, c := range []struct {
		name  string
		large bool
	}{
		{name: "reference_1x32x32x8_f32_st11_padSAME_dilat11_model"},
		{name: "tflitemic_tensorflow_lite_micro_examples_mnist_lstm_trained_lstm"},
		{name: "TinyMaix_tools_tflite_mnist_resnet_f"},
		{name: "tiny_baseline_tf23_model_model_ToyCar_quant", large: true},
		{name: "AIonthe_sd-card_config_ana-cont_1300_s2", large: true},
		{name: "TinyMaix_tools_tflite_cifar10_f", large: true},
		{name: "tiny_trained_models_kws_ref_model_float32", large: true},
		{name: "tinyresul_AIMET_KWS_kws_saved_model_variables", large: true},
		{name: "TinyMaix_tools_tflite_vww96_f", large: true},
		{name: "tinyresul_closed_Qualcomm_code_AIMET_VWW_source", large: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.large {
				level.NeedsLong(t, "builds a larger network")
			}
			path := shared.Path(t, "vectors", "networks", c.name+".tflite")
			data, err := os.ReadFile(path)
			require.NoError(t, err)
			floats, err := quantnet.Read(path, data)
			require.NoError(t, err)
			dir := t.TempDir()
			some := model.RandomInputs(floats, 3)[0]
			npy, err := nn.FormatNPY(some)
			require.NoError(t, err)
			input, file := filepath.Join(dir, "input.npy"), filepath.Join(dir, "int8.tflite")
			require.NoError(t, os.WriteFile(input, npy, 0o644))
			var out, errs bytes.Buffer
			require.Zero(t, Main([]string{"model", "quantize", path, "--calibrate", input, "-o", file}, nil, &out, &errs), errs.String())

			g, err := model.Load(file, golden.Operators(), nn.Double)
			require.NoError(t, err)
			in, err := model.ReadInput(input, g.Values[g.Inputs[0]].Tensor, 0)
			require.NoError(t, err)
			want := goldenOutputs(t, g, [][]*nn.Tensor{in})
			var outputs []string
			for _, line := range compiled(t, targets[0], file, "--input", input) {
				if strings.HasPrefix(line, "output") {
					outputs = append(outputs, line)
				}
			}
			require.Equal(t, want, outputs)
		})
	}
}
