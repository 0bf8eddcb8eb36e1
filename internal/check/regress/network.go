package regress

import (
	"fmt"
	"slices"

	"arcv2dsp/benchmarks"
	"arcv2dsp/mlikernels"
	"arcv2dsp/nn"
)

// pictures is how many inputs a network runs on; a short run takes the first.
const pictures = 3

// planNetworks plans the networks in all combinations of types.
func (s *Suite) planNetworks() error {
	texts, err := networkTexts()
	if err != nil {
		return err
	}
	for i := range texts {
		n := &texts[i]
		if s.Short && !n.Short {
			continue
		}
		for typ := range networkTypes {
			for _, round := range s.Rounds {
				if !slices.Contains(mlikernels.MLI11().Roundings, round) {
					continue
				}
				if err := s.planNetwork(n, typ, round); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// planBenchmarks plans the networks that arcsim model measures, on the input their layers were scaled for.
func (s *Suite) planBenchmarks() {
	for _, n := range benchmarks.Networks() {
		if s.Short && !slices.Contains(shortBenchmarks, n.Name) || !slices.Contains(s.Rounds, nn.Double) {
			continue
		}
		for _, core := range s.Cores {
			c := Case{Name: fmt.Sprintf("%s/input/%v/%s", n.Name, nn.Double, core), Group: n.Name, Core: core, Round: nn.Double,
				Network: true, Unit: mlikernels.MAC}
			s.add(unit{cases: []Case{c}, run: func(w *worker, ctl *control, cases []Case) []Result {
				return s.runNetwork(w, ctl, cases[0], n.Graph(), n.Input())
			}})
		}
	}
}

// shortBenchmarks are the networks that run in a second.
var shortBenchmarks = []string{"anomaly", "keywords"}

// planNetwork plans one network in one combination of types.
func (s *Suite) planNetwork(n *networkText, typ int, round nn.Rounding) error {
	g, err := n.graph(typ, round)
	if err != nil {
		return err
	}
	kernels, err := kernelsOf(g)
	if err != nil {
		return err
	}
	for _, core := range s.Cores {
		for i := range pictures {
			if s.Short && i > 0 {
				break
			}
			c := Case{Name: fmt.Sprintf("%s/picture%d/%v/%s", g.Name, i, round, core), Group: g.Name, Core: core, Round: round,
				Network: true, Unit: mlikernels.MAC}
			s.add(unit{cases: []Case{c}, run: func(w *worker, ctl *control, cases []Case) []Result {
				input := *g.Values[g.Inputs[0]].Tensor
				return s.runNetwork(w, ctl, cases[0], g, seeded(fmt.Sprintf("%s picture %d", g.Name, i), &input))
			}}, kernels...)
		}
	}
	return nil
}

// kernelsOf lists the kernels a network calls.
func kernelsOf(g *nn.Graph) ([]*mlikernels.Kernel, error) {
	var list []*mlikernels.Kernel
	for _, n := range g.Nodes {
		found := mlikernels.For(n.Op)
		if len(found) == 0 {
			return nil, fmt.Errorf("network %s: %s: no kernel computes %s", g.Name, n.Name, n.Op)
		}
		list = append(list, found[0])
	}
	return list, nil
}

// runNetwork runs a network on one input: every layer on what the kernel before it gave.
func (s *Suite) runNetwork(w *worker, c *control, cs Case, g *nn.Graph, input *nn.Tensor) []Result {
	return []Result{s.ask(w, c, cs, func(c *control, exec *inference) *Failure {
		if _, err := nn.NewSession(g, exec).Run(c.ctx, []*nn.Tensor{input}); err != nil {
			return failureOf(err)
		}
		return nil
	})}
}
