package mlikernels

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"

	"arcv2dsp/internal/term/steps"
	"arcv2dsp/mlikernels/internal/arcq"
	"arcv2dsp/mlikernels/internal/kernel"
	"arcv2dsp/nn"
	"arcv2dsp/nn/golden"
)

// The search for places of a network in the memories of a core.

// placer gives a network its places.
type placer struct {
	board *Board
	rooms []*room
	fast  *room // where AGU ports read constants fastest, nil when everywhere
	tiled *tiled
	p     *Placement
	lacks map[string]int
	list  []constants

	fetching *fetching // nil for none
	windows  [2]Spot
}

// room is a memory that is being filled: from its begin on, the stack at its end.
type room struct {
	*BoardMemory
	limit  int // bytes, 0 for any number
	filled Filled
	stack  int
}

func newRoom(m *BoardMemory, ram int) *room {
	r := &room{BoardMemory: m, limit: m.Size, filled: Filled{Name: m.Name, Bytes: m.Size, Waits: m.Waits}}
	if ram > 0 && m.Data && !m.Coupled() && (m.Size == 0 || ram < m.Size) {
		r.limit, r.filled.Bytes = ram, ram
	}
	return r
}

// left is the number of bytes that are free.
func (r *room) left() int {
	if r.limit == 0 {
		return math.MaxInt32
	}
	return r.limit - r.filled.Used - r.stack
}

// take takes bytes of the room, counted as one of its kinds.
func (r *room) take(bytes int, kind *int) Spot {
	at := r.Base + uint32(r.filled.Used)
	r.filled.Used += words(bytes)
	*kind += words(bytes)
	return Spot{Memory: r.Name, At: at, Bytes: bytes}
}

// What finds no place is one of these.
const (
	lackCode      = "code"
	lackConstants = "constants"
	lackData      = "data"
	lackStack     = "stack"
)

func (b *placer) room(name string) *room {
	for _, r := range b.rooms {
		if r.Name == name {
			return r
		}
	}
	return nil
}

// order lists rooms by the names of memories of the core, between them those outside the core in the order of their wait
// states: before the names that follow "wait", those without, at the end the others.
func (b *placer) order(take func(*room) bool, names ...string) []*room {
	var list []*room
	outside := func(slow bool) {
		var found []*room
		for _, r := range b.rooms {
			if !r.Coupled() && slow == (r.Wait > 0) {
				found = append(found, r)
			}
		}
		slices.SortStableFunc(found, func(x, y *room) int { return cmp.Compare(x.Wait, y.Wait) })
		list = append(list, found...)
	}
	for _, name := range names {
		if name == withoutWait {
			outside(false)
		} else if r := b.room(name); r != nil {
			list = append(list, r)
		}
	}
	outside(true)
	return slices.DeleteFunc(list, func(r *room) bool { return !take(r) })
}

// withoutWait stands for the memories outside the core that no access waits for.
const withoutWait = "no wait states"

// readable are the rooms that programs read constants from: all but the place of code of a core without memory for it.
func readable(r *room) bool { return r.Data || r.Size != 0 }

func (b *placer) codeRooms() []*room {
	return b.order(func(r *room) bool { return r.Code }, "iccm", "iccm1", withoutWait)
}

func (b *placer) dataRooms() []*room {
	return b.order(func(r *room) bool { return r.Data && r != b.fast }, "xccm", "dccm", "yccm", withoutWait)
}

func (b *placer) constantRooms() []*room {
	return b.order(func(r *room) bool { return readable(r) && r != b.fast }, "yccm", "dccm", "iccm", "iccm1", withoutWait, "xccm")
}

func (b *placer) blockRooms() []*room {
	return b.order(readable, "dccm", "iccm", "iccm1", withoutWait, "xccm", "yccm")
}

// give takes bytes of the first of some rooms that has them.
func (b *placer) give(rooms []*room, bytes int, what string, kind func(*Filled) *int) Spot {
	for _, r := range rooms {
		if words(bytes) <= r.left() {
			return r.take(bytes, kind(&r.filled))
		}
	}
	b.lacks[what] += words(bytes)
	return Spot{Bytes: bytes}
}

func asCode(f *Filled) *int      { return &f.Code }
func asConstants(f *Filled) *int { return &f.Constants }

// piece is the content of a run of memory before the first call.
type piece struct {
	at    uint32
	bytes []byte
}

// constants are the parts of an operator that are the same in every run and that its kernel reads again and
// again: weights, records of channels, tables.
type constants struct {
	node    int
	parts   []int
	offsets []int
	bytes   int
	macs    int64

	read Spot // where the kernel reads them
	load Spot // where they lie: the same, or where they are copied from
	// fetched says that the micro-DMA controller copies them.
	fetched bool
}

