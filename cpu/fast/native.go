package fast

import (
	"math/bits"
	"runtime"
	"slices"
	"sync"
	"unsafe"

	"arcv2dsp/cpu"
	"arcv2dsp/cpu/jit/exec"
	"arcv2dsp/cpu/jit/ir"
	"arcv2dsp/cpu/jit/ssa"
	"arcv2dsp/cpu/jit/x86"
	"arcv2dsp/dspunit"
	"arcv2dsp/memory"
)

// The third engine executes the blocks of the second one as machine code of the host. Units of blocks that
// lead to each other are compiled when they have been met often enough; everything else, and whatever compiled
// code cannot do, stays where it was: a unit leaves at the same micro-operations for the same reasons as the
// leaf, and counts the same.
//
// Compiled code may rely on the DSP mode and on the settings of AGU ports. Only the driver and the reference
// engine change those, so the driver compares them when it enters compiled code. It cannot enter a unit
// that relies on other settings.

// unit is compiled code.
type unit struct {
	blocks  []*block
	insts   int // in the blocks
	uops    int
	assumes []ssa.Assumption
	valid   bool // what it assumes is so
	dead    bool
}

// entrances are the places where a block can be entered, for the third engine.
type entrances struct {
	code  uintptr // where it can be entered now, 0 when nowhere
	real  uint32  // what need is while it has no code: with code, the leaf leaves in front of it
	heat  uint8
	made  uint8 // units that have been made for it
	units []entry
	parts []*unit // units it is part of
}

// entry is a way into a unit.
type entry struct {
	unit *unit
	at   uintptr
}

// closed is the need of blocks with code: more than any limit.
const closed = 1 << 31

// native is the third engine.
type native struct {
	area   *exec.Area
	stop   runtime.Cleanup // gives the area back when the engine is gone
	layout x86.Layout
	config ssa.Config

	builder  *ssa.Builder
	compiler x86.Compiler

	units []*unit
	free  []*unit // units that assume something
	exits []leaving
	heat  uint8 // samples of a block before it is compiled
	every uint64
	last  uint64 // cycles of the processor at the last sample

	mode dspunit.Mode // what the entries of blocks are right for
	mod  [24]uint32
	os   [8]uint32

	measure func(compile func()) // calls what it gets, when a test asks how long that takes

	compiledInsts, compiledBlocks, compiledBytes int // for measurements
}

// leaving is where compiled code leaves to the driver.
type leaving struct {
	why exit
	in  *block
	at  *uop
	ex  *edge
}

// Bounds of compiled code.
const (
	areaSize   = 8 << 20
	unitBlocks = 32
	unitUops   = 600
	maxMade    = 12 // units per block, after which it is compiled no more

	// stay is how many cycles compiled code executes at most before it comes back to Go, whose garbage
	// collector waits for it.
	stay = 1 << 20
	// leafStay is the same for the leaf in front of blocks that may become compiled.
	leafStay = 1 << 13
)

// allPrograms are the programs of all micro-operations, parsed when the first engine needs them.
var allPrograms = sync.OnceValue(func() *[numUops]ir.Prog {
	var list [numUops]ir.Prog
	for op := range list {
		list[op] = ir.Parse(programs[op])
	}
	return &list
})

// newArea makes memory for code; tests replace it.
var newArea = exec.New

// Compile lets the engine compile what it executes often. The error says why it cannot; the engine works
// without.
func (e *Engine) Compile() error {
	if e.native != nil {
		return nil
	}
	area, err := newArea(areaSize)
	if err != nil {
		return err
	}
	e.cold, e.refused = 0, nil
	e.native = &native{area: area, heat: 2, every: leafStay / 2, builder: ssa.NewBuilder(ssa.Config{})}
	e.flags = x86.FlagTable()
	e.native.stop = runtime.AddCleanup(e, func(a *exec.Area) { a.Close() }, area)
	return nil
}

// warmUp is how many cycles an engine executes before it compiles, when it is to do so later: a program that is
// over by then has not paid for compilation.
const warmUp = 4_000_000

// CompileLater lets the engine compile when it has executed for a while. The error says that it never can; what
// keeps it from doing so then is told to refused.
func (e *Engine) CompileLater(refused func(error)) error {
	if err := exec.Usable(); err != nil || e.native != nil {
		return err
	}
	e.cold, e.refused = warmUp, refused
	return nil
}

