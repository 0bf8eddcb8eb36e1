package benchmarks

import (
	"embed"
	"path"
	"sync"

	"arcv2dsp/internal/term/spelling"
	"arcv2dsp/nn"
	"arcv2dsp/nn/golden"
	"arcv2dsp/nn/tflite"
)

// Network is a quantized network of the project's own: an architecture that microcontrollers are compared by (the four
// of MLPerf Tiny, person detection on 96 x 96 pictures, the plain CIFAR-10 network), with weights and inputs from a
// seeded generator among the tests (networks_maker_test.go). Layers, shapes, strides and kinds of quantization are those
// of the published networks, so they cost the same; their outputs mean nothing.
type Network struct {
	Name string
	Doc  string
	read func() (*nn.Graph, *nn.Tensor)
}

// networkFiles has a .tflite file and the elements of an input for every network.
//
//go:embed networks
var networkFiles embed.FS

var networks = []*Network{
	network("anomaly", "autoencoder of ten dense layers on spectra of machine noise"),
	network("resnet8", "residual network on 32 x 32 pictures"),
	network("keywords", "depthwise separable network on 49 frames of 10 cepstral coefficients"),
	network("vww", "MobileNet of a quarter width on 96 x 96 color pictures, persons or not"),
	network("person", "MobileNet of a quarter width on 96 x 96 grey pictures, persons or not"),
	network("cifar10", "three convolutions of 5 x 5 and pooling on 32 x 32 pictures"),
}

// network describes one, which is read when it is used first.
func network(name, doc string) *Network {
	n := &Network{Name: name, Doc: doc}
	n.read = sync.OnceValues(func() (*nn.Graph, *nn.Tensor) {
		data, err := n.File()
		must(err)
		g, err := tflite.Read(data, golden.Operators(), nn.Double)
		must(err)
		elements, err := networkFiles.ReadFile(path.Join("networks", name+".input"))
		must(err)
		input := g.Values[g.Inputs[0]].Tensor.Clone()
		input.Alloc()
		for i, b := range elements {
			input.Ints[i] = int64(int8(b))
		}
		return g, input
	})
	return n
}

// must ends the program for a fault in a file of ours, which no input can cause.
func must(err error) {
	if err != nil {
		panic("networks: " + err.Error())
	}
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
	return nil, spelling.Unknown("network", name, names)
}

// Graph is the network, checked, with two roundings. Nobody may change it.
func (n *Network) Graph() *nn.Graph {
	g, _ := n.read()
	return g
}

// Input is an input that its layers were scaled for.
func (n *Network) Input() *nn.Tensor {
	_, input := n.read()
	return input
}

// File is the network as a .tflite file.
func (n *Network) File() ([]byte, error) {
	return networkFiles.ReadFile(path.Join("networks", n.Name+".tflite"))
}
