package mli20

import (
	"encoding/binary"
	"fmt"
	"slices"

	"arcv2dsp/mlikernels/cstruct"
	"arcv2dsp/mlikernels/kernel"
	"arcv2dsp/mlikernels/mli20/structs"
	"arcv2dsp/nn"
	"arcv2dsp/nn/golden/mli"
	golden "arcv2dsp/nn/golden/mli20"
)

// argument is one argument of a function, in the order of the C interface.
type argument struct {
	kind   argumentKind
	role   string // of the tensor
	memory kernel.Memory
	name   string // in the C header; the role when empty
	table  string // of a table: the function whose table the library creates
}

// argumentKind says what an argument points to.
type argumentKind uint8

const (
	argIn      argumentKind = iota // tensor that is only read
	argOut                         // tensor that is written
	argState                       // tensor that is read and written
	argConfig                      // configuration structure
	argTensors                     // array of pointers to tensors that are read, named by the role and a number
	argTable                       // look-up table
)

// configuration is a configuration structure and how a call fills it in.
type configuration struct {
	*cstruct.Struct
	attrs map[string]string // members that are numbers, by attribute
	// list is an attribute that is a list, and listed the member it goes to.
	list, listed string
	// scratch is the member that is a container of memory for the function, empty when there is none; room says how
	// many bytes it has.
	scratch string
	room    func(*golden.Function, *nn.Call) int
}

// abi is the calling form of a function: pointers to tensors, to a configuration, to tables.
type abi struct {
	*row
	function *golden.Function
}

// Status names what a function returned.
func (a abi) Status(r0 uint32) string { return Status(r0).String() }

// Layout places the structures of a call and what they point to. The function finds the output described but
// for the format, where it sets that itself.
func (a abi) Layout(l *kernel.Layout, _ *kernel.Kernel, c *nn.Call) error {
	p := placer{l: l, abi: a, call: c, placed: map[*nn.Tensor]uint32{}}
	for _, arg := range a.args {
		v, err := p.argument(arg)
		if err != nil {
			return fmt.Errorf("argument %q: %w", arg.label(), err)
		}
		l.Arg(v)
	}
	return nil
}

// label is the name of the argument.
func (a argument) label() string {
	if a.name != "" {
		return a.name
	}
	return a.role
}

// placer lays out one call.
type placer struct {
	abi
	l      *kernel.Layout
	call   *nn.Call
	placed map[*nn.Tensor]uint32 // structures of inputs
}

func (p *placer) argument(arg argument) (uint32, error) {
	switch arg.kind {
	case argIn:
		return p.input(arg.role, p.call.Input(arg.role), arg.memory)
	case argConfig:
		return p.configuration()
	case argTensors:
		return p.list(arg)
	case argState:
		return p.state(arg.role)
	case argTable:
		return p.table(arg)
	default:
		return p.output(arg.role)
	}
}

// checkTensor fails for tensors that a structure cannot describe.
func checkTensor(t *nn.Tensor) error {
	switch {
	case t == nil || !t.Filled():
		return fmt.Errorf("the call has no such tensor")
	case len(t.Shape) > structs.MaxRank:
		return fmt.Errorf("%d dimensions, at most %d", len(t.Shape), structs.MaxRank)
	}
	return nil
}

// structure places a structure or an array that one points to.
func (p *placer) structure(name string, b []byte, writable bool) uint32 {
	return p.l.Place(kernel.Buffer{Name: name, Memory: kernel.Structs, Bytes: b, Writable: writable})
}

// absent is what stands for a tensor that no function reads.
func (p *placer) absent(role string) uint32 {
	return p.structure("tensor "+role, make([]byte, structs.Tensor.Size()), false)
}

// input places a tensor and its data and returns the address of the structure; a tensor that is there already is
// that one. The element of a scalar lies in the structure.
func (p *placer) input(name string, t *nn.Tensor, m kernel.Memory) (uint32, error) {
	if t == nil && p.optional(name) {
		return p.absent(name), nil
	}
	if err := checkTensor(t); err != nil {
		return 0, err
	}
	if addr, ok := p.placed[t]; ok {
		return addr, nil
	}
	var addr uint32
	if len(t.Shape) > 0 {
		addr = p.l.Input(name, t, m)
	}
	b, err := p.tensor(name, t, addr)
	p.placed[t] = p.structure("tensor "+name, b, false)
	return p.placed[t], err
}

// optional reports whether a call may leave an input out.
func (p *placer) optional(role string) bool {
	i := slices.IndexFunc(p.function.Inputs, func(port nn.Port) bool { return port.Role == role })
	return i >= 0 && p.function.Inputs[i].Optional
}

