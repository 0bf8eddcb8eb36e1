package debug

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"

	"arcv2dsp/internal/debug/cexpr"
	"arcv2dsp/internal/program/mli11structs"
	"arcv2dsp/internal/program/mlistructs"
)

// Tensor is an mli_tensor of MLI 1.1 with its data.
type Tensor struct {
	Addr      uint32
	Data      uint32
	Capacity  uint32
	Shape     []uint32
	Stride    []int32 // elements between neighbours in each dimension
	Element   string
	Size      uint32 // bytes of an element
	Frac      int8   // fx: fraction bits; asym: of the scale
	Zero      []int32
	Scale     []int32
	Dim       int32 // dimension of the parameters; -1 when there is one of each
	Quantised bool
}

var elements = [...]struct {
	name      string
	size      uint32
	quantised bool
}{
	{name: "fx8", size: 1},
	{name: "fx16", size: 2},
	{name: "asym i8", size: 1, quantised: true},
	{name: "asym i32", size: 4, quantised: true},
}

// maxTensor bounds the elements that are read.
const maxTensor = 1 << 22

// TensorAddr is where a tensor lies: an object by its name, or the value of an expression.
func (d *Debugger) TensorAddr(text string) (uint32, error) {
	if s, ok := d.m.Symbols().Lookup(text); ok && s.Size == uint32(mli11structs.Tensor.Size()) {
		return s.Addr, nil
	}
	return d.EvalAddr(text)
}

// Tensor reads an mli_tensor.
func (d *Debugger) Tensor(addr uint32) (Tensor, error) {
	layout := mli11structs.Tensor
	raw := make([]byte, layout.Size())
	if err := d.ReadMemory(addr, raw); err != nil {
		return Tensor{}, err
	}
	word := func(member string) uint32 { return uint32(layout.Get(raw, member)) }
	t := Tensor{Addr: addr, Data: word("data"), Capacity: word("capacity")}
	rank, el := word("rank"), word("el_type")
	if rank < 1 || rank > mlistructs.MaxRank {
		return t, fmt.Errorf("no tensor at 0x%x: rank %d is not 1 to %d", addr, rank, mlistructs.MaxRank)
	}
	if el >= uint32(len(elements)) {
		return t, fmt.Errorf("no tensor at 0x%x: element type %d is unknown", addr, el)
	}
	e := elements[el]
	t.Element, t.Size, t.Quantised = e.name, e.size, e.quantised
	total := uint64(1)
	for i := range int(rank) {
		t.Shape = append(t.Shape, uint32(layout.GetAt(raw, "shape", i)))
		t.Stride = append(t.Stride, int32(layout.GetAt(raw, "mem_stride", i)))
		if total *= uint64(t.Shape[i]); total > maxTensor {
			return t, fmt.Errorf("the tensor at 0x%x has more than %d elements", addr, maxTensor)
		}
	}
	if bytes := total * uint64(e.size); total == 0 || bytes > uint64(t.Capacity) || t.Capacity > maxTensor*4 {
		return t, fmt.Errorf("no tensor at 0x%x: a shape of %d bytes, a capacity of %d", addr, bytes, t.Capacity)
	}
	next := int32(1)
	for i := int(rank) - 1; i >= 0; i-- {
		if t.Stride[i] == 0 {
			t.Stride[i] = next
		}
		next = t.Stride[i] * int32(t.Shape[i])
	}
	if !e.quantised {
		t.Frac = int8(layout.Get(raw, "el_params.fx.frac_bits"))
		return t, nil
	}
	t.Frac, t.Dim = int8(layout.Get(raw, "el_params.asym.scale_frac_bits")), int32(layout.Get(raw, "el_params.asym.dim"))
	if t.Dim < 0 {
		t.Zero = []int32{int32(int16(word("el_params.asym.zero_point")))}
		t.Scale = []int32{int32(word("el_params.asym.scale"))}
		return t, nil
	}
	if t.Dim >= int32(rank) {
		return t, fmt.Errorf("no tensor at 0x%x: parameters along dimension %d of %d", addr, t.Dim, rank)
	}
	n := t.Shape[t.Dim]
	zero, scale := make([]byte, 2*n), make([]byte, 4*n)
	if err := d.ReadMemory(word("el_params.asym.zero_point"), zero); err != nil {
		return t, fmt.Errorf("zero points: %w", err)
	}
	if err := d.ReadMemory(word("el_params.asym.scale"), scale); err != nil {
		return t, fmt.Errorf("scales: %w", err)
	}
	for i := range n {
		t.Zero = append(t.Zero, int32(int16(binary.LittleEndian.Uint16(zero[2*i:]))))
		t.Scale = append(t.Scale, int32(binary.LittleEndian.Uint32(scale[4*i:])))
	}
	return t, nil
}