// run chooses all places.
func (b *placer) run() (err error) {
	defer steps.Return(&err)
	p := b.p
	b.lacks = map[string]int{}
	b.list = b.collect()
	list := b.list
	inFast, window := b.choose(list)
	steps.Check(b.placeCode(list, inFast, window))
	b.placeStack()
	p.Values = make([]Spot, len(p.Graph.Values))
	scratch := steps.Must(b.placeData())
	if !b.placeWindows() {
		b.lacks[lackConstants] += 2 * words(b.fetching.window)
	}
	blocks := b.placeBlocks()
	b.placeConstants(list, inFast, window)
	of := map[int]*constants{}
	for i := range list {
		of[list[i].node] = &list[i]
		steps.Check(b.stage(&list[i]))
	}
	b.fetch()
	for i := range p.Nodes {
		if p.Nodes[i].Kernel != nil {
			b.fill(i, scratch[i], of[i], blocks[i])
		}
	}
	for _, r := range b.rooms {
		r.filled.Used += r.stack
		r.filled.Stack = r.stack
		p.Memories = append(p.Memories, r.filled)
	}
	for _, what := range []string{lackCode, lackStack, lackData, lackConstants} {
		if n := b.lacks[what]; n > 0 {
			p.Lacks = append(p.Lacks, Lack{What: what, Bytes: n})
		}
	}
	return nil
}

