package mlikernels

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"arcv2dsp/mlikernels/internal/kernel"
	"arcv2dsp/nn"
	"arcv2dsp/nn/golden"
)

// The search for places of a network in the memories of a core.

// placer gives a network its places.
type placer struct {
	board   *kernel.Board
	options PlacedOptions
	fast    *kernel.BoardMemory // where constants are read fastest, nil when everywhere
	tiled   *tiled
	nodes   []placedNode
	ram     uint32 // the next free address of RAM
	image   []piece
	places  []string
}

// piece is the content of a run of memory before the first call.
type piece struct {
	at    uint32
	bytes []byte
}

func (b *placer) memory(name string) *kernel.BoardMemory {
	for i := range b.board.Memories {
		if m := &b.board.Memories[i]; m.Name == name {
			return m
		}
	}
	return nil
}

// constants are the parts of an operator that are the same in every run and that its kernel reads again and
// again: weights, records of channels, tables.
type constants struct {
	node    int
	parts   []int
	offsets []int
	bytes   int
	macs    int64

	at     uint32 // where the kernel reads them
	source uint32 // where they are copied from, 0 when they are not
}

// place chooses all addresses.
func (b *placer) place() (*Placed, error) {
	g := b.tiled.Graph
	b.ram = kernel.RAM
	list := b.collect()
	inFast, window := b.choose(list)
	if err := b.placeConstants(list, inFast, window); err != nil {
		return nil, err
	}
	blocks := make([]map[int]uint32, len(b.nodes))
	for i := range b.nodes {
		n := &b.nodes[i]
		blocks[i] = map[int]uint32{}
		for j, p := range n.Parts {
			if n.Values[j] == nn.Absent && p.Bytes != nil && p.Memory == kernel.Structs {
				at, err := b.take(p.Size, "the parameter block", b.tiled.of[i])
				if err != nil {
					return nil, err
				}
				blocks[i][j] = at
			}
		}
	}
	for i := range list {
		if err := b.stage(&list[i]); err != nil {
			return nil, err
		}
	}
	placed := &Placed{tiled: b.tiled, nodes: b.nodes}
	plan, bases, err := b.plan()
	if err != nil {
		return nil, err
	}
	b.places = make([]string, len(g.Values))
	placed.values = make([]uint32, len(g.Values))
	for v, at := range plan.Of {
		if at != nn.Absent && !g.Values[v].Constant() {
			buf := plan.Buffers[at]
			placed.values[v] = bases[buf.Memory] + uint32(buf.Offset)
			b.places[v] = plan.Memories[buf.Memory].Name
		}
	}
	scratch := map[int]uint32{}
	for _, buf := range plan.Buffers {
		if buf.Class == nn.Scratch {
			scratch[buf.First] = bases[buf.Memory] + uint32(buf.Offset)
		}
	}
	of := map[int]*constants{}
	for i := range list {
		of[list[i].node] = &list[i]
	}
	for i := range b.nodes {
		if b.nodes[i].Kernel != nil {
			b.fill(i, placed.values, scratch[i], of[i], blocks[i])
		}
	}
	for m, bytes := range plan.Used {
		f := Filled{Name: plan.Memories[m].Name, Bytes: plan.Memories[m].Bytes, Used: bytes}
		switch {
		case f.Name == ramName:
			f.Bytes, f.Used = b.options.RAM, f.Used+int(b.ram-kernel.RAM)
		case f.Name == constantsName:
			if b.fast == nil {
				continue
			}
			f = Filled{Name: b.fast.Name, Bytes: b.fast.Size, Used: window}
			for i := range list {
				if inFast[i] {
					f.Used += list[i].bytes
				}
			}
		}
		placed.Memories = append(placed.Memories, f)
	}
	return placed, nil
}

// Names of memories of the plan that are no closely coupled ones. Constants have places of their own; the plan
// only counts them.
const (
	ramName       = "ram"
	constantsName = "constants"
)

