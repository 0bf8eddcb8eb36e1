package bench

import (
	"math"
	"slices"
	"strings"
)

// Choice is one combination of options of a sweep with what it costs in cycles.
type Choice struct {
	Core    string            `json:"core"`
	Options string            `json:"options"`
	Cycles  map[string]uint64 `json:"cycles"`           // by subject
	Geomean float64           `json:"geomean"`          // cycles by those of the fastest choice of the core
	Front   bool              `json:"front"`            // no choice that has no dearer option is as fast
	Memory  string            `json:"memory,omitempty"` // where the data of its kernels lies
	levels  []int             // of each axis, from cheap to dear
}

// Pareto turns the results of a sweep into its choices, in the order of the sweep. Choices of one
// core are compared with each other. A choice that has a subject without counts is
// left out.
func Pareto(s Suite, results []Result) []Choice {
	var all []Choice
	index := map[[2]string]int{}
	failed := map[[2]string]bool{}
	for _, r := range results {
		id := [2]string{r.Core, r.Options}
		if !r.Counted() {
			failed[id] = true
			continue
		}
		i, ok := index[id]
		if !ok {
			i = len(all)
			index[id] = i
			all = append(all, Choice{Core: r.Core, Options: r.Options, Cycles: map[string]uint64{}, levels: s.levels(r.Options)})
		}
		all[i].Cycles[r.Name] = r.Cycles
		if r.Memory != "" {
			all[i].Memory = r.Memory
		}
	}
	all = slices.DeleteFunc(all, func(c Choice) bool { return failed[[2]string{c.Core, c.Options}] })
	for i := range all {
		all[i].Geomean = all[i].relative(all)
	}
	for i := range all {
		all[i].Front = !slices.ContainsFunc(all, func(o Choice) bool { return o.beats(all[i]) })
	}
	return all
}

// levels are the places of the values in the axes.
func (s Suite) levels(options string) []int {
	var list []int
	values := strings.Fields(options)
	for i, a := range s.Axes {
		_, v, _ := strings.Cut(values[i], "=")
		list = append(list, slices.Index(a.Values, v))
	}
	return list
}

// logMean is the logarithm of the geometric mean of the cycles.
func (c Choice) logMean() float64 {
	sum := 0.0
	for _, n := range c.Cycles {
		sum += math.Log(float64(n))
	}
	return sum / float64(len(c.Cycles))
}

// relative is the geometric mean of the cycles by that of the fastest choice of the core.
func (c Choice) relative(all []Choice) float64 {
	best := math.Inf(1)
	for _, o := range all {
		if o.Core == c.Core {
			best = min(best, o.logMean())
		}
	}
	return math.Exp(c.logMean() - best)
}

// beats reports whether c is faster than o, or as fast and cheaper, without a dearer option.
func (c Choice) beats(o Choice) bool {
	if c.Core != o.Core {
		return false
	}
	cheaper := false
	for i, level := range c.levels {
		if level > o.levels[i] {
			return false
		}
		cheaper = cheaper || level < o.levels[i]
	}
	const same = 1e-12
	return c.Geomean < o.Geomean-same || cheaper && c.Geomean <= o.Geomean+same
}
