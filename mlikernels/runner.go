package mlikernels

import (
	"fmt"

	"arcv2dsp/mlikernels/golden"
)

// Report is what one run of a kernel did.
type Report struct {
	Status  Status
	Outputs map[string]*golden.Tensor
	Cycles  uint64
	Insts   uint64
	Stalls  map[string]uint64 // lost cycles by reason
}

// machine is the simulated core as a run needs it.
type machine interface {
	read(addr uint32, b []byte) error
	write(addr uint32, b []byte) error
	// call runs the function at entry until it returns.
	call(entry uint32, args []uint32) (r0 uint32, rep Report, err error)
}

// layOut puts the arguments of a call into memory.
func layOut(m machine, k *Kernel, job *Job, want golden.Result, p Placement) (*call, error) {
	c, err := newCall(k, job, want, p)
	if err != nil {
		return nil, err
	}
	for _, a := range c.arenas {
		if err := m.write(a.base, a.image); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// execute lays out the job, runs the function at entry and reads the outputs back. An error means
// that the kernel misbehaved: it did not return, or wrote where it must not.
func execute(m machine, entry uint32, k *Kernel, job *Job, want golden.Result, p Placement) (*Report, error) {
	c, err := layOut(m, k, job, want, p)
	if err != nil {
		return nil, err
	}
	r0, rep, err := m.call(entry, c.args)
	if err != nil {
		return nil, err
	}
	rep.Status = Status(r0)
	rep.Outputs = map[string]*golden.Tensor{}
	for _, a := range c.arenas {
		after := make([]byte, len(a.image))
		if err := m.read(a.base, after); err != nil {
			return nil, err
		}
		if err := a.check(after); err != nil {
			return &rep, fmt.Errorf("%s: %w", k.Symbol, err)
		}
		for _, o := range c.outputs {
			if o.tensor >= a.base && o.tensor < a.base+uint32(len(a.image)) && rep.Status == StatusOK {
				t, err := c.result(m, after[o.tensor-a.base:][:tensorSize], o, want.Outputs[o.role])
				if err != nil {
					return &rep, fmt.Errorf("%s: output %q: %w", k.Symbol, o.role, err)
				}
				rep.Outputs[o.role] = t
			}
		}
	}
	return &rep, nil
}

// result reads an output tensor as the kernel left it. What the kernel must fill in has to be
// plausible before the data can be read: the expected tensor bounds it.
func (c *call) result(m machine, b []byte, o output, want *golden.Tensor) (*golden.Tensor, error) {
	rank := get32(b, tensorRank)
	if rank > maxRank {
		return nil, fmt.Errorf("rank is %d", rank)
	}
	t := &golden.Tensor{Type: want.Type, Dim: -1}
	for i := range int(rank) {
		t.Shape = append(t.Shape, int(get32(b, tensorShape+4*i)))
		if s := get32(b, tensorStride+4*i); s != 0 && o.role != "cell_out" {
			return nil, fmt.Errorf("stride of dimension %d is %d", i, int32(s))
		}
	}
	if got := get32(b, tensorType); got != elementTypes[want.Type] {
		return nil, fmt.Errorf("element type is %d, not %d", got, elementTypes[want.Type])
	}
	if got := get32(b, tensorData); got != o.data {
		return nil, fmt.Errorf("data pointer is %#x, not %#x", got, o.data)
	}
	if want.Type.Affine() {
		t.Zero = []int32{int32(int16(get16(b, tensorZero)))}
		t.Scale = []int32{int32(get32(b, tensorScale))}
		t.ScaleFrac = int(int8(b[tensorScaleFrac]))
		t.Dim = int(int32(get32(b, tensorDim)))
	} else {
		t.Frac = int(b[tensorFrac])
	}
	data := make([]byte, o.bytes)
	if err := m.read(o.data, data); err != nil {
		return nil, err
	}
	t.Data = decode(want.Type, data)
	return t, nil
}

// Difference says how two output tensors differ, or returns nil.
func Difference(got, want *golden.Tensor) error {
	if fmt.Sprint(got.Shape) != fmt.Sprint(want.Shape) {
		return fmt.Errorf("shape is %v, want %v", got.Shape, want.Shape)
	}
	if !want.Type.Affine() && got.Frac != want.Frac {
		return fmt.Errorf("fractional bits are %d, want %d", got.Frac, want.Frac)
	}
	if want.Type.Affine() && (got.ScaleFrac != want.ScaleFrac || got.Zero[0] != want.Zero[0] ||
		got.Scale[0] != want.Scale[0]) {
		return fmt.Errorf("scale %d/2^%d and zero point %d, want %d/2^%d and %d", got.Scale[0], got.ScaleFrac,
			got.Zero[0], want.Scale[0], want.ScaleFrac, want.Zero[0])
	}
	for i := range want.Data {
		if got.Data[i] != want.Data[i] {
			return &Mismatch{Index: i, Got: got.Data[i], Want: want.Data[i], Shape: want.Shape}
		}
	}
	return nil
}

// Mismatch is the first element of an output that is not what it must be.
type Mismatch struct {
	Index     int
	Got, Want int32
	Shape     []int
}

// At is where the element is.
func (m *Mismatch) At() []int { return coordinates(m.Index, m.Shape) }

func (m *Mismatch) Error() string {
	return fmt.Sprintf("element %d %v is %d, want %d", m.Index, m.At(), m.Got, m.Want)
}

// coordinates splits an element index by the shape.
func coordinates(i int, shape []int) []int {
	at := make([]int, len(shape))
	for d := len(shape) - 1; d >= 0; d-- {
		at[d] = i % shape[d]
		i /= shape[d]
	}
	return at
}
