package farm

import (
	_ "embed" // recorded.tsv
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Costs are cycles on record, which balance shards. They need not be right, only the same for everybody who
// divides the same work.
type Costs struct {
	From   string // where they are from, for people
	cycles map[costKey]float64
	next   *Costs // asked for what these do not have
}

// costKey is a kernel, subject or network on a core.
type costKey struct{ name, core string }

// recorded is a table of cycles: a kernel's or network's mean over its cases in a regression, one measurement of a
// subject or network.
//
//go:embed recorded.tsv
var recorded string

// Recorded are the costs on record in the program itself.
func Recorded() *Costs {
	c := &Costs{From: "recorded cycles", cycles: map[costKey]float64{}}
	for line := range strings.Lines(recorded) {
		f := strings.Split(strings.TrimSpace(line), "\t")
		if strings.HasPrefix(line, "#") || len(f) != 3 {
			continue
		}
		n, err := strconv.ParseUint(f[2], 10, 64)
		if err != nil {
			panic("recorded.tsv: " + err.Error()) // part of the program
		}
		c.cycles[costKey{name: f[0], core: f[1]}] = float64(n)
	}
	return c
}

// ReadCosts reads the output of regress, bench or model bench with --json. Cycles that it lacks are taken
// from the table of the program.
func ReadCosts(path string, data []byte) (*Costs, error) {
	c := &Costs{From: path, cycles: map[costKey]float64{}, next: Recorded()}
	type measured struct {
		Name   string `json:"name"`
		Core   string `json:"core"`
		Cycles uint64 `json:"cycles"`
	}
	var all []measured
	if strings.HasPrefix(strings.TrimSpace(string(data)), "[") {
		if err := json.Unmarshal(data, &all); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	} else {
		var doc struct {
			Results []measured `json:"results"`
			Kernels []struct {
				Name  string `json:"name"`
				Cases int    `json:"cases"`
				Cores map[string]struct {
					Cycles uint64 `json:"cycles"`
				} `json:"cores"`
			} `json:"kernels"`
		}
		if err := json.Unmarshal(data, &doc); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		all = doc.Results
		for _, k := range doc.Kernels {
			for core, t := range k.Cores {
				// Each core has its share of the cases.
				if k.Cases > 0 {
					c.cycles[costKey{name: k.Name, core: core}] = float64(t.Cycles) * float64(len(k.Cores)) / float64(k.Cases)
				}
			}
		}
	}
	// Of several options of a core the first one counts: they are the same work.
	for _, m := range slices.Backward(all) {
		if m.Name != "" && m.Cycles > 0 {
			c.cycles[costKey{name: m.Name, core: m.Core}] = float64(m.Cycles)
		}
	}
	if len(c.cycles) == 0 {
		return nil, fmt.Errorf("%s: %w", path, errNoCosts)
	}
	return c, nil
}

var errNoCosts = errors.New("has no cycles: it is not what regress, bench or model bench print with --json")

// of returns the cost of something on a core.
func (c *Costs) of(name, core string) (float64, bool) {
	for ; c != nil; c = c.next {
		if n, ok := c.cycles[costKey{name: name, core: core}]; ok {
			return n, true
		}
	}
	return 0, false
}

// fill returns the costs of some things. A thing that is not on record costs as much as the others on average, and
// all cost the same where none is.
func (c *Costs) fill(n int, thing func(i int) (name, core string)) []float64 {
	list := make([]float64, n)
	var unknown []int
	sum := 0.0
	for i := range list {
		var ok bool
		if list[i], ok = c.of(thing(i)); !ok {
			unknown = append(unknown, i)
		}
		sum += list[i]
	}
	mean := 1.0
	if known := n - len(unknown); known > 0 {
		mean = sum / float64(known)
	}
	for _, i := range unknown {
		list[i] = mean
	}
	return list
}
