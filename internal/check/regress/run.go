package regress

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode"

	"golang.org/x/sync/errgroup"

	"arcv2dsp"
	"arcv2dsp/internal/measure/report"
	"arcv2dsp/mlikernels"
)

// RunOptions say how a plan is carried out. The results do not depend on them.
type RunOptions struct {
	Workers  int // runtime.NumCPU() when 0
	FailFast bool
	Progress *report.Progress
	// Minimize is the directory for smaller versions of failing cases, empty for none.
	Minimize string
}

// control is the state that the workers of a run share.
type control struct {
	ctx     context.Context
	fail    context.CancelFunc
	opts    RunOptions
	planned int
	done    atomic.Int64
	failed  atomic.Int64
	lost    sync.Map // *atomic.Int64 by function and core
	started time.Time
}

// Run checks everything that was planned and returns the results in the order of the plan. The error
// is one of the host; failing cases are results.
func (s *Suite) Run(ctx context.Context, o RunOptions) ([]Result, error) {
	if o.Workers <= 0 {
		o.Workers = runtime.NumCPU()
	}
	if o.Progress == nil {
		o.Progress = report.NewProgress(nil)
	}
	limited, cancel := context.WithCancel(ctx)
	defer cancel()
	c := &control{ctx: limited, fail: cancel, opts: o, planned: len(s.Cases()), started: time.Now()}
	results := make([][]Result, len(s.units))
	var next atomic.Int64
	var g errgroup.Group
	for range min(o.Workers, len(s.units)) {
		g.Go(func() error {
			w := &worker{suite: s, machines: map[machineKey]*mlikernels.Machine{}}
			for {
				i := int(next.Add(1)) - 1
				if i >= len(s.units) {
					return w.close()
				}
				results[i] = s.runUnit(w, c, &s.units[i])
			}
		})
	}
	err := g.Wait()
	o.Progress.Done()
	var all []Result
	for _, r := range results {
		all = append(all, r...)
	}
	if err == nil && o.Minimize != "" {
		err = s.minimize(&control{ctx: ctx, opts: o}, all)
	}
	return all, err
}

// runUnit checks one unit, unless the run is over.
func (s *Suite) runUnit(w *worker, c *control, u *unit) []Result {
	if c.ctx.Err() != nil {
		return notRun(u.cases)
	}
	results := u.run(w, c, u.cases)
	for i := range results {
		if f := results[i].Failure; f != nil {
			f.Repeat = s.repeat(results[i].Case)
			c.failed.Add(1)
			if c.opts.FailFast {
				c.fail()
			}
		}
	}
	c.done.Add(int64(len(results)))
	c.opts.Progress.Update(func() string {
		return fmt.Sprintf("%s of %s cases, %d failed, %.1f s, %s", report.Thousands(uint64(c.done.Load())),
			report.Thousands(uint64(c.planned)), c.failed.Load(), time.Since(c.started).Seconds(), u.cases[0].Group)
	})
	return results
}

func notRun(cases []Case) []Result {
	results := make([]Result, len(cases))
	for i, c := range cases {
		results[i] = Result{Case: c, Outcome: Outcome{NotRun: true}}
	}
	return results
}

// failAll reports the same failure for all cases of a unit.
func failAll(cases []Case, f Failure) []Result {
	results := make([]Result, len(cases))
	for i, c := range cases {
		own := f
		results[i] = Result{Case: c, Outcome: Outcome{Failure: &own}}
	}
	return results
}

// simulate calls a kernel on the core of every case and judges what it did.
func (s *Suite) simulate(w *worker, c *control, cases []Case, k *mlikernels.Kernel, job *mlikernels.Job) []Result {
	work := k.Amount(job.Call)
	results := make([]Result, len(cases))
	for i, cs := range cases {
		r := &results[i]
		*r = Result{Case: cs, Outcome: Outcome{Work: work}}
		start := time.Now()
		rep, err := s.call(w, c, cs, k, job)
		r.Elapsed = time.Since(start)
		if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
			r.NotRun = true
			continue
		}
		if rep != nil {
			r.Cycles, r.Insts, r.Stalls = rep.Cycles, rep.Insts, rep.Stalls
		}
		if r.Failure = judge(rep, err, job.Want); r.Failure != nil {
			r.job, r.kernel = job, k
		}
	}
	return results
}

// call runs one case on the worker's machine for it.
func (s *Suite) call(w *worker, c *control, cs Case, k *mlikernels.Kernel, job *mlikernels.Job) (*mlikernels.Report, error) {
	m, err := w.machine(cs.Core, s.keyOf(k.Of, cs.Core, cs.Round))
	if err != nil {
		return nil, err
	}
	lost := c.runaways(k, cs.Core)
	if n := lost.Load(); n >= maxRunaways {
		return nil, fmt.Errorf("not called: the function did not return in %d calls before", n)
	}
	rep, err := m.Run(c.ctx, k, job)
	var runaway *mlikernels.RunawayError
	if errors.As(err, &runaway) {
		lost.Add(1)
	}
	return rep, err
}

// maxRunaways is how often a function may not return before it is not called any more.
const maxRunaways = 2

// runaways counts the calls of a function that did not return on a core.
func (c *control) runaways(k *mlikernels.Kernel, core string) *atomic.Int64 {
	n, _ := c.lost.LoadOrStore(k.Symbol+" "+core, new(atomic.Int64))
	return n.(*atomic.Int64)
}

// repeat is the command that runs one case alone.
func (s *Suite) repeat(c Case) string {
	cmd := "arcsim regress -run " + quote("^"+regexp.QuoteMeta(c.Name)+"$")
	if s.Seed != DefaultSeed {
		cmd += fmt.Sprintf(" --seed %d", s.Seed)
	}
	if preset := s.processors[c.Core].preset; preset != "" && !slices.Contains(DefaultCores, preset) {
		cmd += " --core " + preset
	}
	for _, set := range s.Settings {
		switch {
		case set.TCF != "":
			cmd += " --tcf " + quote(set.TCF)
		case set.File != "":
			cmd += " --props " + quote(set.File)
		default:
			cmd += " -p " + quote(set.Property)
		}
	}
	if s.Engine != arcv2dsp.EngineAuto {
		cmd += " --engine " + s.Engine.String()
	}
	if s.Library != nil {
		for _, f := range s.Library.Files {
			cmd += " --library " + quote(f.Name)
		}
		for _, text := range s.Library.Conventions.Given {
			cmd += " --convention " + quote(text)
		}
	}
	for _, f := range s.Vectors {
		cmd += " --vectors " + quote(f)
	}
	for _, call := range s.Calls {
		cmd += " " + quote(call)
	}
	return cmd
}

// quote makes a word of a text for a shell.
func quote(text string) string {
	if text != "" && !strings.ContainsFunc(text, func(r rune) bool {
		return !strings.ContainsRune("-_./:,+@%=", r) && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}) {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
