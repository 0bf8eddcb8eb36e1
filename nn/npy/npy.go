// Package npy reads and writes tensors as NumPy files, one by one (.npy) and in archives (.npz).
//
// A file is a magic number, a header that is the text of a Python dictionary with the element type and
// the shape, and the elements. The reader takes little-endian elements in C order, as NumPy writes by default, and
// refuses the rest by name.
package npy

import (
	"encoding/binary"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"arcv2dsp/nn"
)

const (
	magic = "\x93NUMPY"
	align = 64 // the elements begin at a multiple of it
)

// descriptions are the element types as headers name them.
var descriptions = []struct {
	text string
	typ  nn.Type
}{
	{text: "|b1", typ: nn.Bool},
	{text: "|i1", typ: nn.I8},
	{text: "<i2", typ: nn.I16},
	{text: "<i4", typ: nn.I32},
	{text: "<i8", typ: nn.I64},
	{text: "|u1", typ: nn.U8},
	{text: "<u2", typ: nn.U16},
	{text: "<u4", typ: nn.U32},
	{text: "<u8", typ: nn.U64},
	{text: "<f4", typ: nn.F32},
}

// Written is the type that elements are written with: those of 4 and of 48 bits take the next wider one.
func Written(t nn.Type) nn.Type {
	switch t {
	case nn.I4:
		return nn.I8
	case nn.I48:
		return nn.I64
	}
	return t
}

// describe is the name of a type.
func describe(t nn.Type) string {
	for _, d := range descriptions {
		if d.typ == Written(t) {
			return d.text
		}
	}
	return ""
}

// Format returns a tensor in the format of a file.
func Format(t *nn.Tensor) ([]byte, error) {
	text := describe(t.Type)
	if text == "" || !t.Filled() {
		return nil, fmt.Errorf("a tensor of %s with %d elements cannot be written", t.Type, len(t.Ints)+len(t.Floats))
	}
	var dims strings.Builder
	for _, d := range t.Shape {
		fmt.Fprintf(&dims, "%d, ", d)
	}
	header := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", text, strings.TrimSuffix(dims.String(), " "))
	const fixed = len(magic) + 4
	header += strings.Repeat(" ", align-(fixed+len(header)+1)%align) + "\n"
	b := append([]byte(magic), 1, 0)
	b = binary.LittleEndian.AppendUint16(b, uint16(len(header)))
	b = append(b, header...)
	for _, v := range t.Ints {
		b = appendInt(b, t.Type.Bytes(), v)
	}
	for _, v := range t.Floats {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
	}
	return b, nil
}

func appendInt(b []byte, size int, v int64) []byte {
	switch size {
	case 1:
		return append(b, byte(v))
	case 2:
		return binary.LittleEndian.AppendUint16(b, uint16(v))
	case 4:
		return binary.LittleEndian.AppendUint32(b, uint32(v))
	default:
		return binary.LittleEndian.AppendUint64(b, uint64(v))
	}
}

// Parse returns the tensor in a file.
func Parse(data []byte) (*nn.Tensor, error) {
	h, elements, err := split(data)
	if err != nil {
		return nil, err
	}
	t := &nn.Tensor{Shape: h.shape}
	for _, d := range descriptions {
		if d.text == h.descr {
			t.Type = d.typ
		}
	}
	if t.Type == nn.NoType {
		return nil, fmt.Errorf("elements of type %q cannot be read", h.descr)
	}
	return t, parseElements(elements, t)
}

// double is the element type of NumPy's own reals, which tensors do not have.
const double = "<f8"

// Reals are the shape and the elements of a file as real numbers, those of double precision included.
func Reals(data []byte) (shape []int, values []float64, err error) {
	h, elements, err := split(data)
	if err != nil {
		return nil, nil, err
	}
	if h.descr != double {
		t, err := Parse(data)
		if err != nil {
			return nil, nil, err
		}
		return t.Shape, t.Values(), nil
	}
	const size = 8
	if n := nn.Count(h.shape); len(elements) != n*size {
		return nil, nil, fmt.Errorf("%d bytes of elements, f64%v has %d", len(elements), h.shape, n*size)
	}
	values = make([]float64, len(elements)/size)
	for i := range values {
		values[i] = math.Float64frombits(binary.LittleEndian.Uint64(elements[size*i:]))
	}
	return h.shape, values, nil
}

// split finds the header and the elements behind it.
func split(data []byte) (header, []byte, error) {
	if len(data) < len(magic)+4 || string(data[:len(magic)]) != magic {
		return header{}, nil, fmt.Errorf("no NumPy file: it does not begin with %q", magic)
	}
	rest := data[len(magic)+2:]
	var n, size int
	switch version := data[len(magic)]; {
	case version == 1:
		n, size = int(binary.LittleEndian.Uint16(rest)), 2
	case version <= 3 && len(rest) >= 4:
		n, size = int(binary.LittleEndian.Uint32(rest)), 4
	default:
		return header{}, nil, fmt.Errorf("version %d of the format", version)
	}
	if n > len(rest)-size {
		return header{}, nil, fmt.Errorf("the header of %d bytes is longer than the file", n)
	}
	h, err := parseHeader(string(rest[size : size+n]))
	return h, rest[size+n:], err
}

// header says what the elements are.
type header struct {
	descr string
	shape []int
}

var (
	descrField = regexp.MustCompile(`'descr': *'([^']*)'`)
	orderField = regexp.MustCompile(`'fortran_order': *(True|False)`)
	shapeField = regexp.MustCompile(`'shape': *\(([0-9, ]*)\)`)
)

// parseHeader reads the text of a header.
func parseHeader(text string) (header, error) {
	descr, order, shape := descrField.FindStringSubmatch(text), orderField.FindStringSubmatch(text), shapeField.FindStringSubmatch(text)
	if descr == nil || order == nil || shape == nil {
		return header{}, fmt.Errorf("the header %q lacks descr, fortran_order or shape", text)
	}
	if order[1] == "True" {
		return header{}, fmt.Errorf("the elements are in Fortran order")
	}
	h := header{descr: strings.Replace(descr[1], "=", "<", 1), shape: []int{}}
	for dim := range strings.SplitSeq(shape[1], ",") {
		if dim = strings.TrimSpace(dim); dim == "" {
			continue
		}
		n, err := strconv.Atoi(dim)
		if err != nil {
			return header{}, fmt.Errorf("dimension %q: %w", dim, err)
		}
		h.shape = append(h.shape, n)
	}
	return h, nn.CheckShape(h.shape)
}

func parseElements(b []byte, t *nn.Tensor) error {
	if len(b) != t.Bytes() {
		return fmt.Errorf("%d bytes of elements, %s%v has %d", len(b), t.Type, t.Shape, t.Bytes())
	}
	t.Alloc()
	for i := range t.Floats {
		t.Floats[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
	}
	for i := range t.Ints {
		var v uint64
		switch n := t.Type.Bytes(); n {
		case 1:
			v = uint64(b[i])
		case 2:
			v = uint64(binary.LittleEndian.Uint16(b[2*i:]))
		case 4:
			v = uint64(binary.LittleEndian.Uint32(b[4*i:]))
		default:
			v = binary.LittleEndian.Uint64(b[8*i:])
		}
		t.Ints[i] = t.Type.Wrap(int64(v))
		if !t.Type.Holds(t.Ints[i]) {
			return fmt.Errorf("element %d is %d: too large", i, v)
		}
	}
	return nil
}