// tensor builds the structure of a tensor with its data at addr, and its format.
func (p *placer) tensor(name string, t *nn.Tensor, addr uint32) ([]byte, error) {
	b := make([]byte, structs.Tensor.Size())
	if err := p.describe(b, name, t, addr); err != nil {
		return nil, err
	}
	return b, p.format(b, t)
}

// describe writes everything but the format.
func (p *placer) describe(b []byte, name string, t *nn.Tensor, addr uint32) error {
	typ, err := mli.TypeOf(t)
	if err != nil {
		return err
	}
	strides := p.l.Steps(name, t.Shape)
	s := structs.Tensor
	s.Put(b, "data.mem.pi32", int64(addr))
	s.Put(b, "data.capacity", int64(strides.Room(t.Shape)*t.Type.Bytes()))
	if len(t.Shape) == 0 {
		s.Put(b, "data.capacity", 0)
		s.Put(b, "data.mem.i32", t.Ints[0])
	}
	for i := range structs.MaxRank { // those behind the rank are no concern of the function
		s.PutAt(b, "shape", i, 0x5a5a)
		s.PutAt(b, "mem_stride", i, 0x5a5a)
	}
	for i, d := range t.Shape {
		s.PutAt(b, "shape", i, int64(d))
		s.PutAt(b, "mem_stride", i, int64(strides[i]))
	}
	s.Put(b, "rank", int64(len(t.Shape)))
	s.Put(b, "el_type", int64(elementTypes[typ]))
	return nil
}

// format writes the element format into a tensor structure; scales per axis go into arrays.
func (p *placer) format(b []byte, t *nn.Tensor) error {
	s, f := structs.Tensor, t.Format
	switch f.Kind {
	case nn.Plain:
		return nil
	case nn.Fixed:
		if !s.Holds("el_params.fx.frac_bits", int64(f.Frac)) {
			return fmt.Errorf("%d fractional bits, a tensor holds -128 to 127", f.Frac)
		}
		s.Put(b, "el_params.fx.frac_bits", int64(f.Frac))
		return nil
	}
	s.Put(b, "el_params.sa.dim", int64(f.Axis))
	if f.Axis < 0 {
		s.Put(b, "el_params.sa.zero_point.mem.i16", f.Zero(0))
		s.Put(b, "el_params.sa.scale.mem.i16", int64(f.Mantissas[0]))
		s.Put(b, "el_params.sa.scale_frac_bits.mem.i8", int64(mli.ScaleFrac(f, 0)))
		return nil
	}
	n := len(f.Mantissas)
	zeros, scales, fracs := make([]byte, 2*n), make([]byte, 2*n), make([]byte, n)
	for i, m := range f.Mantissas {
		binary.LittleEndian.PutUint16(zeros[2*i:], uint16(f.Zero(i)))
		binary.LittleEndian.PutUint16(scales[2*i:], uint16(m))
		fracs[i] = uint8(mli.ScaleFrac(f, i))
	}
	for member, list := range map[string][]byte{"zero_point": zeros, "scale": scales, "scale_frac_bits": fracs} {
		s.Put(b, "el_params.sa."+member+".capacity", int64(len(list)))
	}
	s.Put(b, "el_params.sa.zero_point.mem.pi16", int64(p.structure("zero points", zeros, false)))
	s.Put(b, "el_params.sa.scale.mem.pi16", int64(p.structure("scales", scales, false)))
	s.Put(b, "el_params.sa.scale_frac_bits.mem.pi8", int64(p.structure("fractional bits", fracs, false)))
	return nil
}

// anyFormat is a legal affine format that no function gives.
var anyFormat = nn.Format{Kind: nn.Mantissa, Axis: -1, Mantissas: []int32{0x1235}, Zeros: []int64{0x53}, ScaleFrac: 0x35}

// output places the space for an output tensor. Where the function fills the format in it finds a pattern, in affine
// tensors a legal format, and no arrays for scales along an axis.
func (p *placer) output(role string) (uint32, error) {
	t := p.call.Output(role)
	if t == nil || len(t.Shape) > structs.MaxRank {
		return 0, fmt.Errorf("the call has no such tensor")
	}
	addr, room, err := p.l.Output(role, t)
	if err != nil {
		return 0, err
	}
	b := make([]byte, structs.Tensor.Size())
	if err := p.describe(b, role, t, addr); err != nil {
		return 0, err
	}
	structs.Tensor.Put(b, "data.capacity", int64(room))
	switch {
	case !p.function.FixesFormat():
		err = p.format(b, t)
	case t.Format.Kind != nn.Mantissa:
		at := structs.Tensor.Offset("el_params")
		copy(b[at:], kernel.Pattern(structs.Params.Size()))
	case t.Format.Axis < 0:
		err = p.format(b, &nn.Tensor{Format: anyFormat})
	}
	s := p.structure("tensor "+role, b, true)
	p.result(role, t, s, b)
	return s, err
}

