package quantnet

import (
	"context"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/level"
	"arcv2dsp/internal/dev/testkit/shared"
	"arcv2dsp/nn"
	"arcv2dsp/nn/golden"
	"arcv2dsp/nn/tflite"
)

// publicFloats are networks of floats that others made: the operators of the network of integers, or why there is none. Those of
// the short level are small.
var publicFloats = []struct {
	file    string
	refused string
	layers  int
	short   bool
}{
	{file: "AIonthe_sd-card_config_ana-cont_1300_s2", layers: 12},
	{file: "TinyMaix_tools_tflite_cifar10_f", layers: 6},
	{file: "TinyMaix_tools_tflite_mnist_resnet_f", layers: 8, short: true},
	{file: "TinyMaix_tools_tflite_vww96_f", layers: 30},
	{file: "reference_1x32x32x8_f32_st11_padSAME_dilat11_model", layers: 1, short: true},
	{file: "tiny_baseline_tf23_model_model_ToyCar_quant", layers: 10, short: true},
	{file: "tiny_trained_models_kws_ref_model_float32", layers: 13},
	{file: "tinyresul_AIMET_KWS_kws_saved_model_variables", layers: 12},
	{file: "tinyresul_closed_Qualcomm_code_AIMET_VWW_source", layers: 30},
	{file: "tflitemic_tensorflow_lite_micro_examples_mnist_lstm_trained_lstm", layers: 4, short: true},
	// Variables, and a loop whose step is a graph of its own.
	{file: "reference__examples_test_lstm_stateful_13x21x3_f32_model", refused: "operator 0 CALL_ONCE"},
	// Integers of 16 bits but for one product at its end.
	{file: "tflitemic_micro_speech_models_audio_preprocessor_float", refused: "operator 0 SignalWindow"},
}

// noise makes inputs of a network, the same everywhere, from 0 to 1.
func noise(g *nn.Graph, n int) [][]*nn.Tensor {
	random := rand.New(rand.NewPCG(11, 12))
	runs := make([][]*nn.Tensor, n)
	for i := range runs {
		for _, v := range g.Inputs {
			x := nn.New(nn.F32, g.Values[v].Tensor.Shape...)
			for k := range x.Floats {
				x.Floats[k] = random.Float32()
			}
			runs[i] = append(runs[i], x)
		}
	}
	return runs
}

// TestPublicNetworks: networks that nobody here made are quantized to int8 and judged on the core, where every layer runs in a
// kernel. Their files are read again, and the network that was read gives the same integers.
func TestPublicNetworks(t *testing.T) {
	for _, c := range publicFloats {
		if testing.Short() && !c.short && c.refused == "" {
			continue
		}
		t.Run(c.file, func(t *testing.T) {
			data, err := os.ReadFile(shared.Path(t, "vectors", "networks", c.file+".tflite"))
			require.NoError(t, err)
			g, err := Read(c.file+".tflite", data)
			if c.refused != "" {
				require.ErrorContains(t, err, c.refused)
				require.NotContains(t, err.Error(), "\n")
				return
			}
			require.NoError(t, err)
			g = Fuse(g)
			in := noise(g, level.Count(8, 3, 2))
			ranges, err := Calibrate(context.Background(), g, in, "minmax", ways[0].Data)
			require.NoError(t, err)
			n, err := Quantize(g, ranges, func(int) *Way { return ways[0] })
			require.NoError(t, err)
			r, err := n.Measure(context.Background(), Data{Inputs: in}, em9d)
			require.NoError(t, err)
			require.Zero(t, r.Host)
			require.Greater(t, r.Output.SQNR, 25.0)

			file, err := n.File(".tflite")
			require.NoError(t, err)
			back, err := tflite.Read(file, golden.Operators(), nn.Double)
			require.NoError(t, err)
			require.Len(t, back.Nodes, c.layers)
			wrote, read := nn.NewSession(n.Graph, nn.GoldenExecutor{}), nn.NewSession(back, nn.GoldenExecutor{})
			for _, x := range in {
				q := []*nn.Tensor{n.Input(0, x[0])}
				want, err := wrote.Run(context.Background(), q)
				require.NoError(t, err)
				got, err := read.Run(context.Background(), q)
				require.NoError(t, err)
				require.NoError(t, nn.Difference(got[0], want[0]))
			}
			again, err := tflite.Write(back)
			require.NoError(t, err)
			require.True(t, strings.Compare(string(again), string(file)) == 0, "a file that is read and written stays")
		})
	}
}
