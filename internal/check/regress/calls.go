package regress

import (
	"errors"
	"fmt"
	"slices"

	"arcv2dsp/internal/check/tosacheck"
	"arcv2dsp/mlikernels"
	"arcv2dsp/nn"
	"arcv2dsp/nn/golden"
)

// question is a recorded case of TensorFlow Lite, of TOSA or of a network: it runs with an executor and says what
// is wrong.
type question func(c *control, exec *inference) *Failure

// planTFLM plans a call of a kernel of TensorFlow Lite for Microcontrollers.
func (s *Suite) planTFLM(at place, text []byte) error {
	rec, err := golden.ParseTFLMRecord(text, golden.Operators())
	switch {
	case err != nil:
		return err
	case rec == nil:
		return errNoCall
	}
	round := rec.Calls[0].Call.Rounding
	if !slices.Contains(s.Rounds, round) {
		return nil
	}
	op := rec.Calls[0].Call.Op
	s.planQuestion(fmt.Sprintf("%s/%s:%d/%v", rec.Op, at.stem(), at.line, round), op.String(), unitOf(op), round,
		func(c *control, exec *inference) *Failure {
			for _, r := range rec.Calls {
				if f := compute(c, exec, r); f != nil {
					return f
				}
			}
			return nil
		})
	return nil
}

// planTOSA plans a call or a graph of TOSA's operators with the outcome it must have.
func (s *Suite) planTOSA(at place, text []byte) error {
	tc, err := tosacheck.ParseVector(text)
	if err != nil {
		return err
	}
	group, unit := "graphs of tosa", mlikernels.Element
	if len(tc.Graph.Nodes) == 1 {
		op := tc.Graph.Nodes[0].Op
		group, unit = op.String(), unitOf(op)
	}
	s.planQuestion(fmt.Sprintf("%s/%s:%d", tc.Name, at.stem(), at.line), group, unit, 0, outcome(tc, fmt.Sprintf("%s: the golden model differs from the record", at)))
	return nil
}

// outcome asks for the outcome and the results of a case of TOSA; differs is the message when the golden model
// has others.
func outcome(tc *tosacheck.Case, differs string) question {
	return func(c *control, exec *inference) *Failure {
		r := tc.Run(c.ctx, exec)
		var layer layerFailure
		if errors.As(r.Err, &layer) && layer.Kind != KindGolden {
			return layer.Failure
		}
		if err := tc.Judge(r); err != nil {
			return &Failure{Kind: KindGolden, Message: fmt.Sprintf("%s: %v", differs, err)}
		}
		return nil
	}
}

// tosaCases is the prefix of the names of TOSA's cases made by rule.
const tosaCases = "tosa."

// planTOSAGrid plans TOSA's cases made by rule: the results of kernels and the outcomes of graphs.
func (s *Suite) planTOSAGrid() error {
	at := -1
	cases, err := tosacheck.Grid(func(id string) bool {
		at++
		return !(s.Short && at%shortSample != 0) && slices.ContainsFunc(s.Cores, func(core string) bool { return s.asked(tosaCases + id + "/" + core) })
	})
	if errors.Is(err, tosacheck.ErrNoGrid) {
		s.LeftOut = append(s.LeftOut, LeftOut{File: "cases of TOSA", Why: err.Error()})
		return nil
	}
	if err != nil {
		return err
	}
	for _, tc := range cases {
		op := tc.Graph.Nodes[0].Op
		s.plan(tosaCases+tc.Name, op.String(), unitOf(op), 0, false, outcome(tc, "the golden model differs from the second statement"))
	}
	return nil
}

// unitOf is the unit in which an operator's work is counted.
func unitOf(op *nn.Operator) string {
	if list := mlikernels.For(op); len(list) > 0 {
		return list[0].Unit
	}
	return mlikernels.Element
}

// planQuestion plans a recorded question on all cores.
func (s *Suite) planQuestion(name, group, counts string, round nn.Rounding, ask question) {
	s.plan(name, group, counts, round, true, ask)
}

// plan plans a question on all cores.
func (s *Suite) plan(name, group, counts string, round nn.Rounding, recorded bool, ask question) {
	u := unit{run: func(w *worker, c *control, cases []Case) []Result {
		results := make([]Result, len(cases))
		for i, cs := range cases {
			results[i] = s.ask(w, c, cs, ask)
		}
		return results
	}}
	for _, core := range s.Cores {
		u.cases = append(u.cases, Case{Name: name + "/" + core, Group: group, Core: core, Round: round, Unit: counts, Recorded: recorded})
	}
	s.add(u)
}

// compute runs a recorded call and compares its first output with the record.
func compute(c *control, exec *inference, recorded *nn.Case) *Failure {
	call, want := recorded.Detach(), recorded.Want[recorded.Op.Outputs[0].Role]
	if err := call.Prepare(); err != nil {
		return &Failure{Kind: KindGolden, Message: err.Error()}
	}
	if err := exec.Execute(c.ctx, 0, call); err != nil {
		return failureOf(err)
	}
	f := mismatch("out", call.Out[0], want, nn.Difference(call.Out[0], want))
	if f != nil {
		f.Kind, f.Message = KindGolden, "the golden model differs from the record: "+f.Message
	}
	return f
}

// failureOf is the failure that an executor's error describes.
func failureOf(err error) *Failure {
	var layer layerFailure
	if errors.As(err, &layer) {
		layer.Message = err.Error()
		return layer.Failure
	}
	return &Failure{Kind: KindInput, Message: err.Error()}
}
