package arcv2dsp

import (
	"context"
	"time"

	"arcv2dsp/internal/machine"
)

// Limits bound a run. Zero means no limit; counts are from where the run starts.
type Limits struct {
	Insts   uint64
	Cycles  uint64
	Timeout time.Duration // by the clock of the host
}

// Run executes the program until it ends, something stops it, or a limit is reached. Limits are met
// exactly: no instruction beyond them is executed. The error is nil unless there is no program
// or no context; whatever happens to the program is in the Stop.
func (m *Machine) Run(ctx context.Context, lim Limits) (Stop, error) {
	s, err := m.sys.Run(ctx, machine.Limits(lim))
	return stopOf(s), err
}

// Step executes one instruction, or takes one pending interrupt.
func (m *Machine) Step(ctx context.Context) (Stop, error) {
	s, err := m.sys.Step(ctx)
	return stopOf(s), err
}

func stopOf(s machine.Stop) Stop {
	return Stop{
		Reason: Reason(s.Reason), PC: s.PC, Status: s.Status, Exception: s.Exception, Handling: s.Handling, Access: s.Access,
	}
}
