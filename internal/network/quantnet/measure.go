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
	// Accuracy says how many inputs got their class; nil without labels.
	Accuracy *Accuracy
	Gains    []Gain // of the options that made the network, in their order
	Cycles   uint64 // of one inference, in kernels, the mean of all
	Host     int    // calls of one inference that no kernel takes
	MACs     int64
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

// Data are inferences: a tensor for every input of the network, and the class that each should find.
type Data struct {
	Inputs [][]*nn.Tensor
	Labels []int // nil where there are none
}

// Measure runs a network of integers with the golden functions, and with kernels on a core and the golden functions where no
// kernel takes a call, beside the network of floats. Every output on the core must equal that of the golden function.
func (n *Network) Measure(ctx context.Context, d Data, t Target) (*Report, error) {
	if len(d.Inputs) == 0 {
		return nil, fmt.Errorf("no inputs to measure with")
	}
	sim, err := mlikernels.NewExecutor(mlikernels.ExecutorOptions{Core: t.Core, Settings: t.Settings, Engine: t.Engine, Host: true})
	if err != nil {
		return nil, err
	}
	defer sim.Close()
	m, err := n.newMeasurement(d)
	if err != nil {
		return nil, err
	}
	float, ints, core := nn.NewSession(n.Float, nn.GoldenExecutor{}), nn.NewSession(n.Graph, nn.GoldenExecutor{}), nn.NewSession(n.Graph, sim)
	float.After, ints.After, core.After = m.float, m.integer, m.onCore
	for i, in := range d.Inputs {
		for _, s := range []*nn.Session{float, ints, core} {
			s.Reset()
		}
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
		onCore, err := core.Run(ctx, q)
		if err != nil {
			return nil, fmt.Errorf("input %d: %w", i, err)
		}
		for k := range want {
			m.output.add(want[k], got[k])
		}
		m.accuracy.count(i, want[0], got[0], onCore[0])
		m.executions(sim.Executions())
	}
	return m.report(len(d.Inputs))
}

// pairs compare values of floats and of integers.
type pairs struct {
	quant.Comparison
	step   float64
	beyond int // reals that the format cannot reach
}

// add takes the elements of one run.
func (p *pairs) add(want, got *nn.Tensor) {
	lo, hi := got.Type.Range()
	p.step = got.Format.Scale(0)
	least := (float64(lo-got.Format.Zero(0)) - 0.5) * p.step
	most := (float64(hi-got.Format.Zero(0)) + 0.5) * p.step
	for i, v := range want.Values() {
		p.Add(v, got.Value(i))
		if v < least || v > most {
			p.beyond++
		}
	}
}

func (p *pairs) report() (quant.ErrorReport, error) {
	r, err := p.Report(p.step)
	r.Saturated = p.beyond
	return r, err
}

// measurement collects what runs tell.
type measurement struct {
	net    *Network
	layer  []int // of a node of integers
	pairs  []pairs
	wanted []*nn.Tensor   // of a layer, in the run
	nodes  [][]*nn.Tensor // what the golden functions gave for each node, in the run
	lines  []LayerReport
	output pairs
	cycles []uint64
	// accuracy is nil where no labels are known.
	accuracy *Accuracy
}

func (n *Network) newMeasurement(d Data) (*measurement, error) {
	m := &measurement{net: n, layer: make([]int, len(n.Graph.Nodes)), pairs: make([]pairs, len(n.Layers)),
		wanted: make([]*nn.Tensor, len(n.Layers)), cycles: make([]uint64, len(n.Layers)), nodes: make([][]*nn.Tensor, len(n.Graph.Nodes))}
	var err error
	if m.accuracy, err = newAccuracy(n.Float, d); err != nil {
		return nil, err
	}
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
	return m, nil
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

// onCore compares what a node gives on the core with what its golden function gives.
func (m *measurement) onCore(node int, c *nn.Call) error {
	for k, t := range c.Out {
		if err := nn.Difference(t, m.nodes[node][k]); err != nil {
			return fmt.Errorf("%s: the core differs from the golden function: %w", c.Op.Name, err)
		}
	}
	return nil
}

// integer compares what a layer gives.
func (m *measurement) integer(node int, c *nn.Call) error {
	i := m.layer[node]
	m.nodes[node] = c.Out
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
	r := &Report{Name: m.net.Float.Name, Inputs: inputs, Accuracy: m.accuracy}
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
