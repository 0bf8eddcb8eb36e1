package mli20

import (
	"encoding/binary"
	"fmt"
	"slices"

	"arcv2dsp/internal/term/steps"
	"arcv2dsp/mlikernels/internal/kernel"
	"arcv2dsp/mlikernels/internal/mli"
	"arcv2dsp/mlikernels/internal/mli20/structs"
	"arcv2dsp/nn"
	"arcv2dsp/nn/golden"
)

// abi is the calling form of a function: pointers to tensors, to a configuration, to tables.
type abi struct {
	*row
	function *golden.MLI20Function
}

// Status names what a function returned.
func (a abi) Status(r0 uint32) string { return mli.Status(r0).String() }

// Layout places the structures of a call and what they point to. The function finds the output described but
// for the format, where it sets that itself.
func (a abi) Layout(l *kernel.Layout, _ *kernel.Kernel, c *nn.Call) error {
	p := placer{Placer: mli.NewPlacer(l, c), abi: a}
	return p.Arguments(a.args, &p)
}

// placer lays out one call.
type placer struct {
	mli.Placer
	abi
}

// absent stands for a tensor that no function reads.
func (p *placer) absent(role string) uint32 {
	return p.Structure("tensor "+role, make([]byte, structs.Tensor.Size()), false)
}

// Input places a tensor and its data and returns the address of the structure. The element of a scalar lies in the
// structure.
func (p *placer) Input(role string, t *nn.Tensor, m kernel.Memory) uint32 {
	if t == nil && p.optional(role) {
		return p.absent(role)
	}
	steps.Check(mli.CheckTensor(t))
	return p.Once(role, t, func() []byte {
		var addr uint32
		if len(t.Shape) > 0 {
			addr = p.L.Input(role, t, m)
		}
		return p.tensor(role, t, addr)
	})
}

// optional reports whether a call may leave an input out.
func (p *placer) optional(role string) bool {
	i := slices.IndexFunc(p.function.Inputs, func(port nn.Port) bool { return port.Role == role })
	return i >= 0 && p.function.Inputs[i].Optional
}

// tensor builds the structure of a tensor with its data at addr, and its format.
func (p *placer) tensor(name string, t *nn.Tensor, addr uint32) []byte {
	b := make([]byte, structs.Tensor.Size())
	p.describe(b, name, t, addr)
	p.format(b, t)
	return b
}

// describe writes everything but the format.
func (p *placer) describe(b []byte, name string, t *nn.Tensor, addr uint32) {
	typ := steps.Must(golden.MLITypeOf(t))
	strides := p.L.Steps(name, t.Shape)
	s := structs.Tensor
	s.Put(b, "data.mem.pi32", int64(addr))
	s.Put(b, "data.capacity", int64(strides.Room(t.Shape)*t.Type.Bytes()))
	if len(t.Shape) == 0 {
		s.Put(b, "data.capacity", 0)
		s.Put(b, "data.mem.i32", t.Ints[0])
	}
	for i := range mli.MaxRank { // those behind the rank are no concern of the function
		s.PutAt(b, "shape", i, 0x5a5a)
		s.PutAt(b, "mem_stride", i, 0x5a5a)
	}
	for i, d := range t.Shape {
		s.PutAt(b, "shape", i, int64(d))
		s.PutAt(b, "mem_stride", i, int64(strides[i]))
	}
	s.Put(b, "rank", int64(len(t.Shape)))
	s.Put(b, "el_type", int64(elementTypes[typ]))
}

