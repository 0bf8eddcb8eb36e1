package tosa

import (
	"cmp"
	"fmt"
	"slices"
	"sync"

	"arcv2dsp/nn"
)

// Spec is everything the specification says about one operator: the operator itself, with its
// types, ranks, limits and conditions as data.
type Spec struct {
	nn.Operator
	Chapter    string // the chapter of the specification
	Sets       []TypeSet
	Ranks      []Rank // of each port, inputs before outputs; none where ranks are free
	Lengths    []Length
	Conditions []Condition
	Limits     []Limit
	// Steps counts what the golden function goes through in a checked call, where that is more than products
	// and elements.
	Steps func(*nn.Call) int64
	// Needs lists extensions that attributes ask for beyond those of the types.
	Needs func(*nn.Call) []Extension
	// Modes are the extensions that some attributes ask for, of those that Needs lists.
	Modes []Extension
}

// Part is the extension that an operator belongs to with all its types; empty where its types tell.
func (s *Spec) Part() Extension {
	switch s.Chapter {
	case controlChapter:
		return ControlFlow
	case variableChapter:
		return VariableExt
	}
	return ""
}

// Computes reports whether an operator makes elements of elements. The others hold or pass them on, or run
// graphs.
func (s *Spec) Computes() bool {
	return s.Chapter != dataChapter && s.Chapter != variableChapter && s.Chapter != controlChapter
}

// Integers is the operator with its combinations of integers alone.
func (s *Spec) Integers() *Spec {
	half := *s
	half.Sets = slices.DeleteFunc(slices.Clone(s.Sets), TypeSet.Float)
	return &half
}

// TypeSet is one combination of element types and the part of TOSA it belongs to.
type TypeSet struct {
	Types     nn.Signature
	Extension Extension // empty for a profile itself
	Shared    bool      // a combination of integers that the floating-point profile has too
}

// Float reports whether a combination has a floating-point type.
func (t TypeSet) Float() bool { return slices.ContainsFunc(t.Types, nn.Type.Float) }

// Profiles are the profiles that a combination belongs to, by itself or by its extension.
func (t TypeSet) Profiles() []Profile {
	switch {
	case t.Float():
		return []Profile{Floating}
	case t.Shared:
		return []Profile{Integer, Floating}
	}
	return []Profile{Integer}
}

// Rank bounds the number of dimensions of a port. Any rank up to the level's limit is {0, anyRank}.
type Rank struct{ Min, Max int }

// anyRank stands for the greatest rank any level allows.
const anyRank = 32

func rank(n int) Rank { return Rank{Min: n, Max: n} }

func rankFrom(n int) Rank { return Rank{Min: n, Max: anyRank} }

// Length is the number of elements a list attribute must have.
type Length struct {
	Attr string
	Of   func(*nn.Call) int
}

func elements(n int) func(*nn.Call) int { return func(*nn.Call) int { return n } }

// perDimension is n elements for each dimension of the first input.
func perDimension(n int) func(*nn.Call) int {
	return func(c *nn.Call) int { return n * len(c.In[0].Shape) }
}

// Condition is one rule of the specification.
type Condition struct {
	Name    string // unique within the operator
	Text    string // the rule
	Outcome nn.Outcome
	// Elements says that the rule is about elements of inputs, not about shapes and attributes.
	Elements bool
	// Broken gives the values that break the rule, or "" for a call that keeps it. It is nil for a rule
	// about intermediate values: the golden function finds the breach on its way. It must stand calls
	// that break any other rule but those of types, ranks and attribute lengths.
	Broken func(*nn.Call) string
}

// While reports whether the golden function finds the breach while it computes.
func (c *Condition) While() bool { return c.Broken == nil }

// breach is the violation of a condition.
func (c *Condition) breach(format string, args ...any) error {
	return &nn.Violation{Outcome: c.Outcome, Condition: c.Name, Detail: fmt.Sprintf(format, args...)}
}

// check runs the conditions about shapes and attributes, or those about elements. One that makes the
// call unpredictable counts before one that makes it an error.
func (s *Spec) check(c *nn.Call, elements bool) error {
	var broken error
	for i := range s.Conditions {
		k := &s.Conditions[i]
		if k.Elements != elements || k.While() {
			continue
		}
		detail := k.Broken(c)
		if detail == "" {
			continue
		}
		if err := k.breach("%s", detail); k.Outcome == nn.Unpredictable {
			return err
		} else {
			broken = cmp.Or(broken, err)
		}
	}
	return broken
}

