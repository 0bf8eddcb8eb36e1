package bench

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"arcv2dsp"
	"arcv2dsp/mlikernels"
)

// Point is a core with the options under which subjects are measured.
type Point struct {
	Core string // a template or a board
	// Base are settings of the user for the core; they describe it where they name a file.
	Base     []arcv2dsp.Setting
	NoAGU    bool     // as if the core had no AGU
	Wait     uint8    // extra cycles per access to the program's data
	Settings []string // properties, as -p takes them
	// Board has the memories that the data of kernels must fit into; nil for memories of any size.
	Board *mlikernels.Board
	Label string // how a sweep names the point
}

// Task is one measurement.
type Task struct {
	Subject Subject
	Point   Point
}

// Tasks are all subjects at all points, one point after the other.
func Tasks(subjects []Subject, points []Point) []Task {
	var all []Task
	for _, p := range points {
		for _, s := range subjects {
			all = append(all, Task{Subject: s, Point: p})
		}
	}
	return all
}

// Points are cores with settings of the user.
func Points(cores []string, settings []arcv2dsp.Setting) []Point {
	var all []Point
	for _, c := range cores {
		all = append(all, Point{Core: c, Base: settings})
	}
	return all
}

// template is the core by name, "" where the settings describe the whole core: its name is that of their file then.
func (p Point) template() string {
	if slices.ContainsFunc(p.Base, func(s arcv2dsp.Setting) bool { return s.TCF != "" || s.File != "" }) {
		return ""
	}
	return p.Core
}

// Runner measures.
type Runner struct {
	Jobs  int    // how many at a time
	Limit uint64 // cycles of one task
	// Library, when set, is measured on the same calls of kernels.
	Library *mlikernels.Foreign
	// Done is told of each result as it is there, one at a time. May be nil.
	Done func(done, total int, r Result)
}

// DefaultLimit ends what does not end by itself.
const DefaultLimit = 2_000_000_000

// worker is one of the goroutines that measure, with what it keeps between tasks.
type worker struct {
	limit   uint64
	libs    *libraries
	kernels *kernelMachine
}

func (w *worker) close() error {
	if w.kernels == nil {
		return nil
	}
	k := w.kernels
	w.kernels = nil
	return k.Close()
}

// Run measures all tasks and returns the results in their order. A task that fails has its reason in
// the result and ends nothing. When the context ends, the results so far are returned with its error.
func (r *Runner) Run(ctx context.Context, tasks []Task) ([]Result, error) {
	results := make([]Result, len(tasks))
	finished := make([]bool, len(tasks))
	next := make(chan int)
	libs := &libraries{foreign: r.Library}
	limit := r.Limit
	if limit == 0 {
		limit = DefaultLimit
	}
	var mu sync.Mutex
	var errs []error
	count := 0
	var wg sync.WaitGroup
	for range max(1, min(r.Jobs, len(tasks))) {
		wg.Go(func() {
			w := &worker{limit: limit, libs: libs}
			for i := range next {
				res, err := w.measure(ctx, tasks[i])
				mu.Lock()
				if err != nil {
					errs = append(errs, err)
				}
				if ctx.Err() == nil {
					results[i], finished[i] = res, true
					count++
					if r.Done != nil {
						r.Done(count, len(tasks), res)
					}
				}
				mu.Unlock()
			}
			if err := w.close(); err != nil {
				mu.Lock()
				errs = append(errs, err)
				mu.Unlock()
			}
		})
	}
feed:
	for i := range tasks {
		select {
		case next <- i:
		case <-ctx.Done():
			break feed
		}
	}
	close(next)
	wg.Wait()
	var kept []Result
	for i, ok := range finished {
		if ok {
			kept = append(kept, results[i])
		}
	}
	return kept, errors.Join(append(errs, ctx.Err())...)
}

// measure runs one task. The error is one of the counts themselves: a bug of the simulator.
func (w *worker) measure(ctx context.Context, t Task) (Result, error) {
	s, p := t.Subject, t.Point
	r := Result{Name: s.Name, Kind: s.Kind, Core: p.Core, Options: p.Label, Work: s.Work, Unit: s.Unit}
	if s.Kind == Kernel && p.Core == vendorCore && !p.NoAGU && len(p.Base) == 0 {
		r.Vendor = s.Vendor
	}
	start := time.Now()
	var err error
	if s.Kind == Kernel {
		err = w.runKernel(ctx, s, p, &r)
	} else {
		err = w.runProgram(ctx, s, p, &r)
	}
	r.Seconds = time.Since(start).Seconds()
	if r.Stalls == nil {
		r.Stalls = map[string]uint64{}
	}
	var skip *skipError
	if errors.As(err, &skip) {
		r.Skipped = skip.reason
	} else if err != nil {
		r.Failure = strings.TrimSpace(err.Error())
	}
	return r, r.check()
}
