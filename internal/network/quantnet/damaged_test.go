package quantnet

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/level"
	"arcv2dsp/nn"
)

// damaged changes a file in a few places: bytes, lengths, pieces.
func damaged(random *rand.Rand, data []byte) []byte {
	out := append([]byte(nil), data...)
	for range 1 + random.IntN(4) {
		if len(out) == 0 {
			return out
		}
		switch at := random.IntN(len(out)); random.IntN(5) {
		case 0:
			out[at] ^= 1 << random.IntN(8)
		case 1:
			out[at] = byte(random.Uint32())
		case 2:
			out = out[:at]
		case 3:
			out = append(out[:at:at], out[min(len(out), at+1+random.IntN(8)):]...)
		default:
			piece := out[at:min(len(out), at+1+random.IntN(12))]
			out = append(append(append([]byte(nil), out[:at]...), piece...), out[at:]...)
		}
	}
	return out
}

// placed are the words by which an error says where the fault is.
var placed = regexp.MustCompile(`line \d+|label \d+|value \d+|offset \d+|element|header|shape|bytes?\b|byte |no NumPy file|version|no labels|type|labels of|dimension`)

// TestDamagedFiles: 10,000 damaged files of labels and of data, at every level, give an answer or one line with a place, and no panic.
func TestDamagedFiles(t *testing.T) {
	g, _, err := Sample("autoencoder", 0)
	require.NoError(t, err)
	real := nn.New(nn.F32, 4, 128)
	for i := range real.Floats {
		real.Floats[i] = float32(i%7) - 3
	}
	data, err := nn.FormatNPY(real)
	require.NoError(t, err)
	classes, err := nn.FormatNPY(nn.FromInts(nn.I32, []int{6}, []int64{0, 1, 2, 3, 4, 5}))
	require.NoError(t, err)
	text := []byte("# classes\n0\n1\n2\n\n3\n")
	random := rand.New(rand.NewPCG(3, 4))
	refused := 0
	for i := range level.Count(40000, 10000, 10000) {
		var err error
		var what string
		switch i % 3 {
		case 0:
			what = "labels of text"
			_, err = ReadLabels(damaged(random, text))
		case 1:
			what = "labels of NumPy"
			_, err = ReadLabels(damaged(random, classes))
		default:
			what = "data"
			var shape []int
			var values []float64
			if shape, values, err = nn.ParseNPYReals(damaged(random, data)); err == nil {
				_, err = Split(g, 0, shape, values)
			}
		}
		if err == nil {
			continue
		}
		refused++
		require.NotContains(t, err.Error(), "\n", what)
		require.Regexp(t, placed, err.Error(), what)
	}
	require.Greater(t, refused, 3000)

	for _, c := range []struct{ text, want string }{
		{text: "", want: "no labels"},
		{text: "1\n2\nx7\n", want: `line 3: "x7" is no class from 0 to 1048576`},
		{text: "1\n-2", want: `line 2: "-2" is no class`},
		{text: strings.Repeat("9", 60), want: `line 1: "999`},
	} {
		_, err := ReadLabels([]byte(c.text))
		require.ErrorContains(t, err, c.want)
	}
	wrong, err := nn.FormatNPY(&nn.Tensor{Type: nn.F32, Shape: []int{2}, Floats: []float32{1, 1.5}})
	require.NoError(t, err)
	_, err = ReadLabels(wrong)
	require.EqualError(t, err, fmt.Sprintf("label 1 is 1.5, it must be a whole number from 0 to %d", maxLabel))
	_, err = newAccuracy(g, Data{Inputs: make([][]*nn.Tensor, 2), Labels: []int{1}})
	require.EqualError(t, err, "1 labels for 2 inputs")
	_, err = newAccuracy(g, Data{Inputs: make([][]*nn.Tensor, 2), Labels: []int{1, 128}})
	require.EqualError(t, err, "label 1 is 128, the output tells 128 classes apart")
}
