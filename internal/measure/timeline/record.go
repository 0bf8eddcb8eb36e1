package timeline

import (
	"context"
	"fmt"
	"strings"

	"arcv2dsp"
	"arcv2dsp/isa"
)

// Options choose what is recorded.
type Options struct {
	From  uint32 // recording starts here; each arrival begins an iteration
	To    uint32 // instructions from From up to here are recorded, 0: all that follow
	Count int    // most instructions recorded
	Skip  int    // arrivals at From that are let pass first

	Limits arcv2dsp.Limits // of the whole run
}

// Lost are cycles lost for one reason.
type Lost struct {
	Reason arcv2dsp.StallReason
	Cycles uint64
}

// Step is one executed instruction.
type Step struct {
	PC        uint32
	Inst      isa.Inst
	Iteration int
	Index     int // within the iteration

	Start  uint64   // cycle in which it could have issued, from the start of the recording
	Gap    []Lost   // before Start, of no instruction: exceptions, sleep
	Before []Lost   // until it issued
	After  []Lost   // after it issued, until the next instruction could
	Late   uint64   // cycles after its execution until its result can be used
	Beside bool     // its result comes from a unit that does not hold up the others
	Wait   string   // what Before was waiting for, in words
	Memory []Access // what it accessed
}

// Access is one access to memory.
type Access struct {
	Memory string // name of the memory: X, Y, DCCM, or "memory"
	Write  bool
}

func total(list []Lost) uint64 {
	n := uint64(0)
	for _, l := range list {
		n += l.Cycles
	}
	return n
}

// Issue is the cycle in which the instruction issued.
func (s *Step) Issue() uint64 { return s.Start + total(s.Before) }

// Cycles is the cost of the instruction: one, and the cycles lost at it.
func (s *Step) Cycles() uint64 { return 1 + total(s.Before) + total(s.After) }

// Trace is a recording.
type Trace struct {
	Core       string
	Steps      []Step
	Iterations int
	Cycles     uint64
	Stalls     arcv2dsp.Stalls // with Steps they add up to Cycles
	Stop       arcv2dsp.Stop   // why the run ended
	Complete   bool            // all that was asked for is there

	text   map[uint32]string // instructions as text, by address
	blocks bool              // the multiplier takes one operation at a time
}

// Text is an instruction as text.
func (t *Trace) Text(pc uint32) string { return t.text[pc] }

// recorder collects the steps of a run.
type recorder struct {
	m     *arcv2dsp.Machine
	opts  Options
	model arcv2dsp.TimingModel
	trace *Trace

	active  bool           // the instruction under way is recorded
	full    bool           // Count is reached
	before  arcv2dsp.Stats // when it started
	last    arcv2dsp.Stats // when the one before completed
	follows bool           // last belongs to an instruction that was recorded
	step    Step
	issued  uint64 // cycles of step so far
	now     uint64 // cycle of the recording
	writer  [64]int
}

// Record runs the loaded program to From and on, and records what is asked for. An error means that
// nothing could be recorded.
func Record(ctx context.Context, m *arcv2dsp.Machine, o Options) (*Trace, error) {
	model := m.Core().Timing
	r := &recorder{m: m, opts: o, model: model, trace: &Trace{Core: m.Core().Name, text: map[uint32]string{},
		blocks: model.MPYBlocks}}
	for i := range r.writer {
		r.writer[i] = -1
	}
	stop, err := r.approach(ctx)
	if err != nil {
		return nil, err
	}
	if stop.Reason != arcv2dsp.StopBreakpoint || stop.PC != o.From {
		return nil, fmt.Errorf("the program does not come to %s: %s at %s", m.Locate(o.From), stop.Reason, m.Locate(stop.PC))
	}
	end := m.Observe(arcv2dsp.Hooks{Before: r.begin, After: r.end, Stall: r.stall, Memory: r.access})
	defer end()
	if r.trace.Stop, err = m.Run(ctx, o.Limits); err != nil {
		return nil, err
	}
	t := r.trace
	t.Complete = r.full || t.Stop.Reason == arcv2dsp.StopExited
	t.Iterations = 0
	sum := uint64(0)
	for i := range t.Steps {
		t.Iterations = max(t.Iterations, t.Steps[i].Iteration+1)
		sum += t.Steps[i].Cycles() + total(t.Steps[i].Gap)
	}
	if sum != t.Cycles || sum != uint64(len(t.Steps))+t.Stalls.Total() {
		return nil, fmt.Errorf("the recorded instructions took %d cycles, the run %d", sum, t.Cycles)
	}
	return t, nil
}

