package model

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"arcv2dsp"
	"arcv2dsp/internal/report"
	"arcv2dsp/mlikernels"
	"arcv2dsp/nn"
)

// Bench is what a network costs on a core, layer by layer. Cycles are the simulator's; the arithmetic was
// computed by kernels, and Wrong of a layer says where its golden function computes something else.
type Bench struct {
	Name    string   `json:"name,omitempty"`
	Core    string   `json:"core"`
	Options []string `json:"properties,omitempty"` // of the core, beside its template
	Layers  []Layer  `json:"layers"`
	Cycles  uint64   `json:"cycles"`
	Insts   uint64   `json:"instructions"`
	MACs    int64    `json:"macs"`
	Nominal int64    `json:"macs_nominal"`
	Arena   int      `json:"arena_bytes"`
	Weights int      `json:"weight_bytes"`
	Host    int      `json:"host_operators,omitempty"` // operators that no kernel computed
	Peak    float64  `json:"peak_macs_per_cycle"`
}

// Layer is one operator of a network on the core.
type Layer struct {
	Operator
	Kernel string            `json:"kernel,omitempty"` // empty when the host computed it
	Cycles uint64            `json:"cycles"`
	Insts  uint64            `json:"instructions"`
	Stalls map[string]uint64 `json:"stalls,omitempty"`
	Moved  int               `json:"bytes_moved"` // of all tensors
	Wrong  string            `json:"wrong,omitempty"`
}

// peakMACs is the multiply-accumulates the DSP cores do in a cycle at most: dual 16-bit MACs.
const peakMACs = 2

// RunBench runs a network once on a core and checks every operator against its golden function. Properties
// change options of the core, as -p does.
func RunBench(ctx context.Context, g *nn.Graph, core string, inputs []*nn.Tensor, properties ...string) (b *Bench, err error) {
	d, err := Describe(g, func(*nn.Call) []string { return nil }, nil)
	if err != nil {
		return nil, err
	}
	o := mlikernels.ExecutorOptions{Core: core, Host: true}
	for _, p := range properties {
		o.Settings = append(o.Settings, arcv2dsp.Setting{Property: p})
	}
	e, err := mlikernels.NewExecutor(o)
	if err != nil {
		return nil, err
	}
	defer func() {
		if e := e.Close(); err == nil {
			err = e
		}
	}()
	b = &Bench{Name: g.Name, Core: core, Options: properties, MACs: d.MACs, Nominal: d.Nominal, Arena: d.Arena, Weights: d.Weights, Peak: peakMACs}
	x := &checked{exec: e}
	s := nn.NewSession(g, x)
	s.After = func(node int, c *nn.Call) error {
		l := Layer{Operator: d.Operators[node], Wrong: x.wrong}
		for _, t := range append(c.In[:len(c.In):len(c.In)], c.Out...) {
			if t != nil {
				l.Moved += t.Bytes()
			}
		}
		for _, done := range e.Executions() {
			if done.Kernel == nil {
				b.Host++
				continue
			}
			l.Kernel, l.Cycles, l.Insts, l.Stalls = done.Kernel.Symbol, done.Report.Cycles, done.Report.Insts, done.Report.Stalls
		}
		b.Cycles += l.Cycles
		b.Insts += l.Insts
		b.Layers = append(b.Layers, l)
		return nil
	}
	if _, err := s.Run(ctx, inputs); err != nil {
		return nil, err
	}
	return b, nil
}

// checked is an executor whose results are compared with the golden functions'.
type checked struct {
	exec  nn.Executor
	wrong string
}

// Execute runs a call twice, from the same states.
func (x *checked) Execute(ctx context.Context, node int, c *nn.Call) error {
	golden := c.Detach()
	if err := x.exec.Execute(ctx, node, c); err != nil {
		return err
	}
	if err := golden.Run(); err != nil {
		return err
	}
	x.wrong = ""
	want := golden.Results()
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if err := nn.Difference(c.Results()[name], want[name]); err != nil && x.wrong == "" {
			x.wrong = fmt.Sprintf("%s: %v", name, err)
		}
	}
	return nil
}

// Wrong is the number of layers that are not what the golden functions compute.
func (b *Bench) Wrong() int {
	n := 0
	for _, l := range b.Layers {
		if l.Wrong != "" {
			n++
		}
	}
	return n
}

