package dap

import (
	"context"
	"errors"
	"fmt"
	"strings"

	protocol "github.com/google/go-dap"

	"arcv2dsp"
	"arcv2dsp/internal/debug"
	"arcv2dsp/internal/term/steps"
)

// motion is a way to run the program.
type motion struct {
	run     func(ctx context.Context) (debug.Stop, error)
	goesOn  bool // interrupted, it may simply be continued
	reverse bool
}

// outcome is how a motion ended.
type outcome struct {
	stop debug.Stop
	err  error
}

// coreThread is the thread that the core runs; tasks that do not run have the addresses of their control blocks.
const coreThread = 1

// begin starts a run of the program, whose end goes to arrived.
func (s *session) begin(m *motion) {
	s.forget()
	ctx, cancel := context.WithCancel(s.ctx)
	s.moving, s.cancel = m, cancel
	if _, err := s.d.Select(0); err != nil {
		s.note(err.Error()) // the stack is damaged; the program runs nevertheless
	}
	if !m.reverse {
		s.d.PassBrk()
	}
	go func() {
		stop, err := m.run(ctx)
		s.ran <- outcome{stop, err}
	}()
}

// wait ends the run that is going on and returns how it ended.
func (s *session) wait() outcome {
	s.cancel()
	o := <-s.ran
	s.moving = nil
	return o
}

// halt ends a run without telling the client.
func (s *session) halt() {
	if s.moving != nil {
		s.wait()
	}
}

// interrupt ends a run for the time of a request and returns what to go on with. A run that ended by itself, and a
// step, which cannot be gone on with, are told as stops.
func (s *session) interrupt() *motion {
	m := s.moving
	o := s.wait()
	if o.err == nil && o.stop.Reason == arcv2dsp.StopInterrupted && m.goesOn {
		return &motion{run: func(ctx context.Context) (debug.Stop, error) { return s.d.Continue(ctx, debug.Limits{}), nil }, goesOn: true}
	}
	s.arrived(o)
	return nil
}

// arrived tells the client that the program has stopped.
func (s *session) arrived(o outcome) {
	s.moving = nil
	if s.cancel != nil {
		s.cancel()
	}
	if o.err != nil {
		s.note(o.err.Error())
		s.stopped("pause", s.d.Last())
		return
	}
	stop := o.stop
	if stop.Text != "" {
		s.note(stop.Text)
	}
	if stop.Value != nil {
		s.note("Value returned: " + s.d.Text(*stop.Value, debug.Format{}))
	}
	s.over = stop.Reason == arcv2dsp.StopExited
	if s.over && !s.args.StopOnExit {
		s.event("exited", protocol.ExitedEventBody{ExitCode: stop.ExitCode()})
		s.event("terminated", protocol.TerminatedEventBody{})
		return
	}
	s.stopped(s.reason(stop), stop)
}

// reason is the protocol's word for why the program has stopped.
func (s *session) reason(stop debug.Stop) string {
	switch stop.Reason {
	case arcv2dsp.StopBreakpoint:
		for _, p := range stop.Points {
			switch s.groupOf(p) {
			case functionGroup:
				return "function breakpoint"
			case instructionGroup:
				return "instruction breakpoint"
			}
		}
		return "breakpoint"
	case arcv2dsp.StopWatchpoint:
		return "data breakpoint"
	case arcv2dsp.StopInterrupted, arcv2dsp.StopInstLimit, arcv2dsp.StopCycleLimit, arcv2dsp.StopTimeLimit, arcv2dsp.StopMemoryLimit:
		return "pause"
	case arcv2dsp.StopFault, arcv2dsp.StopHandler, arcv2dsp.StopAsleep:
		return "exception"
	case debug.GuestBreak:
		return "breakpoint"
	case arcv2dsp.StopExited:
		return "exit"
	case debug.AtStart, debug.HistoryStart:
		return "entry"
	}
	return "step"
}

