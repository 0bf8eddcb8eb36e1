package gemm

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"

	"arcv2dsp"
	"arcv2dsp/internal/measure/report"
	"arcv2dsp/internal/term/steps"
	"arcv2dsp/mlikernels"
	"arcv2dsp/nn"
)

// Method is a way to compute a product.
type Method string

// The methods.
const (
	RankOne Method = "rank-one" // offsets as updates of rank one
	Naive   Method = "naive"    // offsets added inside the loop
)

// kernels are the functions of the methods.
var kernels = map[Method]string{RankOne: "arcq_gemm_u8", Naive: "arcq_gemm_naive_u8"}

// Part is a part of a product's code.
type Part string

// The parts. Rest is the driver: entry, columns one after the other, return.
const (
	Rest    Part = "rest"
	Pack    Part = "pack"
	Compute Part = "compute"
	Unpack  Part = "unpack"
)

// functions are the symbols of the parts within a kernel's code.
var functions = map[string]Part{"gemm_pack": Pack, "gemm_compute": Compute, "gemm_unpack": Unpack}

// Result is a product that a core has computed.
type Result struct {
	Core         string
	Method       Method
	MACs         uint64
	Cycles       uint64
	Instructions uint64
	Parts        map[Part]uint64 // cycles, nil when they were not asked for
	Out          *nn.Tensor
	// Difference says how the result differs from the golden model's, nil when it does not.
	Difference error
}

// PerMAC are the cycles of a multiply-accumulate.
func (r *Result) PerMAC() float64 { return float64(r.Cycles) / float64(r.MACs) }

// Share is the part of the cycles, 0 to 1.
func (r *Result) Share(p Part) float64 { return float64(r.Parts[p]) / float64(r.Cycles) }

// Text prints the result for people.
func (r *Result) Text(w io.Writer) error {
	fmt.Fprintf(w, "%v on %s, offsets %s: %s cycles, %.3f per MAC, %s instructions\n", r.Out.Shape, r.Core, r.Method,
		report.Thousands(r.Cycles), r.PerMAC(), report.Thousands(r.Instructions))
	for _, p := range []Part{Pack, Compute, Unpack, Rest} {
		if r.Parts != nil {
			fmt.Fprintf(w, "%14s  %s, %.1f %%\n", report.Thousands(r.Parts[p]), p, 100*r.Share(p))
		}
	}
	verdict := "equal to the golden model"
	if r.Difference != nil {
		verdict = "not what the golden model computes"
	}
	_, err := fmt.Fprintln(w, verdict)
	return err
}

// JSON is the result for other programs.
func (r *Result) JSON() any {
	j := map[string]any{"schema": 1, "core": r.Core, "method": r.Method, "macs": r.MACs, "cycles": r.Cycles,
		"instructions": r.Instructions, "cycles_per_mac": r.PerMAC(), "shape": r.Out.Shape, "equal": r.Difference == nil}
	if r.Parts != nil {
		j["parts"] = r.Parts
	}
	return j
}

// Machine is a core with one way to compute products.
type Machine struct {
	core    string
	method  Method
	kernel  *mlikernels.Kernel
	library *mlikernels.Library
	machine *mlikernels.Machine
}

// Options say on what a product is computed, and how. An engine that profiles is the reference engine whatever is asked for.
type Options struct {
	Core     string
	Settings []arcv2dsp.Setting
	Method   Method
	Engine   arcv2dsp.EngineKind
}

// NewMachine makes a core.
func NewMachine(o Options) (_ *Machine, err error) {
	defer steps.Return(&err)
	board := steps.Must(mlikernels.CheckBoard(o.Core, o.Settings...))
	k := steps.Must(mlikernels.Lookup(kernels[o.Method]))
	lib := steps.Must(k.Of.BuildFiles(k.Of.Tree, []string{k.Source.File}, k.Of.Variant(board.AGU, nn.Double), mlikernels.Lines{}))
	m := steps.Must(mlikernels.NewMachine(mlikernels.MachineOptions{Core: o.Core, Settings: o.Settings, Engine: o.Engine, Library: lib}))
	return &Machine{core: board.Name, method: o.Method, kernel: k, library: lib, machine: m}, nil
}

// Close releases the core.
func (m *Machine) Close() error { return m.machine.Close() }

// Run computes a product and compares it with the golden model; with parts it says where the cycles went.
func (m *Machine) Run(ctx context.Context, c *nn.Call, parts bool) (*Result, error) {
	if m.kernel.Fits != nil {
		if err := m.kernel.Fits(c); err != nil {
			return nil, fmt.Errorf("%s: %w", m.method, err)
		}
	}
	job, err := mlikernels.NewJob(c)
	if err != nil {
		return nil, err
	}
	r := &Result{Core: m.core, Method: m.method, MACs: m.kernel.Amount(c)}
	var rep *mlikernels.Report
	if parts {
		var chains []arcv2dsp.CallChain
		if rep, chains, err = m.machine.Profile(ctx, m.library.Entry(m.kernel.Symbol), m.kernel, job); err == nil {
			r.Parts = m.parts(chains)
		}
	} else {
		rep, err = m.machine.Run(ctx, m.kernel, job)
	}
	if err != nil {
		return nil, err
	}
	if !rep.OK() {
		return nil, fmt.Errorf("%s returned %s", m.kernel.Symbol, rep.Status)
	}
	r.Cycles, r.Instructions, r.Out = rep.Cycles, rep.Insts, rep.Results["out"]
	r.Difference = mlikernels.Difference(r.Out, job.Want["out"])
	return r, nil
}

// parts adds costs up by the function that an instruction is in.
func (m *Machine) parts(chains []arcv2dsp.CallChain) map[Part]uint64 {
	type start struct {
		addr uint32
		part Part
	}
	starts := []start{{addr: m.library.Entry(m.kernel.Symbol), part: Rest}}
	for symbol, part := range functions {
		starts = append(starts, start{addr: m.library.Entry(symbol), part: part})
	}
	slices.SortFunc(starts, func(a, b start) int { return cmp.Compare(b.addr, a.addr) })
	sum := map[Part]uint64{}
	for _, chain := range chains {
		for i := range chain.Costs {
			c := &chain.Costs[i]
			if at := slices.IndexFunc(starts, func(s start) bool { return c.PC >= s.addr }); at >= 0 {
				sum[starts[at].part] += c.Cycles()
			}
		}
	}
	return sum
}
