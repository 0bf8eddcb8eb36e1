package kernel

import (
	"context"

	"arcv2dsp"
)

// Profile runs a call as Run does and counts what every instruction cost, by the chain of calls that led to it.
func (k *Machine) Profile(ctx context.Context, entry uint32, kernel *Kernel, job *Job) (*Report, []arcv2dsp.CallChain, error) {
	counts := k.m.StartProfile()
	rep, err := k.RunAt(ctx, entry, kernel, job)
	return rep, counts.Stop(), err
}