// warmed notes cycles of the time before compilation.
func (e *Engine) warmed(cycles uint64) {
	if e.cold -= min(e.cold, cycles); e.cold > 0 {
		return
	}
	refused := e.refused
	if err := e.Compile(); err != nil {
		refused(err)
	}
}

// CompileAt is Compile for an engine that shall compile blocks when it has met them n times, at once.
func (e *Engine) CompileAt(n uint8) error {
	if err := e.Compile(); err != nil {
		return err
	}
	e.native.heat, e.native.every = n, 0
	return nil
}

// Interpret ends what Compile or CompileLater began.
func (e *Engine) Interpret() {
	e.cold, e.refused = 0, nil
	if e.native == nil {
		return
	}
	e.Flush()
	e.native.stop.Stop()
	e.native.area.Close()
	e.native = nil
}

// Compiles reports whether the engine compiles.
func (e *Engine) Compiles() bool { return e.native != nil }

// forget drops all compiled code. None of it is running.
func (n *native) forget() {
	for _, u := range n.units {
		n.retire(u)
	}
	n.units, n.free = nil, nil
	n.exits = nil
	n.area.Reset()
	n.config.Frozen = nil
	n.last = 0
}

// open learns where things are.
func (n *native) open(e *Engine, c *cpu.CPU) {
	var b block
	s := &e.state
	n.layout = x86.Layout{
		Bases: []uint64{
			baseCPU: addressOf(unsafe.Pointer(c)), baseState: addressOf(unsafe.Pointer(s)),
			baseMemRead: addressOf(unsafe.Pointer(c.Mem.Read)), baseMemWrite: addressOf(unsafe.Pointer(c.Mem.Write)),
			baseMemKinds: addressOf(unsafe.Pointer(c.Mem.Kinds)), baseBuffers: addressOf(unsafe.Pointer(s.buffers)),
			baseFetchTags: addressOf(s.fetchTags), baseDataTags: addressOf(s.dataTags),
		},
		Acct:      ssa.Loc{Base: baseState, Off: uint32(unsafe.Offsetof(s.acct)), Size: 8},
		Limit:     int32(unsafe.Offsetof(s.limit)),
		FlagTable: int32(unsafe.Offsetof(s.flags)),
		Code:      int32(unsafe.Offsetof(b.entrances) + unsafe.Offsetof(b.entrances.code)),
		Need:      int32(unsafe.Offsetof(b.entrances) + unsafe.Offsetof(b.entrances.real)),
	}
	n.config = ssa.Config{
		Offsets: offsets[:], UopSize: uint32(uopSize), PageBits: bits.Len32(memory.PageSize - 1),
		Pure: []bool{
			baseMemRead: true, baseMemWrite: true, baseMemKinds: true, baseFetchTags: true, baseDataTags: true,
			baseBuffers: false,
		},
		Frozen:  func(base, off uint32, size int) (uint64, ssa.Frozen) { return frozen(e, c, base, off, size) },
		Dropped: func(base, off uint32) bool { return base == baseCPU && off/4-cpu.SlotNull < 2 && off < 1024 },
		Scratch: [2]uint32{uint32(unsafe.Offsetof(c.R)) + tmpCond*4, uint32(unsafe.Offsetof(c.R)) + (tmpStalls+1)*4},
	}
	n.mode, n.mod, n.os = c.Mode, c.AGU.MOD, c.AGU.OS
	n.last = c.Cycles
}

func addressOf(p unsafe.Pointer) uint64 { return uint64(uintptr(p)) }

// within reports whether size bytes at off belong to an object at an offset.
func within(off uint32, size int, start, length uintptr) bool {
	return uintptr(off) >= start && uintptr(off)+uintptr(size) <= start+length
}

