package mli

import (
	"encoding/binary"
	"fmt"

	"arcv2dsp/internal/program/mlistructs"
	"arcv2dsp/internal/term/steps"
	"arcv2dsp/mlikernels/internal/kernel"
	"arcv2dsp/nn"
)

// MaxRank is the number of dimensions a tensor has at most.
const MaxRank = mlistructs.MaxRank

// Version lays out what arguments point to, in the structures of a version of MLI. Its methods are steps of a layout.
type Version interface {
	Input(role string, t *nn.Tensor, m kernel.Memory) uint32
	State(role string) uint32
	Output(role string) uint32
	Configuration() uint32
	List(a Argument) uint32
	Table(a Argument) uint32
}

// Placer is a call that is laid out in simulated memory.
type Placer struct {
	L          *kernel.Layout
	Call       *nn.Call
	structures map[*nn.Tensor]uint32 // of inputs
}

// NewPlacer begins the layout of a call.
func NewPlacer(l *kernel.Layout, c *nn.Call) Placer {
	return Placer{L: l, Call: c, structures: map[*nn.Tensor]uint32{}}
}

// Arguments lays out what the arguments point to and passes them.
func (p *Placer) Arguments(args []Argument, v Version) error {
	for _, a := range args {
		if err := steps.Run(func() { p.L.Arg(p.argument(a, v)) }); err != nil {
			return fmt.Errorf("argument %q: %w", a.Label(), err)
		}
	}
	return nil
}

func (p *Placer) argument(a Argument, v Version) uint32 {
	switch a.Kind {
	case In:
		return v.Input(a.Role, p.Call.Input(a.Role), a.Memory)
	case Config:
		return v.Configuration()
	case Tensors:
		return v.List(a)
	case State:
		return v.State(a.Role)
	case Table:
		return v.Table(a)
	default:
		return v.Output(a.Role)
	}
}

// CheckTensor fails for tensors that no structure can describe.
func CheckTensor(t *nn.Tensor) error {
	switch {
	case t == nil || !t.Filled():
		return fmt.Errorf("the call has no such tensor")
	case len(t.Shape) > MaxRank:
		return fmt.Errorf("%d dimensions, at most %d", len(t.Shape), MaxRank)
	}
	return nil
}

// Structure places a structure or an array that one points to.
func (p *Placer) Structure(name string, b []byte, writable bool) uint32 {
	return p.L.Place(kernel.Buffer{Name: name, Memory: kernel.Structs, Bytes: b, Writable: writable})
}

// Once places the structure of an input, which describe makes; a tensor that is there already is that one.
func (p *Placer) Once(role string, t *nn.Tensor, describe func() []byte) uint32 {
	if addr, ok := p.structures[t]; ok {
		return addr
	}
	p.structures[t] = p.Structure("tensor "+role, describe(), false)
	return p.structures[t]
}

// Inputs places inputs, each with its role, and the array of pointers to them.
func (p *Placer) Inputs(v Version, m kernel.Memory, roles []string, tensors []*nn.Tensor) uint32 {
	var list []byte
	for i, t := range tensors {
		list = binary.LittleEndian.AppendUint32(list, v.Input(roles[i], t, m))
	}
	return p.Structure("tensor list", list, false)
}
