package kernel

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"slices"

	"arcv2dsp"
	"arcv2dsp/isa"
	"arcv2dsp/memory"
	"arcv2dsp/nn"
)

// Memories of a machine that runs kernels: code in ICCM, so that nothing is cached; inputs in X,
// weights in Y, outputs, structures and the stack in DCCM. Nothing else is mapped, so an access
// anywhere else is an exception. Cores without XY memory have everything in DCCM.
const (
	codeSize = 1 << 20
	dccmBase = 0x80000000
	dccmSize = 32 << 20
	xBase    = 0xc0000000
	yBase    = 0xe0000000
	xySize   = 8 << 20

	structsAt = dccmBase
	stackTop  = dccmBase + 1<<20
	outAt     = dccmBase + 8<<20
	dataAt    = dccmBase + 16<<20
	weightsAt = dccmBase + 24<<20

	// returnTo is the return address of kernels: a breakpoint below the code.
	returnTo = 0x3f0
)

// Memory that no call uses: tests put code and data there beside the library.
const (
	SpareCode = codeSize / 2
	SpareData = outAt - 64
)

// MaxBuffer is the greatest number of bytes that the inputs, the weights or the outputs of one call
// may take.
const MaxBuffer = 8 << 20

// Properties are the settings of a core that Machine uses, as -p takes them.
func Properties(agu bool) []string {
	p := []string{"icache=0", "dcache=0", "iccm0_base=0", fmt.Sprintf("iccm0_size=%#x", codeSize),
		fmt.Sprintf("dccm_base=%#x", uint32(dccmBase)), fmt.Sprintf("dccm_size=%#x", dccmSize)}
	if agu {
		p = append(p, fmt.Sprintf("xy_size=%#x", xySize))
	}
	return p
}

// Settings are the settings of a core with the memories that Machine uses: they go after files, which describe the
// core, and before single properties.
func Settings(of []arcv2dsp.Setting, agu bool) []arcv2dsp.Setting {
	return withProperties(of, Properties(agu))
}

func withProperties(settings []arcv2dsp.Setting, properties []string) []arcv2dsp.Setting {
	var files, own, single []arcv2dsp.Setting
	for _, s := range settings {
		if s.TCF != "" || s.File != "" {
			files = append(files, s)
		} else {
			single = append(single, s)
		}
	}
	for _, p := range properties {
		own = append(own, arcv2dsp.Setting{Property: p, Origin: "kernel machine"})
	}
	return slices.Concat(files, own, single)
}

// ownProperties are those of a machine with the core's own memories.
func ownProperties() []string {
	return []string{"icache=0", "iccm0_base=0", fmt.Sprintf("iccm0_size=%#x", codeSize), "ram=all"}
}

// RAM is the first address of a stretch, up to RAMEnd, that is RAM alone on a machine with the
// core's own memories.
const (
	RAM    = dccmBase + dccmSize
	RAMEnd = xBase
)

// MachineOptions describe the machine that kernels run on.
type MachineOptions struct {
	Core    string
	Engine  arcv2dsp.EngineKind
	Library *Library
	Limit   uint64 // cycles of one call, 0 for DefaultLimit
	// Settings are further properties of the core, after those of Properties. If they take the
	// coupled memory for code or data away, ram=all puts RAM there, behind caches alone.
	Settings []arcv2dsp.Setting
	// Wait is the number of extra cycles of each access to data. Only the reference engine has
	// them.
	Wait uint8
	// Own leaves the core its own data memories, with RAM around them; calls are made by Continue.
	// Code lies in ICCM as always, the stack in RAM.
	Own bool
}

// DefaultLimit is the number of cycles after which a kernel that does not return is ended.
const DefaultLimit = 2_000_000_000

// Machine is a simulated core with a library loaded. Calls are independent of each other: each starts
// from the same state. It serves one goroutine.
type Machine struct {
	m     *arcv2dsp.Machine
	opts  MachineOptions
	clean *arcv2dsp.Snapshot
	// interrupts says that interrupts come during calls; owned is the memory that their handlers
	// write.
	interrupts bool
	owned      []span
	place      [memories]uint32
	ends       [memories]uint32 // where the memory of an arena ends and nothing follows, 0 where something does
	x, y       bool             // inputs are in X memory, weights in Y memory
}

