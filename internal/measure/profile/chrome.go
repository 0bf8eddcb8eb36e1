package profile

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"arcv2dsp"
	"arcv2dsp/internal/program/calls"
	"arcv2dsp/isa"
)

// Trace writes calls, exceptions and kernels as a run goes, as events that trace viewers of the
// Chrome browser show. A cycle is a microsecond there. The functions of each task have a row of their own:
// the calls of a task end there when the kernel switches to another one, and begins again when it goes on.
type Trace struct {
	m     *arcv2dsp.Machine
	names *names
	w     *bufio.Writer
	calls calls.Stack[*span]
	rows  map[taskKey]int
	tasks []string // names, by their rows

	branch visit  // a branch whose delay slot is next
	sp     uint32 // behind the instruction executed last
	entry  uint64 // cycles that the core has taken since to enter a handler
	seen   map[uint32]kind
	events int
	err    error
}

// span is a function that runs, or would if its task did.
type span struct {
	name   string
	up     *span // its caller
	depth  int   // how many callers there are
	row    int
	start  uint64
	kernel kernelPart
}

// kernelPart tells the kernels of a network from what they call.
type kernelPart uint8

const (
	notKernel kernelPart = iota
	isKernel
	inKernel
)

// visit is an instruction that may change the flow of control.
type visit struct {
	next   uint32 // what follows when it does not
	flow   calls.Flow
	always bool // it does without a condition
}

// kind is the effect of an instruction on the stack of calls.
type kind struct {
	size   uint8
	flow   calls.Flow
	always bool // it has no condition
	slot   bool // it has a delay slot
	stack  bool // it may take sp to another stack
}

// taskKey tells tasks apart: several may begin with the same function.
type taskKey struct{ pc, sp uint32 }

// Rows of the trace; those of tasks follow.
const (
	rowFunctions = 1 + iota
	rowHandlers
	rowKernels
	rowTasks
)

// maxTasks bounds the rows of tasks. Those that come later share the last one.
const maxTasks = 256

// MaxEvents bounds the events of a trace; later events are left out.
const MaxEvents = 2_000_000

// kernelPrefix begins the names of kernels.
const kernelPrefix = "mli_"

// NewTrace begins a trace of the program in a machine. Give its Hooks to the machine before it runs.
func NewTrace(m *arcv2dsp.Machine, program string, w io.Writer) (*Trace, error) {
	n, err := newNames(m)
	t := &Trace{
		m: m, names: n, w: bufio.NewWriterSize(w, 1<<16), seen: map[uint32]kind{},
		rows: map[taskKey]int{}, sp: m.Reg(isa.RegSP),
	}
	t.text("{\"displayTimeUnit\":\"ms\",\"otherData\":{\"unit\":\"1 us = 1 cycle\"},\"traceEvents\":[\n")
	t.meta("process_name", 0, program)
	t.meta("thread_name", rowFunctions, "functions")
	t.meta("thread_name", rowHandlers, "exceptions and interrupts")
	t.meta("thread_name", rowKernels, "kernels")
	first := t.span(n.function(m.PC()).name, nil, rowFunctions)
	first.start = t.now()
	t.calls = calls.New(first, t.task)
	return t, err
}

// Hooks observe the machine for the trace.
func (t *Trace) Hooks() arcv2dsp.Hooks {
	return arcv2dsp.Hooks{After: t.after, Exception: t.exception, Stall: t.stall}
}

// Close ends what still runs. Cut reports whether events were left out.
func (t *Trace) Close() (cut bool, err error) {
	t.turn(t.calls.Now, nil)
	cut = t.events > MaxEvents
	same := map[string]int{}
	for i, name := range t.tasks {
		label := "task " + name
		if same[name]++; same[name] > 1 {
			label = fmt.Sprintf("%s (%d)", label, same[name])
		}
		t.meta("thread_name", rowTasks+i, label)
	}
	t.text("\n]}\n")
	if err := t.w.Flush(); t.err == nil {
		t.err = err
	}
	return cut, t.err
}

func (t *Trace) now() uint64 { return t.m.Stats().Cycles }

func (t *Trace) text(s string) {
	if _, err := t.w.WriteString(s); err != nil && t.err == nil {
		t.err = err
	}
}

// traceEvent is an event as the viewers read it.
type traceEvent struct {
	Name  string            `json:"name"`
	Phase string            `json:"ph"`
	Start uint64            `json:"ts"`
	Took  *uint64           `json:"dur,omitempty"`
	PID   int               `json:"pid"`
	TID   int               `json:"tid"`
	Args  map[string]string `json:"args,omitempty"`
}

func (t *Trace) put(e traceEvent) {
	if t.events++; t.events > MaxEvents && e.Phase == "X" {
		return
	}
	data, err := json.Marshal(e)
	if err != nil && t.err == nil {
		t.err = err
	}
	if t.events > 1 {
		t.text(",\n")
	}
	t.text(string(data))
}

