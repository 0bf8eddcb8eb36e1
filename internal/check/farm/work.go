package farm

import (
	"context"
	"encoding/json"
	"fmt"

	"arcv2dsp/internal/check/regress"
	"arcv2dsp/internal/measure/bench"
	"arcv2dsp/internal/measure/report"
	"arcv2dsp/internal/network/model"
)

// Work is the work of a command, in pieces.
type Work interface {
	// Pieces lists all of it; the same command gives the same pieces everywhere.
	Pieces(c *Costs) []Piece
	// Run does some of the pieces, jobs at a time, and returns the result of each. When the context ends, its
	// error is returned and no result.
	Run(ctx context.Context, pieces []int, jobs int, p *report.Progress) ([]json.RawMessage, error)
}

// Regress is a regression; a piece is the cases that share their inputs.
type Regress struct{ Suite *regress.Suite }

// caseOverhead is the cost of a case of a regression beside its cycles, in cycles of the fast engine: data are
// made, the golden function computes, memory is compared. The whole regression has 1.8 G cycles in 117,000 cases, and
// takes 1.9 ms for each of them.
const caseOverhead = 300_000

// Pieces implements Work.
func (r Regress) Pieces(c *Costs) []Piece {
	var cases []regress.Case
	units := r.Suite.Pieces()
	for _, u := range units {
		cases = append(cases, u...)
	}
	costs := c.fill(len(cases), func(i int) (string, string) { return cases[i].Group, cases[i].Core })
	pieces := make([]Piece, len(units))
	for i, u := range units {
		for _, cs := range u {
			pieces[i].Names = append(pieces[i].Names, cs.Name)
			pieces[i].Cost += uint64(costs[0]) + caseOverhead
			costs = costs[1:]
		}
	}
	return pieces
}

// Run implements Work.
func (r Regress) Run(ctx context.Context, pieces []int, jobs int, p *report.Progress) ([]json.RawMessage, error) {
	part := r.Suite.Part(pieces)
	results, err := part.Run(ctx, regress.RunOptions{Workers: jobs, Progress: p})
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	return encode(part.Pieces(), func(cases []regress.Case) any {
		outcomes := make([]regress.Outcome, len(cases))
		for i := range cases {
			outcomes[i] = results[i].Outcome
		}
		results = results[len(cases):]
		return outcomes
	})
}

// Results are those of the whole suite, from those of its pieces. Cases of a piece without any did not run.
func (r Regress) Results(pieces []json.RawMessage) ([]regress.Result, error) {
	var all []regress.Result
	for i, cases := range r.Suite.Pieces() {
		outcomes := make([]regress.Outcome, len(cases))
		for k := range outcomes {
			outcomes[k].NotRun = true
		}
		if pieces[i] != nil {
			outcomes = nil
			if err := json.Unmarshal(pieces[i], &outcomes); err != nil {
				return nil, fmt.Errorf("%s: %w", cases[0].Name, err)
			}
			if len(outcomes) != len(cases) {
				return nil, fmt.Errorf("%s: %d results of %d cases", cases[0].Name, len(outcomes), len(cases))
			}
		}
		for k, c := range cases {
			all = append(all, regress.Result{Case: c, Outcome: outcomes[k]})
		}
	}
	return all, nil
}

// Bench is measurements of subjects at points; a piece is one of them.
type Bench struct {
	Tasks  []bench.Task
	Runner bench.Runner // its Jobs do not count
}

// Pieces implements Work.
func (b Bench) Pieces(c *Costs) []Piece {
	costs := c.fill(len(b.Tasks), func(i int) (string, string) { return b.Tasks[i].Subject.Name, b.Tasks[i].Point.Core })
	pieces := make([]Piece, len(b.Tasks))
	for i, t := range b.Tasks {
		name := t.Subject.Name + " on " + t.Point.Core
		if t.Point.Label != "" {
			name += " " + t.Point.Label
		}
		pieces[i] = Piece{Names: []string{name}, Cost: uint64(costs[i])}
	}
	return pieces
}

// Run implements Work.
func (b Bench) Run(ctx context.Context, pieces []int, jobs int, p *report.Progress) ([]json.RawMessage, error) {
	var tasks []bench.Task
	for _, i := range pieces {
		tasks = append(tasks, b.Tasks[i])
	}
	runner := b.Runner
	runner.Jobs = jobs
	runner.Done = func(done, total int, r bench.Result) {
		p.Update(func() string { return fmt.Sprintf("%d of %d: %s on %s", done, total, r.Name, r.Core) })
	}
	results, err := runner.Run(ctx, tasks)
	p.Done()
	if err != nil {
		return nil, err
	}
	return encode(results, func(r bench.Result) any { return r })
}

// Results decodes the results of pieces; a piece without any did not run and is left out.
func (b Bench) Results(pieces []json.RawMessage) ([]bench.Result, error) {
	return decode[bench.Result](pieces)
}

// Networks is networks on cores; a piece is one on one.
type Networks []NetworkOnCore

// NetworkOnCore is a measurement of a network.
type NetworkOnCore struct {
	Name    string // as the command line names it
	Network string // what it calls itself
	Core    string
	MACs    int64 // its work, which tells the cost where no cycles are on record
	Measure func(ctx context.Context) (*model.Bench, error)
}

// Pieces implements Work.
func (n Networks) Pieces(c *Costs) []Piece {
	pieces := make([]Piece, len(n))
	for i, job := range n {
		cost, ok := c.of(job.Network, job.Core)
		if !ok {
			cost = float64(job.MACs)
		}
		pieces[i] = Piece{Names: []string{job.Name + " on " + job.Core}, Cost: uint64(cost)}
	}
	return pieces
}

// Run implements Work.
func (n Networks) Run(ctx context.Context, pieces []int, _ int, p *report.Progress) ([]json.RawMessage, error) {
	results := make([]*model.Bench, len(pieces))
	for k, i := range pieces {
		p.Update(func() string { return fmt.Sprintf("%d of %d: %s on %s", k, len(pieces), n[i].Name, n[i].Core) })
		var err error
		if results[k], err = n[i].Measure(ctx); err != nil {
			return nil, fmt.Errorf("%s on %s: %w", n[i].Name, n[i].Core, err)
		}
	}
	p.Done()
	return encode(results, func(b *model.Bench) any { return b })
}

// Results decodes the results of pieces; a piece without any did not run and is left out.
func (n Networks) Results(pieces []json.RawMessage) ([]*model.Bench, error) {
	return decode[*model.Bench](pieces)
}

// encode writes one result for each piece.
func encode[T any](list []T, of func(T) any) ([]json.RawMessage, error) {
	results := make([]json.RawMessage, len(list))
	for i, x := range list {
		var err error
		if results[i], err = json.Marshal(of(x)); err != nil {
			return nil, err
		}
	}
	return results, nil
}

func decode[T any](pieces []json.RawMessage) ([]T, error) {
	list := []T{}
	for _, text := range pieces {
		if text == nil {
			continue
		}
		var x T
		if err := json.Unmarshal(text, &x); err != nil {
			return nil, err
		}
		list = append(list, x)
	}
	return list, nil
}
