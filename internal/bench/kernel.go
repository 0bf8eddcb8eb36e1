package bench

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"arcv2dsp"
	"arcv2dsp/isa"
	"arcv2dsp/mlikernels"
)

// kernelCall is a call of a kernel and how to tell whether its result is right.
type kernelCall struct {
	kernel *mlikernels.Kernel
	run    func(ctx context.Context, m *mlikernels.Machine) (*mlikernels.Report, error)
}

func referenceCall(ref mlikernels.Reference) (*kernelCall, error) {
	job, err := ref.Job()
	if err != nil {
		return nil, err
	}
	k, err := mlikernels.Lookup(ref.Symbol)
	if err != nil {
		return nil, err
	}
	return newKernelCall(k, job)
}

func gridCall(k *mlikernels.Kernel, p mlikernels.Point) (*kernelCall, error) {
	job, _, err := k.Job(p, 0, 1)
	if err != nil {
		return nil, err
	}
	return newKernelCall(k, job)
}

func newKernelCall(k *mlikernels.Kernel, job *mlikernels.Job) (*kernelCall, error) {
	want, err := job.RunRound(job.Round)
	if err != nil {
		return nil, err
	}
	return &kernelCall{kernel: k, run: func(ctx context.Context, m *mlikernels.Machine) (*mlikernels.Report, error) {
		rep, err := m.Run(ctx, k, job, want)
		if err != nil {
			return rep, err
		}
		if rep.Status != mlikernels.StatusOK {
			return rep, fmt.Errorf("returned %v", rep.Status)
		}
		for name, w := range want.Outputs {
			got := rep.Outputs[name]
			if got == nil {
				return rep, fmt.Errorf("no output %q", name)
			}
			if err := mlikernels.Difference(got, w); err != nil {
				return rep, fmt.Errorf("output %q: %w", name, err)
			}
		}
		return rep, nil
	}}, nil
}

// plainPoint is the case of the standard grid that stands for a kernel without a vendor count: the
// first one with aligned buffers of its own.
func plainPoint(k *mlikernels.Kernel) (mlikernels.Point, bool) {
	grid := k.Grid()
	for _, p := range grid {
		if !strings.Contains(p.Name, "_over-") && !strings.Contains(p.Name, "_at") {
			return p, true
		}
	}
	return mlikernels.Point{}, false
}

// libraries are the assembled kernels, built when first needed.
type libraries struct {
	mu    sync.Mutex
	built map[mlikernels.Variant]func() (*mlikernels.Library, error)
}

func (l *libraries) get(v mlikernels.Variant) (*mlikernels.Library, error) {
	l.mu.Lock()
	if l.built == nil {
		l.built = map[mlikernels.Variant]func() (*mlikernels.Library, error){}
	}
	build := l.built[v]
	if build == nil {
		build = sync.OnceValues(func() (*mlikernels.Library, error) { return mlikernels.Build(v) })
		l.built[v] = build
	}
	l.mu.Unlock()
	return build()
}

// kernelMachine is a machine for kernels with the point it was made for.
type kernelMachine struct {
	point string
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
	return asSettings(append(list, p.Settings...))
}

// kernelMachine returns a machine of the worker for the point, the last one when it fits.
func (w *worker) kernelMachine(p Point) (*mlikernels.Machine, error) {
	point := fmt.Sprint(p.Core, p.NoAGU, p.Wait, p.Settings)
	if k := w.kernels; k != nil && k.point == point {
		return k.Machine, nil
	}
	agu := mlikernels.HasAGU(p.Core) && !p.NoAGU
	lib, err := w.libs.get(mlikernels.Variant{AGU: agu})
	if err != nil {
		return nil, err
	}
	m, err := mlikernels.NewMachine(mlikernels.MachineOptions{Core: p.Core, Library: lib, Limit: w.limit,
		Settings: p.kernelSettings(), Wait: p.Wait})
	if err != nil {
		return nil, err
	}
	if err := w.close(); err != nil {
		return nil, err
	}
	w.kernels = &kernelMachine{point: point, Machine: m}
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
	m, err := w.kernelMachine(p)
	if err != nil {
		return err
	}
	rep, err := call.run(ctx, m)
	if rep != nil {
		r.Cycles, r.Insts, r.Stalls = rep.Cycles, rep.Insts, rep.Stalls
	}
	return err
}