// collect finds the constants of every operator.
func (b *placer) collect() []constants {
	var list []constants
	for i := range b.nodes {
		n := &b.nodes[i]
		c := constants{node: i}
		for j, p := range n.Parts {
			if n.Values[j] == nn.Absent && p.Bytes != nil && p.Memory != kernel.Structs {
				c.parts, c.offsets = append(c.parts, j), append(c.offsets, c.bytes)
				c.bytes += words(p.Size)
			}
		}
		if c.bytes == 0 {
			continue
		}
		if node := &b.tiled.Nodes[i]; node.Op.MACs != nil {
			c.macs = node.Op.MACs(b.tiled.Call(node))
		}
		list = append(list, c)
	}
	return list
}

// Costs of constants that do not lie in the fast memory, in cycles. An AGU port that reads elsewhere takes one
// more cycle, once for a pair of products; a copy takes two for a word.
func (c *constants) read() int64 { return max(c.macs/2, int64(c.bytes)/4) }
func (c *constants) copy() int64 { return int64(c.bytes) / 2 }

// choose says which constants lie in the fast memory throughout, and how large the window for the others is:
// the choice that costs least among those with the window of some operator.
func (b *placer) choose(list []constants) (inFast []bool, window int) {
	inFast = make([]bool, len(list))
	if b.fast == nil {
		return inFast, 0
	}
	windows := []int{0}
	for i := range list {
		if list[i].staged(b.fast.Size) && !slices.Contains(windows, list[i].bytes) {
			windows = append(windows, list[i].bytes)
		}
	}
	least := int64(math.MaxInt64)
	for _, w := range windows {
		cost := func(i int) int64 {
			if list[i].staged(w) {
				return list[i].copy()
			}
			return list[i].read()
		}
		order := make([]int, len(list))
		for i := range order {
			order[i] = i
		}
		slices.SortStableFunc(order, func(i, j int) int { // what a byte saves, the most first
			return cmp.Compare(cost(j)*int64(list[i].bytes), cost(i)*int64(list[j].bytes))
		})
		room, sum := b.fast.Size-w, int64(0)
		chosen := make([]bool, len(list))
		for _, i := range order {
			if list[i].bytes <= room {
				chosen[i] = true
				room -= list[i].bytes
			} else {
				sum += cost(i)
			}
		}
		if sum < least {
			least, inFast, window = sum, chosen, w
		}
	}
	return inFast, window
}

// staged reports whether constants are worth a copy into a window of so many bytes.
func (c *constants) staged(window int) bool { return c.bytes <= window && c.copy() < c.read() }

// placeConstants gives constants their addresses: in the fast memory, in its window with a source in RAM, or in
// RAM.
func (b *placer) placeConstants(list []constants, inFast []bool, window int) error {
	var next uint32
	if b.fast != nil {
		next = b.fast.Base + uint32(window)
	}
	for i := range list {
		c := &list[i]
		n := &b.nodes[c.node]
		if inFast[i] {
			c.at, next, n.where = next, next+uint32(c.bytes), b.fast.Name
			continue
		}
		at, err := b.take(c.bytes, "the constants", b.tiled.of[c.node])
		if err != nil {
			return err
		}
		c.at, n.where = at, ramName
		if c.staged(window) {
			c.at, c.source = b.fast.Base, at
			n.copied, n.where = c.bytes, b.fast.Name
		}
	}
	return nil
}

// take takes bytes of RAM.
func (b *placer) take(bytes int, what string, node int) (uint32, error) {
	at := b.ram
	room := int(kernel.RAMEnd - kernel.RAM)
	if b.options.RAM > 0 {
		room = min(room, b.options.RAM)
	}
	if short := int(at-kernel.RAM) + words(bytes) - room; short > 0 {
		return 0, fmt.Errorf("operator %d %s: %d bytes for %s do not fit: %s lacks %d bytes", node,
			b.tiled.Nodes[slices.Index(b.tiled.of, node)].Op.Name, bytes, what, ramName, short)
	}
	b.ram += uint32(words(bytes))
	return at, nil
}