// NewMachine makes a core and loads the library. Data lies in X and Y memory when the library uses
// the AGU.
func NewMachine(o MachineOptions) (*Machine, error) {
	if o.Limit == 0 {
		o.Limit = DefaultLimit
	}
	if o.Wait != 0 {
		o.Engine = arcv2dsp.EngineReference
	}
	board, err := NewBoard(o.Core, o.Settings...)
	if err == nil && o.Library.Foreign == nil {
		err = board.RunsVariant(o.Library.Collection, o.Library.Variant) // a foreign library may have been built for less
	}
	if err != nil {
		return nil, err
	}
	agu := board.AGU && o.Library.Variant.AGU
	settings := Settings(o.Settings, agu)
	if o.Own {
		settings = withProperties(o.Settings, ownProperties())
	}
	m, err := arcv2dsp.New(arcv2dsp.Config{Core: o.Core, Settings: settings, Engine: o.Engine,
		HostIO: arcv2dsp.HostNone})
	if err != nil {
		return nil, err
	}
	if err := m.Load(o.Library.Image); err != nil {
		return nil, errors.Join(err, m.Close())
	}
	for _, r := range m.Regions() {
		switch r.Kind.String() {
		case "DCCM", "XCCM", "YCCM":
			r.Wait = o.Wait
		}
	}
	for v := range uint8(exceptionVectors) {
		m.StopAt(v)
	}
	m.SetBreakpoint(returnTo)
	k := &Machine{m: m, opts: o, place: [memories]uint32{Data: dataAt, Weights: weightsAt, Out: outAt, Structs: structsAt}}
	if agu {
		k.findXY()
	}
	for _, arena := range []Memory{Data, Weights} {
		k.ends[arena] = k.endOf(k.place[arena])
	}
	if err := k.soil(); err != nil {
		return nil, errors.Join(err, m.Close())
	}
	k.owned = o.Library.written()
	k.clean = m.Snapshot()
	return k, nil
}

// findXY puts inputs into X memory and weights into Y memory. X may be a part of DCCM: inputs stay there then.
func (k *Machine) findXY() {
	for _, r := range k.m.Regions() {
		switch r.Name {
		case "xccm":
			k.place[Data], k.x = r.Base, true
		case "yccm":
			k.place[Weights], k.y = r.Base, true
		}
	}
}

// endOf is where the memory at an address ends, 0 when other memory follows or an arena lies in it behind the address.
func (k *Machine) endOf(addr uint32) uint32 {
	end := uint32(0)
	for _, r := range k.m.Regions() {
		if addr >= r.Base && uint64(addr) < r.End() {
			end = uint32(r.End()) // 0 at the end of all memory
		}
	}
	for _, r := range k.m.Regions() {
		if end >= r.Base && uint64(end) < r.End() {
			return 0
		}
	}
	for _, other := range k.place {
		if other > addr && other < end {
			return 0
		}
	}
	return end
}

// soil fills the stack, and the memory around the arenas, with a pattern: a function does not find
// zeros there, and its writes can be seen.
func (k *Machine) soil() error {
	places := map[uint32]int{stackTop - stackFilled: stackFilled}
	if !k.opts.Own {
		for _, at := range k.place {
			places[at] = soiled
		}
	}
	for at, n := range places {
		a := newArena(at)
		a.fill(n)
		if err := k.m.WriteMemory(at, a.image); err != nil {
			return err
		}
	}
	return nil
}

// soiled is the number of bytes from the start of an arena that have the pattern.
const soiled = 32 << 10

// stackFilled is the number of bytes of the stack that have the pattern when a call begins.
const stackFilled = 32 << 10

// exceptionVectors is the number of vectors of exceptions; those of interrupts follow.
const exceptionVectors = 16

// span is a run of memory.
type span struct{ from, to uint32 }

// Interrupts tells the machine that interrupts come during calls, and where their handlers keep data: r29
// is theirs, and so is this memory.
func (k *Machine) Interrupts(addr, size uint32) {
	k.interrupts = true
	k.owned = append(k.owned, span{from: addr, to: addr + size})
}

// Change changes the state that every call starts from.
func (k *Machine) Change(f func(m *arcv2dsp.Machine) error) error {
	if err := k.m.Restore(k.clean); err != nil {
		return err
	}
	if err := f(k.m); err != nil {
		return err
	}
	k.clean = k.m.Snapshot()
	return nil
}

// Core is the simulated core as the last call left it.
func (k *Machine) Core() *arcv2dsp.Machine { return k.m }

