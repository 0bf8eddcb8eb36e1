package fast

import (
	"cmp"
	"math/bits"
	"runtime"
	"slices"
	"unsafe"

	"arcv2dsp/cpu"
	"arcv2dsp/cpu/internal/jit/code"
	"arcv2dsp/cpu/internal/jit/exec"
	"arcv2dsp/cpu/internal/jit/ir"
	"arcv2dsp/cpu/internal/jit/ssa"
	"arcv2dsp/cpu/internal/uop"
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

// nativeUnit is a unit with what its code relies on.
type nativeUnit struct {
	uop.Unit
	assumes []ssa.Assumption
}

// native is the third engine.
type native struct {
	area   codeArea
	stop   runtime.Cleanup // gives the area back when the engine is gone
	layout code.Layout
	config ssa.Config

	*workshop // while a unit is made

	generations [exec.Parts]generation
	adapter

	every  uint64 // cycles of the leaf from sample to sample, on average; 0 for a sample of every block the driver meets
	heat   uint8  // samples of a block before it is compiled then
	left   uint64 // cycles of the leaf until the next sample
	dice   uint32 // what makes the distance of samples vary
	closer uint   // how often that distance is halved now
	began  uint64 // cycle of the processor at which the leaf began in this stay, never when it has not

	over  bool  // the host takes no more code
	fault error // why a unit was given up, see ssa.Builder.Fault: a fault of a micro-operation

	measure func(compile func()) // calls what it gets, when a test asks how long that takes

	compiledInsts, compiledBlocks, compiledBytes int // for measurements
}

// leaving is where compiled code leaves to the driver.
type leaving struct {
	why uop.Exit
	in  *uop.Block
	at  *uop.Uop
	ex  *uop.Edge
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
	// leafStay is about how many cycles of the leaf lie between samples of the blocks it executes.
	leafStay = 1 << 12
	// driverCost stands for what entering and leaving cost, in cycles of the leaf: blocks between compiled ones
	// that take less than that are worth compiling, too.
	driverCost = 16
	// entryCost is the same for entering compiled code alone, in instructions.
	entryCost = 8
	// adaptCost is the cost of new settings besides. With 80 a pooling call of 9 us whose loops are entered for 25 to
	// 100 instructions gains 3 %, and convolutions of 1x1 lose a third.
	adaptCost = 32
	// patience bounds how many instructions the entry into a block may have cost more than it has brought.
	patience = 1 << 10

	never = 1<<64 - 1
)

// codeArea is an exec.Area, or one of a test.
type codeArea interface {
	Holds(bytes int) bool
	Fits(bytes int) bool
	Put(code []byte) (uintptr, error)
	Next()
	Part() int
	Reset()
	Close()
}

// newArea makes memory for code; tests replace it.
var newArea = func(size int) (codeArea, error) {
	a, err := exec.New(size)
	if err != nil {
		return nil, err
	}
	return a, nil
}

// Compile lets the engine compile what it executes often. The error says why it cannot; the engine works
// without.
func (e *Engine) Compile() error {
	if e.native != nil {
		return nil
	}
	if !exec.Generates {
		return exec.ErrHost
	}
	area, err := newArea(areaSize)
	if err != nil {
		return err
	}
	e.cold, e.refused = 0, nil
	e.native = &native{area: area, every: leafStay, left: leafStay, began: never}
	e.code.Flags = exec.Target().FlagTable()
	e.native.stop = runtime.AddCleanup(e, func(a codeArea) { a.Close() }, area)
	return nil
}

// warmUp is how many cycles an engine executes before it compiles, when it is to do so later: in a process that ends by then
// compilation would cost more than it brings, mostly as its memory is made and the programs of micro-operations are prepared.
const warmUp = 1 << 17

// CompileLater lets the engine compile when it has executed for a while. The error says that it never can; what
// keeps it from doing so then is told to refused.
func (e *Engine) CompileLater(refused func(error)) error {
	if err := exec.Proven(); err != nil || e.native != nil {
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

// open learns where things are.
func (n *native) open(e *Engine, c *cpu.CPU) {
	var b uop.Block
	s := &e.code.State
	n.layout = code.Layout{
		Bases: []uint64{
			uop.BaseCPU: addressOf(unsafe.Pointer(c)), uop.BaseState: addressOf(unsafe.Pointer(s)),
			uop.BaseMemRead: addressOf(unsafe.Pointer(c.Mem.Read)), uop.BaseMemWrite: addressOf(unsafe.Pointer(c.Mem.Write)),
			uop.BaseMemKinds: addressOf(unsafe.Pointer(c.Mem.Kinds)), uop.BaseMemParts: addressOf(unsafe.Pointer(c.Mem.Parts)), uop.BaseBuffers: addressOf(unsafe.Pointer(s.Buffers)),
			uop.BaseFetchTags: addressOf(s.FetchTags), uop.BaseDataTags: addressOf(s.DataTags),
		},
		Acct:      ssa.Loc{Base: uop.BaseState, Off: uint32(unsafe.Offsetof(s.Acct)), Size: 8},
		Changing:  uint64(memory.Tables),
		Limit:     int32(unsafe.Offsetof(s.Limit)),
		FlagTable: int32(unsafe.Offsetof(s.Flags)),
		Code:      int32(unsafe.Offsetof(b.Entry)),
		Need:      int32(unsafe.Offsetof(b.Real)),
	}
	n.config = ssa.Config{
		UopSize: uint32(uop.Size), PageBits: bits.Len32(memory.PageSize - 1),
		Pure: []bool{
			uop.BaseMemRead: true, uop.BaseMemWrite: true, uop.BaseMemKinds: true, uop.BaseMemParts: true, uop.BaseFetchTags: true, uop.BaseDataTags: true,
			uop.BaseBuffers: false,
		},
		Frozen:  func(base, off uint32, size int) (uint64, ssa.Frozen) { return frozen(e, c, base, off, size) },
		Dropped: func(base, off uint32) bool { return base == uop.BaseCPU && off/4-cpu.SlotNull < 2 && off < 1024 },
		Scratch: [2]uint32{uint32(unsafe.Offsetof(c.R)) + uop.TmpCond*4, uint32(unsafe.Offsetof(c.R)) + (uop.TmpStalls+1)*4},
		Within:  [2]uint32{uint32(unsafe.Offsetof(c.R)) + uop.TmpOwn*4, uint32(unsafe.Offsetof(c.R)) + (uop.TmpStalls+1)*4},
		Message: ssa.Loc{Base: uop.BaseState, Off: uint32(unsafe.Offsetof(s.Touched)), Size: 4},
	}
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
	switch s := &e.code.State; base {
	case uop.BaseCPU:
		at = unsafe.Pointer(c)
		switch {
		case within(off, size, unsafe.Offsetof(c.Mode), unsafe.Sizeof(c.Mode)), within(off, size, unsafe.Offsetof(c.Strict), unsafe.Sizeof(c.Strict)),
			within(off, size, unsafe.Offsetof(c.AGU)+unsafe.Offsetof(c.AGU.Port), unsafe.Sizeof(c.AGU.Port)):
			how = ssa.Assumed
		case within(off, size, unsafe.Offsetof(c.R)+cpu.SlotZero*4, 8):
			return 0, ssa.Fixed
		}
	case uop.BaseState:
		at = unsafe.Pointer(s)
		switch {
		case within(off, size, unsafe.Offsetof(s.MissCost), unsafe.Sizeof(s.MissCost)),
			within(off, size, unsafe.Offsetof(s.SplitMask), unsafe.Sizeof(s.SplitMask)),
			within(off, size, unsafe.Offsetof(s.PairCost), unsafe.Sizeof(s.PairCost)),
			within(off, size, unsafe.Offsetof(s.Depth), unsafe.Sizeof(s.Depth)),
			within(off, size, unsafe.Offsetof(s.DataShift), unsafe.Sizeof(s.DataShift)),
			within(off, size, unsafe.Offsetof(s.DataMask), unsafe.Sizeof(s.DataMask)),
			within(off, size, unsafe.Offsetof(s.DataDirty), unsafe.Sizeof(s.DataDirty)):
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
func (e *Engine) execute(c *cpu.CPU, b *uop.Block, u *uop.Uop) (why uop.Exit, in *uop.Block, at *uop.Uop, ex *uop.Edge) {
	if e.cutting {
		return leaf(&e.code.State, c, e.code.Limit, b, u)
	}
	if !exec.Generates || b.Entry == 0 || u != b.First {
		switch u.Op { // handlers of interrupts often begin with one
		case uop.METHOD:
			return uop.ExitMethod, b, u, nil
		case uop.TIMEDSR:
			if c.Status&cpu.StatusU == 0 {
				return uop.ExitTimedWrite, b, u, nil
			}
		case uop.HAND:
			return uop.ExitHand, b, u, nil
		}
		e.leafBegins(c, b)
		return leaf(&e.code.State, c, e.code.Limit, b, u)
	}
	n, cost := e.native, int32(entryCost)
	if n.unsure && n.adapt(c) {
		if cost += adaptCost; b.Entry == 0 {
			e.leafBegins(c, b)
			return leaf(&e.code.State, c, e.code.Limit, b, u)
		}
	}
	acct, number := exec.Call(b.Entry, unsafe.Pointer(c), unsafe.Pointer(&e.code.State), unsafe.Pointer(c.Mem.Read), e.code.Acct)
	insts := (acct - e.code.Acct) >> 32 // it may be negative before, inside a block
	e.work.Compiled += insts
	if b.Pays += int32(min(insts, patience)) - cost; b.Pays < -patience {
		b.Rest() // compiled code leaves too soon
	} else {
		b.Pays = min(b.Pays, patience)
	}
	e.code.Acct = acct
	switch x := n.exit(number); x.why {
	case uop.ExitEdge:
		return x.why, x.ex.To, x.at, x.ex
	case uop.ExitPages:
		x.in.NotePages(e.work.Compiled)
		e.leafBegins(c, x.in)
		return leaf(&e.code.State, c, e.code.Limit, x.in, x.at)
	default:
		return x.why, x.in, x.at, x.ex
	}
}

// leafBegins has the leaf leave when the next sample is due, if blocks are sampled.
func (e *Engine) leafBegins(c *cpu.CPU, b *uop.Block) {
	n := e.native
	if n == nil || n.began != never {
		return
	}
	used := max(0, int64(int32(uint32(e.code.Acct)))) // negative inside a block
	n.began = c.Cycles + uint64(used)
	e.code.Limit = min(e.code.Limit, uint32(used)+max(uint32(n.left), b.Real))
}

// leafEnds counts the cycles that the leaf has executed, where the driver has others execute or leaves.
func (n *native) leafEnds(c *cpu.CPU) {
	n.left -= min(n.left, c.Cycles-min(n.began, c.Cycles))
	n.began = never
}

// compile makes a unit of a region.
func (e *Engine) compile(c *cpu.CPU, region *region) {
	n := e.native
	if n.config.Frozen == nil {
		n.open(e, c)
	}
	blocks := region.blocks
	first := blocks[0]
	n.workshop = takeWorkshop()
	defer func() {
		n.workshop.leave()
		n.workshop = nil
	}()
	for i, b := range blocks {
		n.place[b] = i
	}
	w := n.builder
	w.Begin(n.config)
	list := n.list[:0]
	insts := 0
	for _, b := range blocks {
		x := n.translate(w, b)
		if !b.Alone {
			w.Series(x.Block, uint64(uop.ExitPages))
		}
		for i := range b.Exits {
			ex := &b.Exits[i]
			x.Weight += ex.Times()
			to := -1
			if k, ok := n.place[ex.To]; ok {
				to = k
			}
			x.Edges[i] = code.Edge{Acct: ex.Acct, Link: addressOf(unsafe.Pointer(&ex.To)), To: to}
			if len(ex.Stalls) > 0 {
				x.Edges[i].Count = addressOf(unsafe.Pointer(&ex.N))
			}
		}
		for _, to := range b.Met() {
			if k, ok := n.place[to]; ok {
				x.Known = append(x.Known, code.Known{Object: addressOf(unsafe.Pointer(to)), To: k})
			}
		}
		slices.SortStableFunc(x.Known, func(a, b code.Known) int { return cmp.Compare(blocks[b.To].Times(), blocks[a.To].Times()) })
		insts += len(b.Src.Insts)
		list = append(list, x)
	}
	n.list = list
	first.Made++
	if w.Fault != nil {
		n.fault, first.Made = w.Fault, maxMade
		return
	}
	code, ok := n.compiler.Compile(&n.layout, w, list, n.nextExit())
	if !ok || !n.area.Fits(len(code.Bytes)) {
		first.Made = maxMade
		return
	}
	if !n.area.Holds(len(code.Bytes)) { // exits are numbered by generation
		n.room()
		code, _ = n.compiler.Compile(&n.layout, w, list, n.nextExit())
	}
	at, err := n.area.Put(code.Bytes)
	if err != nil { // nothing that is there can be executed
		n.forget()
		n.over = true
		return
	}
	n.compiledInsts += insts
	n.compiledBlocks += len(blocks)
	n.compiledBytes += len(code.Bytes)
	n.leaves(blocks, code.Exits)
	for _, old := range region.taken {
		old.Retire()
	}
	u := &nativeUnit{
		Unit:    uop.Unit{Blocks: blocks, Insts: insts, Uops: region.uops, Valid: true},
		assumes: slices.Clone(w.Assumptions),
	}
	g := n.current()
	g.units = append(g.units, u)
	n.add(u)
	entries := make([]uintptr, len(blocks))
	for i, b := range blocks {
		if worthEntering(b) {
			entries[i] = at + uintptr(code.Entries[i])
		}
	}
	u.Install(entries)
}

// translate makes values and effects of a block, and a loop when it leads to itself.
func (n *native) translate(w *ssa.Builder, b *uop.Block) code.Block {
	uops := n.uops[:0]
	for _, u := range b.Uops {
		uops = append(uops, ssa.Uop{Uop: ir.Uop{A: u.A, B: u.B, C: u.C, D: u.D, Imm: u.Imm, X: u.X}, Prog: n.program(u.Op), Inst: u.Inst()})
	}
	n.uops = uops
	ways := [2]uint64{addressOf(unsafe.Pointer(&b.Exits[0])), addressOf(unsafe.Pointer(&b.Exits[1]))}
	x := code.Block{Need: b.Real}
	if way := slices.IndexFunc(b.Exits[:], func(ex uop.Edge) bool { return ex.To == b }); way >= 0 && !b.Key.Loop {
		again := &ssa.Again{
			Long: !turnsLess(b, way, 16), Way: way, Add: b.Exits[way].Acct, Acct: n.layout.Acct, Need: b.Real,
			Limit: ssa.Loc{Base: uop.BaseState, Off: uint32(n.layout.Limit), Size: 4},
		}
		if len(b.Exits[way].Stalls) > 0 {
			again.Taken = addressOf(unsafe.Pointer(&b.Exits[way].N))
		}
		x.Block = w.Block(uops, ways)
		if !turnsLess(b, way, 4) {
			x.Loop, _ = w.Loop(x.Block, again)
		}
		return x
	}
	x.Block = w.Block(uops, ways)
	return x
}

// turnsLess reports whether a block that leads to itself does so less than some times in a row, on average. For 4 times the code
// of a loop costs more to make and to enter than it brings. Nothing is known of one that has hardly ever ended.
func turnsLess(b *uop.Block, again int, turns uint64) bool {
	const ends = 8
	stays, leaves := &b.Exits[again], &b.Exits[1-again]
	return leaves.Times() >= ends && stays.Times() < turns*leaves.Times()
}
