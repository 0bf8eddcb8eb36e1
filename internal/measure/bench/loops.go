package bench

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"

	"arcv2dsp"
	"arcv2dsp/internal/measure/profile"
	"arcv2dsp/internal/measure/report"
	"arcv2dsp/internal/term/steps"
	"arcv2dsp/mlikernels"
)

// Measured turns results into those of a page, with what changed against a baseline, if there is one.
func Measured(results []Result, baseline *Baseline) []report.Measured {
	type place struct{ name, core string }
	before := map[place]Change{}
	if baseline != nil {
		for _, c := range baseline.Compare(results, 0) {
			before[place{c.Name, c.Core}] = c
		}
	}
	var list []report.Measured
	for _, r := range results {
		c := before[place{r.Name, r.Core}]
		list = append(list, report.Measured{
			Name: r.Name, Core: r.Core, Kernel: r.Kind == Kernel, Cycles: r.Cycles, Insts: r.Insts,
			Stalls: r.Stalls, Work: r.Work, Unit: r.Unit, Real: r.Real, Memory: r.Memory, Peak: uint64(r.Peak), Vendor: r.Vendor, Bound: r.Bound,
			Skipped: r.Skipped, Failure: r.Failure, Before: c.Before, Regressed: c.Regressed,
		})
	}
	return list
}

// HotLoops finds the hot loop of each kernel, in its call with the most work, and of each file, on the first core
// that can run it.
func HotLoops(ctx context.Context, results []Result) (loops []report.HotLoop, err error) {
	best := map[string]Result{} // by kernel or file
	for _, r := range results {
		if r.Kind == Program || !r.Counted() {
			continue
		}
		subject := r.Name
		if r.Kind == Kernel {
			subject = Subject{Name: r.Name}.Symbol()
		}
		b, have := best[subject]
		if !have || r.Core == b.Core && r.Work > b.Work {
			best[subject] = r
		}
	}
	w := &worker{libs: &libraries{}}
	defer func() { _ = w.close() }() // nothing is left to lose
	for _, subject := range slices.Sorted(maps.Keys(best)) {
		r := best[subject]
		of := fileProfile
		if r.Kind == Kernel {
			of = w.kernelProfile
		}
		p, err := of(ctx, r)
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err != nil:
			return nil, fmt.Errorf("%s on %s: %w", r.Name, r.Core, err)
		}
		if l, ok := p.HotLoop(); ok {
			loops = append(loops, report.HotLoop{Name: r.Name, Core: r.Core, Cycles: p.Total.Cycles, Loop: l})
		}
	}
	return loops, nil
}

// fileProfile runs a program again and counts what each instruction costs. Damaged debug information costs its names
// only.
func fileProfile(ctx context.Context, r Result) (_ *profile.Profile, err error) {
	defer steps.Return(&err)
	m := steps.Must(arcv2dsp.New(arcv2dsp.Config{Core: r.Core, Stdout: io.Discard}))
	defer m.Close()
	steps.Check(m.LoadFile(r.Name))
	counts := m.StartProfile()
	_, err = m.Run(ctx, arcv2dsp.Limits{Cycles: DefaultLimit})
	chains := counts.Stop()
	steps.Check(err)
	p, _ := profile.New(m, r.Name, chains)
	return p, nil
}

// kernelProfile makes the call of a result again and counts what each instruction costs.
func (w *worker) kernelProfile(ctx context.Context, r Result) (_ *profile.Profile, err error) {
	defer steps.Return(&err)
	c := steps.Must(mlikernels.Find(r.Name))
	job := steps.Must(c.Typical())
	m := steps.Must(w.kernelMachine(Point{Core: r.Core}, c.Kernel.Of, false))
	entry, _ := m.Core().Symbol(c.Kernel.Symbol)
	_, chains, err := m.Profile(ctx, entry, c.Kernel, job)
	steps.Check(err)
	return profile.New(m.Core(), m.Core().Image().Name, chains)
}
