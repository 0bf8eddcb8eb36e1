package quantnet

import (
	"context"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/benchmarks"
	"arcv2dsp/internal/dev/testkit/level"
	"arcv2dsp/internal/dev/testkit/shared"
	"arcv2dsp/nn"
	"arcv2dsp/nn/golden"
	"arcv2dsp/nn/tflite"
)

// publicIntegers are networks of bytes that others made, most with floats at their ends.
var publicIntegers = []string{"AIonthe_sd-card_config_ana-cont_1400_s2_q", "AIonthe_sd-card_config_dig-class11_1910_s2_q", "TinyMaix_tools_tflite_mnist_valid_q",
	"mltk_model_profiler_config_tflite_image_classification", "stm32aimo_1stacks_64x50_miniresnetv2_1stacks_64x50_int8", "stm32aimo_wl_48_ign_wl_48_int8"}

// recordedIntegers are such networks with a state, and with recorded results elsewhere.
var recordedIntegers = []string{"mnist_lstm_int8", "hello_world_int8"}

// TestTakenNetworksStay: a network of integers, with floats at its ends or without, goes through its floats and is the same network
// again: the same integers out of the same integers.
func TestTakenNetworksStay(t *testing.T) {
	networks := map[string]func(t *testing.T) ([]byte, error){}
	for _, name := range []string{"keywords", "anomaly"} {
		networks[name] = func(t *testing.T) ([]byte, error) {
			own, err := benchmarks.LookupNetwork(name)
			require.NoError(t, err)
			return own.File()
		}
	}
	for _, name := range publicIntegers {
		networks[name] = func(t *testing.T) ([]byte, error) {
			level.NeedsPlain(t, "quantizes larger networks")
			return os.ReadFile(shared.Path(t, "vectors", "networks", name+".tflite"))
		}
	}
	for _, name := range recordedIntegers {
		networks[name] = func(t *testing.T) ([]byte, error) {
			return os.ReadFile(shared.Path(t, "vectors", "models", "models", name+".tflite"))
		}
	}
	for name, file := range networks {
		t.Run(name, func(t *testing.T) {
			data, err := file(t)
			require.NoError(t, err)
			g, err := tflite.Read(data, golden.Operators(), nn.Double)
			require.NoError(t, err)
			floats, fixed, err := FloatsOf(g)
			require.NoError(t, err)
			in := noise(floats, 2)
			ranges, err := Calibrate(context.Background(), floats, in, "minmax", ways[0].Data)
			require.NoError(t, err)
			n, err := Quantize(floats, Fix(ranges, fixed), func(int) *Way { return ways[0] })
			require.NoError(t, err)
			for _, x := range in {
				q := n.Input(0, x[0])
				got, err := nn.NewSession(n.Graph, nn.GoldenExecutor{}).Run(context.Background(), []*nn.Tensor{q})
				require.NoError(t, err)
				if g.Values[g.Inputs[0]].Tensor.Type.Float() {
					q = x[0]
				}
				want, err := nn.NewSession(g, nn.GoldenExecutor{}).Run(context.Background(), []*nn.Tensor{q})
				require.NoError(t, err)
				require.Equal(t, want[0].Values(), got[0].Values())
			}
		})
	}
}

// TestTakenVariables: a network of integers in which an operator writes what the next run reads stays as it is.
func TestTakenVariables(t *testing.T) {
	relu, ok := golden.Operators().Lookup(nn.TFLite, "RELU")
	require.True(t, ok)
	tensor := func() *nn.Tensor {
		return &nn.Tensor{Type: nn.I8, Shape: []int{1, 4}, Format: nn.Format{Kind: nn.Scaled, Scales: []float32{1}, Zeros: []int64{0}}}
	}
	g := &nn.Graph{
		Values: []nn.Value{{Name: "in", Tensor: tensor()}, {Name: "state", Tensor: tensor(), Variable: true}},
		Nodes:  []nn.Node{{Name: "operator 0", Op: relu, In: []int{0}, Out: []int{1}}},
		Inputs: []int{0}, Outputs: []int{0},
	}
	_, _, err := FloatsOf(g)
	require.EqualError(t, err, "operator 0: it keeps state for the next run, and no way writes variables")
}
