package quantnet

import (
	"context"
	"fmt"
	"strings"

	"arcv2dsp/nn"
	"arcv2dsp/quant"
)

// Range bounds the values of a tensor.
type Range struct{ Lo, Hi float64 }

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
// value the range that the named statistics choose. Constants have no range.
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
	run := nn.NewSession(g, nn.GoldenExecutor{})
	run.After = func(node int, c *nn.Call) error { return observe(g.Nodes[node].Out[0], c.Out[0]) }
	for n, in := range inputs {
		if len(in) != len(g.Inputs) {
			return nil, fmt.Errorf("input %d: %d tensors, the network takes %d", n, len(in), len(g.Inputs))
		}
		for i, t := range in {
			if err := observe(g.Inputs[i], t); err != nil {
				return nil, fmt.Errorf("input %d: %w", n, err)
			}
		}
		if _, err := run.Run(ctx, in); err != nil {
			return nil, fmt.Errorf("input %d: %w", n, err)
		}
	}
	ranges := make([]Range, len(g.Values))
	for i := range ranges {
		if g.Values[i].Constant() {
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

// used reports whether a value is an input or computed: files list others.
func used(g *nn.Graph, v int) bool {
	for _, i := range g.Inputs {
		if i == v {
			return true
		}
	}
	for i := range g.Nodes {
		if g.Nodes[i].Out[0] == v {
			return true
		}
	}
	return false
}