// state places a tensor that the function reads and writes, such as the cell of an LSTM.
func (p *placer) state(role string) (uint32, error) {
	t := p.call.Input(role)
	if err := checkTensor(t); err != nil {
		return 0, err
	}
	b, err := p.tensor(role, t, p.l.State(role, t))
	s := p.structure("tensor "+role, b, true)
	p.result(role, t, s, b)
	return s, err
}

// result says how a tensor is read that the function left; of its structure only the format may have changed.
func (p *placer) result(role string, t *nn.Tensor, at uint32, before []byte) {
	want := &nn.Tensor{Type: t.Type, Shape: t.Shape, Format: t.Format}
	strides, fixes := p.l.Steps(role, t.Shape), p.function.FixesFormat()
	p.l.Result(role, func(r kernel.Reader) (*nn.Tensor, error) {
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

// list places the inputs whose names are a role and a number, and the array of pointers to them.
func (p *placer) list(arg argument) (uint32, error) {
	var list []byte
	for i := range structs.MaxInputs {
		name := fmt.Sprintf("%s%d", arg.role, i)
		t := p.call.Input(name)
		if t == nil {
			break
		}
		s, err := p.input(name, t, arg.memory)
		if err != nil {
			return 0, err
		}
		list = binary.LittleEndian.AppendUint32(list, s)
	}
	return p.structure("tensor list", list, false), nil
}

// table places a look-up table: the one of the call, or the one that the library creates.
func (p *placer) table(arg argument) (uint32, error) {
	own := golden.Tables()[arg.table]
	length, inFrac, offset := len(own.Data), own.InFrac, own.Offset
	t := p.call.Input(arg.role)
	if t == nil {
		t = nn.New(nn.I16, length)
		for i, v := range own.Data {
			t.Ints[i] = int64(v)
		}
	} else {
		length, inFrac, offset = t.Len(), p.call.Attrs.Int("lut_in_frac"), p.call.Attrs.Int("lut_offset")
	}
	s, b := structs.Table, make([]byte, structs.Table.Size())
	s.Put(b, "data.mem.pi16", int64(p.l.Input(arg.role, t, kernel.Weights)))
	s.Put(b, "data.capacity", int64(t.Bytes()))
	s.Put(b, "type", int64(elementTypes[mli.FX16]))
	s.Put(b, "length", int64(length))
	s.Put(b, "in_frac_bits", int64(inFrac))
	s.Put(b, "out_frac_bits", int64(own.OutFrac))
	s.Put(b, "input_offset", int64(offset))
	return p.structure("table "+arg.role, b, false), nil
}

// configuration places the configuration structure of the call.
func (p *placer) configuration() (uint32, error) {
	cfg, attrs := p.config, p.call.Attrs
	b := make([]byte, cfg.Size())
	put := func(member, name string, v int) error {
		lo, hi := cfg.Range(member)
		if v >= 0 && hi == 1<<32-1 { // enumerations take any value: the function refuses those it does not know
			lo = 0
		}
		if int64(v) < lo || int64(v) > hi {
			return fmt.Errorf("%s is %d, a configuration holds %d to %d", name, v, lo, hi)
		}
		cfg.Put(b, member, int64(v))
		return nil
	}
	for name, member := range cfg.attrs {
		if err := put(member, name, attrs.Int(name)); err != nil {
			return 0, err
		}
	}
	if cfg.list != "" {
		list := attrs.Ints(cfg.list)
		if len(list) > structs.MaxRank {
			return 0, fmt.Errorf("%s has more than %d elements", cfg.list, structs.MaxRank)
		}
		for i, d := range list {
			cfg.PutAt(b, cfg.listed, i, int64(d))
		}
	}
	if cfg.scratch != "" {
		n := cfg.room(p.function, p.call)
		cfg.Put(b, cfg.scratch+".capacity", int64(n))
		cfg.Put(b, cfg.scratch+".mem.pi32", int64(p.l.Scratch("scratch", n, p.function.Data.Bits()/8)))
	}
	return p.structure("configuration", b, false), nil
}
