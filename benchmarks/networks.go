package benchmarks

import (
	"fmt"
	"sync"

	"arcv2dsp/internal/term/spelling"
	"arcv2dsp/nn"
	"arcv2dsp/nn/tflite"
)

// Network is a quantized network of the project's own: an architecture that microcontrollers are compared by (the four
// of MLPerf Tiny, person detection on 96 x 96 pictures, the plain CIFAR-10 network), with weights and inputs from a
// seeded generator (network_layers.go). Layers, shapes, strides and kinds of quantization are those of the published
// networks, so they cost the same; their outputs mean nothing.
type Network struct {
	Name  string
	Doc   string
	build func(b *builder)
	once  sync.Once
	graph *nn.Graph
	input *nn.Tensor
}

var networks = []*Network{
	{Name: "anomaly", Doc: "autoencoder of ten dense layers on spectra of machine noise", build: anomaly},
	{Name: "resnet8", Doc: "residual network on 32 x 32 pictures", build: resnet8},
	{Name: "keywords", Doc: "depthwise separable network on 49 frames of 10 cepstral coefficients", build: keywords},
	{Name: "vww", Doc: "MobileNet of a quarter width on 96 x 96 color pictures, persons or not", build: visualWakeWords},
	{Name: "person", Doc: "MobileNet of a quarter width on 96 x 96 grey pictures, persons or not", build: person},
	{Name: "cifar10", Doc: "three convolutions of 5 x 5 and pooling on 32 x 32 pictures", build: cifar10},
}

// Networks lists them.
func Networks() []*Network { return networks }

// LookupNetwork finds a network by name.
func LookupNetwork(name string) (*Network, error) {
	var names []string
	for _, n := range networks {
		if n.Name == name {
			return n, nil
		}
		names = append(names, n.Name)
	}
	return nil, fmt.Errorf("unknown network %q%s", name, spelling.Hint(name, names))
}

// make builds the network once.
func (n *Network) make() {
	n.once.Do(func() {
		b := newBuilder(n.Name)
		n.build(b)
		n.graph, n.input = b.finish()
	})
}

// Graph is the network, checked, with two roundings. Nobody may change it.
func (n *Network) Graph() *nn.Graph {
	n.make()
	return n.graph
}

// Input is an input that its layers were scaled for.
func (n *Network) Input() *nn.Tensor {
	n.make()
	return n.input
}

// File is the network as a .tflite file.
func (n *Network) File() ([]byte, error) { return tflite.Write(n.Graph()) }

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
