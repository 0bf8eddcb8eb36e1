package model

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"arcv2dsp"
	"arcv2dsp/internal/measure/report"
	"arcv2dsp/mlikernels"
	"arcv2dsp/nn"
)

// Bench is the cost of a network on a core, layer by layer. Cycles are the simulator's; the arithmetic was
// computed by kernels, and Wrong of a layer says where its golden function computes something else.
type Bench struct {
	Name    string   `json:"name,omitempty"`
	Core    string   `json:"core"`
	Options []string `json:"properties,omitempty"` // of the core, beside its template
	Inputs  [][]int  `json:"inputs"`               // their shapes
	Layers  []Layer  `json:"layers"`
	Cycles  uint64   `json:"cycles"`
	Insts   uint64   `json:"instructions"`
	MACs    int64    `json:"macs"` // of the operators that kernels computed
	Nominal int64    `json:"macs_nominal"`
	Arena   int      `json:"arena_bytes"`
	Weights int      `json:"weight_bytes"`
	Host    int      `json:"host_operators,omitempty"` // operators that no kernel computed
	Peak    float64  `json:"peak_macs_per_cycle"`
	// Memories are filled when the tensors lie in those of the core; then Copied cycles are those of copies of
	// constants into a fast one, part of all.
	Memories []mlikernels.Filled `json:"memories,omitempty"`
	Copied   uint64              `json:"copy_cycles,omitempty"`
	Verdict  *mlikernels.Verdict `json:"verdict"`
	Energy   *report.Energy      `json:"energy,omitempty"` // an estimate, nil where nothing is known

	File    string  `json:"file,omitempty"` // that the network comes from
	Map     []Place `json:"memory_map,omitempty"`
	Version string  `json:"version,omitempty"` // of the program that measured
	Before  bool    `json:"-"`                 // an earlier run, which others are compared with
}

// Layer is one operator of a network on the core.
type Layer struct {
	Operator
	Kernel string            `json:"kernel,omitempty"` // empty when the host computed it
	Cycles uint64            `json:"cycles"`
	Bound  uint64            `json:"bound,omitempty"` // the least cycles that its work takes on the core
	Insts  uint64            `json:"instructions"`
	Stalls map[string]uint64 `json:"stalls,omitempty"`
	Moved  int               `json:"bytes_moved"` // of all tensors
	Wrong  string            `json:"wrong,omitempty"`
	Reads  []int             `json:"reads,omitempty"` // the layers whose outputs it reads; inputs of the network are -1, -2 and so on

	// In a placed network: where its first input, its constants and its first output lie, into how many layers it
	// is divided, and the cycles of copies of its constants, part of all.
	Places []string `json:"places,omitempty"`
	Tiles  int      `json:"tiles,omitempty"`
	Copied uint64   `json:"copy_cycles,omitempty"`

	Energy float64 `json:"uj,omitempty"` // microjoules, an estimate as that of the network

	Ins   []Value  `json:"in,omitempty"`
	Outs  []Value  `json:"out,omitempty"`
	Attrs []string `json:"attributes,omitempty"`
}

// peakMACs is the multiply-accumulates the DSP cores do in a cycle at most: dual 16-bit MACs.
const peakMACs = 2

// BenchOptions say what a network is measured on.
type BenchOptions struct {
	Core     string
	Settings []arcv2dsp.Setting // change options of the core, or describe it when it has no name
	// Placed lets tensors lie in the memories that the core has, as they do on a board; else each call has memory as if
	// there were enough of every kind. RAM is how many bytes there are outside the core, 0 for as many as there are.
	Placed bool
	RAM    int
	Energy *report.PerCycle // nil for no estimate
}

// coreExecutor runs calls on a core and tells what ran.
type coreExecutor interface {
	nn.Executor
	Executions() []mlikernels.Execution
	Close() error
}

// open makes the executor; placed is nil when calls have memory of their own.
func (o *BenchOptions) open(g *nn.Graph) (e coreExecutor, placed *mlikernels.Placed, agu mlikernels.AGU, err error) {
	board, err := mlikernels.NewBoard(o.Core, o.Settings...)
	if err != nil {
		return nil, nil, agu, err
	}
	floats := inFloats(g)
	if o.Placed || !board.Flat && !floats {
		placed, err = mlikernels.Place(g, mlikernels.PlacedOptions{Core: o.Core, Settings: o.Settings, RAM: o.RAM})
		return placed, placed, board.AGU, err
	}
	e, err = mlikernels.NewExecutor(mlikernels.ExecutorOptions{Core: o.Core, Host: true, Settings: o.Settings, Floats: floats})
	return e, nil, board.AGU, err
}

