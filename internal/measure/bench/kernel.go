package bench

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"arcv2dsp"
	"arcv2dsp/internal/term/steps"
	"arcv2dsp/isa"
	"arcv2dsp/mlikernels"
)

// kernelCall is a call of a kernel with what it must give.
type kernelCall struct {
	kernel *mlikernels.Kernel
	job    *mlikernels.Job
}

func callOf(c mlikernels.Case) (*kernelCall, error) {
	job, err := c.Typical()
	return &kernelCall{kernel: c.Kernel, job: job}, err
}

// run makes the call and fails when its result is not right.
func (c *kernelCall) run(ctx context.Context, m *mlikernels.Machine) (*mlikernels.Report, error) {
	rep, err := m.Run(ctx, c.kernel, c.job)
	if err != nil {
		return rep, err
	}
	if !rep.OK() {
		return rep, fmt.Errorf("returned %s", rep.Status)
	}
	for name, want := range c.job.Want {
		got := rep.Results[name]
		if got == nil {
			return rep, fmt.Errorf("no output %q", name)
		}
		if err := mlikernels.Difference(got, want); err != nil {
			return rep, fmt.Errorf("output %q: %w", name, err)
		}
	}
	return rep, nil
}

// libraries are the assembled kernels, built when first needed.
type libraries struct {
	foreign *mlikernels.Foreign
	mu      sync.Mutex
	built   map[libraryKey]func() (*mlikernels.Library, error)
}

// libraryKey is a library in one variant: ours, or the foreign one in its place.
type libraryKey struct {
	of      *mlikernels.Collection
	variant mlikernels.Variant
	foreign bool
}

func (l *libraries) get(k libraryKey) (*mlikernels.Library, error) {
	l.mu.Lock()
	if l.built == nil {
		l.built = map[libraryKey]func() (*mlikernels.Library, error){}
	}
	build := l.built[k]
	if build == nil {
		build = sync.OnceValues(func() (*mlikernels.Library, error) {
			if k.foreign {
				return k.of.Link(l.foreign, k.variant)
			}
			return k.of.Build(k.variant)
		})
		l.built[k] = build
	}
	l.mu.Unlock()
	return build()
}

// kernelMachine is a machine for kernels with the point and the library it was made for.
type kernelMachine struct {
	point   string
	agu     mlikernels.AGU
	of      *mlikernels.Collection
	foreign bool
	*mlikernels.Machine
}

// kernelSettings are the properties of a point for kernels. A cache takes the place of the memory it
// would never see used: of ICCM for code, of DCCM for data.
func (p Point) kernelSettings() []arcv2dsp.Setting {
	var list []string
	if p.NoAGU {
		list = append(list, noAGU...)
	}
	for _, s := range p.Settings {
		name, value, _ := strings.Cut(s, "=")
		if value == "0" {
			continue
		}
		switch strings.TrimPrefix(name, "nsim_isa_") {
		case "icache":
			list = append(list, "iccm0_size=0", "ram=all")
		case "dcache":
			list = append(list, "dccm_size=0", "ram=all")
		}
	}
	return append(slices.Clone(p.Base), asSettings(append(list, p.Settings...))...)
}

// kernelMachine returns a machine of the worker for the point and a library, the last one when it fits.
func (w *worker) kernelMachine(p Point, c *mlikernels.Collection, foreign bool) (_ *mlikernels.Machine, err error) {
	defer steps.Return(&err)
	point := fmt.Sprint(p.Core, p.Base, p.NoAGU, p.Wait, p.Settings)
	if k := w.kernels; k != nil && k.point == point && k.of == c && k.foreign == foreign {
		return k.Machine, nil
	}
	agu := mlikernels.AGUOf(p.Core)
	if len(p.Base) > 0 {
		agu = steps.Must(mlikernels.CheckBoard(p.template(), p.Base...)).AGU
	}
	if p.NoAGU {
		agu = mlikernels.NoAGU
	}
	lib := steps.Must(w.libs.get(libraryKey{of: c, variant: c.Variant(agu, c.Roundings[0]), foreign: foreign}))
	m := steps.Must(mlikernels.NewMachine(mlikernels.MachineOptions{Core: p.template(), Library: lib, Limit: w.limit,
		Settings: p.kernelSettings(), Wait: p.Wait}))
	steps.Check(w.close())
	w.kernels = &kernelMachine{point: point, agu: agu, of: c, foreign: foreign, Machine: m}
	return m, nil
}

// runKernel counts the cycles of a kernel.
func (w *worker) runKernel(ctx context.Context, s Subject, p Point, r *Result) (err error) {
	defer steps.Return(&err)
	f := steps.Must(p.features())
	if !f.Has(isa.DSP) {
		return &skipError{"no DSP instructions"}
	}
	call := steps.Must(s.kernel())
	work := call.kernel.Work(call.job.Call)
	r.Unit, r.Work, r.Real, r.Peak = call.kernel.Unit, work.Elements, work.Elements, wordBytes/float64(call.job.Out[0].Type.Bytes())
	if r.Unit == unitMAC {
		r.Work, r.Real, r.Peak = work.Products, work.Data, macPeak(f)
	}
	m := steps.Must(w.kernelMachine(p, call.kernel.Of, false))
	r.Memory, r.Bound = m.Memories(), call.kernel.Bound(call.job.Call, w.kernels.agu)
	if p.Board != nil {
		l := steps.Must(m.LayOut(call.kernel, call.job))
		if err := p.Board.Fits(l, call.kernel.Of.Variant(p.Board.AGU, call.job.Rounding).AGU); err != nil {
			return &skipError{strings.ReplaceAll(err.Error(), "\n", "; ")}
		}
	}
	rep, err := call.run(ctx, m)
	if rep != nil {
		r.Cycles, r.Insts, r.Stalls = rep.Cycles, rep.Insts, rep.Stalls
	}
	if err == nil && w.libs.foreign != nil {
		r.Library = w.runForeign(ctx, call, p)
	}
	return err
}

// runForeign counts the cycles of the same call in the foreign library.
func (w *worker) runForeign(ctx context.Context, call *kernelCall, p Point) *LibraryResult {
	m, err := w.kernelMachine(p, call.kernel.Of, true)
	if err != nil {
		return &LibraryResult{Failure: err.Error()}
	}
	rep, err := call.run(ctx, m)
	r := &LibraryResult{}
	if rep != nil {
		r.Cycles = rep.Cycles
	}
	if err != nil {
		r.Failure = err.Error()
	}
	return r
}
