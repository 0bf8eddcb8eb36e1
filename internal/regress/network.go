package regress

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"arcv2dsp/mlikernels"
	"arcv2dsp/mlikernels/kernel"
	"arcv2dsp/mlikernels/mli11"
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
				if !slices.Contains(mli11.Collection().Roundings, round) {
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
			c := Case{Name: fmt.Sprintf("%s/picture%d/%v/%s", g.Name, i, round, core), Group: g.Name, Core: core, Round: round}
			s.add(unit{cases: []Case{c}, run: func(w *worker, ctl *control, cases []Case) []Result {
				input := *g.Values[g.Inputs[0]].Tensor
				return s.runNetwork(w, ctl, cases[0], g, seeded(fmt.Sprintf("%s picture %d", g.Name, i), &input))
			}}, kernels...)
		}
	}
	return nil
}

// kernelsOf lists the kernels a network calls.
func kernelsOf(g *nn.Graph) ([]*kernel.Kernel, error) {
	var list []*kernel.Kernel
	for _, n := range g.Nodes {
		found := mlikernels.For(n.Op)
		if len(found) == 0 {
			return nil, fmt.Errorf("network %s: %s: no kernel computes %s", g.Name, n.Name, n.Op)
		}
		list = append(list, found[0])
	}
	return list, nil
}

// inference executes the calls of a network on one core and judges each.
type inference struct {
	s      *Suite
	w      *worker
	c      *control
	result *Result
}

// layerFailure is the error of a call that did not give what it must.
type layerFailure struct{ *Failure }

func (f layerFailure) Error() string { return f.Message }

// Execute runs one call with a kernel for its operator and compares what it gives with the golden model.
func (r *inference) Execute(_ context.Context, _ int, c *nn.Call) error {
	k := mlikernels.For(c.Op)[0]
	job, err := kernel.NewJob(c)
	if err != nil {
		return layerFailure{&Failure{Kind: KindGolden, Message: err.Error()}}
	}
	rep, err := r.s.call(r.w, r.c, r.result.Case, k, job)
	if f := judge(rep, err, job.Want); f != nil {
		return layerFailure{f}
	}
	for i, name := range nn.Names(c.Op.Outputs, len(c.Out)) {
		c.Out[i].Ints, c.Out[i].Floats = rep.Results[name].Ints, rep.Results[name].Floats
	}
	r.result.Cycles += rep.Cycles
	r.result.Insts += rep.Insts
	for name, n := range rep.Stalls {
		r.result.Stalls[name] += n
	}
	if k.Unit == kernel.MAC {
		r.result.Work += k.Amount(c)
	}
	return nil
}

// runNetwork runs a network on one input: every layer on what the kernel before it gave.
func (s *Suite) runNetwork(w *worker, c *control, cs Case, g *nn.Graph, input *nn.Tensor) []Result {
	r := Result{Case: cs, Stalls: map[string]uint64{}}
	start := time.Now()
	session := nn.NewSession(g, &inference{s: s, w: w, c: c, result: &r})
	_, err := session.Run(c.ctx, []*nn.Tensor{input})
	r.Elapsed = time.Since(start)
	var layer layerFailure
	switch {
	case c.ctx.Err() != nil:
		return notRun([]Case{cs})
	case errors.As(err, &layer):
		r.Failure = layer.Failure
		r.Failure.Message = err.Error()
	case err != nil:
		r.Failure = &Failure{Kind: KindInput, Message: err.Error()}
	}
	return []Result{r}
}
