package regress

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"arcv2dsp/mlikernels"
	"arcv2dsp/nn"
)

// libraryKey is a library in one variant.
type libraryKey struct {
	of      *mlikernels.Collection
	variant mlikernels.Variant
}

// libraries are the kernels in all variants that a run needs.
type libraries map[libraryKey]func() (*mlikernels.Library, error)

// keyOf is the variant of a library that a core, with AGU or without, runs.
func keyOf(c *mlikernels.Collection, agu mlikernels.AGU, round nn.Rounding) libraryKey {
	return libraryKey{of: c, variant: c.Variant(agu, round)}
}

// processor is a core that a suite runs cases on.
type processor struct {
	preset string // the template or board, empty for a core that the settings describe
	*mlikernels.Board
}

// findProcessors finds the cores of the options and names them. Without any they are the one that the settings
// describe, or the default ones.
func (s *Suite) findProcessors() error {
	s.processors = map[string]processor{}
	add := func(preset string, b *mlikernels.Board) {
		s.processors[b.Name] = processor{preset: preset, Board: b}
		if !b.Even && s.Library == nil && slices.Contains(s.Rounds, nn.Convergent) {
			s.LeftOut = append(s.LeftOut, LeftOut{File: "rounding to even on " + b.Name, Why: "its dsp_accshift_option is not 2"})
		}
	}
	if len(s.Cores) == 0 {
		s.Cores = DefaultCores
		if len(s.Settings) > 0 {
			b, err := mlikernels.CheckBoard("", s.Settings...)
			switch {
			case b == nil:
				return err
			case b.Whole:
				s.Cores = []string{b.Name}
				add("", b)
				return err
			}
		}
	}
	asked := s.Cores
	s.Cores = nil
	for _, core := range asked {
		b, err := mlikernels.CheckBoard(core, s.Settings...)
		if err != nil {
			return err
		}
		if !slices.Contains(s.Cores, b.Name) { // a board has several names
			s.Cores = append(s.Cores, b.Name)
			add(core, b)
		}
	}
	return nil
}

// keyOf is the variant of a library that a core of the suite runs.
func (s *Suite) keyOf(c *mlikernels.Collection, core string, round nn.Rounding) libraryKey {
	return keyOf(c, s.processors[core].AGU, round)
}

// parts are the sources that the cases of a plan need, by library.
type parts struct {
	files map[libraryKey]map[string]bool
	whole bool // cases choose their kernels when they run, as networks do
}

// need adds the source of a kernel.
func (p *parts) need(key libraryKey, k *mlikernels.Kernel) {
	if p.files[key] == nil {
		p.files[key] = map[string]bool{}
	}
	p.files[key][k.Source.File] = true
}

// build assembles what is needed of a library.
func (p *parts) build(c *mlikernels.Collection, v mlikernels.Variant) (*mlikernels.Library, error) {
	if p == nil || p.whole {
		return c.Build(v)
	}
	files := slices.Sorted(maps.Keys(p.files[libraryKey{of: c, variant: v}]))
	return c.BuildFiles(c.Tree, append(files, c.Helpers()...), v, mlikernels.Lines{})
}

// newLibraries are the variants for cores with AGU or without, and some rounding modes; each is assembled and linked
// when it is first asked for, in parts if there are any. Trees take the place of the sources of collections, by name.
func newLibraries(trees map[string]fs.FS, agus []mlikernels.AGU, rounds []nn.Rounding, p *parts) libraries {
	libs := libraries{}
	for _, c := range mlikernels.Collections() {
		build := func(v mlikernels.Variant) (*mlikernels.Library, error) { return p.build(c, v) }
		if tree := trees[c.Name]; tree != nil {
			build = func(v mlikernels.Variant) (*mlikernels.Library, error) {
				return c.BuildFrom(tree, v, mlikernels.Lines{})
			}
		}
		for _, agu := range agus {
			for _, r := range rounds {
				key := keyOf(c, agu, r)
				if !slices.Contains(c.Roundings, r) || libs[key] != nil {
					continue
				}
				libs[key] = sync.OnceValues(func() (*mlikernels.Library, error) {
					l, err := build(key.variant)
					if err != nil {
						return nil, fmt.Errorf("kernels: %w", err)
					}
					return l, nil
				})
			}
		}
	}
	return libs
}

// get is a library, nil when there is none of such a key.
func (l libraries) get(key libraryKey) (*mlikernels.Library, error) {
	if l[key] == nil {
		return nil, nil
	}
	return l[key]()
}

// build assembles all of them, at the same time.
func (l libraries) build() error {
	var g errgroup.Group
	for _, of := range l {
		g.Go(func() error {
			_, err := of()
			return err
		})
	}
	return g.Wait()
}

// worker runs cases one after the other on machines of its own.
type worker struct {
	suite    *Suite
	machines map[machineKey]*mlikernels.Machine
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
func (w *worker) machine(core string, library libraryKey) (*mlikernels.Machine, error) {
	key := machineKey{core: core, library: library}
	if m := w.machines[key]; m != nil {
		return m, nil
	}
	lib, err := w.suite.libs.get(library)
	switch {
	case err != nil:
		return nil, err
	case lib == nil:
		return nil, fmt.Errorf("%s was not built for %s", library.of.Name, core)
	}
	limit := uint64(caseLimit)
	if lib.Foreign != nil {
		limit = foreignLimit
	}
	m, err := mlikernels.NewMachine(mlikernels.MachineOptions{Core: w.suite.processors[core].preset, Engine: w.suite.Engine,
		Settings: w.suite.Settings, Library: lib, Limit: limit})
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
