package bench

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"arcv2dsp"
	"arcv2dsp/isa"
	"arcv2dsp/mlikernels/kernel"
)

// kernelCall is a call of a kernel with what it must give.
type kernelCall struct {
	kernel *kernel.Kernel
	job    *kernel.Job
}

func referenceCall(ref kernel.Reference) (*kernelCall, error) {
	job, err := ref.Job()
	return &kernelCall{kernel: ref.Kernel, job: job}, err
}

// gridSeed is the seed of the data of calls that stand for a kernel.
const gridSeed = 1

func gridCall(k *kernel.Kernel, p kernel.Point) (*kernelCall, error) {
	job, err := p.Job(k.Roundings()[0], gridSeed)
	return &kernelCall{kernel: k, job: job}, err
}

// run makes the call and fails when its result is not right.
func (c *kernelCall) run(ctx context.Context, m *kernel.Machine) (*kernel.Report, error) {
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
		if err := kernel.Difference(got, want); err != nil {
			return rep, fmt.Errorf("output %q: %w", name, err)
		}
	}
	return rep, nil
}

// plainPoint is the case of the standard grid that stands for a kernel without a vendor count: the
// first one with aligned buffers of its own, or the first where there is none.
func plainPoint(k *kernel.Kernel) (kernel.Point, bool) {
	for _, p := range k.Grid() {
		if p.Plain {
			return p, true
		}
	}
	if grid := k.Grid(); len(grid) > 0 {
		return grid[0], true
	}
	return kernel.Point{}, false
}

// libraries are the assembled kernels, built when first needed.
type libraries struct {
	foreign *kernel.Foreign
	mu      sync.Mutex
	built   map[libraryKey]func() (*kernel.Library, error)
}

// libraryKey is a library in one variant: ours, or the foreign one in its place.
type libraryKey struct {
	of      *kernel.Collection
	variant kernel.Variant
	foreign bool
}

func (l *libraries) get(k libraryKey) (*kernel.Library, error) {
	l.mu.Lock()
	if l.built == nil {
		l.built = map[libraryKey]func() (*kernel.Library, error){}
	}
	build := l.built[k]
	if build == nil {
		build = sync.OnceValues(func() (*kernel.Library, error) {
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
	of      *kernel.Collection
	foreign bool
	*kernel.Machine
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
	return asSettings(append(list, p.Settings...))
}

// kernelMachine returns a machine of the worker for the point and a library, the last one when it fits.
func (w *worker) kernelMachine(p Point, c *kernel.Collection, foreign bool) (*kernel.Machine, error) {
	point := fmt.Sprint(p.Core, p.NoAGU, p.Wait, p.Settings)
	if k := w.kernels; k != nil && k.point == point && k.of == c && k.foreign == foreign {
		return k.Machine, nil
	}
	agu := kernel.HasAGU(p.Core) && !p.NoAGU
	lib, err := w.libs.get(libraryKey{of: c, variant: kernel.Variant{AGU: agu}, foreign: foreign})
	if err != nil {
		return nil, err
	}
	m, err := kernel.NewMachine(kernel.MachineOptions{Core: p.Core, Library: lib, Limit: w.limit,
		Settings: p.kernelSettings(), Wait: p.Wait})
	if err != nil {
		return nil, err
	}
	if err := w.close(); err != nil {
		return nil, err
	}
	w.kernels = &kernelMachine{point: point, of: c, foreign: foreign, Machine: m}
	return m, nil
}

// runKernel counts the cycles of a kernel.
func (w *worker) runKernel(ctx context.Context, s Subject, p Point, r *Result) error {
	f, err := p.features()
	if err != nil {
		return err
	}
	if !f.Has(isa.DSP) {
		return &skipError{"no DSP instructions"}
	}
	r.MACPeak = macPeak(f)
	call, err := s.kernel()
	if err != nil {
		return err
	}
	m, err := w.kernelMachine(p, call.kernel.Of, false)
	if err != nil {
		return err
	}
	r.Memory = m.Memories()
	if op := call.job.Op; op.MACs != nil && r.Unit == unitMAC {
		r.Real = uint64(op.MACs(call.job.Call))
	}
	if p.Board != nil {
		l, err := m.LayOut(call.kernel, call.job)
		if err != nil {
			return err
		}
		if err := p.Board.Fits(l); err != nil {
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
