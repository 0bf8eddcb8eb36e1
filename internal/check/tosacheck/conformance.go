package tosacheck

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"arcv2dsp/nn"
	"arcv2dsp/nn/tosa"
)

// Conformance is what the records of a run say about the profiles and extensions of TOSA.
type Conformance struct {
	Level string `json:"level"`
	By    string `json:"by"` // what computed
	Parts []Part `json:"parts"`
	// NotApplicable counts the cases by the operator that nobody here computes.
	NotApplicable map[string]int `json:"not_applicable,omitempty"`
}

// Part is a profile or an extension: its combinations of operator and types, and what became of them.
type Part struct {
	Name         string   `json:"name"`
	Combinations int      `json:"combinations"`
	Operators    int      `json:"operators"` // with at least one case that passes
	Passed       int      `json:"passed"`    // combinations with cases, all of which pass
	Failed       []string `json:"failed,omitempty"`
	Missing      []string `json:"missing,omitempty"` // combinations without a case
}

// Conform draws the statement from the records of a run.
func Conform(records []Record, level, by string) *Conformance {
	c := &Conformance{Level: level, By: by, NotApplicable: map[string]int{}}
	counts := map[[2]string]Row{}
	judged := slices.DeleteFunc(slices.Clone(records), func(r Record) bool { // a refused call shows no result
		return r.Expect != nn.Valid.String() && r.Verdict != Fail
	})
	for _, r := range Table(judged) {
		for _, part := range strings.Split(r.Profile, "+") {
			for _, types := range []string{r.combination, anyTypes} {
				key := [2]string{part + " " + r.Operator, types}
				sum := counts[key]
				sum.Pass, sum.Fail = sum.Pass+r.Pass, sum.Fail+r.Fail
				counts[key] = sum
				if r.combination == anyTypes {
					break
				}
			}
		}
	}
	for _, r := range records {
		if r.Verdict == NotApplicable && len(r.Uses) > 0 {
			c.NotApplicable[r.Uses[len(r.Uses)-1].Operator]++
		}
	}
	for _, name := range partNames() {
		p := Part{Name: name}
		operators := map[string]bool{}
		for _, of := range membersOf(name) {
			p.Combinations++
			var row Row
			for _, profile := range of.within {
				more := counts[[2]string{profile + " " + of.operator, of.types}]
				row.Pass, row.Fail = row.Pass+more.Pass, row.Fail+more.Fail
			}
			title := of.operator + " " + of.types
			switch {
			case row.Fail > 0:
				p.Failed = append(p.Failed, title)
			case row.Pass > 0:
				p.Passed++
				operators[of.operator] = true
			default:
				p.Missing = append(p.Missing, title)
			}
		}
		p.Operators = len(operators)
		c.Parts = append(c.Parts, p)
	}
	return c
}

// partNames lists the profiles and then the extensions.
func partNames() []string {
	names := []string{string(tosa.Integer), string(tosa.Floating)}
	for _, e := range tosa.Extensions() {
		names = append(names, string(e))
	}
	return names
}

// member is a combination of operator and types of a part, and the parts under which its cases are counted.
type member struct {
	operator, types string
	within          []string
}

// anyTypes stands for the types of operators that take all.
const anyTypes = "any"

// membersOf lists the combinations of a part.
func membersOf(name string) []member {
	var list []member
	for _, s := range tosa.All() {
		if part := s.Part(); part != "" {
			if name == string(part) {
				list = append(list, member{operator: s.Name, types: anyTypes, within: []string{name}})
			}
			continue
		}
		for _, set := range s.Sets {
			in := []string{string(set.Extension)}
			if set.Extension == "" {
				in = nil
				for _, p := range set.Profiles() {
					in = append(in, string(p))
				}
			}
			if slices.Contains(in, name) {
				// A call of integers alone counts under PRO-INT, whichever profile it belongs to as well.
				list = append(list, member{operator: s.Name, types: set.Types.String(), within: in[:1]})
			}
		}
		for _, e := range s.Modes {
			if name == string(e) {
				list = append(list, member{operator: s.Name, types: anyTypes, within: []string{name}})
			}
		}
	}
	return list
}

// shown is how many combinations a line lists.
const shown = 6

// Text writes the statement.
func (c *Conformance) Text(w io.Writer) error {
	fmt.Fprintf(w, "conformance at level %s, computed by %s:\n", c.Level, c.By)
	for _, p := range c.Parts {
		switch {
		case p.Passed+len(p.Failed) == 0:
			fmt.Fprintf(w, "  %-16s not judged: no case of its %d combinations of operator and types\n", p.Name, p.Combinations)
			continue
		case len(p.Failed) > 0:
			fmt.Fprintf(w, "  %-16s fails: %s\n", p.Name, some(p.Failed))
		case len(p.Missing) == 0:
			fmt.Fprintf(w, "  %-16s passes\n", p.Name)
		default:
			fmt.Fprintf(w, "  %-16s passes as far as it is judged\n", p.Name)
		}
		fmt.Fprintf(w, "  %-16s %d operators, %d of %d combinations with types\n", "", p.Operators, p.Passed, p.Combinations)
		if len(p.Missing) > 0 {
			fmt.Fprintf(w, "  %-16s not covered: %s\n", "", some(p.Missing))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.NotApplicable)) {
		fmt.Fprintf(w, "  not applicable: %s, cases: %d\n", name, c.NotApplicable[name])
	}
	return nil
}

// some lists the first of many.
func some(list []string) string {
	text := strings.Join(list[:min(len(list), shown)], "; ")
	if n := len(list) - shown; n > 0 {
		text += fmt.Sprintf("; %d more", n)
	}
	return text
}

// combinationOf is the combination of types that a call has, of operators with any types that word.
func combinationOf(s *tosa.Spec, has func(tosa.TypeSet) bool) string {
	if s.Part() != "" {
		return anyTypes
	}
	for _, set := range s.Sets {
		if has(set) {
			return set.Types.String()
		}
	}
	return ""
}