// Head describes the tensor in a line.
func (t *Tensor) Head() string {
	var shape []string
	for _, n := range t.Shape {
		shape = append(shape, fmt.Sprint(n))
	}
	text := fmt.Sprintf("mli_tensor at 0x%x: %s [%s], data at 0x%x, capacity %d", t.Addr, t.Element, strings.Join(shape, " x "), t.Data, t.Capacity)
	switch {
	case !t.Quantised:
		text += fmt.Sprintf(", %d fraction bits", t.Frac)
	case t.Dim < 0:
		text += fmt.Sprintf(", zero point %d, scale %g", t.Zero[0], math.Ldexp(float64(t.Scale[0]), -int(t.Frac)))
	default:
		text += fmt.Sprintf(", zero point and scale along dimension %d", t.Dim)
	}
	return text
}

// Rows reads the data: a line for each row of the last dimension, with its index, at most limit lines.
// raw shows the elements as they are stored, else as the numbers they stand for.
func (d *Debugger) Rows(t *Tensor, raw bool, limit int) ([]string, error) {
	rank := len(t.Shape)
	if rank == 0 {
		v, err := d.elementAt(t, nil, raw)
		return []string{v}, err
	}
	index := make([]uint32, rank)
	for _, n := range t.Shape {
		if n == 0 {
			return nil, nil
		}
	}
	var lines []string
	for {
		if len(lines) == limit {
			return append(lines, "..."), nil
		}
		var b strings.Builder
		if rank > 1 {
			for _, i := range index[:rank-1] {
				fmt.Fprintf(&b, "[%d]", i)
			}
			b.WriteString(" ")
		}
		for i := range min(t.Shape[rank-1], cexpr.MaxShown) {
			index[rank-1] = i
			v, err := d.elementAt(t, index, raw)
			if err != nil {
				return lines, err
			}
			if i > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(v)
		}
		if t.Shape[rank-1] > cexpr.MaxShown {
			b.WriteString(" ...")
		}
		lines = append(lines, b.String())
		index[rank-1] = 0
		i := rank - 2
		for ; i >= 0; i-- {
			if index[i]++; index[i] < t.Shape[i] {
				break
			}
			index[i] = 0
		}
		if i < 0 {
			return lines, nil
		}
	}
}

func (d *Debugger) elementAt(t *Tensor, index []uint32, raw bool) (string, error) {
	off := int64(0)
	for i, n := range index {
		off += int64(n) * int64(t.Stride[i])
	}
	var buf [4]byte
	if err := d.ReadMemory(t.Data+uint32(off)*t.Size, buf[:t.Size]); err != nil {
		return "", err
	}
	up := 32 - 8*t.Size
	n := int32(binary.LittleEndian.Uint32(buf[:])<<up) >> up
	switch {
	case raw:
		return fmt.Sprint(n), nil
	case !t.Quantised:
		return cexpr.FixedText(int64(n), int(t.Frac)), nil
	}
	i := uint32(0)
	if t.Dim >= 0 && int(t.Dim) < len(index) {
		i = index[t.Dim]
	}
	return cexpr.FloatText(float64(n-t.Zero[i])*math.Ldexp(float64(t.Scale[i]), -int(t.Frac)), 8), nil
}