// inFloats reports whether operators with a bound on their errors compute floating-point numbers. Their kernels run on
// cores with the unit, and nothing places them.
func inFloats(g *nn.Graph) bool {
	for i := range g.Nodes {
		n := &g.Nodes[i]
		if n.Op.Conforms != nil && len(n.Out) > 0 && n.Out[0] >= 0 && g.Values[n.Out[0]].Tensor.Type.Float() {
			return true
		}
	}
	return false
}

// optionsOf writes settings as flags have them.
func optionsOf(settings []arcv2dsp.Setting) (list []string) {
	for _, s := range settings {
		list = append(list, s.Property+s.TCF+s.File) // one of them
	}
	return list
}

// core is the name of the core, or of the file that describes it.
func (o *BenchOptions) core() string {
	for _, s := range o.Settings {
		if base := filepath.Base(s.TCF + s.File); o.Core == "" && s.Property == "" {
			return strings.TrimSuffix(base, filepath.Ext(base))
		}
	}
	return o.Core
}

// RunBench runs a network once on a core and checks every operator against its golden function.
func RunBench(ctx context.Context, g *nn.Graph, inputs []*nn.Tensor, o BenchOptions) (b *Bench, err error) {
	d, err := Describe(g, nil)
	if err != nil {
		return nil, err
	}
	e, placed, agu, err := o.open(g)
	if err != nil {
		return nil, err
	}
	defer func() {
		if e := e.Close(); err == nil {
			err = e
		}
	}()
	b = &Bench{Name: g.Name, Core: o.core(), Options: optionsOf(o.Settings), MACs: d.MACs, Nominal: d.Nominal, Arena: d.Arena, Weights: d.Weights, Peak: peakMACs}
	if placed != nil {
		b.Memories = placed.Memories // those that are empty, too
	}
	x := &checked{exec: e}
	s := nn.NewSession(g, x)
	from := map[int]int{} // what computes a value
	for i, v := range g.Inputs {
		from[v] = -1 - i
		b.Inputs = append(b.Inputs, g.Values[v].Tensor.Shape)
	}
	s.After = func(node int, c *nn.Call) error {
		l := Layer{Operator: d.Operators[node], Wrong: x.wrong}
		l.describe(g, &g.Nodes[node])
		for _, v := range g.Nodes[node].In {
			if i, ok := from[v]; ok {
				l.Reads = append(l.Reads, i)
			}
		}
		for _, v := range g.Nodes[node].Out {
			from[v] = node
		}
		for _, t := range append(c.In[:len(c.In):len(c.In)], c.Out...) {
			if t != nil {
				l.Moved += t.Bytes()
			}
		}
		for _, done := range e.Executions() {
			if done.Kernel != nil && !done.Copies && l.Kernel == "" {
				l.Bound = done.Kernel.Bound(c, agu)
			}
			l.count(done)
		}
		if l.Kernel == "" {
			b.Host++
			b.MACs -= l.MACs // products without cycles
			b.Nominal -= l.Nominal
		}
		if placed != nil {
			l.place(g, placed, node)
		}
		if o.Energy != nil {
			l.Energy = o.Energy.Microjoule(l.Cycles)
		}
		b.Cycles += l.Cycles
		b.Insts += l.Insts
		b.Copied += l.Copied
		b.Layers = append(b.Layers, l)
		return nil
	}
	if _, err := s.Run(ctx, inputs); err != nil {
		return nil, err
	}
	if o.Energy != nil {
		b.Energy = o.Energy.Of(b.Cycles)
	}
	if b.Map, err = memoryMap(g, placed); err != nil {
		return nil, err
	}
	if placed != nil {
		b.Verdict = placed.Verdict(b.Cycles)
		return b, nil
	}
	b.Verdict, err = mlikernels.Unplaced(b.Cycles, o.Core, o.Settings...)
	return b, err
}

// count adds a call that ran for the layer.
func (l *Layer) count(done mlikernels.Execution) {
	if done.Kernel == nil {
		return
	}
	switch {
	case done.Copies:
		l.Copied += done.Report.Cycles
		l.Moved += 2 * done.Copied
	case l.Kernel == "":
		l.Kernel = done.Kernel.Name()
	}
	l.Cycles += done.Report.Cycles
	l.Insts += done.Report.Insts
	if l.Stalls == nil {
		l.Stalls = map[string]uint64{}
	}
	for reason, n := range done.Report.Stalls {
		l.Stalls[reason] += n
	}
}

// place notes where the layer lies.
func (l *Layer) place(g *nn.Graph, placed *mlikernels.Placed, node int) {
	where, tiles := placed.Where(node)
	n := &g.Nodes[node]
	l.Places = []string{"", where, ""}
	for _, v := range n.In {
		if v != nn.Absent && placed.Values[v].Memory != "" && l.Places[0] == "" {
			l.Places[0] = placed.Values[v].Memory
		}
	}
	if v := n.Out[0]; v != nn.Absent {
		l.Places[2] = placed.Values[v].Memory
	}
	if tiles > 1 {
		l.Tiles = tiles
	}
}

