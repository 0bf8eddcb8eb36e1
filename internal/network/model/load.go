package model

import (
	"fmt"

	"arcv2dsp/internal/term/hostfile"
	"arcv2dsp/nn"
	"arcv2dsp/nn/tflite"
)

// MaxFile bounds a network, and an array beside it.
const MaxFile = 1 << 30

// Load reads a network from a file.
func Load(path string, ops *nn.Registry, r nn.Rounding) (*nn.Graph, error) {
	return LoadWithin(path, ops, r, tflite.DefaultElements)
}

// LoadWithin is Load with a bound of the elements of all tensors together.
func LoadWithin(path string, ops *nn.Registry, r nn.Rounding, elements int) (*nn.Graph, error) {
	data, err := hostfile.Read(path, MaxFile)
	if err != nil {
		return nil, err
	}
	g, err := tflite.ReadWithin(data, ops, r, elements)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return g, nil
}
