package benchmarks

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/goldenfile"
	"arcv2dsp/nn/tflite"
)

// makers are the architectures of the networks.
var makers = map[string]func(*builder){"anomaly": anomaly, "resnet8": resnet8, "keywords": keywords, "vww": visualWakeWords,
	"person": person, "cifar10": cifar10}

// TestNetworksAreThoseOfTheGenerator: the files hold the networks and inputs that the generator makes, on every host and
// forever: baselines depend on it.
func TestNetworksAreThoseOfTheGenerator(t *testing.T) {
	require.Len(t, Networks(), len(makers))
	for _, n := range Networks() {
		b := newBuilder(n.Name)
		makers[n.Name](b)
		g, input := b.finish()
		data, err := tflite.Write(g)
		require.NoError(t, err)
		elements := make([]byte, len(input.Ints))
		for i, v := range input.Ints {
			elements[i] = byte(v)
		}
		if goldenfile.Update() {
			require.NoError(t, os.WriteFile(filepath.Join("networks", n.Name+".tflite"), data, 0o644))
			require.NoError(t, os.WriteFile(filepath.Join("networks", n.Name+".input"), elements, 0o644))
		}
		have, err := tflite.Write(n.Graph())
		require.NoError(t, err)
		require.True(t, bytes.Equal(data, have), "%s: run go test ./benchmarks -update", n.Name)
		require.Equal(t, input, n.Input(), n.Name)
	}
}

func anomaly(b *builder) {
	x := b.input(0.391, 89, 1, 640)
	for _, units := range []int{128, 128, 128, 128, 8, 128, 128, 128, 128} {
		x = b.dense(x, units, "RELU")
	}
	b.output(b.dense(x, 640, "NONE"))
}

func resnet8(b *builder) {
	x := b.input(1, -128, 1, 32, 32, 3)
	x = b.conv(x, 16, window{3, 3, 1}, "RELU")
	y := b.conv(x, 16, window{3, 3, 1}, "RELU")
	y = b.conv(y, 16, window{3, 3, 1}, "NONE")
	x = b.add(x, y, "RELU")
	for _, channels := range []int{32, 64} {
		y = b.conv(x, channels, window{3, 3, 2}, "RELU")
		y = b.conv(y, channels, window{3, 3, 1}, "NONE")
		x = b.conv(x, channels, window{1, 1, 2}, "NONE")
		x = b.add(x, y, "RELU")
	}
	x = b.pool("AVERAGE_POOL_2D", x, window{8, 8, 8}, "VALID", "NONE")
	x = b.dense(b.flatten(x), 10, "NONE")
	b.output(b.softmax(x))
}

func keywords(b *builder) {
	x := b.input(0.5847, 83, 1, 49, 10, 1)
	x = b.conv(x, 64, window{10, 4, 2}, "RELU")
	for range 4 {
		x = b.depthwise(x, 1, 1, "RELU")
		x = b.conv(x, 64, window{1, 1, 1}, "RELU")
	}
	x = b.pool("AVERAGE_POOL_2D", x, window{25, 5, 25}, "VALID", "NONE")
	x = b.dense(b.flatten(x), 12, "NONE")
	b.output(b.softmax(x))
}

// separable are the blocks of MobileNet at a quarter of its width: stride of the depthwise convolution and
// channels of the one behind it.
var separable = []struct{ stride, channels int }{
	{1, 16}, {2, 32}, {1, 32}, {2, 64}, {1, 64}, {2, 128}, {1, 128}, {1, 128}, {1, 128}, {1, 128}, {1, 128}, {2, 256}, {1, 256},
}

func (b *builder) mobileNet(x int, function string) int {
	for _, s := range separable {
		x = b.depthwise(x, 1, s.stride, function)
		x = b.conv(x, s.channels, window{1, 1, 1}, function)
	}
	return x
}

func visualWakeWords(b *builder) {
	x := b.input(1.0/255, -128, 1, 96, 96, 3)
	x = b.conv(x, 8, window{3, 3, 2}, "RELU")
	x = b.mobileNet(x, "RELU")
	x = b.pool("AVERAGE_POOL_2D", x, window{3, 3, 3}, "VALID", "NONE")
	x = b.dense(b.flatten(x), 2, "NONE")
	b.output(b.softmax(x))
}

func person(b *builder) {
	x := b.input(2.0/255, -1, 1, 96, 96, 1)
	x = b.depthwise(x, 8, 2, "RELU6")
	x = b.mobileNet(x, "RELU6")
	x = b.pool("AVERAGE_POOL_2D", x, window{3, 3, 2}, "VALID", "NONE")
	x = b.conv(x, 2, window{1, 1, 1}, "NONE")
	b.output(b.softmax(b.flatten(x)))
}

func cifar10(b *builder) {
	x := b.input(1.0/128, 0, 1, 32, 32, 3)
	x = b.conv(x, 32, window{5, 5, 1}, "NONE")
	x = b.pool("MAX_POOL_2D", x, window{3, 3, 2}, "SAME", "RELU")
	x = b.conv(x, 32, window{5, 5, 1}, "RELU")
	x = b.pool("AVERAGE_POOL_2D", x, window{3, 3, 2}, "SAME", "NONE")
	x = b.conv(x, 64, window{5, 5, 1}, "RELU")
	x = b.pool("AVERAGE_POOL_2D", x, window{3, 3, 2}, "SAME", "NONE")
	x = b.dense(b.flatten(x), 10, "NONE")
	b.output(b.softmax(x))
}
