package mlikernels

import (
	"errors"
	"fmt"

	"arcv2dsp"
	"arcv2dsp/internal/term/steps"
	"arcv2dsp/mlikernels/internal/kernel"
	"arcv2dsp/nn"
)

// Placement says where everything of a network lies in the memories of a core or board: values, constants, parameter
// blocks, code and stack. All that shows, runs or compiles a network takes its addresses from here, so that they agree. Of a
// network that does not fit it says what is missing.
type Placement struct {
	Board *Board
	Graph *nn.Graph // the network, with layers divided that need more weights than a memory holds
	From  []int     // of each node of Graph: the node of the network that it is from
	Nodes []PlacedNode
	// Values are the places of the values of Graph, those of the network first. Constants have none: they are parts of
	// nodes.
	Values  []Spot
	Code    Spot // the vectors of exceptions and interrupts, then Library
	Stack   Spot // of kernels and what calls them
	Library *Library
	// Memories are those of the board with what lies in them.
	Memories []Filled
	Lacks    []Lack // what found no place
	// Gain is how many cycles of a run this placement gains over the plain one at least, 0 for the plain one.
	Gain int64

	image []piece
	state []int // values with contents before the first run

	network *nn.Graph // what was placed, and with how much RAM
	ram     int
}

// Spot is a place in memory.
type Spot struct {
	Memory string // empty for what has no place
	At     uint32
	Bytes  int
}

// PlacedNode is an operator with addresses.
type PlacedNode struct {
	Lowered
	Spots []Spot // of each part: where the kernel reads or writes it
	Arg   uint32 // the address of its parameter block
	// Copies are the calls before its own that copy constants to where kernels read them: its own constants, or with a micro-DMA
	// controller those of a later operator; none when the kernel reads them where they lie.
	Copies []Copy
	// Where is the memory that the constants are read from, empty without constants.
	Where string
}

// Copy is a call that copies the constants of an operator, all together, into a window of a fast memory before the operator
// runs. One that makes the micro-DMA controller copy waits until it has done so with those before; the last one only waits.
type Copy struct {
	Kernel *Kernel
	Arg    uint32
	From   Spot // no bytes of one that only waits
	To     Spot
}

// Filled is a memory with what lies in it.
type Filled struct {
	Name  string `json:"memory"`
	Bytes int    `json:"bytes"` // 0: as much as is needed
	Used  int    `json:"used"`  // with the gaps below its highest buffer

	Code      int    `json:"code,omitempty"`
	Constants int    `json:"constants,omitempty"`
	Data      int    `json:"data,omitempty"` // activations, states and scratch
	Stack     int    `json:"stack,omitempty"`
	Waits     string `json:"waits,omitempty"` // where its wait states are from: given, published or assumed
}

// Lack is what found no place in any memory.
type Lack struct {
	What  string `json:"what"` // code, constants, data or stack
	Bytes int    `json:"bytes"`
}

// PlacedOptions say where a network runs.
type PlacedOptions struct {
	Core     string // a template or a board
	Settings []arcv2dsp.Setting
	Engine   arcv2dsp.EngineKind
	RAM      int // bytes of the memories outside the core, 0 for as many as they have
}

// NewPlacement places a checked network.
//
// Activations, states and scratch go to X memory, then to DCCM, then outside the core; code and vectors to ICCM. Constants
// go to Y memory. Where an AGU reads them and they do not all fit, part of Y is a window: the constants of an operator are
// copied there before it runs, unless it uses each weight once, and a layer with more weights than Y holds is divided. What
// is left goes to DCCM, ICCM and memories outside, those that are read most often into the fastest. A micro-DMA controller brings
// weights that are used once into windows of DCCM, and others in place of copies, or nothing is copied, where the planner's figures say
// that this gains.
func NewPlacement(g *nn.Graph, o PlacedOptions) (*Placement, error) {
	board, err := kernel.Check(o.Core, o.Settings...)
	if err != nil {
		return nil, err
	}
	return place(g, board, o.RAM)
}

// place places a network on a board.
func place(g *nn.Graph, board *Board, ram int) (_ *Placement, err error) {
	defer steps.Return(&err)
	for i := range g.Nodes {
		if n := &g.Nodes[i]; n.Op.Control != nil {
			return nil, &NodeError{Node: i, Op: n.Op.Name, Err: errors.New("the graphs that it runs have no places in memories; without places they run")}
		}
	}
	return steps.Must(steps.Must(newPlacer(g, board, ram, nil)).prefetched(g, ram)).p, nil
}

// newPlacer places a network in one way.
func newPlacer(g *nn.Graph, board *Board, ram int, f *fetching) (_ *placer, err error) {
	defer steps.Return(&err)
	b := &placer{board: board, p: &Placement{Board: board, network: g, ram: ram}, fetching: f}
	for i := range board.Memories {
		b.rooms = append(b.rooms, newRoom(&board.Memories[i], ram))
	}
	if y := b.room("yccm"); board.AGU != kernel.NoAGU && y != nil {
		b.fast = y
	}
	limit := int(^uint32(0) >> 1)
	if b.fast != nil {
		limit = b.fast.Size
	}
	if f != nil && f.limit > 0 {
		limit = f.limit
	}
	b.tiled = steps.Must(divide(g, limit, f))
	lowered := steps.Must(Lower(b.tiled.Graph, true))
	b.p.Graph, b.p.From = b.tiled.Graph, b.tiled.of
	for _, l := range lowered {
		b.p.Nodes = append(b.p.Nodes, PlacedNode{Lowered: l})
	}
	steps.Check(b.run())
	return b, nil
}

// Fits reports whether everything has a place.
func (p *Placement) Fits() bool { return len(p.Lacks) == 0 }

// Image lists what is in memory before the first run, beside the code: constants, parameter blocks and states.
func (p *Placement) Image(yield func(at uint32, bytes []byte) bool) {
	for _, i := range p.image {
		if !yield(i.at, i.bytes) {
			return
		}
	}
	initial := nn.Initial(p.Graph)
	for _, v := range p.state {
		if !yield(p.Values[v].At, kernel.Elements(initial[v])) {
			return
		}
	}
}

// Where names the memory that an operator of the network reads constants from; tiles is into how many layers it was
// divided.
func (p *Placement) Where(node int) (where string, tiles int) {
	for i := range p.Nodes {
		if p.From[i] != node {
			continue
		}
		tiles++
		if where == "" {
			where = p.Nodes[i].Where
		}
	}
	return where, max(1, tiles-1)
}

// collection is the library of the kernels, which must be one.
func (p *Placement) collection() (of *kernel.Collection, err error) {
	for i := range p.Nodes {
		switch k := p.Nodes[i].Kernel; {
		case k == nil:
		case of == nil:
			of = k.Of
		case of != k.Of:
			return nil, fmt.Errorf("operator %d: %s is in another library than the kernels before", p.From[i], k.Symbol)
		}
	}
	return of, nil
}
