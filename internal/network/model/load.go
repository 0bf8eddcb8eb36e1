package model

import (
	"fmt"
	"os"

	"arcv2dsp/nn"
	"arcv2dsp/nn/tflite"
)

// Load reads a network from a file.
func Load(path string, ops *nn.Registry, r nn.Rounding) (*nn.Graph, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	g, err := tflite.Read(data, ops, r)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return g, nil
}