// stage makes the call that copies constants into the window.
func (b *placer) stage(c *constants) error {
	if c.source == 0 {
		return nil
	}
	op, ok := golden.Operators().Lookup(nn.TFLite, "RESHAPE")
	if !ok {
		return fmt.Errorf("there is no operator RESHAPE")
	}
	g := &nn.Graph{Inputs: []int{0}, Outputs: []int{1}, Nodes: []nn.Node{{Name: "copy", Op: op, In: []int{0}, Out: []int{1}}}}
	for _, name := range []string{"from", "to"} {
		g.Values = append(g.Values, nn.Value{Name: name, Tensor: &nn.Tensor{Type: nn.I32, Shape: []int{c.bytes / partAlign}}})
	}
	if err := g.Check(); err != nil {
		return err
	}
	lowered, err := Lower(g, false)
	if err != nil {
		return err
	}
	l := &lowered[0]
	at := make([]uint32, len(l.Parts))
	for j, p := range l.Parts {
		switch l.Values[j] {
		case 0:
			at[j] = c.source
		case 1:
			at[j] = c.at
		default:
			if at[j], err = b.take(p.Size, "a copy", b.tiled.of[c.node]); err != nil {
				return err
			}
		}
	}
	b.write(l, at, at)
	b.nodes[c.node].stage = &stage{kernel: l.Kernel, arg: at[l.Params]}
	return nil
}

// plan places activations, states and scratch.
func (b *placer) plan() (*nn.Plan, []uint32, error) {
	data := []nn.Class{nn.Activation, nn.Scratch, nn.State}
	var memories []nn.Memory
	var bases []uint32
	for _, m := range b.board.Memories {
		if b.fast == nil || m.Name != b.fast.Name {
			memories, bases = append(memories, nn.Memory{Name: m.Name, Bytes: m.Size, Takes: data}), append(bases, m.Base)
		}
	}
	ram := nn.Memory{Name: ramName, Bytes: int(kernel.RAMEnd - b.ram), Takes: data}
	if b.options.RAM > 0 {
		ram.Bytes = max(1, b.options.RAM-int(b.ram-kernel.RAM)) // no bytes would mean any number
	}
	memories, bases = append(memories, ram, nn.Memory{Name: constantsName, Takes: []nn.Class{nn.Weights}}), append(bases, b.ram, 0)
	plan, err := nn.NewPlan(b.tiled.Graph, nn.PlanOptions{Memories: memories, Align: partAlign,
		InPlace: func(i int) bool { return b.nodes[i].Kernel == nil || b.nodes[i].Kernel.InPlace },
		Scratch: func(i int, _ *nn.Call) int { return b.nodes[i].Scratch }})
	return plan, bases, err
}

// fill writes the parts of an operator, with the addresses of all others.
func (b *placer) fill(i int, values []uint32, scratch uint32, c *constants, blocks map[int]uint32) {
	n := &b.nodes[i]
	at, load := make([]uint32, len(n.Parts)), make([]uint32, len(n.Parts))
	for j := range n.Parts {
		room, isRoom := n.Room[j]
		block, isBlock := blocks[j]
		switch {
		case n.Values[j] != nn.Absent:
			at[j] = values[n.Values[j]]
		case isRoom:
			at[j] = scratch + uint32(room)
		case isBlock:
			at[j], load[j] = block, block
		default:
			offset := uint32(c.offsets[slices.Index(c.parts, j)])
			at[j] = c.at + offset
			load[j] = cmp.Or(c.source, c.at) + offset
		}
	}
	n.arg = at[n.Params]
	b.write(&n.Lowered, at, load)
}

// write adds the parts of a call to the image: each where it is loaded, with the addresses of the others where
// they are read.
func (b *placer) write(l *Lowered, at, load []uint32) {
	for j, p := range l.Parts {
		if l.Values[j] != nn.Absent || p.Bytes == nil {
			continue
		}
		bytes := slices.Clone(p.Bytes)
		for _, to := range p.Pointers {
			binary.LittleEndian.PutUint32(bytes[to.At:], at[to.Part]+to.Offset)
		}
		b.image = append(b.image, piece{at: load[j], bytes: bytes})
	}
}