// format writes the element format into a tensor structure; scales per axis go into arrays.
func (p *placer) format(b []byte, t *nn.Tensor) {
	s, f := structs.Tensor, t.Format
	switch f.Kind {
	case nn.Plain:
		return
	case nn.Fixed:
		if !s.Holds("el_params.fx.frac_bits", int64(f.Frac)) {
			steps.Check(fmt.Errorf("%d fractional bits, a tensor holds -128 to 127", f.Frac))
		}
		s.Put(b, "el_params.fx.frac_bits", int64(f.Frac))
		return
	}
	s.Put(b, "el_params.sa.dim", int64(f.Axis))
	if f.Axis < 0 {
		s.Put(b, "el_params.sa.zero_point.mem.i16", f.Zero(0))
		s.Put(b, "el_params.sa.scale.mem.i16", int64(f.Mantissas[0]))
		s.Put(b, "el_params.sa.scale_frac_bits.mem.i8", int64(golden.MLIScaleFrac(f, 0)))
		return
	}
	n := len(f.Mantissas)
	zeros, scales, fracs := make([]byte, 2*n), make([]byte, 2*n), make([]byte, n)
	for i, m := range f.Mantissas {
		binary.LittleEndian.PutUint16(zeros[2*i:], uint16(f.Zero(i)))
		binary.LittleEndian.PutUint16(scales[2*i:], uint16(m))
		fracs[i] = uint8(golden.MLIScaleFrac(f, i))
	}
	for member, list := range map[string][]byte{"zero_point": zeros, "scale": scales, "scale_frac_bits": fracs} {
		s.Put(b, "el_params.sa."+member+".capacity", int64(len(list)))
	}
	s.Put(b, "el_params.sa.zero_point.mem.pi16", int64(p.Structure("zero points", zeros, false)))
	s.Put(b, "el_params.sa.scale.mem.pi16", int64(p.Structure("scales", scales, false)))
	s.Put(b, "el_params.sa.scale_frac_bits.mem.pi8", int64(p.Structure("fractional bits", fracs, false)))
}

// anyFormat is a legal affine format that no function gives.
var anyFormat = nn.Format{Kind: nn.Mantissa, Axis: -1, Mantissas: []int32{0x1235}, Zeros: []int64{0x53}, ScaleFrac: 0x35}

// Output places the space for an output tensor. Where the function fills the format in it finds a pattern, in affine
// tensors a legal format, and no arrays for scales along an axis.
func (p *placer) Output(role string) uint32 {
	t := p.Call.Output(role)
	if t == nil || len(t.Shape) > mli.MaxRank {
		steps.Check(fmt.Errorf("the call has no such tensor"))
	}
	addr, room, err := p.L.Output(role, t)
	steps.Check(err)
	b := make([]byte, structs.Tensor.Size())
	p.describe(b, role, t, addr)
	structs.Tensor.Put(b, "data.capacity", int64(room))
	switch {
	case !p.function.FixesFormat():
		p.format(b, t)
	case t.Format.Kind != nn.Mantissa:
		at := structs.Tensor.Offset("el_params")
		copy(b[at:], kernel.Pattern(structs.Params.Size()))
	case t.Format.Axis < 0:
		p.format(b, &nn.Tensor{Format: anyFormat})
	}
	s := p.Structure("tensor "+role, b, true)
	p.result(role, t, s, b)
	return s
}

// State places a tensor that the function reads and writes, such as the cell of an LSTM.
func (p *placer) State(role string) uint32 {
	t := p.Call.Input(role)
	steps.Check(mli.CheckTensor(t))
	b := p.tensor(role, t, p.L.State(role, t))
	s := p.Structure("tensor "+role, b, true)
	p.result(role, t, s, b)
	return s
}

// result says how a tensor is read that the function left; of its structure only the format may have changed.
func (p *placer) result(role string, t *nn.Tensor, at uint32, before []byte) {
	want := &nn.Tensor{Type: t.Type, Shape: t.Shape, Format: t.Format}
	strides, fixes := p.L.Steps(role, t.Shape), p.function.FixesFormat()
	p.L.Result(role, func(r kernel.Reader) (*nn.Tensor, error) {
		b := make([]byte, structs.Tensor.Size())
		if err := r.ReadMemory(at, b); err != nil {
			return nil, err
		}
		end := structs.Tensor.Offset("el_params")
		if !fixes {
			end = structs.Tensor.Size()
		}
		for i := range b[:end] {
			if b[i] != before[i] && !p.rewrites {
				return nil, fmt.Errorf("byte %d of the structure is %#x, was %#x", i, b[i], before[i])
			}
		}
		elems := make([]byte, strides.Room(want.Shape)*want.Type.Bytes())
		if err := r.ReadMemory(uint32(structs.Tensor.Get(b, "data.mem.pi32")), elems); err != nil {
			return nil, err
		}
		out, err := strides.Gather(want.Type, want.Shape, elems)
		if err != nil {
			return nil, err
		}
		out.Format, err = readFormat(r, b, want)
		return out, err
	})
}

