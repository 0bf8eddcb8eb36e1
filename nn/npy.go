package nn

import (
	"encoding/binary"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
)

const (
	npyMagic = "\x93NUMPY"
	npyAlign = 64 // the elements begin at a multiple of it
)

// npyDescriptions are the element types as headers name them.
var npyDescriptions = []struct {
	text string
	typ  Type
}{
	{text: "|b1", typ: Bool},
	{text: "|i1", typ: I8},
	{text: "<i2", typ: I16},
	{text: "<i4", typ: I32},
	{text: "<i8", typ: I64},
	{text: "|u1", typ: U8},
	{text: "<u2", typ: U16},
	{text: "<u4", typ: U32},
	{text: "<u8", typ: U64},
	{text: "<f4", typ: F32},
	{text: "<f2", typ: F16},
	// NumPy has no names for the rest. These are those of the package ml_dtypes: raw bytes; those of F8E5M2 are
	// written as U8 by TOSA's tests.
	{text: "<V2", typ: BF16},
	{text: "<V1", typ: F8E4M3},
	{text: "|V1", typ: F8E4M3},
	{text: "<f1", typ: F8E5M2},
}

// NPYType is the type that elements are written with: those of 4 and of 48 bits take the next wider one.
func NPYType(t Type) Type {
	switch t {
	case I4:
		return I8
	case I48:
		return I64
	}
	return t
}

// npyDescription is the name of a type.
func npyDescription(t Type) string {
	for _, d := range npyDescriptions {
		if d.typ == NPYType(t) {
			return d.text
		}
	}
	return ""
}

// FormatNPY returns a tensor in the format of a file.
func FormatNPY(t *Tensor) ([]byte, error) {
	text := npyDescription(t.Type)
	if text == "" || !t.Filled() {
		return nil, fmt.Errorf("a tensor of %s with %d elements cannot be written", t.Type, len(t.Ints)+len(t.Floats))
	}
	var dims strings.Builder
	for _, d := range t.Shape {
		fmt.Fprintf(&dims, "%d, ", d)
	}
	header := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", text, strings.TrimSuffix(dims.String(), " "))
	const fixed = len(npyMagic) + 4
	header += strings.Repeat(" ", npyAlign-(fixed+len(header)+1)%npyAlign) + "\n"
	b := append([]byte(npyMagic), 1, 0)
	b = binary.LittleEndian.AppendUint16(b, uint16(len(header)))
	b = append(b, header...)
	for i := range t.Len() {
		b = AppendInt(b, t.Type.Bytes(), t.element(i))
	}
	return b, nil
}

// ParseNPY returns the tensor in a file.
func ParseNPY(data []byte) (*Tensor, error) {
	t, elements, err := declaredNPY(data)
	if err != nil {
		return nil, err
	}
	return t, parseElements(elements, t)
}

// declaredNPY is the tensor that the beginning of a file declares, without its elements, and the bytes behind the header.
func declaredNPY(data []byte) (*Tensor, []byte, error) {
	h, rest, err := splitNPY(data)
	if err != nil {
		return nil, nil, err
	}
	t := &Tensor{Shape: h.shape}
	for _, d := range npyDescriptions {
		if d.text == h.descr {
			t.Type = d.typ
		}
	}
	if t.Type == NoType {
		return nil, nil, fmt.Errorf("elements of type %q cannot be read", h.descr)
	}
	return t, rest, nil
}

// npyDouble is the element type of NumPy's own reals, which tensors do not have.
const npyDouble = "<f8"

// ParseNPYReals are the shape and the elements of a file as real numbers, those of double precision included.
func ParseNPYReals(data []byte) (shape []int, values []float64, err error) {
	h, elements, err := splitNPY(data)
	if err != nil {
		return nil, nil, err
	}
	if h.descr != npyDouble {
		t, err := ParseNPY(data)
		if err != nil {
			return nil, nil, err
		}
		return t.Shape, t.Values(), nil
	}
	const size = 8
	if n := Count(h.shape); len(elements) != n*size {
		return nil, nil, fmt.Errorf("%d bytes of elements, f64%v has %d", len(elements), h.shape, n*size)
	}
	values = make([]float64, len(elements)/size)
	for i := range values {
		values[i] = math.Float64frombits(binary.LittleEndian.Uint64(elements[size*i:]))
	}
	return h.shape, values, nil
}

// splitNPY finds the header and the elements behind it.
func splitNPY(data []byte) (npyHeader, []byte, error) {
	if len(data) < len(npyMagic)+4 || string(data[:len(npyMagic)]) != npyMagic {
		return npyHeader{}, nil, fmt.Errorf("no NumPy file: it does not begin with %q", npyMagic)
	}
	rest := data[len(npyMagic)+2:]
	var n, size int
	switch version := data[len(npyMagic)]; {
	case version == 1:
		n, size = int(binary.LittleEndian.Uint16(rest)), 2
	case version <= 3 && len(rest) >= 4:
		n, size = int(binary.LittleEndian.Uint32(rest)), 4
	default:
		return npyHeader{}, nil, fmt.Errorf("version %d of the format", version)
	}
	if n > len(rest)-size {
		return npyHeader{}, nil, fmt.Errorf("the header of %d bytes is longer than the file", n)
	}
	h, err := parseHeader(string(rest[size : size+n]))
	return h, rest[size+n:], err
}

// header says what the elements are.
type npyHeader struct {
	descr string
	shape []int
}

var (
	descrField = regexp.MustCompile(`'descr': *'([^']*)'`)
	orderField = regexp.MustCompile(`'fortran_order': *(True|False)`)
	shapeField = regexp.MustCompile(`'shape': *\(([0-9, ]*)\)`)
)

// parseHeader reads the text of a header.
func parseHeader(text string) (npyHeader, error) {
	descr, order, shape := descrField.FindStringSubmatch(text), orderField.FindStringSubmatch(text), shapeField.FindStringSubmatch(text)
	if descr == nil || order == nil || shape == nil {
		return npyHeader{}, fmt.Errorf("the header %q lacks descr, fortran_order or shape", text)
	}
	if order[1] == "True" {
		return npyHeader{}, fmt.Errorf("the elements are in Fortran order")
	}
	h := npyHeader{descr: strings.Replace(descr[1], "=", "<", 1), shape: []int{}}
	for dim := range strings.SplitSeq(shape[1], ",") {
		if dim = strings.TrimSpace(dim); dim == "" {
			continue
		}
		n, err := strconv.Atoi(dim)
		if err != nil {
			return npyHeader{}, fmt.Errorf("dimension %q: %w", dim, err)
		}
		h.shape = append(h.shape, n)
	}
	return h, CheckShape(h.shape)
}

func parseElements(b []byte, t *Tensor) error {
	if len(b) != t.Bytes() {
		return fmt.Errorf("%d bytes of elements, %s%v has %d", len(b), t.Type, t.Shape, t.Bytes())
	}
	t.Alloc()
	n := t.Type.Bytes()
	for i := range t.Floats {
		t.Floats[i] = t.Type.FromFloatBits(UintAt(b, n*i, n))
	}
	for i := range t.Ints {
		v := UintAt(b, n*i, n)
		t.Ints[i] = t.Type.Wrap(int64(v))
		if !t.Type.Holds(t.Ints[i]) {
			return fmt.Errorf("element %d is %d: too large", i, v)
		}
	}
	return nil
}
