package quantnet

import (
	"fmt"

	"arcv2dsp/internal/network/lower"
	"arcv2dsp/internal/network/mlir"
	"arcv2dsp/internal/term/steps"
	"arcv2dsp/nn"
	"arcv2dsp/nn/tflite"
	"arcv2dsp/nn/tosa"
)

// FileTypes lists the endings of files that hold a network of integers.
func FileTypes() []string { return []string{".tflite", ".tosa", ".mlir"} }

// File is the network of integers in the form that the ending of a file's name says.
func (n *Network) File(ending string) (_ []byte, err error) {
	defer steps.Return(&err)
	if ending == ".mlir" {
		m := steps.Must(mlir.FromGraph(n.Graph))
		return []byte(m.String()), nil
	}
	if lib := n.Graph.Nodes[0].Op.Library; lib != nn.TFLite {
		return nil, fmt.Errorf("a %s file has no operators of %s, a .mlir file has", ending, lib)
	}
	switch ending {
	case ".tflite":
		return tflite.Write(n.Graph)
	case ".tosa":
		g := steps.Must(lower.ToTOSA(n.Graph))
		f := steps.Must(tosa.FromGraph(g, tosa.Rev10))
		return f.Encode()
	}
	return nil, fmt.Errorf("no networks in files of type %q", ending)
}