// readFormat reads the element format of a structure.
func readFormat(r kernel.Reader, b []byte, want *nn.Tensor) (nn.Format, error) {
	s, f := structs.Tensor, nn.Format{Kind: want.Format.Kind}
	switch f.Kind {
	case nn.Plain:
		return f, nil
	case nn.Fixed:
		f.Frac = int(s.Get(b, "el_params.fx.frac_bits"))
		return f, nil
	}
	f.Axis = int(s.Get(b, "el_params.sa.dim"))
	if f.Axis < 0 {
		f.Zeros = []int64{s.Get(b, "el_params.sa.zero_point.mem.i16")}
		f.Mantissas = []int32{int32(s.Get(b, "el_params.sa.scale.mem.i16"))}
		f.ScaleFrac = int(s.Get(b, "el_params.sa.scale_frac_bits.mem.i8"))
		return f, nil
	}
	if f.Axis != want.Format.Axis {
		return f, fmt.Errorf("scales along dimension %d, not %d", f.Axis, want.Format.Axis)
	}
	n := len(want.Format.Mantissas)
	zeros, scales, fracs := make([]byte, 2*n), make([]byte, 2*n), make([]byte, n)
	for member, list := range map[string][]byte{"zero_point": zeros, "scale": scales, "scale_frac_bits": fracs} {
		if err := r.ReadMemory(uint32(s.Get(b, "el_params.sa."+member+".mem.pi32")), list); err != nil {
			return f, err
		}
	}
	for i := range n {
		f.Zeros = append(f.Zeros, int64(int16(binary.LittleEndian.Uint16(zeros[2*i:]))))
		f.Mantissas = append(f.Mantissas, int32(int16(binary.LittleEndian.Uint16(scales[2*i:]))))
		f.ScaleFracs = append(f.ScaleFracs, int(int8(fracs[i])))
	}
	return f, nil
}

// List places the inputs whose names are a role and a number, and the array of pointers to them.
func (p *placer) List(a mli.Argument) uint32 {
	var roles []string
	var tensors []*nn.Tensor
	for i := range structs.MaxInputs {
		role := fmt.Sprintf("%s%d", a.Role, i)
		if t := p.Call.Input(role); t != nil {
			roles, tensors = append(roles, role), append(tensors, t)
		}
	}
	return p.Inputs(p, a.Memory, roles, tensors)
}

// Table places a look-up table: the table of the call, or without one the table that the library creates.
func (p *placer) Table(arg mli.Argument) uint32 {
	own := golden.MLI20Tables()[arg.Table]
	length, inFrac, offset := len(own.Data), own.InFrac, own.Offset
	t := p.Call.Input(arg.Role)
	if t == nil {
		t = nn.New(nn.I16, length)
		for i, v := range own.Data {
			t.Ints[i] = int64(v)
		}
	} else {
		length, inFrac, offset = t.Len(), p.Call.Attrs.Int(arg.Role+"_in_frac"), p.Call.Attrs.Int(arg.Role+"_offset")
	}
	s, b := structs.Table, make([]byte, structs.Table.Size())
	s.Put(b, "data.mem.pi16", int64(p.L.Input(arg.Role, t, kernel.Weights)))
	s.Put(b, "data.capacity", int64(t.Bytes()))
	s.Put(b, "type", int64(elementTypes[golden.FX16]))
	s.Put(b, "length", int64(length))
	s.Put(b, "in_frac_bits", int64(inFrac))
	s.Put(b, "out_frac_bits", int64(own.OutFrac))
	s.Put(b, "input_offset", int64(offset))
	return p.Structure("table "+arg.Role, b, false)
}

// Configuration places the configuration structure of the call.
func (p *placer) Configuration() uint32 {
	b := steps.Must(p.config.Fill(p.Call))
	if member := p.config.Scratch; member != "" { // a row of elements for each gate
		size := p.function.Data.Bits() / 8
		n := p.gates * p.Call.Input("prev_out").Len() * size
		p.config.Put(b, member+".capacity", int64(n))
		p.config.Put(b, member+".mem.pi32", int64(p.L.Scratch("scratch", n, size)))
	}
	return p.Structure("configuration", b, false)
}
