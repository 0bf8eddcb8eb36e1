package quantnet

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"arcv2dsp/internal/term/steps"
	"arcv2dsp/nn"
	"arcv2dsp/nn/golden"
	"arcv2dsp/quant"
)

// Range bounds the values of a tensor.
type Range struct {
	Lo, Hi float64
	// Format and Type are those that training has fixed; a Plain format where it has not.
	Format nn.Format
	Type   nn.Type
}

// reach is the greatest magnitude.
func (r Range) reach() float64 { return max(r.Hi, -r.Lo, 0) }

// union holds the values of both ranges.
func (r Range) union(o Range) Range { return Range{Lo: min(r.Lo, o.Lo), Hi: max(r.Hi, o.Hi)} }

// observers make the statistics of one tensor, by name. The storage is that of the activations.
var observers = []struct {
	name string
	make func(s quant.Storage) quant.Statistics
}{
	{name: "minmax", make: func(quant.Storage) quant.Statistics { return &quant.MinMax{} }},
	{name: "average", make: func(quant.Storage) quant.Statistics { return &quant.MovingAverage{Momentum: 0.9} }},
	{name: "percentile", make: func(quant.Storage) quant.Statistics {
		return &quant.Histogram{Cut: quant.CutPercentile, Percentile: 99.99}
	}},
	{name: "mse", make: func(s quant.Storage) quant.Statistics { return &quant.Histogram{Cut: quant.CutMSE, Storage: s} }},
	{name: "kl", make: func(s quant.Storage) quant.Statistics { return &quant.Histogram{Cut: quant.CutKL, Storage: s} }},
}

// Observers lists the names of the statistics.
func Observers() []string {
	var names []string
	for _, o := range observers {
		names = append(names, o.name)
	}
	return names
}

// Calibrate runs a network of floats on inputs, each a tensor for every input of the network, and gives every
// value the range that the named statistics choose. The state of recurrent layers begins anew with every input.
func Calibrate(ctx context.Context, g *nn.Graph, inputs [][]*nn.Tensor, observer string, s quant.Storage) ([]Range, error) {
	var statistics func(quant.Storage) quant.Statistics
	for _, o := range observers {
		if o.name == observer {
			statistics = o.make
		}
	}
	if statistics == nil {
		return nil, fmt.Errorf("unknown statistics %q, there are %s", observer, strings.Join(Observers(), ", "))
	}
	if err := g.Check(); err != nil {
		return nil, err
	}
	seen := make([]quant.Statistics, len(g.Values))
	for i := range seen {
		seen[i] = statistics(s)
	}
	observe := func(v int, t *nn.Tensor) error {
		if err := seen[v].Observe(t.Values()); err != nil {
			return fmt.Errorf("value %s: %w", g.Values[v].Name, err)
		}
		return nil
	}
	run := nn.NewSession(g, observing{graph: g, observe: observe})
	run.After = func(node int, c *nn.Call) error {
		for k, v := range g.Nodes[node].Out {
			if !c.Out[k].Type.Float() {
				continue
			}
			if err := observe(v, c.Out[k]); err != nil {
				return err
			}
		}
		return nil
	}
	for n, in := range inputs {
		if len(in) != len(g.Inputs) {
			return nil, fmt.Errorf("input %d: %d tensors, the network takes %d", n, len(in), len(g.Inputs))
		}
		for i, t := range in {
			if err := observe(g.Inputs[i], t); err != nil {
				return nil, fmt.Errorf("input %d: %w", n, err)
			}
		}
		run.Reset()
		if _, err := run.Run(ctx, in); err != nil {
			return nil, fmt.Errorf("input %d: %w", n, err)
		}
	}
	return rangesOf(g, seen)
}

