package kernel

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"

	"arcv2dsp"
	"arcv2dsp/internal/term/steps"
	"arcv2dsp/isa"
	"arcv2dsp/nn"
)

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
	if err != nil || !job.AtEnds || l.conventions.Ahead {
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
	l := newLayout(&Job{}, k.place, k.opts.Library.conventions())
	l.top = k.opts.Stack
	return l
}

// CallAt calls the function at an address with a layout. Afterwards the layout holds the contents
// that the function left in the buffers. An error means that it did not return or made a forbidden
// write; without a report it did not run to its end.
func (k *Machine) CallAt(ctx context.Context, entry uint32, l *Layout) (_ *Report, err error) {
	defer steps.Return(&err)
	for m, a := range l.arenas {
		if len(a.image) > MaxBuffer {
			return nil, fmt.Errorf("the %s of the call take %d bytes, there is room for %d", Memory(m), len(a.image), MaxBuffer)
		}
	}
	steps.Check(k.begin(l))
	stray := k.watch(l)
	rep, err := k.call(ctx, entry, l)
	if e := stray(); e != nil && err == nil {
		return nil, e
	}
	steps.Check(err)
	for _, a := range l.arenas {
		after := make([]byte, len(a.image))
		steps.Check(k.m.ReadMemory(a.base, after))
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
		return 0, k.opts.Library.absent(symbol)
	}
	return entry, nil
}

// absent is the error of a function that the library does not have: why its source is not part of it, if that is known.
func (l *Library) absent(symbol string) error {
	for _, k := range l.Collection.Kernels {
		if err := l.Missing[k.Source.File]; err != nil && k.Symbol == symbol {
			return fmt.Errorf("the library has no %s: %w", symbol, err)
		}
	}
	return fmt.Errorf("the library has no %s", symbol)
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