// Memories names the memories in which the data of calls lies.
func (k *Machine) Memories() string {
	interleaved := false
	for _, s := range k.m.Effective() {
		interleaved = interleaved || s.Name == "nsim_isa_xy_interleave" && s.Value == "1"
	}
	switch {
	case !k.y:
		for _, r := range k.m.Regions() {
			if r.Name == "dccm" {
				return "DCCM"
			}
		}
		return "RAM"
	case !k.x && interleaved:
		return "Y interleaved"
	case !k.x:
		return "Y"
	case interleaved:
		return "X/Y interleaved"
	}
	return "X/Y"
}

// Close releases the machine.
func (k *Machine) Close() error { return k.m.Close() }

// Run calls a kernel once. An error is a fault of the kernel other than wrong values: an exception,
// no return, a forbidden write. The report is nil when the kernel did not return.
func (k *Machine) Run(ctx context.Context, kernel *Kernel, job *Job) (*Report, error) {
	entry, err := k.Entry(kernel.Symbol)
	if err != nil {
		return nil, err
	}
	return k.RunAt(ctx, entry, kernel, job)
}

// RunAt calls the function at an address with the interface of a kernel.
func (k *Machine) RunAt(ctx context.Context, entry uint32, kernel *Kernel, job *Job) (*Report, error) {
	l, err := k.LayOut(kernel, job)
	if err != nil {
		return nil, err
	}
	rep, err := k.CallAt(ctx, entry, l)
	if rep == nil {
		return nil, err
	}
	rep.Status, rep.Results = kernel.ABI.Status(rep.R0), map[string]*nn.Tensor{}
	if err != nil {
		return rep, fmt.Errorf("%s: %w", kernel.Symbol, err)
	}
	if !rep.OK() {
		return rep, nil
	}
	for _, r := range l.results {
		if rep.Results[r.name], err = r.read(k.m); err != nil {
			return rep, fmt.Errorf("%s: output %q: %w", kernel.Symbol, r.name, err)
		}
	}
	return rep, nil
}

// LayOut lays a job out as the kernel's calling form wants it, without touching the machine.
func (k *Machine) LayOut(kernel *Kernel, job *Job) (*Layout, error) {
	l, err := k.layOut(kernel, job, k.place)
	if err != nil || !job.AtEnds {
		return l, err
	}
	// Once more, with the last inputs and weights where the memory ends: an access behind them faults.
	place := k.place
	for m := range place {
		if end := k.ends[m]; end != 0 {
			l.arenas[m].trim()
			place[m] = (end - (l.arenas[m].end() - l.arenas[m].base)) &^ (placeAlign - 1)
		}
	}
	if l, err = k.layOut(kernel, job, place); err != nil {
		return nil, err
	}
	for m, end := range k.ends {
		if end != 0 {
			l.arenas[m].trim()
		}
	}
	return l, nil
}

// placeAlign is the alignment of an arena.
const placeAlign = 4

// layOut lays a job out with its arenas at given places.
func (k *Machine) layOut(kernel *Kernel, job *Job, place [memories]uint32) (*Layout, error) {
	l := newLayout(job, place, k.opts.Library.conventions())
	if err := kernel.ABI.Layout(l, kernel, job.Call); err != nil {
		return nil, fmt.Errorf("%s: %w", kernel.Symbol, err)
	}
	if len(l.args) > maxArgs {
		return nil, fmt.Errorf("%s: %d arguments, at most %d", kernel.Symbol, len(l.args), maxArgs)
	}
	return l, nil
}

// NewLayout is an empty layout for this machine, for calls of functions that are no kernels.
func (k *Machine) NewLayout() *Layout {
	return newLayout(&Job{}, k.place, k.opts.Library.conventions())
}

// CallAt calls the function at an address with a layout. Afterwards the layout holds the contents
// that the function left in the buffers. An error means that it did not return or made a forbidden
// write; without a report it did not run to its end.
func (k *Machine) CallAt(ctx context.Context, entry uint32, l *Layout) (*Report, error) {
	for m, a := range l.arenas {
		if len(a.image) > MaxBuffer {
			return nil, fmt.Errorf("the %s of the call take %d bytes, there is room for %d", Memory(m), len(a.image), MaxBuffer)
		}
	}
	if err := k.begin(l); err != nil {
		return nil, err
	}
	stray := k.watch(l)
	rep, err := k.call(ctx, entry, l)
	if e := stray(); e != nil && err == nil {
		return nil, e
	}
	if err != nil {
		return nil, err
	}
	for _, a := range l.arenas {
		after := make([]byte, len(a.image))
		if err := k.m.ReadMemory(a.base, after); err != nil {
			return nil, err
		}
		if e := a.check(after); e != nil && err == nil {
			err = e
		}
		l.written = l.written || !bytes.Equal(a.image, after)
		a.image = after
	}
	if err == nil {
		err = k.elsewhere(l)
	}
	return rep, err
}

