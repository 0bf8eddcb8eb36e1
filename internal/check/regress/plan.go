package regress

import (
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"

	"arcv2dsp"
	"arcv2dsp/internal/term/steps"
	"arcv2dsp/mlikernels"
	"arcv2dsp/nn"
)

// Options say what to check, and on what.
type Options struct {
	Cores []string // templates and boards; when empty DefaultCores, or the core that Settings describe; a suite has each once, by its own name
	// Settings change options of all cores.
	Settings []arcv2dsp.Setting
	Rounds   []nn.Rounding   // all when empty
	Match    *regexp.Regexp  // on names of cases; nil matches all
	Only     map[string]bool // names of cases; nil is all
	Seed     uint64          // of the generated data
	Short    bool            // a sample of the grid, recorded vectors, three small networks
	Vectors  []string        // files and folders to run instead of everything else
	Calls    []string        // calls of kernels to run instead, by name: NAME or NAME/CASE
	Engine   arcv2dsp.EngineKind
	// Trees take the place of the sources of libraries, by name.
	Trees map[string]fs.FS
	// Library takes the place of the library that has its functions; only these are checked.
	Library *mlikernels.Foreign
}

// DefaultCores are one core with AGU and XY memory and one without.
var DefaultCores = []string{"em9d", "em7d"}

// DefaultSeed is the seed of the data nobody chose one for.
const DefaultSeed = 1

// Suite is the planned cases.
type Suite struct {
	Options
	Missing []Missing // kernels that cannot be checked
	LeftOut []LeftOut // files of folders, and lines, that are no cases

	units      []unit
	libs       libraries
	parts      *parts               // of our libraries, in a run that may not need all of them
	broken     error                // why a library cannot be built
	processors map[string]processor // by the names in Cores
}

// Missing is a kernel that a library does not have.
type Missing struct {
	Kernel string
	Core   string
	Why    string
}

// LeftOut is a file of a folder that is not checked.
type LeftOut struct {
	File    string `json:"file"`
	Why     string `json:"why"`
	Refused bool   `json:"refused,omitempty"` // it holds records, and nothing here checks them
}

// unit is the part of a plan that one worker does in one go: cases that share their inputs.
type unit struct {
	cases []Case
	// run checks the cases, in this order, and reports on each.
	run func(w *worker, c *control, cases []Case) []Result
}

// Cases lists what will be checked, in order.
func (s *Suite) Cases() []Case {
	var all []Case
	for _, u := range s.units {
		all = append(all, u.cases...)
	}
	return all
}

// Pieces lists the cases by what cannot be divided further: those that share their inputs.
func (s *Suite) Pieces() [][]Case {
	pieces := make([][]Case, len(s.units))
	for i, u := range s.units {
		pieces[i] = u.cases
	}
	return pieces
}

// Part is the suite of some pieces, by their index.
func (s *Suite) Part(pieces []int) *Suite {
	part := *s
	part.units = make([]unit, len(pieces))
	for k, i := range pieces {
		part.units[k] = s.units[i]
	}
	return &part
}

// shortSample is how many points of a grid there are for each that a short run takes.
const shortSample = 10

// Plan lists the cases and assembles the kernels.
func Plan(o Options) (_ *Suite, err error) {
	defer steps.Return(&err)
	if len(o.Rounds) == 0 {
		o.Rounds = allRoundings()
	}
	s := &Suite{Options: o}
	steps.Check(s.findProcessors())
	if o.Library != nil {
		return s, s.planLibrary()
	}
	var agus []mlikernels.AGU
	for _, p := range s.processors {
		agus = append(agus, p.AGU)
	}
	if o.Match != nil || o.Only != nil || len(o.Vectors) > 0 || len(o.Calls) > 0 {
		s.parts = &parts{files: map[libraryKey]map[string]bool{}}
	}
	s.libs = newLibraries(o.Trees, agus, o.Rounds, s.parts)
	if s.parts == nil {
		steps.Check(s.libs.build())
	}
	if len(o.Vectors) > 0 {
		return s, errors.Join(s.planPaths(o.Vectors), s.broken)
	}
	if len(o.Calls) > 0 {
		return s, errors.Join(s.planCalls(), s.broken)
	}
	for _, k := range mlikernels.Kernels() {
		if s.wants(k.Name() + "/") {
			s.planGrid(k)
		}
	}
	files := recorded()
	if len(files) == 0 {
		s.LeftOut = append(s.LeftOut, LeftOut{File: "recorded calls of embARC MLI", Why: "they are not in this build of the command"})
	}
	for _, f := range files {
		if s.wantsFile(f) {
			s.planFile(f, true)
		}
	}
	if s.wants(tosaCases) {
		steps.Check(s.planTOSAGrid())
	}
	s.planBenchmarks()
	return s, errors.Join(s.planNetworks(), s.broken)
}

