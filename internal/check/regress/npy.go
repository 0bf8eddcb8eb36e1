package regress

import (
	"fmt"
	"os"
	"path/filepath"

	"arcv2dsp/internal/term/hostfile"
	"arcv2dsp/nn"
)

// WriteNPY writes tensors into a directory as NumPy files of their shape and element type,
// ROLE.npy each, and returns the names.
func WriteNPY(dir string, tensors map[string]*nn.Tensor) ([]string, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	var names []string
	for role, t := range tensors {
		if t == nil || !t.Filled() { // a call that failed gives nothing
			continue
		}
		name := filepath.Join(dir, role+".npy")
		text, err := nn.FormatNPY(t)
		if err != nil {
			return names, fmt.Errorf("%s: %w", name, err)
		}
		if err := hostfile.Write(name, text); err != nil {
			return names, err
		}
		names = append(names, name)
	}
	return names, nil
}

// ReadNPY replaces the data of a tensor by that of a NumPy file of the same size and element type.
func ReadNPY(name string, t *nn.Tensor) error {
	text, err := hostfile.Read(name, maxInput)
	if err != nil {
		return err
	}
	data, err := nn.ParseNPY(text)
	switch {
	case err != nil:
		return fmt.Errorf("%s: %w", name, err)
	case data.Type != nn.NPYType(t.Type):
		return fmt.Errorf("%s: elements of %s do not fit a tensor of %s", name, data.Type, t.Type)
	case data.Len() != t.Len():
		return fmt.Errorf("%s: shape %v has %d elements, the tensor %v has %d", name, data.Shape, data.Len(), t.Shape, t.Len())
	}
	t.Ints, t.Floats = data.Ints, data.Floats
	return t.Check()
}