// Continue calls a kernel with the memory as earlier calls left it.
func (k *Machine) Continue(ctx context.Context, kernel *Kernel, args ...uint32) (*Report, error) {
	entry, err := k.Entry(kernel.Symbol)
	if err != nil {
		return nil, err
	}
	l := k.NewLayout()
	l.SetArgs(args...)
	rep, err := k.call(ctx, entry, l)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", kernel.Symbol, err)
	}
	rep.Status = kernel.ABI.Status(rep.R0)
	return rep, nil
}

// watch looks at every load of a call whose job wants it, by the reference engine. The function it returns
// ends that and names the first load from memory that is neither a buffer of the call, nor its stack, nor
// the library's.
func (k *Machine) watch(l *Layout) func() error {
	if !l.job.WatchLoads {
		return func() error { return nil }
	}
	var stray error
	end := k.m.Observe(arcv2dsp.Hooks{Memory: func(a arcv2dsp.Access) {
		if a.Access == memory.Read && stray == nil && !k.readable(l, a.Addr, a.Size) {
			stray = fmt.Errorf("load of %d bytes from %#x, %s", a.Size, a.Addr, l.near(a.Addr+a.Size-1))
		}
	}})
	return func() error {
		end()
		return stray
	}
}

// readable reports whether a function may load from a run of bytes.
func (k *Machine) readable(l *Layout, addr, size uint32) bool {
	if addr < codeSize || addr >= stackTop-stackFilled && addr+size <= stackTop {
		return true
	}
	for _, o := range k.owned {
		if addr >= o.from && addr+size <= o.to {
			return true
		}
	}
	for _, a := range l.arenas {
		if a.readable(addr, size) {
			return true
		}
	}
	return false
}

// elsewhere fails when the function has changed memory that is neither the call's nor its stack.
func (k *Machine) elsewhere(l *Layout) error {
	changes, err := k.m.MemoryChanges(k.clean)
	if err != nil {
		return err
	}
	for _, c := range changes {
		own := func(from, to uint32) { // forget what changed there
			lo, hi := max(from, c.Addr), min(to, c.Addr+uint32(len(c.Now)))
			if lo < hi {
				copy(c.Before[lo-c.Addr:hi-c.Addr], c.Now[lo-c.Addr:hi-c.Addr])
			}
		}
		own(stackTop-stackFilled, stackTop)
		for _, a := range l.arenas {
			own(a.base, a.end())
		}
		for _, o := range k.owned {
			own(o.from, o.to)
		}
		for i := range c.Now {
			if c.Now[i] != c.Before[i] {
				addr := c.Addr + uint32(i)
				return fmt.Errorf("write to %#x, %s", addr, l.near(addr))
			}
		}
	}
	return nil
}

// begin puts a layout into the memory of a fresh machine.
func (k *Machine) begin(l *Layout) error {
	if err := k.m.Restore(k.clean); err != nil {
		return err
	}
	for _, a := range l.arenas {
		if err := k.m.WriteMemory(a.base, a.image); err != nil {
			return err
		}
	}
	var onStack []byte
	for _, a := range l.args[min(len(l.args), registerArgs):] {
		onStack = binary.LittleEndian.AppendUint32(onStack, a)
	}
	return k.m.WriteMemory(l.stack(), onStack)
}

// Entry is the address of a function of the library.
func (k *Machine) Entry(symbol string) (uint32, error) {
	entry := k.opts.Library.Entry(symbol)
	if entry == 0 {
		return 0, fmt.Errorf("the library has no %s", symbol)
	}
	return entry, nil
}

// Registers of the C calling convention.
const (
	regSaved    = 13 // r13 to r25 are the caller's
	regSavedEnd = 26
	regGP       = 26
	regFP       = 27
	regSP       = 28
	regILink    = 29
	regR30      = 30
	regBlink    = 31
	regLPCount  = 60
)

