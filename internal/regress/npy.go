package regress

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"arcv2dsp"
	"arcv2dsp/mlikernels/kernel"
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
		if !t.Filled() {
			continue
		}
		name := filepath.Join(dir, role+".npy")
		if err := arcv2dsp.WriteFileAtomic(name, npy(t)); err != nil {
			return names, err
		}
		names = append(names, name)
	}
	return names, nil
}

// The format of NumPy files, version 1.0: magic and version, two bytes of length, a header that is
// padded so that the elements are aligned, the elements.
const (
	npyMagic = "\x93NUMPY\x01\x00"
	npyFixed = len(npyMagic) + 2
	npyAlign = 64
)

// npyTypes are the names of element types.
var npyTypes = map[nn.Type]string{nn.Bool: "|b1", nn.I4: "|i1", nn.I8: "|i1", nn.I16: "<i2", nn.I32: "<i4", nn.I48: "<i8",
	nn.I64: "<i8", nn.U8: "|u1", nn.U16: "<u2", nn.U32: "<u4", nn.F32: "<f4"}

// npy is a tensor as a NumPy file.
func npy(t *nn.Tensor) []byte {
	var dims strings.Builder
	for _, d := range t.Shape {
		fmt.Fprintf(&dims, "%d, ", d)
	}
	header := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", npyTypes[t.Type],
		strings.TrimSuffix(dims.String(), " "))
	pad := npyAlign - (npyFixed+len(header)+1)%npyAlign
	header += strings.Repeat(" ", pad) + "\n"

	var b bytes.Buffer
	b.WriteString(npyMagic)
	b.Write(binary.LittleEndian.AppendUint16(nil, uint16(len(header))))
	b.WriteString(header)
	b.Write(kernel.Elements(t))
	return b.Bytes()
}

// ReadNPY replaces the data of a tensor by that of a NumPy file of the same size and element type.
func ReadNPY(name string, t *nn.Tensor) error {
	text, err := arcv2dsp.ReadFile(name, maxInput)
	if err != nil {
		return err
	}
	data, err := parseNPY(text, t)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	t.Ints, t.Floats = data.Ints, data.Floats
	return t.Check()
}

// npyHeader is the header of the files that fit a tensor: little-endian elements in C order.
var npyHeader = regexp.MustCompile(`^\{'descr': '([^']*)', 'fortran_order': (True|False), 'shape': \(([0-9, ]*)\),? *\}\s*$`)

// parseNPY reads the elements of a file for a tensor.
func parseNPY(text []byte, t *nn.Tensor) (*nn.Tensor, error) {
	if len(text) < npyFixed || string(text[:6]) != npyMagic[:6] {
		return nil, errors.New("not a NumPy file")
	}
	at, size := npyFixed, int(binary.LittleEndian.Uint16(text[8:]))
	if text[6] != 1 {
		if len(text) < npyFixed+2 {
			return nil, errors.New("the header is cut off")
		}
		at, size = npyFixed+2, int(binary.LittleEndian.Uint32(text[8:]))
	}
	if size > len(text)-at {
		return nil, errors.New("the header is cut off")
	}
	m := npyHeader.FindSubmatch(text[at : at+size])
	switch {
	case m == nil:
		return nil, fmt.Errorf("the header %q is not understood", text[at:at+min(size, 100)])
	case string(m[2]) != "False":
		return nil, errors.New("elements are in Fortran order")
	case string(m[1]) != npyTypes[t.Type]:
		return nil, fmt.Errorf("elements of type %s do not fit a tensor of %s", m[1], t.Type)
	}
	n := 1
	for _, d := range strings.FieldsFunc(string(m[3]), func(r rune) bool { return r == ',' || r == ' ' }) {
		v, err := strconv.Atoi(d)
		if err != nil || v > math.MaxInt32 || n > math.MaxInt32 {
			return nil, fmt.Errorf("dimension %s is too large", d)
		}
		n *= v
	}
	if want := t.Len(); n != want {
		return nil, fmt.Errorf("shape (%s) has %d elements, the tensor %v has %d", m[3], n, t.Shape, want)
	}
	b := text[at+size:]
	if len(b) != t.Bytes() {
		return nil, fmt.Errorf("%d bytes of elements, expected %d", len(b), t.Bytes())
	}
	return kernel.Decode(t.Type, t.Shape, b), nil
}