// frozen returns what is known of a number in the processor or the state of the engine.
func frozen(e *Engine, c *cpu.CPU, base, off uint32, size int) (uint64, ssa.Frozen) {
	how := ssa.Changes
	var at unsafe.Pointer
	switch s := &e.state; base {
	case baseCPU:
		at = unsafe.Pointer(c)
		switch {
		case within(off, size, unsafe.Offsetof(c.Mode), unsafe.Sizeof(c.Mode)),
			within(off, size, unsafe.Offsetof(c.AGU)+unsafe.Offsetof(c.AGU.Port), unsafe.Sizeof(c.AGU.Port)):
			how = ssa.Assumed
		case within(off, size, unsafe.Offsetof(c.R)+cpu.SlotZero*4, 8):
			return 0, ssa.Fixed
		}
	case baseState:
		at = unsafe.Pointer(s)
		switch {
		case within(off, size, unsafe.Offsetof(s.missCost), unsafe.Sizeof(s.missCost)),
			within(off, size, unsafe.Offsetof(s.splitMask), unsafe.Sizeof(s.splitMask)),
			within(off, size, unsafe.Offsetof(s.pairCost), unsafe.Sizeof(s.pairCost)),
			within(off, size, unsafe.Offsetof(s.conflict), unsafe.Sizeof(s.conflict)),
			within(off, size, unsafe.Offsetof(s.depth), unsafe.Sizeof(s.depth)),
			within(off, size, unsafe.Offsetof(s.dataShift), unsafe.Sizeof(s.dataShift)),
			within(off, size, unsafe.Offsetof(s.dataMask), unsafe.Sizeof(s.dataMask)):
			how = ssa.Fixed
		}
	}
	if how == ssa.Changes {
		return 0, how
	}
	return number(unsafe.Add(at, off), size), how
}

// number reads a number from memory.
func number(p unsafe.Pointer, size int) uint64 {
	switch size {
	case 1:
		return uint64(*(*uint8)(p))
	case 2:
		return uint64(*(*uint16)(p))
	case 4:
		return uint64(*(*uint32)(p))
	}
	return *(*uint64)(p)
}

// execute runs a block from a micro-operation on: compiled, if it can be.
func (e *Engine) execute(c *cpu.CPU, b *block, u *uop) (why exit, in *block, at *uop, ex *edge) {
	if b.code == 0 || u != b.first {
		return leaf(&e.state, c, e.limit, b, u)
	}
	n := e.native
	if n.mode != c.Mode || n.mod != c.AGU.MOD || n.os != c.AGU.OS {
		if n.adapt(c); b.code == 0 {
			return leaf(&e.state, c, e.limit, b, u)
		}
	}
	acct, number := exec.Call(b.code, unsafe.Pointer(c), unsafe.Pointer(&e.state), unsafe.Pointer(c.Mem.Read), e.acct)
	e.acct = acct
	x := &n.exits[number]
	if x.why == exitEdge {
		return x.why, x.ex.to, x.at, x.ex
	}
	return x.why, x.in, x.at, x.ex
}

// adapt makes the entries of blocks right for the DSP mode and the settings of ports.
func (n *native) adapt(c *cpu.CPU) {
	n.mode, n.mod, n.os = c.Mode, c.AGU.MOD, c.AGU.OS
	for _, u := range n.free {
		valid := !slices.ContainsFunc(u.assumes, func(a ssa.Assumption) bool {
			return number(unsafe.Add(unsafe.Pointer(c), a.Off), a.Size) != a.Value
		})
		if valid == u.valid || u.dead {
			continue
		}
		u.valid = valid
		for _, b := range u.blocks {
			b.choose()
		}
	}
}

// choose enters a block by a unit that is right now.
func (b *block) choose() {
	b.code, b.need = 0, b.real
	for _, x := range b.units {
		if x.unit.valid {
			b.code, b.need = x.at, closed
			return
		}
	}
}

// entered is the unit that a block with code is entered by.
func (b *block) entered() *unit {
	return b.units[slices.IndexFunc(b.units, func(x entry) bool { return x.unit.valid })].unit
}

// retire takes a unit out of use.
func (n *native) retire(u *unit) {
	if u.dead {
		return
	}
	u.dead = true
	for _, b := range u.blocks {
		b.units = slices.DeleteFunc(b.units, func(x entry) bool { return x.unit == u })
		b.choose()
	}
}

// abandon retires the units that a block is part of.
func (e *Engine) abandon(b *block) {
	if e.native == nil {
		return
	}
	for len(b.parts) > 0 {
		u := b.parts[len(b.parts)-1]
		b.parts = b.parts[:len(b.parts)-1]
		e.native.retire(u)
	}
}

// warm notes that the leaf is about to execute a block, and compiles it when that has happened often enough.
func (e *Engine) warm(c *cpu.CPU, b *block) {
	n := e.native
	if c.Cycles-n.last < n.every && n.last <= c.Cycles || b.key.loop || b.made >= maxMade {
		return
	}
	n.last = c.Cycles
	if b.heat++; b.heat < n.heat {
		return
	}
	b.heat = 0
	if n.measure != nil {
		n.measure(func() { e.compile(c, b) })
		return
	}
	e.compile(c, b)
}

