package mli11

import (
	"errors"
	"fmt"
	"math"

	"arcv2dsp/internal/term/steps"
	"arcv2dsp/mlikernels/internal/kernel"
	"arcv2dsp/mlikernels/internal/mli"
	"arcv2dsp/nn"
	"arcv2dsp/nn/golden"
)

// abi is the calling form of a function: pointers to mli_tensor structures and to a configuration.
type abi struct {
	*family
	function *golden.MLI11Function
}

// Status names what a function returned.
func (a abi) Status(r0 uint32) string { return mli.Status(r0).String() }

// Layout places the structures of a call and what they point to. The function learns the capacity of its
// output, its strides and the format the caller chooses; its element type only where the library wants it.
func (a abi) Layout(l *kernel.Layout, _ *kernel.Kernel, c *nn.Call) error {
	p := placer{Placer: mli.NewPlacer(l, c), abi: a}
	return p.Arguments(a.args, &p)
}

// placer lays out one call.
type placer struct {
	mli.Placer
	abi
}

// checkTensor fails for tensors that a structure cannot describe.
func checkTensor(t *nn.Tensor) {
	steps.Check(mli.CheckTensor(t))
	checkFormat(t.Format)
}

// checkFormat fails for formats that the structures cannot hold.
func checkFormat(f nn.Format) {
	if f.Kind == nn.Fixed && f.Frac != int(uint8(f.Frac)) {
		steps.Check(fmt.Errorf("%d fractional bits, a tensor holds 0 to %d", f.Frac, math.MaxUint8))
	}
	if f.Kind == nn.Mantissa && f.ScaleFrac != int(int8(f.ScaleFrac)) {
		steps.Check(fmt.Errorf("scales with %d fractional bits, a tensor holds %d to %d", f.ScaleFrac, math.MinInt8, math.MaxInt8))
	}
}

// Input places a tensor and its data and returns the address of the structure. The element of a tensor of rank 0 has
// the place of the address.
func (p *placer) Input(role string, t *nn.Tensor, m kernel.Memory) uint32 {
	checkTensor(t)
	return p.Once(role, t, func() []byte {
		if len(t.Shape) == 0 {
			return p.tensor(t, uint32(t.Ints[0]), t.Bytes())
		}
		addr := p.L.Input(role, t, m)
		b := p.tensor(t, addr, p.L.Room(addr))
		if strides := p.L.Strides(role); strides != nil {
			p.strides(b, t.Shape, strides)
		}
		return b
	})
}

// tensor builds the structure of a tensor with its data at addr.
func (p *placer) tensor(t *nn.Tensor, addr uint32, capacity int) []byte {
	b := make([]byte, tensorSize)
	put32(b, tensorData, addr)
	put32(b, tensorCapacity, uint32(capacity))
	for i, d := range t.Shape {
		put32(b, tensorShape+4*i, uint32(d))
	}
	put32(b, tensorRank, uint32(len(t.Shape)))
	typ, _ := golden.MLITypeOf(t) // Prepare has refused other types
	put32(b, tensorType, p.typeNumber(typ))
	p.strides(b, t.Shape, make([]int, len(t.Shape)))
	p.format(b, t.Format)
	return b
}

// strides writes strides. A stride of 0 is written as the conventions of the library say.
func (p *placer) strides(b []byte, shape, strides []int) {
	if p.L.Conventions().Spelled {
		strides = kernel.Steps(shape, strides)
	}
	for i, s := range strides {
		put32(b, tensorStride+4*i, uint32(int32(s)))
	}
}

// typeNumber is the number of an element type in the library that is called.
func (p *placer) typeNumber(t golden.MLIType) uint32 {
	return p.L.Conventions().TypeNumber(t.String(), uint32(t))
}

// format writes the element format into a tensor structure; scales per axis go into arrays.
func (p *placer) format(b []byte, f nn.Format) {
	if f.Kind != nn.Mantissa {
		b[tensorFrac] = uint8(f.Frac)
		return
	}
	put32(b, tensorDim, uint32(int32(f.Axis)))
	b[tensorScaleFrac] = uint8(int8(f.ScaleFrac))
	if f.Axis < 0 {
		put16(b, tensorZero, uint16(f.Zero(0)))
		put32(b, tensorScale, uint32(f.Mantissas[0]))
		return
	}
	zeros, scales := make([]byte, 2*len(f.Mantissas)), make([]byte, 4*len(f.Mantissas))
	for i, s := range f.Mantissas {
		put16(zeros, 2*i, uint16(f.Zero(i)))
		put32(scales, 4*i, uint32(s))
	}
	put32(b, tensorZero, p.Structure("zero points", zeros, false))
	put32(b, tensorScale, p.Structure("scales", scales, false))
}