// StackUsed is the distance below the top of the stack to which the last call wrote; a machine
// starts with a pattern there.
func (k *Machine) StackUsed() (int, error) {
	b := make([]byte, stackFilled)
	at := uint32(stackTop - len(b))
	if err := k.m.ReadMemory(at, b); err != nil {
		return 0, err
	}
	for i, v := range b {
		if v != pattern(at+uint32(i)) {
			return len(b) - i, nil
		}
	}
	return 0, nil
}

// Saved is the value that a register of the caller has during a call.
func Saved(r uint8) uint32 { return 0xca110000 | uint32(r) }

// dspCtrl is the auxiliary register whose value a kernel must leave as it was; dspCtrls are those that
// callers have, saturation and any rounding among them.
const dspCtrl = 0x59f

var dspCtrls = [...]uint32{0x1a, 0x17, 0}

// dspSaturated is the flag in DSP_CTRL that something has saturated.
const dspSaturated = 1 << 16

// Bits of STATUS32: interrupts enabled at any priority, and those a function need not restore: the flags,
// the state of zero-overhead loops and of delay slots.
const (
	statusInterrupts = 1<<31 | 15<<1
	statusFree       = 15<<8 | 1<<12 | 1<<6 | 1<<15
	statusUnaligned  = 1 << 19
)

// callerState is the state of a caller beside its registers.
type callerState struct{ dspCtrl, status uint32 }

// caller chooses the state of the caller of a layout: it follows from what is laid out, so that it is the
// same whenever the call is made.
func (k *Machine) caller(l *Layout) callerState {
	h := fnv.New32a()
	h.Write(l.arenas[Structs].image)
	n := h.Sum32()
	c := callerState{dspCtrl: dspCtrls[n%uint32(len(dspCtrls))]}
	if n>>8&1 != 0 {
		c.status = statusInterrupts
	}
	conventions := k.opts.Library.conventions()
	if v := conventions.DSPControl; v != nil {
		c.dspCtrl = *v
	}
	if conventions.Unaligned {
		c.status |= statusUnaligned
	}
	return c
}

// Prepare lays out a job, sets the registers for the call, and returns the machine, about to execute
// the first instruction of the kernel. The call ends at the breakpoint it returns to.
func (k *Machine) Prepare(entry uint32, kernel *Kernel, job *Job) (*arcv2dsp.Machine, error) {
	l, err := k.LayOut(kernel, job)
	if err != nil {
		return nil, err
	}
	if err := k.begin(l); err != nil {
		return nil, err
	}
	k.enter(entry, l)
	return k.m, nil
}

// spoiledAux are auxiliary registers that a function finds in any state: pointers, offsets and
// modifiers of the AGU.
var spoiledAux = [...]struct{ first, n uint32 }{{first: 0x5c0, n: 12}, {first: 0x5d0, n: 8}, {first: 0x5e0, n: 24}}

// enter sets the registers as the caller of a function does. Registers that a function may change are not zero, the
// guards of the accumulators least of all.
func (k *Machine) enter(entry uint32, l *Layout) callerState {
	m := k.m
	for r := range uint8(regSaved) {
		m.SetReg(r, 0xdead0000|uint32(r))
	}
	for _, r := range []uint8{regR30, regLPCount} {
		m.SetReg(r, 0xdead0000|uint32(r))
	}
	m.SetAccumulators(0x5adead003a, -0x5adead003b)
	for _, a := range spoiledAux {
		for i := range a.n {
			m.SetAux(a.first+i, 0xdead0000|i) // without effect on a core that has none
		}
	}
	for i, a := range l.args[:min(len(l.args), registerArgs)] {
		m.SetReg(uint8(i), a)
	}
	for r := uint8(regSaved); r <= regILink; r++ {
		m.SetReg(r, Saved(r))
	}
	m.SetReg(regSP, l.stack())
	m.SetReg(regBlink, returnTo)
	c := k.caller(l)
	m.SetAux(dspCtrl, c.dspCtrl)
	c.dspCtrl, _ = m.Aux(dspCtrl)
	if status, err := m.Register("status32"); err == nil {
		c.status |= uint32(status.Value)
	}
	_ = m.SetRegister("status32", uint64(c.status)) // every core has it
	m.SetPC(entry)
	return c
}

