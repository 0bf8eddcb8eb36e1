package regress

import (
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"

	"arcv2dsp"
	"arcv2dsp/mlikernels"
	"arcv2dsp/mlikernels/golden"
)

// Options say what to check, and on what.
type Options struct {
	Cores   []string          // DefaultCores when empty
	Rounds  []golden.Rounding // both when empty
	Match   *regexp.Regexp    // on names of cases; nil matches all
	Only    map[string]bool   // names of cases; nil is all
	Seed    uint64            // of the generated data
	Short   bool              // a sample of the grid, recorded vectors, one network
	Vectors []string          // files to run instead of everything else
	Engine  arcv2dsp.EngineKind
	Tree    fs.FS // sources of the kernels; mlikernels.Sources when nil
}

// DefaultCores are one core with AGU and XY memory and one without.
var DefaultCores = []string{"em9d", "em7d"}

// DefaultSeed is the seed of the data nobody chose one for.
const DefaultSeed = 1

// Suite is what was planned.
type Suite struct {
	Options
	Missing []Missing // kernels that cannot be checked

	units []unit
	libs  libraries
}

// Missing is a kernel that a library does not have.
type Missing struct {
	Kernel string
	Core   string
	Why    string
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

// shortSample is how many points of a grid there are for each that a short run takes.
const shortSample = 10

// Plan lists the cases and assembles the kernels.
func Plan(o Options) (*Suite, error) {
	if len(o.Cores) == 0 {
		o.Cores = DefaultCores
	}
	if len(o.Rounds) == 0 {
		o.Rounds = []golden.Rounding{golden.Convergent, golden.Up}
	}
	if o.Tree == nil {
		o.Tree = mlikernels.Sources
	}
	s := &Suite{Options: o}
	for _, core := range o.Cores {
		if err := checkCore(core); err != nil {
			return nil, err
		}
	}
	var err error
	if s.libs, err = build(o.Tree, o.Cores, o.Rounds); err != nil {
		return nil, err
	}
	if len(o.Vectors) > 0 {
		return s, s.planVectors(osFiles(o.Vectors))
	}
	for _, k := range mlikernels.Kernels() {
		s.planGrid(k)
	}
	if err := s.planVectors(recorded()); err != nil {
		return nil, err
	}
	return s, s.planNetworks()
}

// dspCores are the cores that can run the kernels.
func dspCores() []string {
	var names []string
	for _, c := range arcv2dsp.Cores() {
		if strings.HasSuffix(c.Name, "d") {
			names = append(names, c.Name)
		}
	}
	return names
}

// checkCore fails for a core that cannot run the kernels.
func checkCore(name string) error {
	if dsp := dspCores(); !slices.Contains(dsp, name) {
		return fmt.Errorf("core %q does not run the kernels, these do: %s", name, strings.Join(dsp, ", "))
	}
	return nil
}

// add plans a unit with those of its cases that were asked for and whose kernels there are.
func (s *Suite) add(u unit, kernels ...string) {
	u.cases = slices.DeleteFunc(u.cases, func(c Case) bool {
		if s.Match != nil && !s.Match.MatchString(c.Name) || s.Only != nil && !s.Only[c.Name] {
			return true
		}
		for _, symbol := range kernels {
			if !s.has(symbol, c.Core, c.Round) {
				return true
			}
		}
		return false
	})
	if len(u.cases) > 0 {
		s.units = append(s.units, u)
	}
}

// has reports whether a core's library has a kernel; when not, that is noted once.
func (s *Suite) has(symbol, core string, round golden.Rounding) bool {
	lib := s.libs[variant(core, round)]
	if lib.Entry(symbol) != 0 {
		return true
	}
	m := Missing{Kernel: symbol, Core: core, Why: "there is no source"}
	for path, err := range lib.Missing {
		if strings.HasSuffix(path, "/"+symbol+".s") {
			m.Why = err.Error()
		}
	}
	if !slices.ContainsFunc(s.Missing, func(n Missing) bool { return n.Kernel == symbol && n.Core == core }) {
		s.Missing = append(s.Missing, m)
	}
	return false
}

// planGrid plans all points of a kernel's grid.
func (s *Suite) planGrid(k *mlikernels.Kernel) {
	points := k.Grid()
	for i, p := range points {
		if s.Short && i%shortSample != 0 {
			continue
		}
		for _, round := range s.Rounds {
			u := unit{run: func(w *worker, c *control, cases []Case) []Result {
				job, want, err := k.Job(p, round, s.Seed)
				if err != nil {
					return failAll(cases, Failure{Kind: KindGolden, Message: err.Error()})
				}
				return s.simulate(w, c, cases, k, job, want)
			}}
			for _, core := range s.Cores {
				u.cases = append(u.cases, Case{Name: fmt.Sprintf("%s/%s/%v/%s", k.Symbol, p.Name, round, core),
					Group: k.Symbol, Core: core, Round: round})
			}
			s.add(u, k.Symbol)
		}
	}
}
