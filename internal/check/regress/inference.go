package regress

import (
	"context"
	"fmt"
	"time"

	"arcv2dsp/mlikernels"
	"arcv2dsp/nn"
)

// inference executes calls on one core with the kernels that take them, and judges each against its golden
// function. The golden function computes calls that no kernel takes.
type inference struct {
	s      *Suite
	w      *worker
	c      *control
	result *Result
}

// layerFailure is the error of a call that did not give what it must. The cause tells outcomes apart.
type layerFailure struct {
	*Failure
	cause error
}

func (f layerFailure) Error() string { return f.Message }
func (f layerFailure) Unwrap() error { return f.cause }

// Execute runs one call. An unpredictable call runs as well, to see that the kernel comes back, and then says
// that it is unpredictable.
func (r *inference) Execute(ctx context.Context, node int, c *nn.Call) error {
	k, err := mlikernels.Choose(c)
	if err != nil {
		return nn.GoldenExecutor{}.Execute(ctx, node, c)
	}
	job, outcome := mlikernels.NewJob(c)
	if job == nil {
		return layerFailure{&Failure{Kind: KindGolden, Message: outcome.Error()}, outcome}
	}
	rep, err := r.s.call(r.w, r.c, r.result.Case, k, job)
	if outcome != nil {
		return layerFailure{&Failure{Kind: KindGolden, Message: outcome.Error()}, outcome}
	}
	if f := judge(rep, err, job.Want); f != nil {
		f.Message = fmt.Sprintf("%s: %s", k.Name(), f.Message)
		return layerFailure{f, nil}
	}
	for name, t := range c.Results() {
		t.Ints, t.Floats = rep.Results[name].Ints, rep.Results[name].Floats
	}
	r.result.Cycles += rep.Cycles
	r.result.Insts += rep.Insts
	for name, n := range rep.Stalls {
		r.result.Stalls[name] += n
	}
	if k.Unit == r.result.Unit {
		r.result.Work += k.Amount(c)
	}
	return nil
}

// ask puts a question to a core.
func (s *Suite) ask(w *worker, c *control, cs Case, ask question) Result {
	r := Result{Case: cs, Outcome: Outcome{Stalls: map[string]uint64{}}}
	start := time.Now()
	r.Failure = ask(c, &inference{s: s, w: w, c: c, result: &r})
	r.Elapsed = time.Since(start)
	if c.ctx.Err() != nil {
		return Result{Case: cs, Outcome: Outcome{NotRun: true}}
	}
	return r
}