func (t *Trace) meta(what string, track int, name string) {
	t.put(traceEvent{Name: what, Phase: "M", PID: 1, TID: track, Args: map[string]string{"name": name}})
}

// after follows an instruction that completed.
func (t *Trace) after(pc uint32, in *isa.Inst) {
	k, ok := t.seen[pc]
	if !ok {
		k = kind{
			size: in.Len, flow: calls.FlowOf(in), always: in.Cond == isa.CondAL, slot: in.Delay,
			stack: calls.MovesStack(in),
		}
		t.seen[pc] = k
	}
	before, sp := t.calls.Now, t.m.Reg(isa.RegSP)
	if k.stack {
		t.calls.MoveStack(t.sp, sp)
	}
	t.sp, t.entry = sp, 0
	v := t.branch
	t.branch = visit{}
	switch next := pc + uint32(k.size); {
	case k.slot:
		t.branch = visit{next: next, flow: k.flow, always: k.always}
	case v != visit{}: // this is its delay slot
		v.next = next
	case k.flow != calls.None:
		v = visit{next: next, flow: k.flow, always: k.always}
	}
	if to := t.m.PC(); v.flow != calls.None && (to != v.next || v.always) {
		t.follow(v, to)
	}
	t.turn(before, t.calls.Now)
}

// follow follows a change of the flow of control.
func (t *Trace) follow(v visit, to uint32) {
	switch v.flow {
	case calls.Call:
		up := t.calls.Now
		t.calls.Call(t.span(t.names.function(to).name, up, up.row), v.next, t.sp)
	case calls.Jump, calls.Return:
		before := t.calls.Now
		t.calls.Jump(to, t.sp, v.flow == calls.Return)
		if f := t.names.function(to); f.entry == to && t.calls.Now == before {
			t.become(f.name)
		}
	case calls.ReturnInterrupt:
		t.calls.Leave(to, t.sp)
	}
}

// become follows a jump from one function to another. Tasks of some kernels begin with a piece of the
// kernel that jumps to their function; that one names the task.
func (t *Trace) become(name string) {
	now := t.calls.Now
	t.calls.Now = t.span(name, now.up, now.row)
	if now.up == nil && now.row >= rowTasks {
		t.tasks[now.row-rowTasks] = name
	}
}

func (t *Trace) exception(e arcv2dsp.Exception) {
	name := fmt.Sprintf("%s (vector %d)", t.names.function(t.m.PC()).name, e.Vector)
	before := t.calls.Now
	t.calls.Interrupt(t.span(name, before, rowHandlers), e.Return, t.sp)
	t.branch, t.sp = visit{}, t.m.Reg(isa.RegSP)
	t.turn(before, t.calls.Now)
	t.calls.Now.start -= t.entry
	t.entry = 0
}

func (t *Trace) stall(_ uint32, r arcv2dsp.StallReason, cycles uint32) {
	if r == arcv2dsp.StallException {
		t.entry += uint64(cycles)
	}
}

// task is the first function of a task.
func (t *Trace) task(pc, sp uint32) *span {
	name := t.names.function(pc).name
	row := t.rows[taskKey{pc, sp}]
	switch {
	case row != 0:
	case len(t.rows) == maxTasks:
		row = rowTasks + maxTasks - 1
	default:
		row = rowTasks + len(t.rows)
		t.rows[taskKey{pc, sp}] = row
		t.tasks = append(t.tasks, name)
	}
	return t.span(name, nil, row)
}

// maxDepth bounds the stack of a program that calls and never returns: a call beyond it belongs to its caller.
const maxDepth = 1 << 16

// span is a function that begins to run.
func (t *Trace) span(name string, up *span, row int) *span {
	s := &span{name: name, up: up, row: row}
	if up != nil {
		if up.depth == maxDepth {
			return up
		}
		s.depth = up.depth + 1
	}
	switch {
	case up != nil && up.kernel != notKernel:
		s.kernel = inKernel
	case strings.HasPrefix(name, kernelPrefix):
		s.kernel = isKernel
	}
	return s
}

// turn ends the functions that ran and do not run any more, and begins those that run now.
func (t *Trace) turn(before, now *span) {
	if before == now {
		return
	}
	both, other := before, now
	for both != other {
		if other == nil || both != nil && both.depth >= other.depth {
			both = both.up
		} else {
			other = other.up
		}
	}
	for s := before; s != both; s = s.up {
		t.end(s)
	}
	for s := now; s != both; s = s.up {
		s.start = t.now()
	}
}

// end writes what a function took.
func (t *Trace) end(s *span) {
	took := t.now() - s.start
	t.put(traceEvent{Name: s.name, Phase: "X", Start: s.start, Took: &took, PID: 1, TID: s.row})
	if s.kernel == isKernel {
		t.put(traceEvent{Name: s.name, Phase: "X", Start: s.start, Took: &took, PID: 1, TID: rowKernels})
	}
}