func (s *session) stopped(reason string, stop debug.Stop) {
	s.last = stop
	body := protocol.StoppedEventBody{Reason: reason, ThreadId: coreThread, AllThreadsStopped: true, Text: stop.Text}
	for _, p := range stop.Points {
		body.HitBreakpointIds = append(body.HitBreakpointIds, p.Number)
	}
	var changes []string
	for _, c := range stop.Changes {
		text := fmt.Sprintf("%s: %s, was %s", c.Point.Spec, c.New, c.Old)
		if c.Read {
			text = fmt.Sprintf("%s was read: %s", c.Point.Spec, c.New)
		}
		changes = append(changes, text)
	}
	switch {
	case changes != nil:
		body.Description = strings.Join(changes, "; ")
		body.Text = body.Description
	case stop.Reason == debug.GuestBreak:
		body.Description = "brk instruction"
	case stop.Reason == arcv2dsp.StopExited:
		body.Description = fmt.Sprintf("the program ended with status %d", stop.ExitCode())
	}
	s.event("stopped", body)
}

// move begins a motion behind the answer to its request.
func (s *session) move(thread int, m *motion) (any, func()) {
	switch {
	case !s.ready:
		steps.Check(errors.New("the configuration is not done"))
	case thread != coreThread && thread != 0:
		steps.Check(fmt.Errorf("thread %#x does not run: only what the core executes can be moved", thread))
	case s.over && !m.reverse:
		steps.Check(errors.New("the program has ended"))
	}
	return protocol.ContinueResponseBody{AllThreadsContinued: true}, func() { s.begin(m) }
}

func (s *session) goOn(a protocol.ContinueArguments) (any, func()) {
	return s.move(a.ThreadId, &motion{goesOn: true, run: func(ctx context.Context) (debug.Stop, error) {
		return s.d.Continue(ctx, debug.Limits{}), nil
	}})
}

const byInstruction = protocol.SteppingGranularity("instruction")

func (s *session) next(a protocol.NextArguments) (any, func()) {
	return s.forward(a.ThreadId, a.Granularity, true)
}

func (s *session) stepIn(a protocol.StepInArguments) (any, func()) {
	return s.forward(a.ThreadId, a.Granularity, false)
}

func (s *session) forward(thread int, by protocol.SteppingGranularity, over bool) (any, func()) {
	return s.move(thread, &motion{run: func(ctx context.Context) (debug.Stop, error) {
		if _, known := s.d.LineAt(s.d.PC()); by == byInstruction || !known {
			return s.d.StepInst(ctx, 1, over), nil
		}
		return s.d.Step(ctx, 1, over), nil
	}})
}

func (s *session) stepOut(a protocol.StepOutArguments) (any, func()) {
	return s.move(a.ThreadId, &motion{run: s.d.Finish})
}

func (s *session) stepBack(a protocol.StepBackArguments) (any, func()) {
	return s.move(a.ThreadId, &motion{reverse: true, run: s.searching(func(ctx context.Context) (debug.Stop, error) {
		if _, known := s.d.LineAt(s.d.PC()); a.Granularity == byInstruction || !known {
			return s.d.ReverseStepInst(ctx, 1, true)
		}
		return s.d.ReverseStep(ctx, 1, true)
	})})
}

func (s *session) reverseContinue(a protocol.ReverseContinueArguments) (any, func()) {
	return s.move(a.ThreadId, &motion{reverse: true, run: s.searching(s.d.ReverseContinue)})
}

// searching tells the client how far a search through the past is.
func (s *session) searching(run func(ctx context.Context) (debug.Stop, error)) func(ctx context.Context) (debug.Stop, error) {
	const parts = 10
	return func(ctx context.Context) (debug.Stop, error) {
		told := uint64(0)
		s.d.OnProgress(func(p debug.Progress) {
			if part := p.Searched * parts / max(p.Of, 1); part > told {
				told = part
				s.note("searched " + p.String())
			}
		})
		defer s.d.OnProgress(nil)
		return run(ctx)
	}
}

func (s *session) pause(protocol.PauseArguments) any {
	if s.moving == nil {
		steps.Check(errors.New("the program stands"))
	}
	s.cancel()
	return nil
}
