package tosacheck

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"arcv2dsp/nn"
	"arcv2dsp/nn/tosa"
)

// part names the part of TOSA that a combination of types belongs to.
func part(set tosa.TypeSet) string {
	if set.Extension != "" {
		return string(set.Extension)
	}
	var names []string
	for _, p := range set.Profiles() {
		names = append(names, string(p))
	}
	return strings.Join(names, ", ")
}

type profilePart struct{ name, types string }

// byProfile groups the types of an operator by the part of TOSA they belong to.
func byProfile(s *tosa.Spec) []profilePart {
	var names []string
	sets := map[string][]nn.Signature{}
	for _, set := range s.Sets {
		name := part(set)
		if sets[name] == nil {
			names = append(names, name)
		}
		sets[name] = append(sets[name], set.Types)
	}
	var list []profilePart
	for _, name := range names {
		list = append(list, profilePart{name: name, types: combinations(sets[name])})
	}
	if list == nil {
		list = []profilePart{{name: string(tosa.ControlFlow), types: "any"}}
	}
	return list
}

// listed is the greatest number of combinations that are written out.
const listed = 4

// combinations writes combinations of types: all of them, or when there are many the types of each port.
func combinations(list []nn.Signature) string {
	var words []string
	if len(list) <= listed {
		for _, s := range list {
			words = append(words, s.String())
		}
		return strings.Join(words, " ")
	}
	for port := range list[0] {
		var types []string
		for _, s := range list {
			if name := s[port].String(); !slices.Contains(types, name) {
				types = append(types, name)
			}
		}
		words = append(words, strings.Join(types, "/"))
	}
	return strings.Join(words, ",")
}

// WriteOperator prints all there is about one operator.
func WriteOperator(w io.Writer, s *tosa.Spec) {
	fmt.Fprintf(w, "%s: %s (%s)\n", s.Name, s.Doc, s.Chapter)
	ports := func(what string, list []nn.Port, ranks []tosa.Rank) {
		for i, p := range list {
			fmt.Fprintf(w, "  %s %s", what, p.Role)
			if i < len(ranks) {
				fmt.Fprintf(w, ", rank %s", ranks[i])
			}
			if p.Variadic {
				fmt.Fprint(w, ", any number of them")
			}
			fmt.Fprintln(w)
		}
	}
	ports("input", s.Inputs, s.Ranks)
	ports("output", s.Outputs, s.Ranks[min(len(s.Inputs), len(s.Ranks)):])
	for _, a := range s.Attrs {
		fmt.Fprintf(w, "  attribute %s: %s\n", a.Name, a.Doc)
	}
	for _, p := range byProfile(s) {
		fmt.Fprintf(w, "  types of %s: %s\n", p.name, p.types)
	}
	for _, k := range s.Conditions {
		fmt.Fprintf(w, "  [%s] %s: %s\n", letter(k.Outcome), k.Name, k.Text)
	}
	for _, l := range s.Limits {
		fmt.Fprintf(w, "  [P] level's %s: %s; none %d, 8K %d\n", l.Name, l.Text, l.Max(tosa.LevelNone), l.Max(tosa.Level8K))
	}
}