// call runs the function at an address until it returns.
func (k *Machine) call(ctx context.Context, entry uint32, l *Layout) (*Report, error) {
	m := k.m
	caller := k.enter(entry, l)
	before := m.Stats()
	stop, err := k.run(ctx)
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	st := m.Stats().Sub(before)
	if err := k.returned(stop, st, caller, l); err != nil {
		return nil, err
	}
	return &Report{R0: m.Reg(0), Cycles: st.Cycles, Insts: st.Insts, Stalls: st.Reasons()}, nil
}

// firstLook is the number of cycles after which a call is examined for the first time.
const firstLook = 1 << 20

// run executes until the function returns, fails or reaches its limit. A run is the same in pieces as in one; between
// pieces, each twice as long as the one before, a function that branches to itself is given up.
func (k *Machine) run(ctx context.Context) (arcv2dsp.Stop, error) {
	start := k.m.Stats().Cycles
	for piece := uint64(firstLook); ; piece *= 2 {
		left := start + k.opts.Limit - k.m.Stats().Cycles
		stop, err := k.m.Run(ctx, arcv2dsp.Limits{Cycles: min(piece, left)})
		if err != nil || stop.Reason != arcv2dsp.StopCycleLimit || k.m.Stats().Cycles-start >= k.opts.Limit || k.spins() {
			return stop, err
		}
	}
}

// spins reports whether the next instruction is a branch to itself that only an interrupt could end, and none comes.
func (k *Machine) spins() bool {
	if k.interrupts {
		return false
	}
	pc := k.m.PC()
	in, err := k.m.Decode(pc)
	if err != nil || in.Op != isa.B && in.Op != isa.B_S || in.Cond != isa.CondAL || in.Delay {
		return false
	}
	return pc&^3+uint32(in.Args[0].Val) == pc
}

// RunawayError says that a function did not return within its limit of cycles, or cannot return.
type RunawayError struct {
	Cycles uint64
	At     string // where it was
	Spins  bool   // it branches to itself there
}

func (e *RunawayError) Error() string {
	if e.Spins {
		return fmt.Sprintf("does not return: it branches to itself at %s", e.At)
	}
	return fmt.Sprintf("did not return within %d cycles, at %s", e.Cycles, e.At)
}

// returned returns the way in which the end of a call breaks the calling convention, nil for none.
func (k *Machine) returned(stop arcv2dsp.Stop, st arcv2dsp.Stats, caller callerState, l *Layout) error {
	m := k.m
	switch {
	case stop.Reason == arcv2dsp.StopFault && k.opts.Library.lacking[stop.Exception.PC] != "":
		return fmt.Errorf("calls %s, which no file of %s defines", k.opts.Library.lacking[stop.Exception.PC], k.opts.Library.Foreign.Name())
	case stop.Reason == arcv2dsp.StopFault:
		return fmt.Errorf("exception at %s: %s", m.Locate(stop.Exception.PC), stop.Exception.String())
	case stop.Reason == arcv2dsp.StopCycleLimit:
		return &RunawayError{Cycles: st.Cycles, At: m.Locate(stop.PC), Spins: k.spins()}
	case stop.Reason != arcv2dsp.StopBreakpoint || stop.PC != returnTo:
		return fmt.Errorf("did not return: %s at %s", stop.Reason, m.Locate(stop.PC))
	}
	for r := uint8(regSaved); r <= regILink; r++ {
		if got := m.Reg(r); got != Saved(r) && r != regSP && !(r == regILink && k.interrupts) {
			return fmt.Errorf("r%d is not restored", r)
		}
	}
	if m.Reg(regSP) != l.stack() {
		return fmt.Errorf("sp is %#x, was %#x", m.Reg(regSP), l.stack())
	}
	if got := m.Reg(regBlink); got != returnTo {
		return fmt.Errorf("blink is %#x, was %#x", got, uint32(returnTo))
	}
	if got, ok := m.Aux(dspCtrl); ok {
		if k.opts.Library.conventions().DSPControl != nil {
			got &^= dspSaturated // functions that set DSP_CTRL not themselves leave the flag of the last saturation
		}
		if got != caller.dspCtrl {
			return fmt.Errorf("DSP_CTRL is %#x, was %#x", got, caller.dspCtrl)
		}
	}
	status, err := m.Register("status32")
	if err != nil {
		return err
	}
	if was := caller.status; (uint32(status.Value)^was)&^statusFree != 0 {
		return fmt.Errorf("STATUS32 is %#x, was %#x", uint32(status.Value)&^statusFree, was&^statusFree)
	}
	return nil
}
