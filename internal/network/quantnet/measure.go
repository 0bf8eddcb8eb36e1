package quantnet

import (
	"context"
	"fmt"

	"arcv2dsp"
	"arcv2dsp/mlikernels"
	"arcv2dsp/nn"
	"arcv2dsp/quant"
)

// Target is the library and core that a network of integers runs on.
type Target struct {
	Core     string
	Settings []arcv2dsp.Setting
	Engine   arcv2dsp.EngineKind
}

// Report is the loss and the cost of a network of integers.
type Report struct {
	Name   string
	Inputs int // inferences
	Layers []LayerReport
	Output quant.ErrorReport
	Cycles uint64 // of one inference, in kernels, the mean of all
	Host   int    // calls of one inference that no kernel takes
	MACs   int64
}

// LayerReport is a line of a report.
type LayerReport struct {
	Layer
	Types   string
	Error   quant.ErrorReport // against the network of floats; Saturated counts reals beyond the format
	Kernels []string
	Cycles  uint64 // of one inference
	Host    int
	MACs    int64
}

// Measure runs a network of integers with kernels on a core, and with the golden functions where no kernel
// takes a call, beside the network of floats. Every output of a kernel must equal that of the golden function.
func (n *Network) Measure(ctx context.Context, inputs [][]*nn.Tensor, t Target) (*Report, error) {
	if len(inputs) == 0 {
		return nil, fmt.Errorf("no inputs to measure with")
	}
	sim, err := mlikernels.NewExecutor(mlikernels.ExecutorOptions{Core: t.Core, Settings: t.Settings, Engine: t.Engine, Host: true})
	if err != nil {
		return nil, err
	}
	defer sim.Close()
	m := n.newMeasurement()
	float, ints := nn.NewSession(n.Float, nn.GoldenExecutor{}), nn.NewSession(n.Graph, both{sim})
	float.After = m.float
	ints.After = m.integer
	for i, in := range inputs {
		want, err := float.Run(ctx, in)
		if err != nil {
			return nil, fmt.Errorf("input %d, floats: %w", i, err)
		}
		var q []*nn.Tensor
		for k, x := range in {
			q = append(q, n.Input(k, x))
		}
		got, err := ints.Run(ctx, q)
		if err != nil {
			return nil, fmt.Errorf("input %d: %w", i, err)
		}
		for k := range want {
			m.output.add(want[k], got[k])
		}
		m.executions(sim.Executions())
	}
	return m.report(len(inputs))
}

// both computes with kernels and with the golden functions, and compares.
type both struct{ sim *mlikernels.Executor }

// Execute runs a prepared call.
func (b both) Execute(ctx context.Context, node int, c *nn.Call) error {
	golden := c.Detach()
	if err := golden.Run(); err != nil {
		return err
	}
	if err := b.sim.Execute(ctx, node, c); err != nil {
		return err
	}
	for i, t := range c.Out {
		if err := nn.Difference(t, golden.Out[i]); err != nil {
			return fmt.Errorf("%s: the kernel differs from the golden function: %w", c.Op.Name, err)
		}
	}
	return nil
}

// pairs are values of floats and of integers, side by side.
type pairs struct {
	want, got []float64
	step      float64
	beyond    int // reals that the format cannot reach
}

// add takes the elements of one run.
func (p *pairs) add(want, got *nn.Tensor) {
	lo, hi := got.Type.Range()
	p.step = got.Format.Scale(0)
	least := (float64(lo-got.Format.Zero(0)) - 0.5) * p.step
	most := (float64(hi-got.Format.Zero(0)) + 0.5) * p.step
	for i, v := range want.Values() {
		p.want, p.got = append(p.want, v), append(p.got, got.Value(i))
		if v < least || v > most {
			p.beyond++
		}
	}
}

func (p *pairs) report() (quant.ErrorReport, error) {
	r, err := quant.CompareReals(p.want, p.got, p.step)
	r.Saturated = p.beyond
	return r, err
}

// measurement collects what runs tell.
type measurement struct {
	net    *Network
	layer  []int // of a node of integers
	pairs  []pairs
	wanted []*nn.Tensor // of a layer, in the run
	lines  []LayerReport
	output pairs
	cycles []uint64
}

func (n *Network) newMeasurement() *measurement {
	m := &measurement{net: n, layer: make([]int, len(n.Graph.Nodes)), pairs: make([]pairs, len(n.Layers)),
		wanted: make([]*nn.Tensor, len(n.Layers)), cycles: make([]uint64, len(n.Layers))}
	for i, l := range n.Layers {
		line := LayerReport{Layer: l}
		f := &n.Float.Nodes[l.Float]
		if f.Op.MACs != nil {
			line.MACs = f.Op.MACs(n.Float.Call(f))
		}
		for _, node := range l.Nodes {
			m.layer[node] = i
		}
		m.lines = append(m.lines, line)
	}
	return m
}

// float keeps what a layer should give.
func (m *measurement) float(node int, c *nn.Call) error {
	for i, l := range m.net.Layers {
		if l.Float == node {
			m.wanted[i] = c.Out[0]
		}
	}
	return nil
}

// integer compares what a layer gives.
func (m *measurement) integer(node int, c *nn.Call) error {
	i := m.layer[node]
	if l := &m.net.Layers[i]; l.Nodes[len(l.Nodes)-1] == node {
		m.pairs[i].add(m.wanted[i], c.Out[0])
		m.lines[i].Types = fmt.Sprintf("%s %v", c.Out[0].Type, c.Out[0].Shape)
	}
	return nil
}

// executions takes the cycles of one run.
func (m *measurement) executions(list []mlikernels.Execution) {
	for i := range m.lines {
		m.lines[i].Kernels, m.lines[i].Host = nil, 0
	}
	for _, e := range list {
		i := m.layer[e.Node]
		if e.Kernel == nil {
			m.lines[i].Host++
			continue
		}
		m.lines[i].Kernels = append(m.lines[i].Kernels, e.Kernel.Name())
		m.cycles[i] += e.Report.Cycles
	}
}

func (m *measurement) report(inputs int) (*Report, error) {
	r := &Report{Name: m.net.Float.Name, Inputs: inputs}
	var err error
	for i := range m.lines {
		l := &m.lines[i]
		if len(l.Nodes) == 0 { // nothing to compute: another shape
			continue
		}
		if l.Error, err = m.pairs[i].report(); err != nil {
			return nil, fmt.Errorf("%s: %w", l.Name, err)
		}
		l.Cycles = m.cycles[i] / uint64(inputs)
		r.Cycles += l.Cycles
		r.Host += l.Host
		r.MACs += l.MACs
		r.Layers = append(r.Layers, *l)
	}
	r.Output, err = m.output.report()
	return r, err
}
