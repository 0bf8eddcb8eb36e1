package regress

import (
	"fmt"

	"arcv2dsp/mlikernels"
	"arcv2dsp/mlikernels/kernel"
	"arcv2dsp/nn"
	"arcv2dsp/nn/gemmlowprecord"
	"arcv2dsp/nn/golden"
)

// planGemm plans the matrix product of gemmlowp in a line: every kernel that takes it computes it, on all cores.
func (s *Suite) planGemm(at place, text []byte) error {
	rec, err := gemmlowprecord.Parse(text, golden.Operators())
	if err != nil {
		return err
	}
	s.planProduct(at.stem(), rec)
	return nil
}

// planProduct plans one product.
func (s *Suite) planProduct(stem string, rec *gemmlowprecord.Record) {
	for _, k := range mlikernels.For(rec.Call.Op) {
		if k.Fits != nil && k.Fits(rec.Call) != nil {
			continue
		}
		u := unit{run: func(w *worker, c *control, cases []Case) []Result { return s.runProduct(w, c, cases, k, rec) }}
		for _, core := range s.Cores {
			u.cases = append(u.cases, Case{Name: fmt.Sprintf("%s/%s#%d/%v/%s", k.Name(), stem, rec.ID, nn.Double, core),
				Group: k.Name(), Core: core, Round: nn.Double, Recorded: true})
		}
		s.add(u, k)
	}
}

// runProduct compares both the golden model and the kernel with the record.
func (s *Suite) runProduct(w *worker, c *control, cases []Case, k *kernel.Kernel, rec *gemmlowprecord.Record) []Result {
	job, err := kernel.NewJob(rec.Call.Clone()) // another kernel may be at work on the record
	if err != nil {
		return failAll(cases, Failure{Kind: KindGolden, Message: err.Error()})
	}
	const role = "out"
	e := &expectation{job: job, disagrees: differ(role, job.Want[role], rec.Want)}
	job.Want[role] = rec.Want
	return s.runExpected(w, c, cases, k, e)
}
