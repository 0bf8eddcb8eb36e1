package regress

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"golang.org/x/sync/errgroup"

	"arcv2dsp"
	"arcv2dsp/mlikernels"
	"arcv2dsp/mlikernels/kernel"
	"arcv2dsp/nn"
)

// libraryKey is a library in one variant.
type libraryKey struct {
	of      *kernel.Collection
	variant kernel.Variant
}

// libraries are the kernels in all variants that a run needs.
type libraries map[libraryKey]*kernel.Library

// keyOf is the variant of a library that a core runs.
func keyOf(c *kernel.Collection, core string, round nn.Rounding) libraryKey {
	return libraryKey{of: c, variant: c.Variant(core, round)}
}

// build assembles and links the variants for some cores and rounding modes. Trees take the place of the
// sources of collections, by name.
func build(trees map[string]fs.FS, cores []string, rounds []nn.Rounding) (libraries, error) {
	libs := libraries{}
	for _, c := range mlikernels.Collections() {
		for _, core := range cores {
			for _, r := range rounds {
				if slices.Contains(c.Roundings, r) {
					libs[keyOf(c, core, r)] = nil
				}
			}
		}
	}
	type built struct {
		k libraryKey
		l *kernel.Library
	}
	done := make(chan built, len(libs))
	var g errgroup.Group
	for k := range libs {
		g.Go(func() error {
			tree := trees[k.of.Name]
			if tree == nil {
				tree = k.of.Tree
			}
			l, err := k.of.BuildFrom(tree, k.variant, kernel.Lines{})
			if err != nil {
				return fmt.Errorf("kernels: %w", err)
			}
			done <- built{k, l}
			return nil
		})
	}
	err := g.Wait()
	close(done)
	for b := range done {
		libs[b.k] = b.l
	}
	return libs, err
}

// worker runs cases one after the other on machines of its own.
type worker struct {
	libs     libraries
	engine   arcv2dsp.EngineKind
	machines map[machineKey]*kernel.Machine
}

type machineKey struct {
	core    string
	library libraryKey
}

// caseLimit ends a kernel that does not return: many times what the largest case needs. foreignLimit ends a foreign
// one, which may be a hundred times slower than ours on the cases of the grid.
const (
	caseLimit    = 500_000_000
	foreignLimit = 100_000_000
)

// machine returns the worker's machine for a library on a core.
func (w *worker) machine(core string, library libraryKey) (*kernel.Machine, error) {
	key := machineKey{core: core, library: library}
	if m := w.machines[key]; m != nil {
		return m, nil
	}
	if w.libs[library] == nil {
		return nil, fmt.Errorf("%s was not built for %s", library.of.Name, core)
	}
	lib, limit := w.libs[library], uint64(caseLimit)
	if lib.Foreign != nil {
		limit = foreignLimit
	}
	m, err := kernel.NewMachine(kernel.MachineOptions{Core: core, Engine: w.engine, Library: lib, Limit: limit})
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
