package mlikernels

import (
	"cmp"
	"encoding/binary"
	"slices"

	"arcv2dsp/internal/term/steps"
	"arcv2dsp/mlikernels/internal/arcq"
	"arcv2dsp/mlikernels/internal/kernel"
	"arcv2dsp/nn"
)

// Weights that the micro-DMA controller brings into DCCM while the layer before computes. Two windows take turns: a layer reads one
// while the weights of the next come into the other.

// fetching says how a placement does so.
type fetching struct {
	window int         // bytes of each of the two windows
	parts  map[int]int // layers that become several, which the windows hold, by node of the network
}

// Costs in cycles, each at least what a run shows.
const (
	fetchCycles = 60  // a call that waits and starts the next moves
	tileCycles  = 160 // one more call of a kernel
	joinCycles  = 300 // the concatenation of tiles, beside a cycle for each byte
)

// Figures of the controller: bytes of a block, words of a descriptor and of its address, words after which another channel could
// have its turn.
const (
	blockBytes      = 8 << 10
	descriptorWords = 5
	turnWords       = 256
	tableAlign      = 32
	mostWindows     = 4 // sizes of windows that are tried
)

// prefetched is the way that costs least by the figures of the planner: the plain one, or one with prefetched weights.
func (b *placer) prefetched(g *nn.Graph, ram int) (best *placer, err error) {
	defer steps.Return(&err)
	best = b
	if !b.p.Fits() || !b.mayFetch() {
		return best, nil
	}
	dccm := b.room("dccm")
	free := dccm.left()
	var sizes []int
	gains := false
	for i := range b.list {
		c := &b.list[i]
		if c.read.Memory == dccm.Name {
			free += words(c.bytes)
		}
		if b.fetchable(c) {
			gains = gains || b.penalty(c) > 0
			if !slices.Contains(sizes, c.bytes) {
				sizes = append(sizes, c.bytes)
			}
		}
	}
	if !gains {
		return best, nil
	}
	sizes = slices.DeleteFunc(sizes, func(n int) bool { return 2*n > free })
	slices.SortFunc(sizes, func(x, y int) int { return cmp.Compare(y, x) })
	for _, window := range sizes[:min(len(sizes), mostWindows)] {
		other := steps.Must(newPlacer(g, b.board, ram, b.tryWindow(window, free-2*window)))
		if other.p.Fits() && other.cost() < best.cost() {
			best = other
		}
	}
	return best, nil
}

// tryWindow leaves layers whole that fit into what the windows leave of DCCM, the first ones, which nothing comes before; others that
// no window holds are divided.
func (b *placer) tryWindow(window, free int) *fetching {
	f := &fetching{window: window, parts: map[int]int{}}
	for i := range b.list {
		c := &b.list[i]
		if !b.fetchable(c) || c.bytes <= window {
			continue
		}
		if words(c.bytes) <= free {
			free -= words(c.bytes)
			continue
		}
		outputs := b.tiled.Values[b.tiled.Nodes[c.node].In[1]].Tensor.Dim(0)
		if parts := (c.bytes + window - 1) / window; parts <= outputs {
			f.parts[b.tiled.of[c.node]] = parts
		}
	}
	return f
}

// mayFetch reports whether prefetched weights can gain on the board: ports of the large unit read DCCM as fast as Y while their data
// is in X, and wait elsewhere.
func (b *placer) mayFetch() bool {
	return b.board.DMA && b.board.AGU == kernel.LargeAGU && b.room("xccm") != nil && b.room("dccm") != nil && b.p.Library != nil &&
		b.p.Library.Collection == arcq.Collection()
}

// fetchable reports whether the constants of an operator can come while another computes: those of a fully connected layer with one
// row, whose weights are used once, and whose data is not in the memory of the windows.
func (b *placer) fetchable(c *constants) bool {
	n := &b.tiled.Nodes[c.node]
	if n.Op.Library != nn.TFLite || n.Op.Name != "FULLY_CONNECTED" || b.p.Nodes[c.node].Kernel == nil {
		return false
	}
	weights := &b.tiled.Values[n.In[1]]
	return weights.Constant() && c.macs > 0 && c.macs <= int64(weights.Tensor.Len()) && b.p.Values[n.In[0]].Memory != "dccm"
}

// penalty is what the place of constants costs.
func (b *placer) penalty(c *constants) int64 {
	switch r := b.room(c.read.Memory); {
	case r == nil || r == b.fast || r.Name == "dccm" && b.room("xccm") != nil:
		if c.read != c.load && !c.fetched {
			return c.copying(b.room(c.load.Memory).Wait)
		}
		return 0
	default:
		return c.reading(r.Wait)
	}
}

// transfer is the time in which the controller moves constants into a window.
func (b *placer) transfer(c *constants) int64 {
	blocks, words := int64(c.bytes/blockBytes+1), int64(c.bytes/partAlign)
	return words*int64(2+b.room(c.load.Memory).Wait) + words/turnWords + blocks*(descriptorWords+1)
}

