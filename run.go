package arcv2dsp

import "context"

// Run executes the program until it ends, something stops it, or a limit is reached. Limits are met
// exactly: no instruction beyond them is executed. The error is nil unless there is no program
// or no context; whatever happens to the program is in the Stop.
func (m *Machine) Run(ctx context.Context, lim Limits) (Stop, error) {
	return m.sys.Run(ctx, lim)
}

// Step executes one instruction, or takes one pending interrupt.
func (m *Machine) Step(ctx context.Context) (Stop, error) {
	return m.sys.Step(ctx)
}