// allRoundings are the roundings of all libraries.
func allRoundings() []nn.Rounding {
	var all []nn.Rounding
	for _, c := range mlikernels.Collections() {
		for _, r := range c.Roundings {
			if !slices.Contains(all, r) {
				all = append(all, r)
			}
		}
	}
	return all
}

// add plans a unit with those of its cases that were asked for and whose kernels there are.
func (s *Suite) add(u unit, kernels ...*mlikernels.Kernel) {
	u.cases = slices.DeleteFunc(u.cases, func(c Case) bool {
		if !s.asked(c.Name) {
			return true
		}
		for _, k := range kernels {
			key := s.keyOf(k.Of, c.Core, c.Round)
			if s.Library == nil && s.processors[c.Core].RunsVariant(k.Of, key.variant) != nil || !s.has(k, c.Core, c.Round) {
				return true
			}
		}
		return false
	})
	if len(u.cases) > 0 {
		s.units = append(s.units, u)
		if s.parts != nil && (len(kernels) == 0 || u.cases[0].Network) {
			s.parts.whole = true
		}
	}
}

// has reports whether a core's library has a kernel; when not, that is noted once. Our own library is not assembled to
// learn that it has what its rows say.
func (s *Suite) has(k *mlikernels.Kernel, core string, round nn.Rounding) bool {
	key := s.keyOf(k.Of, core, round)
	if s.parts != nil && s.Trees[k.Of.Name] == nil {
		s.parts.need(key, k)
		return true
	}
	lib, err := s.libs.get(key)
	if err != nil {
		s.broken = err
		return true
	}
	if lib != nil && lib.Entry(k.Symbol) != 0 {
		return true
	}
	m := Missing{Kernel: k.Name(), Core: core, Why: k.Source.File + " does not define it"}
	if s.Library != nil {
		if lib == nil {
			return false // of another collection
		}
		m.Why = s.Library.Name() + " does not define it"
	} else if err := lib.Missing[k.Source.File]; err != nil {
		m.Why = err.Error()
	}
	if !slices.ContainsFunc(s.Missing, func(n Missing) bool { return n.Kernel == k.Name() && n.Core == core }) {
		s.Missing = append(s.Missing, m)
	}
	return false
}

// planGrid plans all points of a kernel's grid.
func (s *Suite) planGrid(k *mlikernels.Kernel) {
	for i, p := range k.Grid() {
		if !s.Short || i%shortSample == 0 {
			s.planPoint(p)
		}
	}
}

// planCalls plans the calls that were asked for by name: of a kernel alone its layers and its whole grid.
func (s *Suite) planCalls() error {
	for _, name := range s.Calls {
		c, err := mlikernels.Find(name)
		if err != nil {
			return err
		}
		if strings.Contains(name, "/") {
			s.planPoint(c)
			continue
		}
		for _, layer := range c.Kernel.Layers {
			s.planPoint(layer)
		}
		s.planGrid(c.Kernel)
	}
	return nil
}

// planPoint plans a call of a kernel in all its roundings on all cores.
func (s *Suite) planPoint(p mlikernels.Case) {
	k := p.Kernel
	for _, round := range s.Rounds {
		if !slices.Contains(k.Roundings(), round) {
			continue
		}
		u := unit{run: func(w *worker, c *control, cases []Case) []Result {
			job, err := p.Job(round, s.Seed)
			if err != nil {
				return failAll(cases, Failure{Kind: KindGolden, Message: err.Error()})
			}
			return s.simulate(w, c, cases, k, job)
		}}
		for _, core := range s.Cores {
			u.cases = append(u.cases, Case{Name: fmt.Sprintf("%s/%v/%s", p.FullName(), round, core), Group: k.Name(), Core: core, Round: round})
		}
		s.add(u, k)
	}
}
