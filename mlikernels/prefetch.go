package mlikernels

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"

	"arcv2dsp/internal/term/steps"
	"arcv2dsp/mlikernels/internal/arcq"
	"arcv2dsp/mlikernels/internal/kernel"
	"arcv2dsp/nn"
)

// Constants that the micro-DMA controller brings into fast memory while the layer before computes. Two windows take turns: a layer
// reads one while the constants of the next come into the other. Weights that are used once go through windows of DCCM, and others, which
// the core would copy into Y, through windows there.

// fetching says how a placement does so.
type fetching struct {
	window int         // bytes of each of the two windows of DCCM, 0 for none
	parts  map[int]int // layers that become several, which the windows hold, by node of the network
	copies bool        // two windows in Y take the place of copies by the core, none without a controller
	limit  int         // with copies: bytes of weights of layers that are used again
}

// Costs in cycles, each at least what runs show.
const (
	fetchCycles = 50  // a call that waits and starts the next moves
	blockCycles = 15  // and of each block, where registers describe it
	tileCycles  = 160 // one more call of a kernel
	rowCycles   = 40  // and of each of its rows, or cells of a map
	cellCycles  = 100 // where a window of several cells is copied for each of them
	joinCycles  = 300 // the concatenation of tiles, beside a cycle for each byte, or more
	byteCycles  = 4   // where the core moves bytes without ports of the large unit
)

// Figures of the controller: bytes of a block and of its descriptor in memory, words after which another channel could have its turn.
const (
	blockBytes      = 8 << 10
	descriptorBytes = 16
	turnWords       = 256
	tableAlign      = 32
	mostWindows     = 4 // sizes of windows that are tried
	wholeLayers     = math.MaxInt32
)

// prefetched is the way that costs least by the figures of the planner: the plain one, one with prefetched constants, or one whose kernels
// read all constants where they lie: in DCCM, which costs ports nothing while their data is in X.
func (b *placer) prefetched(g *nn.Graph, ram int) (best *placer, err error) {
	defer steps.Return(&err)
	best = b
	if !b.p.Fits() || b.p.Library == nil || b.p.Library.Collection != arcq.Collection() {
		return best, nil
	}
	try := func(f *fetching) {
		if other := steps.Must(newPlacer(g, b.board, ram, f)); other.p.Fits() && other.movable() && other.gain(best) > 0 {
			other.p.Gain, best = other.gain(b), other
		}
	}
	for _, f := range b.throughDCCM() {
		try(f)
	}
	if b.fast == nil || !slices.ContainsFunc(best.list, func(c constants) bool { return c.read.Memory == b.fast.Name && c.read != c.load }) {
		return best, nil
	}
	through := fetching{}
	if best.fetching != nil {
		through = *best.fetching
	}
	limits := []int{wholeLayers}
	if b.board.DMA != kernel.NoDMA {
		limits = append(limits, b.fast.Size, b.fast.Size/2)
	}
	for _, limit := range limits {
		way := through
		way.copies, way.limit = true, limit
		try(&way)
	}
	return best, nil
}

// movable reports whether the channels of the controller can move each of the constants in one go.
func (b *placer) movable() bool {
	return b.board.DMA == kernel.DMATable || !slices.ContainsFunc(b.list, func(c constants) bool { return c.fetched && c.bytes > b.board.Channels*blockBytes })
}