// collect finds the constants of every operator.
func (b *placer) collect() []constants {
	var list []constants
	for i := range b.p.Nodes {
		n := &b.p.Nodes[i]
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
// more cycle, once for a pair of products, and the wait states; a copy takes two for a word, and the wait states.
func (c *constants) reads() int64           { return max(c.macs/2, int64(c.bytes)/4) }
func (c *constants) reading(wait int) int64 { return c.reads() * int64(1+wait) }
func (c *constants) copying(wait int) int64 {
	return int64(c.bytes)/2 + int64(c.bytes)/4*int64(wait)
}

// staged reports whether constants are worth a copy into a window of so many bytes.
func (c *constants) staged(window, wait int) bool {
	return c.bytes <= window && c.copying(wait) < c.reading(wait)
}

// choose says which constants lie in the fast memory throughout, and how large the window for the others is:
// the choice that costs least among those with the window of some operator.
func (b *placer) choose(list []constants) (inFast []bool, window int) {
	inFast = make([]bool, len(list))
	if b.fast == nil {
		return inFast, 0
	}
	wait := b.elsewhere(list)
	windows := []int{0}
	for i := range list {
		if (b.board.DMA != kernel.NoDMA || !b.fetchesCopies()) && list[i].staged(b.fast.Size/b.fastWindows(), wait) && !slices.Contains(windows, list[i].bytes) {
			windows = append(windows, list[i].bytes)
		}
	}
	least := int64(math.MaxInt64)
	for _, w := range windows {
		cost := func(i int) int64 {
			switch {
			case !list[i].staged(w, wait):
			case b.fetchesCopies():
				return fetchCycles
			default:
				return list[i].copying(wait)
			}
			return list[i].reading(wait)
		}
		order := make([]int, len(list))
		for i := range order {
			order[i] = i
		}
		slices.SortStableFunc(order, func(i, j int) int { // what a byte saves, the most first
			return cmp.Compare(cost(j)*int64(list[i].bytes), cost(i)*int64(list[j].bytes))
		})
		room, sum := b.fast.Size-b.fastWindows()*w, int64(0)
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

// elsewhere are the wait states of constants that are not in the fast memory: those of the memory that takes the last of
// them.
func (b *placer) elsewhere(list []constants) int {
	bytes := -b.fast.Size
	for i := range list {
		bytes += list[i].bytes
	}
	rooms := b.constantRooms()
	for _, r := range rooms {
		if bytes -= r.left(); bytes <= 0 {
			return r.Wait
		}
	}
	return 0
}

// placeCode links the kernels that the network calls to where they lie.
func (b *placer) placeCode(list []constants, inFast []bool, window int) (err error) {
	defer steps.Return(&err)
	of, err := b.p.collection()
	if err != nil || of == nil {
		return err
	}
	var kernels []*Kernel
	use := func(k *Kernel) {
		if k != nil && !slices.Contains(kernels, k) {
			kernels = append(kernels, k)
		}
	}
	for i := range b.p.Nodes {
		use(b.p.Nodes[i].Kernel)
	}
	if b.fast != nil {
		wait := b.elsewhere(list)
		for i := range list {
			if !inFast[i] && list[i].staged(window, wait) && !b.fetchesCopies() {
				copying := steps.Must(copyOf(list[i].bytes))
				use(copying.Kernel)
			}
		}
	}
	if b.fetching != nil && b.board.DMA != kernel.NoDMA {
		use(arcq.Fetch())
	}
	whole := steps.Must(library(machineKey{collection: of, variant: of.Variant(b.board.AGU, nn.Double)}))
	sized := steps.Must(whole.Part(kernels, kernel.VectorBytes))
	b.p.Code = b.give(b.codeRooms(), kernel.VectorBytes+sized.CodeBytes(), lackCode, asCode)
	if b.p.Code.At == 0 {
		b.p.Library = sized
		return nil
	}
	b.p.Library, err = whole.Part(kernels, b.p.Code.At+kernel.VectorBytes)
	return err
}

// placeStack puts the stack at the end of DCCM, or of a memory outside.
func (b *placer) placeStack() {
	rooms := b.order(func(r *room) bool { return r.Data }, "dccm", withoutWait, "xccm")
	bytes := kernel.StackBytes(b.board.AGU)
	for _, r := range rooms {
		if r.left() < bytes {
			continue
		}
		r.stack = bytes
		end := r.Base + uint32(r.limit)
		if r.limit == 0 {
			end = kernel.FlatStack
			r.stack = 0
		}
		b.p.Stack = Spot{Memory: r.Name, At: end - uint32(bytes), Bytes: bytes}
		return
	}
	b.lacks[lackStack] = bytes
}

// Names of memories of the plan: what found no place in any, and constants, which have places of their own; the plan
// only counts both.
const (
	nowhere       = "nowhere"
	constantsName = "constants"
)

// placeData places activations, states and scratch. It returns where the scratch of nodes is.
func (b *placer) placeData() (map[int]Spot, error) {
	data := []nn.Class{nn.Activation, nn.Scratch, nn.State}
	var memories []nn.Memory
	var rooms []*room
	for _, r := range b.dataRooms() {
		if r.left() > 0 {
			memories, rooms = append(memories, nn.Memory{Name: r.Name, Bytes: r.left(), Takes: data}), append(rooms, r)
		}
	}
	memories = append(memories, nn.Memory{Name: nowhere, Takes: data}, nn.Memory{Name: constantsName, Takes: []nn.Class{nn.Weights}})
	plan, err := nn.NewPlan(b.tiled.Graph, nn.PlanOptions{Memories: memories, Align: partAlign,
		InPlace: func(i int) bool { return b.p.Nodes[i].Kernel == nil || b.p.Nodes[i].Kernel.InPlace },
		Scratch: func(i int, _ *nn.Call) int { return b.p.Nodes[i].Scratch }})
	if err != nil {
		return nil, err
	}
	spot := func(buf *nn.Buffer, bytes int) Spot {
		if buf.Memory >= len(rooms) {
			return Spot{Bytes: bytes}
		}
		r := rooms[buf.Memory]
		return Spot{Memory: r.Name, At: r.Base + uint32(r.filled.Used+buf.Offset), Bytes: bytes}
	}
	initial := nn.Initial(b.tiled.Graph)
	for v, at := range plan.Of {
		if at != nn.Absent && !b.tiled.Values[v].Constant() {
			b.p.Values[v] = spot(&plan.Buffers[at], b.tiled.Values[v].Tensor.Bytes())
			if initial[v] != nil {
				b.p.state = append(b.p.state, v)
			}
		}
	}
	scratch := map[int]Spot{}
	for i := range plan.Buffers {
		if buf := &plan.Buffers[i]; buf.Class == nn.Scratch {
			scratch[buf.First] = spot(buf, buf.Bytes)
		}
	}
	for m, r := range rooms {
		r.filled.Used += words(plan.Used[m])
		r.filled.Data = words(plan.Used[m])
	}
	b.lacks[lackData] += plan.Used[len(rooms)]
	return scratch, nil
}

// placeBlocks places the parameter blocks and what else arguments point to, by node and part.
func (b *placer) placeBlocks() []map[int]Spot {
	rooms := b.blockRooms()
	blocks := make([]map[int]Spot, len(b.p.Nodes))
	for i := range b.p.Nodes {
		n := &b.p.Nodes[i]
		blocks[i] = map[int]Spot{}
		for j, p := range n.Parts {
			if n.Values[j] == nn.Absent && p.Bytes != nil && p.Memory == kernel.Structs {
				blocks[i][j] = b.give(rooms, p.Size, lackConstants, asConstants)
			}
		}
	}
	return blocks
}

// placeConstants gives constants their places: in the fast memory, in its window with a source elsewhere, or elsewhere,
// those first of which a byte is read most often.
func (b *placer) placeConstants(list []constants, inFast []bool, window int) {
	var windows []Spot
	wait := 0
	if b.fast != nil {
		wait = b.elsewhere(list)
		for range b.fastWindows() {
			windows = append(windows, b.fast.take(window, &b.fast.filled.Constants))
		}
	}
	rooms := b.constantRooms()
	order := make([]int, len(list))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		return cmp.Compare(list[j].reads()*int64(list[i].bytes), list[i].reads()*int64(list[j].bytes))
	})
	var fetched []*constants
	for i := range list {
		if c := &list[i]; b.fetching != nil && !inFast[i] && !c.staged(window, wait) && c.bytes <= b.fetching.window && b.fetchable(c) {
			fetched = append(fetched, c)
		}
	}
	for _, i := range order {
		c, n := &list[i], &b.p.Nodes[list[i].node]
		switch {
		case slices.Contains(fetched, c):
			continue
		case inFast[i]:
			c.read = b.fast.take(c.bytes, &b.fast.filled.Constants)
			c.load = c.read
		default:
			c.load = b.give(rooms, c.bytes, lackConstants, asConstants)
			c.read = c.load
		}
		n.Where = c.read.Memory
	}
	turn := 0
	for i := range list {
		if c := &list[i]; !inFast[i] && c.staged(window, wait) {
			c.read = Spot{Memory: b.fast.Name, At: windows[turn].At, Bytes: c.bytes}
			c.fetched, turn = b.fetchesCopies(), (turn+1)%len(windows)
			b.p.Nodes[c.node].Where = b.fast.Name
		}
	}
	b.placeFetched(fetched)
}

// fetchesCopies reports whether the micro-DMA controller takes the place of copies by the core.
func (b *placer) fetchesCopies() bool { return b.fetching != nil && b.fetching.copies }

// fastWindows is the number of windows in the fast memory: one where the core copies, two for the controller.
func (b *placer) fastWindows() int {
	if b.fetchesCopies() {
		return 2
	}
	return 1
}

// copyOf is the call that copies bytes, without addresses.
func copyOf(bytes int) (*Lowered, error) {
	op, ok := golden.Operators().Lookup(nn.TFLite, "RESHAPE")
	if !ok {
		return nil, errors.New("there is no operator RESHAPE")
	}
	g := &nn.Graph{Inputs: []int{0}, Outputs: []int{1}, Nodes: []nn.Node{{Name: "copy", Op: op, In: []int{0}, Out: []int{1}}}}
	for _, name := range []string{"from", "to"} {
		g.Values = append(g.Values, nn.Value{Name: name, Tensor: &nn.Tensor{Type: nn.I32, Shape: []int{bytes / partAlign}}})
	}
	if err := g.Check(); err != nil {
		return nil, err
	}
	lowered, err := Lower(g, false)
	if err != nil {
		return nil, fmt.Errorf("a copy of constants: %w", err)
	}
	return &lowered[0], nil
}

// stage makes the call that copies constants into the window.
func (b *placer) stage(c *constants) error {
	if c.read == c.load || c.fetched {
		return nil
	}
	l, err := copyOf(c.bytes)
	if err != nil {
		return err
	}
	at := make([]uint32, len(l.Parts))
	for j, p := range l.Parts {
		switch l.Values[j] {
		case 0:
			at[j] = c.load.At
		case 1:
			at[j] = c.read.At
		default:
			at[j] = b.give(b.blockRooms(), p.Size, lackConstants, asConstants).At
		}
	}
	b.write(l, at, at)
	b.p.Nodes[c.node].Copies = []Copy{{Kernel: l.Kernel, Arg: at[l.Args[0].Part], From: c.load, To: c.read}}
	return nil
}

// fill writes the parts of an operator, with the addresses of all others.
func (b *placer) fill(i int, scratch Spot, c *constants, blocks map[int]Spot) {
	n := &b.p.Nodes[i]
	n.Spots = make([]Spot, len(n.Parts))
	at, load := make([]uint32, len(n.Parts)), make([]uint32, len(n.Parts))
	for j := range n.Parts {
		room, isRoom := n.Room[j]
		block, isBlock := blocks[j]
		switch {
		case n.Values[j] != nn.Absent:
			n.Spots[j] = b.p.Values[n.Values[j]]
		case isRoom:
			n.Spots[j] = Spot{Memory: scratch.Memory, At: scratch.At + uint32(room), Bytes: n.Parts[j].Size}
		case isBlock:
			n.Spots[j], load[j] = block, block.At
		default:
			offset := uint32(c.offsets[slices.Index(c.parts, j)])
			n.Spots[j] = Spot{Memory: c.read.Memory, At: c.read.At + offset, Bytes: n.Parts[j].Size}
			load[j] = c.load.At + offset
		}
		at[j] = n.Spots[j].At
	}
	n.Arg = at[n.Args[0].Part]
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
		b.p.image = append(b.p.image, piece{at: load[j], bytes: bytes})
	}
}