// rangesOf are the ranges of all values after the last input. Those of constants are their own.
func rangesOf(g *nn.Graph, seen []quant.Statistics) ([]Range, error) {
	ranges := make([]Range, len(g.Values))
	for i := range ranges {
		if v := &g.Values[i]; v.Constant() {
			if v.Tensor.Type.Float() || v.Tensor.Format.Kind == nn.Scaled {
				own := &quant.MinMax{}
				if err := own.Observe(v.Tensor.Values()); err != nil {
					return nil, fmt.Errorf("value %s: %w", v.Name, err)
				}
				ranges[i].Lo, ranges[i].Hi, _ = own.Range()
			}
			continue
		}
		lo, hi, err := seen[i].Range()
		if err != nil {
			if used(g, i) {
				return nil, fmt.Errorf("value %s: %w", g.Values[i].Name, err)
			}
			continue
		}
		ranges[i] = Range{Lo: lo, Hi: hi}
	}
	return ranges, nil
}

// observing computes with the golden functions, recurrent layers step by step: the cells of all steps count, not only
// those of the last one.
type observing struct {
	graph   *nn.Graph
	observe func(v int, t *nn.Tensor) error
}

// Execute runs a prepared call.
func (o observing) Execute(ctx context.Context, node int, c *nn.Call) (err error) {
	defer steps.Return(&err)
	n := &o.graph.Nodes[node]
	if n.Op.Name != golden.LSTM {
		steps.Check((nn.GoldenExecutor{}).Execute(ctx, node, c))
		return o.states(n, c)
	}
	c.Out[0].Alloc()
	for _, at := range timeSteps(c) {
		steps.Check(ctx.Err())
		steps.Check(at.call.Run())
		at.store(c.Out[0])
		steps.Check(o.states(n, c))
	}
	return nil
}

// states observes what a call leaves for the next one.
func (o observing) states(n *nn.Node, c *nn.Call) error {
	for k, p := range n.Op.Inputs {
		if !p.State {
			continue
		}
		if err := o.observe(n.In[k], c.In[k]); err != nil {
			return err
		}
	}
	return nil
}

// timeStep is a call of a recurrent layer for one step of its sequence, with the state of the whole call.
type timeStep struct {
	call *nn.Call
	rows [][2]int // of the call's rows: in the sequence and in the step
}

// timeSteps cuts a call of a recurrent layer along its time.
func timeSteps(c *nn.Call) []timeStep {
	in := c.In[0]
	major := c.Attrs.Bool("time_major")
	batch, time := in.Dim(0), in.Dim(1)
	if major {
		batch, time = time, batch
	}
	list := make([]timeStep, time)
	for t := range list {
		cut := func(x *nn.Tensor) *nn.Tensor {
			shape := []int{batch, 1, x.Dim(2)}
			if major {
				shape = []int{1, batch, x.Dim(2)}
			}
			return nn.New(nn.F32, shape...)
		}
		one := *c
		one.In, one.Out = slices.Clone(c.In), []*nn.Tensor{cut(c.Out[0])}
		one.In[0] = cut(in)
		s := timeStep{call: &one}
		for b := range batch {
			row := b*time + t
			if major {
				row = t*batch + b
			}
			s.rows = append(s.rows, [2]int{row, b})
		}
		n := in.Dim(2)
		for _, r := range s.rows {
			copy(one.In[0].Floats[r[1]*n:(r[1]+1)*n], in.Floats[r[0]*n:])
		}
		list[t] = s
	}
	return list
}

// store puts the output of the step into that of the sequence.
func (s timeStep) store(out *nn.Tensor) {
	n := out.Dim(2)
	for _, r := range s.rows {
		copy(out.Floats[r[0]*n:(r[0]+1)*n], s.call.Out[0].Floats[r[1]*n:])
	}
}

// used reports whether a value is an input or computed: files list others.
func used(g *nn.Graph, v int) bool {
	if slices.Contains(g.Inputs, v) {
		return true
	}
	for i := range g.Nodes {
		if slices.Contains(g.Nodes[i].Out, v) && g.Values[v].Tensor.Type.Float() {
			return true
		}
	}
	return false
}