// throughDCCM lists ways to bring weights that are used once through windows of DCCM, none where that cannot gain: ports read DCCM as
// fast as Y while their data is in X, and wait elsewhere, where kernels for the small unit load.
func (b *placer) throughDCCM() (ways []*fetching) {
	dccm := b.room("dccm")
	if b.board.DMA == kernel.NoDMA || b.board.AGU == kernel.NoAGU || b.room("xccm") == nil || dccm == nil {
		return nil
	}
	free := dccm.left()
	var sizes []int
	gains := false
	for i := range b.list {
		c := &b.list[i]
		if c.read.Memory == dccm.Name {
			free += words(c.bytes)
		}
		if b.fetchable(c) {
			gains = gains || b.reading(c) > 0
			if !slices.Contains(sizes, c.bytes) {
				sizes = append(sizes, c.bytes)
			}
		}
	}
	if !gains {
		return nil
	}
	sizes = slices.DeleteFunc(sizes, func(n int) bool { return 2*n > free })
	slices.SortFunc(sizes, func(x, y int) int { return cmp.Compare(y, x) })
	for _, window := range sizes[:min(len(sizes), mostWindows)] {
		ways = append(ways, b.tryWindow(window, free-2*window))
	}
	return ways
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

// fetchable reports whether the constants of an operator can come while another computes: those of a fully connected layer with one
// row, whose weights are used once, and whose data is not in the memory of the windows.
func (b *placer) fetchable(c *constants) bool {
	n := &b.tiled.Nodes[c.node]
	return n.Op.Name == "FULLY_CONNECTED" && b.p.Nodes[c.node].Kernel != nil && dividable(b.tiled.Graph, n) && once(b.tiled.Graph, n) && !b.reads(c.node, "dccm")
}

// reading is what a kernel loses by the place that it reads constants from.
func (b *placer) reading(c *constants) int64 {
	r := b.room(c.read.Memory)
	switch {
	case r == nil || r == b.fast || r.Name == "dccm" && !b.reads(c.node, r.Name):
		return 0
	case b.loaded(c):
		return c.reading(r.Wait) / 2
	}
	return c.reading(r.Wait)
}

// copy is what the core needs at least to copy constants: by ports of the large unit a word a cycle. Caches may hide wait states.
func (b *placer) copy(c *constants) int64 {
	switch {
	case c.read == c.load || c.fetched:
		return 0
	case b.board.AGU == kernel.LargeAGU:
		return int64(c.bytes / partAlign)
	}
	return int64(c.bytes/partAlign) * 2
}

// reads reports whether data that an operator reads lies in a memory.
func (b *placer) reads(node int, memory string) bool {
	return slices.ContainsFunc(b.tiled.Nodes[node].In, func(v int) bool { return v != nn.Absent && b.p.Values[v].Memory == memory })
}

// transfer is the time in which the controller moves constants into a window.
func (b *placer) transfer(c *constants) int64 {
	blocks, words := int64(c.bytes/blockBytes+1), int64(c.bytes/partAlign)
	return words*int64(2+b.room(c.load.Memory).Wait) + words/turnWords + blocks*(descriptorBytes/partAlign+2)
}

// gain is how much less a placement costs than another, at least. Fewer tiles do not count, for their cost is known at its most alone, and
// ports of the small unit lose less than the penalty by their place, so there a smaller one does not count, but that of loads does.
func (b *placer) gain(over *placer) int64 {
	less, loads := over.penalty()
	ports, loaded := b.penalty()
	if less -= ports; b.board.AGU != kernel.LargeAGU {
		less = min(less, 0)
	}
	return over.moving() - b.moving() + less + loads - loaded + min(over.tiling()-b.tiling(), 0)
}

// loaded reports whether a kernel for the small unit loads constants by words where its ports would wait: weights of a fully connected
// layer that are used once. So it loses half of what ports do.
func (b *placer) loaded(c *constants) bool {
	return b.board.AGU == kernel.SmallAGU && b.fetchable(c) && c.macs > 0 && b.tiled.Values[b.tiled.Nodes[c.node].In[1]].Tensor.Dim(-1)%partAlign == 0
}

// penalty is what kernels lose by the places that they read constants from: by ports, and by loads in their place.
func (b *placer) penalty() (ports, loads int64) {
	for i := range b.list {
		if c := &b.list[i]; b.loaded(c) {
			loads += b.reading(c)
		} else {
			ports += b.reading(c)
		}
	}
	return ports, loads
}

// moving is what copies and waits for the controller cost. The work that a transfer goes beside is counted as its bound, so that waits
// are no shorter.
func (b *placer) moving() (sum int64) {
	since := b.firstNode()
	for i := range b.list {
		c := &b.list[i]
		sum += b.copy(c)
		if !c.fetched {
			continue
		}
		work := int64(0)
		for k := since; k < c.node; k++ {
			if kernel := b.p.Nodes[k].Kernel; kernel != nil {
				work += int64(kernel.Bound(b.tiled.Call(&b.tiled.Nodes[k]), b.board.AGU))
			}
		}
		sum += max(0, b.transfer(c)-work) + fetchCycles + blockCycles*int64(c.bytes/blockBytes+1)
		since = c.node
	}
	if since != b.firstNode() {
		sum += fetchCycles // the call that only starts
	}
	return sum
}

// tiling is what layers in parts cost beside the work of their kernels.
func (b *placer) tiling() (sum int64) {
	for k := range b.tiled.Nodes {
		if k+1 < len(b.tiled.of) && b.tiled.of[k+1] == b.tiled.of[k] {
			sum += b.tile(&b.tiled.Nodes[k])
		} else if k > 0 && b.tiled.of[k-1] == b.tiled.of[k] {
			sum += b.join(&b.tiled.Nodes[k])
		}
	}
	return sum
}

// tile is what one more call of a kernel costs.
func (b *placer) tile(n *nn.Node) int64 {
	weights, out, each := b.tiled.Values[n.In[1]].Tensor, b.tiled.Values[n.Out[0]].Tensor, int64(rowCycles)
	if n.Op.Name == "CONV_2D" && weights.Dim(1)*weights.Dim(2) > 1 {
		each = cellCycles
	}
	return tileCycles + each*int64(out.Len()/max(1, out.Dim(-1)))
}

// join is what the concatenation of tiles costs.
func (b *placer) join(n *nn.Node) int64 {
	each := int64(1)
	for _, v := range n.In {
		if t := b.tiled.Values[v].Tensor; t.Dim(-1)*t.Type.Bytes()%partAlign != 0 && b.board.AGU != kernel.LargeAGU {
			each = byteCycles
		}
	}
	return joinCycles + each*int64(b.tiled.Values[n.Out[0]].Tensor.Bytes())
}

// firstNode is the first operator that the core computes.
func (b *placer) firstNode() int {
	return max(0, slices.IndexFunc(b.p.Nodes, func(n PlacedNode) bool { return n.Kernel != nil }))
}

// placeWindows takes both windows. It reports whether there is room.
func (b *placer) placeWindows() bool {
	dccm := b.room("dccm")
	if b.fetching == nil || b.fetching.window == 0 {
		return true
	}
	if dccm.left() < 2*words(b.fetching.window) {
		return false
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
	waits := uint32(1)
	for _, c := range list {
		waits = max(waits, b.channels(c.bytes))
	}
	before := b.firstNode()
	for i := range len(list) + 1 {
		c := Copy{Kernel: arcq.Fetch()}
		table, starts := uint32(0), uint32(0)
		if i < len(list) {
			c.From, c.To = list[i].load, list[i].read
			table, starts = b.descriptors(c.From, c.To), b.channels(c.From.Bytes)
		}
		c.Arg = b.give(b.blockRooms(), 3*partAlign, lackConstants, asConstants).At
		b.p.image = append(b.p.image, piece{at: c.Arg, bytes: bytesOf(table, waits, starts)})
		n := &b.p.Nodes[before]
		n.Copies = append(n.Copies, c)
		if i < len(list) {
			before = list[i].node
		}
	}
}

// channels has a bit for each channel that moves so many bytes: the first follows descriptors, registers describe one block.
func (b *placer) channels(bytes int) uint32 {
	if b.board.DMA == kernel.DMATable {
		return 1
	}
	return 1<<((bytes+blockBytes-1)/blockBytes) - 1
}

// Fields of the control word of a block: words, both addresses go on; the last block, and one that another follows.
const (
	moveWords = 1<<31 | 1<<30 | 5<<5 | (turnWords-1)<<21
	moveLast  = 1
	moveMore  = 2
	sizeField = 8
)

// descriptors places what tells the controller of a move: for each block its control word and the addresses of its last words. In
// memory the address of the next descriptor follows, and that of the first is before all, at the place that is returned.
func (b *placer) descriptors(from, to Spot) uint32 {
	inMemory := b.board.DMA == kernel.DMATable
	blocks := (from.Bytes + blockBytes - 1) / blockBytes
	spot := b.give(b.blockRooms(), tableAlign+blocks*descriptorBytes, lackConstants, asConstants)
	table := (spot.At + tableAlign - 1) &^ (tableAlign - 1)
	at := table + partAlign
	var words []uint32
	if inMemory {
		words = append(words, at)
	}
	for k := range blocks {
		end := min((k+1)*blockBytes, from.Bytes)
		control, next := uint32(moveWords|moveLast), uint32(0)
		if inMemory && k+1 < blocks {
			at += descriptorBytes
			control, next = moveWords|moveMore, at
		}
		words = append(words, control|uint32(end-k*blockBytes-1)<<sizeField, from.At+uint32(end)-partAlign, to.At+uint32(end)-partAlign)
		if inMemory {
			words = append(words, next)
		}
	}
	b.p.image = append(b.p.image, piece{at: table, bytes: bytesOf(words...)})
	return table
}

// bytesOf are words as they lie in memory.
func bytesOf(words ...uint32) (bytes []byte) {
	for _, w := range words {
		bytes = binary.LittleEndian.AppendUint32(bytes, w)
	}
	return bytes
}