// placesText names the memories of a layer, a dash for what it does not have.
func (l *Layer) placesText() string {
	var names []string
	for _, place := range l.Places {
		names = append(names, cmp.Or(place, "-"))
	}
	return strings.Join(names, " ")
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
	if conforms := c.Op.Conforms; conforms != nil && c.Out[0].Type.Float() {
		if err := conforms(golden, c.Out[0]); err != nil {
			x.wrong = err.Error()
		}
		return nil
	}
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
		{Name: "peak", Align: report.Right}, {Name: "bound", Align: report.Right}, {Name: "of it", Align: report.Right}, {Name: "bytes", Align: report.Right}, {Name: "cycles go to"}}}
	if b.Memories != nil {
		t.Columns = append(t.Columns, report.Column{Name: "in, constants, out"}, report.Column{Name: "copies", Align: report.Right}, report.Column{Name: "tiles", Align: report.Right})
	}
	if b.Energy != nil {
		t.Columns = append(t.Columns, report.Column{Name: "uJ", Align: report.Right})
	}
	for _, l := range b.Layers {
		each, peak := b.perMACText(l.Cycles, l.MACs)
		row := []any{l.title(), shapeText(l.Output), l.kernelText(), l.Cycles, b.share(&l), uint64(l.MACs), each, peak, l.Bound, report.OfBound(l.Bound, l.Cycles), l.Moved, l.limits()}
		if b.Memories != nil {
			row = append(row, l.placesText(), l.Copied, max(1, l.Tiles))
		}
		if b.Energy != nil {
			row = append(row, fmt.Sprintf("%.4g", l.Energy))
		}
		t.Add(row...)
	}
	t.Rule()
	bound := b.bound()
	each, peak := b.perMACText(b.Cycles, b.MACs)
	row := []any{"all", "", "", b.Cycles, "100.0", uint64(b.MACs), each, peak, bound, report.OfBound(bound, b.Cycles), "", ""}
	if b.Memories != nil {
		row = append(row, "", b.Copied, "")
	}
	if b.Energy != nil {
		row = append(row, fmt.Sprintf("%.4g", b.Energy.Microjoule))
	}
	t.Add(row...)
	if err := t.Text(w); err != nil {
		return err
	}
	var s strings.Builder
	fmt.Fprintf(&s, "%s: %s\n", b.coreText(), b.sums())
	if b.Host > 0 {
		fmt.Fprintf(&s, "%d operators have no kernel for their call; the host computed them and their cycles are not counted\n", b.Host)
	}
	for _, l := range b.Layers {
		if l.Wrong != "" {
			fmt.Fprintf(&s, "operator %d %s differs from the golden function: %s\n", l.Index, l.Name, l.Wrong)
		}
	}
	s.WriteString(b.Verdict.String() + "\n")
	if b.Energy != nil {
		s.WriteString(b.Energy.String() + "\n")
	}
	_, err := io.WriteString(w, s.String())
	return err
}

// bound is the least cycles that the work of all layers takes.
func (b *Bench) bound() (sum uint64) {
	for i := range b.Layers {
		sum += b.Layers[i].Bound
	}
	return sum
}

// coreText is the core with its options.
func (b *Bench) coreText() string {
	text := strings.Join(append([]string{b.Core}, b.Options...), " ")
	if b.Before {
		text = strings.TrimSpace("before "+b.Version) + ": " + text
	}
	return text
}

// sums are the costs of the whole network.
func (b *Bench) sums() string {
	each := ""
	if b.MACs > 0 {
		each = fmt.Sprintf(", %.2f per MAC (%.2f with padding counted)", perMAC(b.Cycles, b.MACs), perMAC(b.Cycles, b.Nominal))
	}
	return fmt.Sprintf("%s cycles%s; activations %s bytes, weights %s bytes", report.Thousands(b.Cycles), each, count(b.Arena), count(b.Weights))
}

// title names a layer.
func (l *Layer) title() string { return fmt.Sprintf("%d %s", l.Index, l.Name) }

func (l *Layer) kernelText() string { return cmp.Or(l.Kernel, "(host)") }

// share is the part of the cycles that a layer takes, in percent.
func (b *Bench) share(l *Layer) string {
	return fmt.Sprintf("%.1f", 100*float64(l.Cycles)/float64(max(1, b.Cycles)))
}

// perMACText is the cycles of a multiply-accumulate, and its share of the peak; empty without any.
func (b *Bench) perMACText(cycles uint64, macs int64) (each, peak string) {
	if macs == 0 || cycles == 0 {
		return "", ""
	}
	return fmt.Sprintf("%.2f", perMAC(cycles, macs)), fmt.Sprintf("%.0f %%", 100*float64(macs)/float64(cycles)/b.Peak)
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
