package repl

import (
	"bytes"
	"context"
	"fmt"
	"io"

	"arcv2dsp/internal/debug"
	"arcv2dsp/internal/debug/cexpr"
)

// Remote is the prompt for a client that has one of its own: gdb's monitor, the debug console of an editor. Its
// user need not sit at the host: commands of the host are refused.
type Remote struct {
	s          *Session
	running    context.Context
	complaints bytes.Buffer
}

// NewRemote returns a prompt for a client.
func NewRemote(d *debug.Debugger) *Remote {
	r := &Remote{}
	r.s = New(d, Config{
		In: bytes.NewReader(nil), Out: io.Discard, Err: &r.complaints,
		Interrupt: func(context.Context) (context.Context, func()) { return context.WithCancel(r.running) },
	})
	return r
}

// Execute executes a line of the prompt. Its output, and the place of an error in it, goes to out.
func (r *Remote) Execute(ctx context.Context, line string, out io.Writer) error {
	r.running = ctx
	restore := r.s.Output(out)
	err := r.s.Execute(line)
	restore()
	_, _ = r.complaints.WriteTo(out) // a client that is gone is noticed by its connection
	if e, ok := cexpr.AsError(err); ok && e.Text != "" {
		_, _ = fmt.Fprintln(out, e.Caret())
	}
	return err
}

// Complete returns the word at the end of a line and the words that it may become.
func (r *Remote) Complete(line string) (word string, list []string) { return r.s.Complete(line) }
