package regress

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/sbinet/npyio"

	"arcv2dsp"
	"arcv2dsp/mlikernels/golden"
)

// WriteNPY writes tensors into a directory as NumPy files of their shape and element type,
// ROLE.npy each, and returns the names.
func WriteNPY(dir string, tensors map[string]*golden.Tensor) ([]string, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	var names []string
	for role, t := range tensors {
		if t.Data == nil {
			continue
		}
		name := filepath.Join(dir, role+".npy")
		text, err := npy(t)
		if err != nil {
			return names, fmt.Errorf("%s: %w", name, err)
		}
		if err := arcv2dsp.WriteFileAtomic(name, text); err != nil {
			return names, err
		}
		names = append(names, name)
	}
	return names, nil
}

// npyAlign is what the header of a NumPy file is padded to.
const npyAlign = 64

// npy is a tensor as a NumPy file, version 1.0: magic, length of the header, header, elements. The
// library that reads them here can write vectors and matrices only.
func npy(t *golden.Tensor) ([]byte, error) {
	var dims strings.Builder
	for _, d := range t.Shape {
		fmt.Fprintf(&dims, "%d, ", d)
	}
	descr := map[int]string{8: "|i1", 16: "<i2", 32: "<i4"}[t.Type.Bits()]
	header := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", descr, dims.String())
	const fixed = 10 // bytes before the header
	pad := npyAlign - (fixed+len(header)+1)%npyAlign
	header += strings.Repeat(" ", pad) + "\n"

	var b bytes.Buffer
	b.WriteString("\x93NUMPY\x01\x00")
	b.Write(binary.LittleEndian.AppendUint16(nil, uint16(len(header))))
	b.WriteString(header)
	var data any = t.Data
	switch t.Type.Bits() {
	case 8:
		data = narrow[int8](t.Data)
	case 16:
		data = narrow[int16](t.Data)
	}
	err := binary.Write(&b, binary.LittleEndian, data)
	return b.Bytes(), err
}

func narrow[T int8 | int16](data []int32) []T {
	out := make([]T, len(data))
	for i, v := range data {
		out[i] = T(v)
	}
	return out
}

// ReadNPY replaces the data of a tensor by that of a NumPy file of the same size and element type.
func ReadNPY(name string, t *golden.Tensor) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // only read
	r, err := npyio.NewReader(f)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	n := 1
	for _, d := range r.Header.Descr.Shape {
		n *= d
	}
	if want := t.Len(); n != want {
		return fmt.Errorf("%s: shape %v has %d elements, the tensor %v has %d", name, r.Header.Descr.Shape, n, t.Shape, want)
	}
	if r.Header.Descr.Fortran {
		return fmt.Errorf("%s: elements are in Fortran order", name)
	}
	var data []int32
	switch t.Type.Bits() {
	case 8:
		data, err = readAs[int8](r)
	case 16:
		data, err = readAs[int16](r)
	default:
		data, err = readAs[int32](r)
	}
	if err != nil {
		return fmt.Errorf("%s: elements of type %s do not fit a tensor of %s: %w", name, r.Header.Descr.Type, t.Type, err)
	}
	t.Data = data
	return t.Check()
}

func readAs[T int8 | int16 | int32](r *npyio.Reader) ([]int32, error) {
	var raw []T
	if err := r.Read(&raw); err != nil {
		return nil, err
	}
	out := make([]int32, len(raw))
	for i, v := range raw {
		out[i] = int32(v)
	}
	return out, nil
}
