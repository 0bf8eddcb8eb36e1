package arcq

import (
	"fmt"

	"arcv2dsp/internal/program/cstruct"
	"arcv2dsp/mlikernels/internal/kernel"
	"arcv2dsp/nn"
)

// Status is the result of a function.
type Status uint32

// The status codes.
const (
	OK           Status = iota
	BadArgument         // no parameter block
	BadShape            // extents that do not go together
	NotSupported        // a combination the function has no code for
)

var statusNames = [...]string{OK: "OK", BadArgument: "BAD_ARGUMENT", BadShape: "BAD_SHAPE", NotSupported: "NOT_SUPPORTED"}

func (s Status) String() string {
	if int(s) < len(statusNames) {
		return statusNames[s]
	}
	return fmt.Sprintf("status %d", uint32(s))
}

// abi is the calling form of a function: a pointer to its parameter block.
type abi struct{ row row }

// Status names what a function returned.
func (abi) Status(r0 uint32) string { return Status(r0).String() }

// Block describes the parameter block.
func (a abi) Block() *cstruct.Struct { return a.row.params }

// Layout places the tensors of a call and the parameter block that points to them.
func (a abi) Layout(l *kernel.Layout, _ *kernel.Kernel, c *nn.Call) (err error) {
	defer func() {
		if r := recover(); r != nil {
			u, ok := r.(unfit)
			if !ok {
				panic(r)
			}
			err = u.error
		}
	}()
	p := &params{row: a.row, layout: l, call: c, block: make([]byte, a.row.params.Size())}
	a.row.fill(p, c)
	l.Arg(l.Place(kernel.Buffer{Name: "params", Memory: kernel.Structs, Bytes: p.block}))
	return nil
}

// unfit is the panic that ends the layout of a call; Layout returns its error.
type unfit struct{ error }

// must returns the value of a preparation, or ends the layout of the call with its error.
func must[T any](v T, err error) T {
	if err != nil {
		panic(unfit{err})
	}
	return v
}

// params is the parameter block of a call that is being laid out. Its methods stop the layout at the first error.
type params struct {
	row    row
	layout *kernel.Layout
	call   *nn.Call
	block  []byte
}

// set gives a member a value.
func (p *params) set(member string, v int64) {
	if s := p.row.params; !s.Holds(member, v) {
		lo, hi := s.Range(member)
		panic(unfit{fmt.Errorf("%s is %d, %s holds %d to %d", member, v, s.Name, lo, hi)})
	}
	p.row.params.Put(p.block, member, v)
}

// pointer gives a member an address.
func (p *params) pointer(member string, addr uint32) { p.row.params.Put(p.block, member, int64(addr)) }

// input places the elements of an input, and the member points to them; an absent input is a null pointer.
func (p *params) input(member, role string, m kernel.Memory) {
	t := p.call.Input(role)
	switch {
	case t == nil:
		return
	case !t.Filled():
		panic(unfit{fmt.Errorf("input %s has no elements", role)})
	}
	p.pointer(member, p.layout.Input(role, t, m))
}

// state places an input that the function also writes.
func (p *params) state(member, role string) {
	t := p.call.Input(role)
	if t == nil || !t.Filled() {
		panic(unfit{fmt.Errorf("state %s has no elements", role)})
	}
	addr := p.layout.State(role, t)
	p.pointer(member, addr)
	p.layout.ResultAt(role, t, addr)
}

// output places room for an output, and the member points to it.
func (p *params) output(member, role string) {
	t := p.call.Output(role)
	if t == nil {
		panic(unfit{fmt.Errorf("output %s is missing", role)})
	}
	p.pointer(member, p.result(role, t))
}

// result places room for an output of a name and says where.
func (p *params) result(name string, t *nn.Tensor) uint32 {
	addr, _, err := p.layout.Output(name, t)
	if err != nil {
		panic(unfit{err})
	}
	p.layout.ResultAt(name, t, addr)
	return addr
}

// table places numbers the caller has prepared, such as the multipliers of channels, beside the weights.
func (p *params) table(member string, t nn.Type, v []int64) {
	p.pointer(member, p.layout.Input(member, nn.FromInts(t, []int{len(v)}, v), kernel.Weights))
}

// scratch places room that the function may use: n elements of a type.
func (p *params) scratch(member string, t nn.Type, n int) {
	p.pointer(member, p.layout.Scratch(member, n*t.Bytes(), t.Bytes()))
}
