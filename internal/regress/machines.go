package regress

import (
	"errors"
	"fmt"
	"io/fs"

	"golang.org/x/sync/errgroup"

	"arcv2dsp"
	"arcv2dsp/mlikernels"
	"arcv2dsp/mlikernels/golden"
)

// libraries are the kernels in all variants that a run needs.
type libraries map[mlikernels.Variant]*mlikernels.Library

// variant is what a core runs.
func variant(core string, round golden.Rounding) mlikernels.Variant {
	return mlikernels.Variant{AGU: mlikernels.HasAGU(core), Round: round}
}

// build assembles and links the variants for some cores and rounding modes.
func build(tree fs.FS, cores []string, rounds []golden.Rounding) (libraries, error) {
	libs := libraries{}
	for _, core := range cores {
		for _, r := range rounds {
			libs[variant(core, r)] = nil
		}
	}
	type built struct {
		v mlikernels.Variant
		l *mlikernels.Library
	}
	done := make(chan built, len(libs))
	var g errgroup.Group
	for v := range libs {
		g.Go(func() error {
			l, err := mlikernels.BuildFrom(tree, v, mlikernels.Lines{})
			if err != nil {
				return fmt.Errorf("kernels: %w", err)
			}
			done <- built{v, l}
			return nil
		})
	}
	err := g.Wait()
	close(done)
	for b := range done {
		libs[b.v] = b.l
	}
	return libs, err
}

// worker runs cases one after the other on machines of its own.
type worker struct {
	libs     libraries
	engine   arcv2dsp.EngineKind
	machines map[machineKey]*mlikernels.Machine
}

type machineKey struct {
	core  string
	round golden.Rounding
}

// caseLimit ends a kernel that does not return: many times what the largest case needs.
const caseLimit = 500_000_000

// machine returns the worker's machine for a core and rounding mode.
func (w *worker) machine(core string, round golden.Rounding) (*mlikernels.Machine, error) {
	key := machineKey{core: core, round: round}
	if m := w.machines[key]; m != nil {
		return m, nil
	}
	m, err := mlikernels.NewMachine(mlikernels.MachineOptions{Core: core, Engine: w.engine,
		Library: w.libs[variant(core, round)], Limit: caseLimit})
	if err != nil {
		return nil, err
	}
	w.machines[key] = m
	return m, nil
}

func (w *worker) close() error {
	var errs []error
	for _, m := range w.machines {
		errs = append(errs, m.Close())
	}
	return errors.Join(errs...)
}