// compile makes a unit of a block and those it leads to.
func (e *Engine) compile(c *cpu.CPU, first *block) {
	n := e.native
	if n.config.Frozen == nil {
		n.open(e, c)
	}
	if n.mode != c.Mode || n.mod != c.AGU.MOD || n.os != c.AGU.OS {
		n.adapt(c)
		if first.code != 0 {
			return
		}
	}
	region := e.region(first)
	blocks := region.blocks
	place := map[*block]int{}
	for i, b := range blocks {
		place[b] = i
	}
	w := n.builder
	w.Begin(n.config)
	var list []x86.Block
	insts := 0
	for _, b := range blocks {
		x := n.translate(w, b)
		for i := range b.exits {
			ex := &b.exits[i]
			x.Weight += ex.n + ex.total
			to := -1
			if k, ok := place[ex.to]; ok {
				to = k
			}
			x.Edges[i] = x86.Edge{Acct: ex.acct, Link: addressOf(unsafe.Pointer(&ex.to)), To: to}
			if len(ex.stalls) > 0 {
				x.Edges[i].Count = addressOf(unsafe.Pointer(&ex.n))
			}
		}
		insts += len(b.src.Insts)
		list = append(list, x)
	}
	first.made++
	code, ok := n.compiler.Compile(&n.layout, w, list, len(n.exits))
	if !ok {
		first.made = maxMade
		return
	}
	at, ok := n.area.Put(code.Bytes)
	if !ok {
		n.forget() // the area is full: begin again
		return
	}
	n.compiledInsts += insts
	n.compiledBlocks += len(blocks)
	n.compiledBytes += len(code.Bytes)
	for _, x := range code.Exits {
		b := blocks[x.Block]
		l := leaving{why: exit(x.Why), in: b, at: &b.uops[x.Uop]}
		if x.Way >= 0 {
			l.ex = &b.exits[x.Way]
		}
		switch x.Why {
		case x86.ByEdge:
			l.why = exitEdge
		case ssa.NoTarget:
			l.why = exitJump
		}
		n.exits = append(n.exits, l)
	}
	for _, old := range region.taken {
		n.retire(old)
	}
	u := &unit{blocks: blocks, insts: insts, uops: region.uops, assumes: slices.Clone(w.Assumptions), valid: true}
	n.units = append(n.units, u)
	if len(u.assumes) > 0 {
		n.free = append(n.free, u)
	}
	for i, b := range blocks {
		b.parts = append(b.parts, u)
		if b.key.loop {
			continue // what decides whether a loop ends is no place where others may come in between
		}
		b.units = append(b.units, entry{unit: u, at: at + uintptr(code.Entries[i])})
		b.choose()
	}
}

// translate makes values and effects of a block, and a loop when it leads to itself.
func (n *native) translate(w *ssa.Builder, b *block) x86.Block {
	progs := allPrograms()
	uops := make([]ssa.Uop, len(b.uops))
	for i, u := range b.uops {
		uops[i] = ssa.Uop{Uop: ir.Uop{A: u.a, B: u.b, C: u.c, D: u.d, Imm: u.imm, X: u.x}, Prog: progs[u.op]}
	}
	ways := [2]uint64{addressOf(unsafe.Pointer(&b.exits[0])), addressOf(unsafe.Pointer(&b.exits[1]))}
	x := x86.Block{Need: b.real}
	if way := slices.IndexFunc(b.exits[:], func(ex edge) bool { return ex.to == b }); way >= 0 && !b.key.loop {
		again := &ssa.Again{
			Way: way, Add: b.exits[way].acct, Acct: n.layout.Acct, Need: b.real,
			Limit: ssa.Loc{Base: baseState, Off: uint32(n.layout.Limit), Size: 4},
		}
		if len(b.exits[way].stalls) > 0 {
			again.Taken = addressOf(unsafe.Pointer(&b.exits[way].n))
		}
		fuse := uops[0].Prog
		if b.fused != nil {
			uops[0].Prog = nil // a loop is better
		}
		x.Block = w.Block(uops, ways)
		if loop, ok := w.Loop(x.Block, again); ok {
			x.Loop = loop
			return x
		}
		uops[0].Prog = fuse
	}
	x.Block = w.Block(uops, ways)
	return x
}
