package regress

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"arcv2dsp/internal/network/model"
	"arcv2dsp/mlikernels"
	"arcv2dsp/nn"
	"arcv2dsp/nn/golden"
)

// manifestFile lists the networks of a folder and their recorded runs.
const manifestFile = "manifest.json"

// planManifest plans the networks of a folder that has a manifest of them, and reports whether it has one.
func (s *Suite) planManifest(dir string) bool {
	name := filepath.Join(dir, manifestFile)
	if _, err := os.Stat(name); err != nil {
		return false
	}
	m, err := model.ReadManifest(dir)
	var kind *json.UnmarshalTypeError
	if errors.As(err, &kind) && kind.Field == "" {
		return false // a manifest of something else
	}
	if err != nil {
		s.addBroken(name, name, err)
		return false
	}
	if !slices.ContainsFunc(m.Models, func(r model.Recorded) bool { return r.File != "" && r.Archive != "" }) {
		return false // a manifest of something else
	}
	if !slices.Contains(s.Rounds, nn.Double) {
		return true
	}
	for _, r := range m.Models {
		for _, c := range r.Cases {
			for _, core := range s.Cores {
				cs := Case{Name: fmt.Sprintf("%s/case%d/%v/%s", r.Name, c.Index, nn.Double, core), Group: r.Name, Core: core,
					Round: nn.Double, Network: true, Unit: mlikernels.MAC, Recorded: true}
				s.add(unit{cases: []Case{cs}, run: func(w *worker, ctl *control, cases []Case) []Result {
					return []Result{s.ask(w, ctl, cases[0], func(c2 *control, exec *inference) *Failure { return checkModel(c2, exec, m, r, c) })}
				}})
			}
		}
	}
	return true
}

// checkModel runs a recorded case of a network: every operator on the recorded outputs of those before it.
func checkModel(ctl *control, exec *inference, m *model.Manifest, r model.Recorded, c model.RecordedCase) *Failure {
	fail := func(kind Kind, err error) *Failure { return &Failure{Kind: kind, Message: err.Error()} }
	g, err := model.Load(m.Path(r.File), golden.Operators(), nn.Double)
	if err != nil {
		return fail(KindInput, err)
	}
	rec, done, err := m.Open(r, c)
	if err != nil {
		return fail(KindInput, fmt.Errorf("%s: %w", m.Path(r.Archive), err))
	}
	defer func() { _ = done() }() // only read
	k, err := model.Check(ctl.ctx, g, exec, rec, model.Operators)
	switch {
	case err != nil:
		return failureOf(err)
	case len(k.Faults) > 0:
		f := k.Faults[0]
		return &Failure{Kind: KindGolden, Message: fmt.Sprintf("the golden model differs from the record: %v\n%s", f, f.Near)}
	case len(k.Missing) > 0:
		return fail(KindInput, fmt.Errorf("%s does not record %s", m.Path(r.Archive), k.Missing[0]))
	}
	return nil
}