// cost is what places of constants, waits for the controller and layers in parts cost beside the work of the kernels. That work is
// counted as its bound, so that waits are no shorter.
func (b *placer) cost() int64 {
	sum, since := int64(0), b.firstNode()
	for i := range b.list {
		c := &b.list[i]
		sum += b.penalty(c)
		if !c.fetched {
			continue
		}
		work := int64(0)
		for k := since; k < c.node; k++ {
			if kernel := b.p.Nodes[k].Kernel; kernel != nil {
				work += int64(kernel.Bound(b.tiled.Call(&b.tiled.Nodes[k]), b.board.AGU))
			}
		}
		sum += max(0, b.transfer(c)-work) + fetchCycles
		since = c.node
	}
	if since != b.firstNode() {
		sum += fetchCycles // the call that only starts
	}
	for k := range b.tiled.Nodes {
		if k+1 < len(b.tiled.of) && b.tiled.of[k+1] == b.tiled.of[k] {
			sum += tileCycles
		} else if k > 0 && b.tiled.of[k-1] == b.tiled.of[k] {
			sum += joinCycles + int64(b.tiled.Values[b.tiled.Nodes[k].Out[0]].Tensor.Bytes())
		}
	}
	return sum
}

// firstNode is the first operator that the core computes.
func (b *placer) firstNode() int {
	return max(0, slices.IndexFunc(b.p.Nodes, func(n PlacedNode) bool { return n.Kernel != nil }))
}

// placeWindows takes both windows. It reports whether there is room.
func (b *placer) placeWindows() bool {
	dccm := b.room("dccm")
	if b.fetching == nil || dccm.left() < 2*words(b.fetching.window) {
		return b.fetching == nil
	}
	for i := range b.windows {
		b.windows[i] = dccm.take(b.fetching.window, &dccm.filled.Constants)
	}
	return true
}

// placeFetched gives constants their places that windows can hold: DCCM as far as there is room, the first ones first; a window with a
// source elsewhere.
func (b *placer) placeFetched(list []*constants) {
	dccm, turn := b.room("dccm"), 0
	for _, c := range list {
		if words(c.bytes) <= dccm.left() {
			c.load = dccm.take(c.bytes, &dccm.filled.Constants)
			c.read = c.load
		} else {
			c.load = b.give(b.constantRooms(), c.bytes, lackConstants, asConstants)
			c.read, c.fetched = b.windows[turn], true
			c.read.Bytes = c.bytes
			turn = 1 - turn
		}
		b.p.Nodes[c.node].Where = c.read.Memory
	}
}

// fetch makes the calls that bring constants into the windows: before the first operator one that starts the first, then before each
// operator that has them one that waits for them and starts the next.
func (b *placer) fetch() {
	var list []*constants
	for i := range b.list {
		if b.list[i].fetched {
			list = append(list, &b.list[i])
		}
	}
	if len(list) == 0 {
		return
	}
	before := b.firstNode()
	for i := range len(list) + 1 {
		c := Copy{Kernel: arcq.Fetch()}
		table := uint32(0)
		if i < len(list) {
			c.From, c.To = list[i].load, list[i].read
			table = b.descriptors(c.From, c.To)
		}
		arg := b.give(b.blockRooms(), partAlign, lackConstants, asConstants)
		b.p.image = append(b.p.image, piece{at: arg.At, bytes: binary.LittleEndian.AppendUint32(nil, table)})
		c.Arg = arg.At
		n := &b.p.Nodes[before]
		n.Copies = append(n.Copies, c)
		if i < len(list) {
			before = list[i].node
		}
	}
}

// Fields of the control word of a descriptor: words, both addresses go on; the last block, and one that another follows.
const (
	moveWords = 1<<31 | 1<<30 | 5<<5 | (turnWords-1)<<21
	moveLast  = 1
	moveMore  = 2
	sizeField = 8
)

// descriptors places the table with the descriptors of a move: the address of the first, and for each block its control word, the
// addresses of its last words, and the address of the next descriptor.
func (b *placer) descriptors(from, to Spot) uint32 {
	const descriptorBytes = (descriptorWords - 1) * partAlign
	blocks := (from.Bytes + blockBytes - 1) / blockBytes
	spot := b.give(b.blockRooms(), tableAlign+blocks*descriptorBytes, lackConstants, asConstants)
	table := (spot.At + tableAlign - 1) &^ (tableAlign - 1)
	at := table + partAlign
	bytes := binary.LittleEndian.AppendUint32(nil, at)
	for k := range blocks {
		end := min((k+1)*blockBytes, from.Bytes)
		control, next := uint32(moveWords|moveLast), uint32(0)
		if k+1 < blocks {
			at += descriptorBytes
			control, next = moveWords|moveMore, at
		}
		control |= uint32(end-k*blockBytes-1) << sizeField
		for _, w := range []uint32{control, from.At + uint32(end) - partAlign, to.At + uint32(end) - partAlign, next} {
			bytes = binary.LittleEndian.AppendUint32(bytes, w)
		}
	}
	b.p.image = append(b.p.image, piece{at: table, bytes: bytes})
	return table
}