// Output places the space for an output tensor. Fields that the function has to fill in hold a pattern.
func (p *placer) Output(role string) uint32 {
	t := p.Call.Output(role)
	if t == nil {
		steps.Check(fmt.Errorf("the call has no such tensor"))
	}
	checkFormat(t.Format)
	addr, room, err := p.L.Output(role, t)
	steps.Check(err)
	b := kernel.Pattern(tensorSize)
	put32(b, tensorData, addr)
	put32(b, tensorCapacity, uint32(room))
	strides := p.L.Strides(role)
	if strides == nil {
		strides = make([]int, len(t.Shape))
	}
	p.strides(b, t.Shape, strides)
	for d := len(t.Shape); d < mli.MaxRank; d++ {
		put32(b, tensorStride+4*d, 0)
	}
	if !p.L.Conventions().Bare {
		typ, _ := golden.MLITypeOf(t) // Prepare has refused other types
		put32(b, tensorType, p.typeNumber(typ))
	}
	if !p.function.FixesFormat(p.Call) {
		p.format(b, t.Format)
	}
	s := p.Structure("tensor "+role, b, true)
	p.L.Result(role, func(r kernel.Reader) (*nn.Tensor, error) {
		return placedTensor{at: s, data: addr, capacity: uint32(room), output: true, strides: p.L.Strides(role), conventions: p.L.Conventions()}.read(r, t)
	})
	return s
}

// State places a tensor that the function reads and writes, such as the cell of an LSTM.
func (p *placer) State(role string) uint32 {
	t := p.Call.Input(role)
	checkTensor(t)
	addr := p.L.State(role, t)
	s := p.Structure("tensor "+role, p.tensor(t, addr, t.Bytes()), true)
	p.L.Result(role, func(r kernel.Reader) (*nn.Tensor, error) {
		return placedTensor{at: s, data: addr, capacity: uint32(t.Bytes()), conventions: p.L.Conventions()}.read(r, t)
	})
	return s
}

// List places the inputs and the array of pointers to them.
func (p *placer) List(a mli.Argument) uint32 {
	return p.Inputs(p, a.Memory, nn.Names(p.Call.Op.Inputs, len(p.Call.In)), p.Call.In)
}

// Table fails: the tables of MLI 1.1 are in the library.
func (p *placer) Table(mli.Argument) uint32 {
	steps.Check(errors.New("MLI 1.1 has no tables of the caller"))
	return 0
}

// placedTensor is a structure whose tensor the function writes: where it lies and what it must still say
// afterwards.
type placedTensor struct {
	at, data, capacity uint32
	output             bool  // the function fills the structure in, not only the data
	strides            []int // that the caller gave, nil for a tensor without holes
	conventions        *kernel.Conventions
}

// read reads the tensor as the function left it. Fields that it must fill in have to be plausible before the data
// can be read: the expected tensor bounds it.
func (p placedTensor) read(r kernel.Reader, want *nn.Tensor) (_ *nn.Tensor, err error) {
	defer steps.Return(&err)
	b := make([]byte, tensorSize)
	steps.Check(r.ReadMemory(p.at, b))
	if got := get32(b, tensorData); got != p.data {
		return nil, fmt.Errorf("data pointer is %#x, not %#x", got, p.data)
	}
	if got := get32(b, tensorCapacity); got != p.capacity {
		return nil, fmt.Errorf("capacity is %d, was %d", got, p.capacity)
	}
	rank := get32(b, tensorRank)
	switch untouched := get32(kernel.Pattern(tensorSize), tensorRank); {
	case p.output && rank == untouched:
		return nil, fmt.Errorf("the kernel did not set the rank of out")
	case rank > mli.MaxRank:
		return nil, fmt.Errorf("rank is %d", rank)
	}
	shape := make([]int, rank)
	for i := range shape {
		shape[i] = int(get32(b, tensorShape+4*i))
	}
	steps.Check(p.keptStrides(b, shape))
	typ := steps.Must(golden.MLITypeOf(want))
	if got, number := get32(b, tensorType), p.conventions.TypeNumber(typ.String(), uint32(typ)); got != number {
		return nil, fmt.Errorf("element type is %d, not %d", got, number)
	}
	apart := kernel.Steps(want.Shape, p.strides)
	elems := make([]byte, apart.Room(want.Shape)*want.Type.Bytes())
	steps.Check(r.ReadMemory(p.data, elems))
	t := steps.Must(apart.Gather(want.Type, want.Shape, elems))
	t.Shape = shape
	t.Format = readFormat(b, typ)
	return t, nil
}

// keptStrides fails when the strides of a structure are not those that the caller gave. A tensor without holes has 0 or,
// where the library spells them out, its steps.
func (p placedTensor) keptStrides(b []byte, shape []int) error {
	for i, step := range kernel.Steps(shape, p.strides) {
		s := get32(b, tensorStride+4*i)
		if given := i < len(p.strides) && p.strides[i] != 0; s == 0 && !given || s == uint32(step) && (given || p.conventions.Spelled) {
			continue
		}
		return fmt.Errorf("stride of dimension %d is %d", i, int32(s))
	}
	return nil
}

// readFormat reads the element format of a structure with one scale.
func readFormat(b []byte, typ golden.MLIType) nn.Format {
	if !typ.Affine() {
		return nn.Format{Kind: nn.Fixed, Frac: int(b[tensorFrac])}
	}
	return nn.Format{Kind: nn.Mantissa, Axis: int(int32(get32(b, tensorDim))), ScaleFrac: int(int8(b[tensorScaleFrac])),
		Zeros: []int64{int64(int16(get16(b, tensorZero)))}, Mantissas: []int32{int32(get32(b, tensorScale))}}
}