// perMAC is cycles per multiply-accumulate, 0 where there are none.
func perMAC(cycles uint64, macs int64) float64 {
	if macs == 0 {
		return 0
	}
	return float64(cycles) / float64(macs)
}

// Text prints a table of the layers.
func (b *Bench) Text(w io.Writer) error {
	t := report.Table{Columns: []report.Column{{Name: "layer"}, {Name: "output"}, {Name: "kernel"}, {Name: "cycles", Align: report.Right},
		{Name: "%", Align: report.Right}, {Name: "MACs", Align: report.Right}, {Name: "cycles/MAC", Align: report.Right},
		{Name: "peak", Align: report.Right}, {Name: "bytes", Align: report.Right}, {Name: "most lost to"}}}
	for _, l := range b.Layers {
		kernel, each, peak := l.Kernel, "", ""
		if kernel == "" {
			kernel = "(host)"
		}
		if l.MACs > 0 && l.Cycles > 0 {
			each = fmt.Sprintf("%.2f", perMAC(l.Cycles, l.MACs))
			peak = fmt.Sprintf("%.0f %%", 100*float64(l.MACs)/float64(l.Cycles)/b.Peak)
		}
		t.Add(fmt.Sprintf("%d %s", l.Index, l.Name), shapeText(l.Output), kernel, l.Cycles,
			fmt.Sprintf("%.1f", 100*float64(l.Cycles)/float64(max(1, b.Cycles))), uint64(l.MACs), each, peak, l.Moved, mostLost(l.Stalls))
	}
	t.Rule()
	t.Add("all", "", "", b.Cycles, "100.0", uint64(b.MACs), fmt.Sprintf("%.2f", perMAC(b.Cycles, b.MACs)),
		fmt.Sprintf("%.0f %%", 100*float64(b.MACs)/float64(max(1, b.Cycles))/b.Peak), "", "")
	if err := t.Text(w); err != nil {
		return err
	}
	var s strings.Builder
	fmt.Fprintf(&s, "%s: %s cycles, %.2f per MAC (%.2f with padding counted); activations %s bytes, weights %s bytes\n",
		strings.Join(append([]string{b.Core}, b.Options...), " "),
		report.Thousands(b.Cycles), perMAC(b.Cycles, b.MACs), perMAC(b.Cycles, b.Nominal), report.Thousands(uint64(b.Arena)),
		report.Thousands(uint64(b.Weights)))
	if b.Host > 0 {
		fmt.Fprintf(&s, "%d operators have no kernel for their call; the host computed them and their cycles are not counted\n", b.Host)
	}
	for _, l := range b.Layers {
		if l.Wrong != "" {
			fmt.Fprintf(&s, "operator %d %s differs from the golden function: %s\n", l.Index, l.Name, l.Wrong)
		}
	}
	_, err := io.WriteString(w, s.String())
	return err
}

// GoBench prints the figures in the format of Go's benchmarks.
func (b *Bench) GoBench(w io.Writer) error {
	var s strings.Builder
	line := func(name string, cycles uint64, macs int64) {
		fmt.Fprintf(&s, "BenchmarkModel/%s/core=%s 1 %d cycles %.4f cycles/MAC\n", name, b.Core, cycles, perMAC(cycles, macs))
	}
	name := strings.ReplaceAll(b.Name, " ", "_")
	for _, l := range b.Layers {
		line(fmt.Sprintf("%s/layer=%03d_%s", name, l.Index, l.Name), l.Cycles, l.MACs)
	}
	line(name, b.Cycles, b.MACs)
	_, err := io.WriteString(w, s.String())
	return err
}

// shapeText writes a shape as people do.
func shapeText(shape []int) string {
	text := make([]string, len(shape))
	for i, d := range shape {
		text[i] = fmt.Sprint(d)
	}
	return strings.Join(text, "x")
}

// mostLost names the reason that took most cycles.
func mostLost(stalls map[string]uint64) string {
	best, n := "", uint64(0)
	for _, reason := range slices.Sorted(maps.Keys(stalls)) {
		if stalls[reason] > n {
			best, n = reason, stalls[reason]
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf("%s %s", best, report.Thousands(n))
}
