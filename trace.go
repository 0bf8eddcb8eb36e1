package arcv2dsp

import (
	"io"

	"arcv2dsp/internal/board/trace"
)

// TraceFormat is the format of a trace; docs/formats.md describes each.
type TraceFormat uint8

const (
	TraceText  TraceFormat = trace.Text  // for people
	TraceCSV   TraceFormat = trace.CSV   // one line per instruction, a header line first
	TraceJSONL TraceFormat = trace.JSONL // one JSON object per line
)

// ParseTraceFormat finds a format by its name: text, csv or jsonl.
func ParseTraceFormat(name string) (TraceFormat, error) {
	f, err := trace.ParseFormat(name)
	return TraceFormat(f), err
}

// Trace writes one record for each instruction that completes and each exception taken.
type Trace struct {
	t   *trace.Trace
	end func()
}

// StartTrace begins to trace into w; Trace.Close ends that.
func (m *Machine) StartTrace(w io.Writer, format TraceFormat) *Trace {
	t := trace.New(w, trace.Format(format), trace.Machine{CPU: m.sys.CPU, Features: m.sys.CPU.Config.Features, Locate: m.Locate})
	return &Trace{t: t, end: m.Observe(Hooks{After: t.After, Memory: t.Memory, Exception: t.Exception})}
}

// Close ends the trace. The error is the first one of writing.
func (t *Trace) Close() error {
	t.end()
	return t.t.Close()
}