// Every operator has these conditions: the table of types, the ranks of its arguments and the lengths of
// its list attributes.
const (
	typesCondition   = "types"
	ranksCondition   = "ranks"
	lengthsCondition = "lengths"
)

// structure checks what the predicates rely on: ranks and the lengths of lists.
func (s *Spec) structure(c *nn.Call) error {
	check := func(ports []nn.Port, tensors []*nn.Tensor, ranks []Rank) error {
		for i, t := range tensors {
			k := min(i, len(ports)-1)
			if t == nil || k >= len(ranks) {
				continue
			}
			if n := len(t.Shape); n < ranks[k].Min || n > ranks[k].Max {
				return &nn.Violation{Outcome: nn.Error, Condition: ranksCondition,
					Detail: fmt.Sprintf("%s has shape %v, its rank must be %s", ports[k].Role, t.Shape, ranks[k])}
			}
		}
		return nil
	}
	in := s.Ranks[:min(len(s.Inputs), len(s.Ranks))]
	if err := cmp.Or(check(s.Inputs, c.In, in), check(s.Outputs, c.Out, s.Ranks[len(in):])); err != nil {
		return err
	}
	for _, l := range s.Lengths {
		if got, want := len(c.Attrs.Ints(l.Attr)), l.Of(c); got != want {
			return &nn.Violation{Outcome: nn.Error, Condition: lengthsCondition,
				Detail: fmt.Sprintf("%s has %d elements, it must have %d", l.Attr, got, want)}
		}
	}
	return nil
}

func (r Rank) String() string {
	switch {
	case r.Min == r.Max:
		return fmt.Sprint(r.Min)
	case r.Max == anyRank:
		return fmt.Sprintf("at least %d", r.Min)
	}
	return fmt.Sprintf("%d to %d", r.Min, r.Max)
}

// finish derives the operator's checks from the data of the row.
func (s *Spec) finish() {
	s.Library = nn.TOSA
	for _, t := range s.Sets {
		s.Types = append(s.Types, t.Types)
	}
	s.Check = func(c *nn.Call) error {
		if err := s.structure(c); err != nil {
			return err
		}
		err := s.check(c, false)
		if nn.OutcomeOf(err) == nn.Unpredictable {
			return err
		}
		within := inner(c)
		if nn.OutcomeOf(within) == nn.Unpredictable {
			return within
		}
		return cmp.Or(err, within)
	}
	if slices.ContainsFunc(s.Sets, TypeSet.Float) {
		s.Conforms = conforms
	}
	if slices.ContainsFunc(s.Conditions, func(k Condition) bool { return k.Elements }) {
		s.CheckElements = func(c *nn.Call) error { return s.check(c, true) }
	}
}

// Steps is how much work the golden function of a checked call has: products, elements under windows, or
// elements of the outputs.
func Steps(c *nn.Call) int64 {
	var n int64
	for _, t := range c.Out {
		n += int64(t.Len())
	}
	s, ok := Lookup(c.Op.Name)
	switch {
	case ok && s.Steps != nil:
		n = max(n, s.Steps(c))
	case c.Op.MACs != nil:
		n = max(n, c.Op.MACs(c))
	}
	return n
}

// All is every operator in the order of the specification.
func All() []*Spec { return specs() }

// specs are made at first use: a command that starts a program needs none.
var specs = sync.OnceValue(func() []*Spec {
	all := slices.Concat(tensorOperators(), activations(), elementwise(), reductions(), layout(), gatherScatter(),
		image(), conversions(), dataNodes(), control(), variables())
	for _, s := range all {
		s.finish()
	}
	return all
})

// Integer reports whether an operator exists for integers, or for tensors of any type.
func (s *Spec) Integer() bool {
	return len(s.Sets) == 0 || slices.ContainsFunc(s.Sets, func(t TypeSet) bool { return !t.Float() })
}

var byName = sync.OnceValue(func() map[string]*Spec {
	m := map[string]*Spec{}
	for _, s := range specs() {
		m[s.Name] = s
	}
	return m
})

// Lookup finds an operator.
func Lookup(name string) (*Spec, bool) {
	s, ok := byName()[name]
	return s, ok
}

// Operators are the operators for the registry.
func Operators() []*nn.Operator {
	ops := make([]*nn.Operator, len(specs()))
	for i, s := range specs() {
		ops[i] = &s.Operator
	}
	return ops
}
