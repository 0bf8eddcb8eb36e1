package profile

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"arcv2dsp"
	"arcv2dsp/isa"
)

// Trace writes calls, exceptions and kernels as a run goes, as events that trace viewers of the
// Chrome browser show. A cycle is a microsecond there.
type Trace struct {
	m      *arcv2dsp.Machine
	names  *names
	w      *bufio.Writer
	stack  []span
	kernel int // calls below and including the outermost kernel; 0 outside
	since  uint64
	within string // name of that kernel

	this, before visit
	decoded      map[uint32]flow
	events       int
	err          error
}

// span is a function that runs.
type span struct {
	name    string
	start   uint64
	back    uint32 // where its caller goes on
	handler bool
}

// visit is an instruction that completed.
type visit struct {
	pc, next uint32
	flow     flow
}

// flow is what an instruction means for the stack of calls.
type flow uint8

const (
	flowOther flow = iota
	flowCall
	flowReturn  // through blink
	flowHandler // return from a handler
)

// Tracks of the trace.
const (
	trackFunctions = 1 + iota
	trackHandlers
	trackKernels
)

// MaxEvents bounds the events of a trace; what comes after them is left out.
const MaxEvents = 2_000_000

// kernelPrefix begins the names of kernels.
const kernelPrefix = "mli_"

// NewTrace begins a trace of the program in a machine. Give its Hooks to the machine before it runs.
func NewTrace(m *arcv2dsp.Machine, program string, w io.Writer) (*Trace, error) {
	n, err := newNames(m)
	t := &Trace{m: m, names: n, w: bufio.NewWriterSize(w, 1<<16), decoded: map[uint32]flow{}}
	t.text("{\"displayTimeUnit\":\"ms\",\"otherData\":{\"unit\":\"1 us = 1 cycle\"},\"traceEvents\":[\n")
	t.meta("process_name", 0, program)
	t.meta("thread_name", trackFunctions, "functions")
	t.meta("thread_name", trackHandlers, "exceptions and interrupts")
	t.meta("thread_name", trackKernels, "kernels")
	t.push(n.function(m.PC()).name, 0, false)
	return t, err
}

// Hooks are what the trace needs to see.
func (t *Trace) Hooks() arcv2dsp.Hooks {
	return arcv2dsp.Hooks{After: t.after, Branch: t.branch, Exception: t.exception}
}

// Close ends what still runs. Cut reports whether events were left out.
func (t *Trace) Close() (cut bool, err error) {
	for len(t.stack) > 0 {
		t.pop()
	}
	t.text("\n]}\n")
	if err := t.w.Flush(); t.err == nil {
		t.err = err
	}
	return t.events > MaxEvents, t.err
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
	if t.events++; t.events > MaxEvents {
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

func (t *Trace) after(pc uint32, in *isa.Inst) {
	f, ok := t.decoded[pc]
	if !ok {
		f = flowOf(in)
		t.decoded[pc] = f
	}
	t.before, t.this = t.this, visit{pc: pc, next: pc + uint32(in.Len), flow: f}
}

// flowOf tells calls and returns from everything else.
func flowOf(in *isa.Inst) flow {
	switch in.Class() {
	case isa.ClassBranch, isa.ClassJump, isa.ClassTableJump:
		switch {
		case in.Calls():
			return flowCall
		case in.Exec() == isa.J:
			if a := in.Args[0]; a.Kind == isa.OpReg && a.Reg == isa.RegBLINK {
				return flowReturn
			}
		}
	case isa.ClassFrame:
		if in.Control() {
			return flowReturn
		}
	case isa.ClassReturn:
		return flowHandler
	}
	return flowOther
}

// branch sees a change of the flow of control, which an instruction with a delay slot makes in the
// slot.
func (t *Trace) branch(from, to uint32) {
	f := t.this.flow
	if f == flowOther && t.before.next == from {
		f = t.before.flow
	}
	switch f {
	case flowCall:
		t.push(t.names.function(to).name, t.this.next, false)
	case flowReturn:
		t.leave(to)
	case flowHandler:
		t.leaveHandler()
	}
}

func (t *Trace) exception(e arcv2dsp.Exception) {
	t.push(fmt.Sprintf("%s (vector %d)", t.names.function(t.m.PC()).name, e.Vector), 0, true)
}

// leave returns to the caller that goes on at an address, if one does.
func (t *Trace) leave(to uint32) {
	for i := len(t.stack) - 1; i > 0 && !t.stack[i].handler; i-- {
		if t.stack[i].back == to {
			for len(t.stack) > i {
				t.pop()
			}
			return
		}
	}
}

func (t *Trace) leaveHandler() {
	for i := len(t.stack) - 1; i > 0; i-- {
		if t.stack[i].handler {
			for len(t.stack) > i {
				t.pop()
			}
			return
		}
	}
}

// maxSpans bounds the stack of a program that calls and never returns.
const maxSpans = 1 << 16

func (t *Trace) push(name string, back uint32, handler bool) {
	if len(t.stack) >= maxSpans {
		return
	}
	now := t.now()
	t.stack = append(t.stack, span{name: name, start: now, back: back, handler: handler})
	if t.kernel == 0 && strings.HasPrefix(name, kernelPrefix) {
		t.kernel, t.since, t.within = len(t.stack), now, name
	}
}

// pop ends the innermost function.
func (t *Trace) pop() {
	top := len(t.stack) - 1
	s := t.stack[top]
	now := t.now()
	track := trackFunctions
	if s.handler {
		track = trackHandlers
	}
	took := now - s.start
	t.put(traceEvent{Name: s.name, Phase: "X", Start: s.start, Took: &took, PID: 1, TID: track})
	if t.kernel == len(t.stack) {
		took := now - t.since
		t.put(traceEvent{Name: t.within, Phase: "X", Start: t.since, Took: &took, PID: 1, TID: trackKernels})
		t.kernel = 0
	}
	t.stack = t.stack[:top]
}