// approach runs to the start of the recording.
func (r *recorder) approach(ctx context.Context) (arcv2dsp.Stop, error) {
	m := r.m
	m.SetBreakpoint(r.opts.From)
	defer m.ClearBreakpoint(r.opts.From)
	stop := arcv2dsp.Stop{Reason: arcv2dsp.StopBreakpoint, PC: m.PC()}
	left := r.opts.Skip
	if m.PC() == r.opts.From {
		left-- // a run does not stop where it starts
	}
	for ; left >= 0; left-- {
		var err error
		if stop, err = m.Run(ctx, r.opts.Limits); err != nil || stop.Reason != arcv2dsp.StopBreakpoint {
			return stop, err
		}
	}
	return stop, nil
}

// inside reports whether an instruction is in the region.
func (r *recorder) inside(pc uint32) bool {
	return r.opts.To == 0 || pc >= r.opts.From && pc < r.opts.To
}

func (r *recorder) begin(pc uint32, in *isa.Inst) (stop bool) {
	r.active = r.inside(pc)
	now := r.m.Stats()
	if !r.active {
		r.follows = false
		return false
	}
	t := r.trace
	if len(t.Steps) >= r.opts.Count {
		r.active, r.full = false, true
		return true
	}
	r.step = Step{PC: pc, Inst: *in}
	if n := len(t.Steps); n > 0 {
		prev := &t.Steps[n-1]
		r.step.Iteration, r.step.Index = prev.Iteration, prev.Index+1
		if pc == r.opts.From {
			r.step.Iteration, r.step.Index = prev.Iteration+1, 0
		}
	}
	if r.follows { // what passed since the last instruction belongs to none
		gap := now.Sub(r.last)
		for reason, n := range gap.Stalls {
			if n != 0 {
				r.step.Gap = append(r.step.Gap, Lost{Reason: arcv2dsp.StallReason(reason), Cycles: n})
			}
		}
		r.count(gap)
	}
	r.step.Start = r.now
	r.before, r.issued = now, 0
	if _, ok := t.text[pc]; !ok {
		text, _, err := r.m.Disassemble(pc)
		if err != nil {
			text = fmt.Sprintf("%#08x", in.Word)
		}
		text, _, _ = strings.Cut(text, " <"+labelPrefix) // a mark is no name for people
		t.text[pc] = text
	}
	return false
}

// count adds what passed to the totals.
func (r *recorder) count(s arcv2dsp.Stats) {
	r.now += s.Cycles
	r.trace.Cycles += s.Cycles
	for reason, n := range s.Stalls {
		r.trace.Stalls[reason] += n
	}
}

// stall sees the cycles lost at the instruction under way. The issue cycle is between those lost
// before and after it.
func (r *recorder) stall(_ uint32, reason arcv2dsp.StallReason, cycles uint32) {
	if !r.active {
		return
	}
	l := Lost{Reason: reason, Cycles: uint64(cycles)}
	r.issued += l.Cycles
	if r.m.Stats().Cycles-r.before.Cycles == r.issued {
		r.step.Before = append(r.step.Before, l)
	} else {
		r.step.After = append(r.step.After, l)
	}
}

func (r *recorder) access(a arcv2dsp.Access) {
	if !r.active {
		return
	}
	name := "memory"
	for _, region := range r.m.Regions() {
		if region.Contains(a.Addr) {
			name = region.Name
		}
	}
	r.step.Memory = append(r.step.Memory, Access{Memory: name, Write: a.Access&arcv2dsp.AccessWrite != 0})
}

func (r *recorder) end(pc uint32, in *isa.Inst) {
	if !r.active {
		return
	}
	r.active = false
	s := &r.step
	d := r.model.Describe(in)
	s.Late, s.Beside = d.Late()
	s.Wait = r.words(s)
	writes := in.Writes()
	for reg := range uint8(len(r.writer)) {
		if writes.Has(reg) {
			r.writer[reg] = len(r.trace.Steps)
		}
	}
	r.last, r.follows = r.m.Stats(), true
	r.count(r.last.Sub(r.before))
	r.trace.Steps = append(r.trace.Steps, *s)
}
