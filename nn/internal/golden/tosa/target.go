package tosa

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"arcv2dsp/nn"
)

// Profile names a profile of TOSA.
type Profile string

// The profiles.
const (
	Integer  Profile = "PRO-INT"
	Floating Profile = "PRO-FP"
)

// Extension names a part of TOSA beyond its profiles.
type Extension string

// The extensions.
const (
	Int16        Extension = "EXT-INT16"
	Int4         Extension = "EXT-INT4"
	DoubleRound  Extension = "EXT-DOUBLEROUND"
	InexactRound Extension = "EXT-INEXACTROUND"
	ControlFlow  Extension = "EXT-CONTROLFLOW"
	VariableExt  Extension = "EXT-VARIABLE"
	BFloat16     Extension = "EXT-BF16"
	Float8E4M3   Extension = "EXT-FP8E4M3"
	Float8E5M2   Extension = "EXT-FP8E5M2"
	FFT          Extension = "EXT-FFT"
)

// Extensions lists them all.
func Extensions() []Extension {
	return []Extension{Int16, Int4, DoubleRound, InexactRound, ControlFlow, VariableExt, BFloat16, Float8E4M3, Float8E5M2, FFT}
}

// ParseExtensions reads a list with commas: names of extensions, "all" or "none".
func ParseExtensions(s string) ([]Extension, error) {
	switch s {
	case "all":
		return Extensions(), nil
	case "none", "":
		return nil, nil
	}
	var list []Extension
	for name := range strings.SplitSeq(s, ",") {
		e := Extension(strings.ToUpper(strings.TrimSpace(name)))
		if !slices.Contains(Extensions(), e) {
			return nil, fmt.Errorf("unknown extension %q, there are %v", name, Extensions())
		}
		list = append(list, e)
	}
	return list, nil
}

// Level bounds the sizes a conforming implementation must take. A call beyond them is unpredictable.
type Level struct {
	Name          string
	MaxRank       int
	MaxKernel     int
	MaxStride     int
	MaxScale      int
	MaxLog2Size   int
	MaxNesting    int
	MaxTensorList int
}

// The levels.
var (
	LevelNone = Level{Name: "none", MaxRank: anyRank, MaxKernel: math.MaxInt32, MaxStride: math.MaxInt32, MaxScale: 2048,
		MaxLog2Size: 63, MaxNesting: 256, MaxTensorList: 256}
	Level8K = Level{Name: "8K", MaxRank: 6, MaxKernel: 8192, MaxStride: 8192, MaxScale: 256, MaxLog2Size: 31, MaxNesting: 6,
		MaxTensorList: 64}
)

// ParseLevel reads the name of a level.
func ParseLevel(s string) (Level, error) {
	for _, l := range []Level{LevelNone, Level8K} {
		if strings.EqualFold(l.Name, s) {
			return l, nil
		}
	}
	return Level{}, fmt.Errorf("unknown level %q, there are none and 8K", s)
}

// Limit is one quantity of a call that a level bounds.
type Limit struct {
	Name string // the level's name of the bound
	Text string // the quantity
	Max  func(Level) int
	// Greatest is the greatest value of the quantity in a call; it must stand any call.
	Greatest func(*nn.Call) int
	// Within, if not nil, reports whether the quantity is one that the operator's own rules allow. Where they do
	// not, the call is an error and the level is not asked.
	Within func(*nn.Call) bool
}

// Target is the profile and level that a graph is judged by.
type Target struct {
	Level      Level
	Extensions []Extension
}

// Everything is the target with every extension and no level.
func Everything() Target { return Target{Level: LevelNone, Extensions: Extensions()} }

// Check judges a graph for the target. The outcome is the graph's: an unpredictable call anywhere
// makes it unpredictable, else an error anywhere makes it an error.
func (t Target) Check(g *nn.Graph) error {
	return deciding(t.limits(g, 0), g.Check, func() error { return t.extensions(g) })
}

// Prepare judges one call for the target.
func (t Target) Prepare(c *nn.Call) error {
	return deciding(t.callLimits(c), c.Prepare, func() error { return t.callExtensions(c) })
}

// deciding picks the reason that decides: one that makes the outcome unpredictable, else the first.
func deciding(limit error, rules, extensions func() error) error {
	if nn.OutcomeOf(limit) == nn.Unpredictable {
		return limit
	}
	broken := rules()
	if limit == nil || nn.OutcomeOf(broken) == nn.Unpredictable {
		limit = broken
	}
	if limit != nil {
		return limit
	}
	return extensions()
}

// limits checks the level alone, in every graph.
func (t Target) limits(g *nn.Graph, depth int) error {
	if depth > t.Level.MaxNesting {
		return t.beyond("MAX_NESTING", "graphs inside graphs", depth, t.Level.MaxNesting)
	}
	var broken error // the first limit whose breach is an error
	for i := range g.Nodes {
		n := &g.Nodes[i]
		list := []error{t.callLimits(g.Call(n))}
		for _, inner := range graphs(n.Attrs) {
			list = append(list, t.limits(inner, depth+1))
		}
		for _, err := range list {
			if err == nil {
				continue
			}
			if err = fmt.Errorf("%s: %w", n.Name, err); nn.OutcomeOf(err) == nn.Unpredictable {
				return err
			}
			broken = cmp.Or(broken, err)
		}
	}
	return broken
}

func (t Target) callLimits(c *nn.Call) error {
	s, ok := Lookup(c.Op.Name)
	if !ok {
		return nil
	}
	var broken error
	for _, l := range append(tensorLimits, s.Limits...) {
		v, limit := l.Greatest(c), l.Max(t.Level)
		if v <= limit || l.Within != nil && !l.Within(c) {
			continue
		}
		err := fmt.Errorf("%s: %w", c.Op.Name, t.beyond(l.Name, l.Text, v, limit))
		if nn.OutcomeOf(err) == nn.Unpredictable {
			return err
		}
		broken = cmp.Or(broken, err)
	}
	return broken
}

// beyond is the violation of a limit. DEVIATION(296): a rank beyond the level is an error, though the text calls every
// breach of a level unpredictable: the table of arguments bounds ranks by the level too, and the reference model and
// the published tests want an error.
func (t Target) beyond(name, text string, v, limit int) error {
	outcome := nn.Unpredictable
	if name == rankLimit {
		outcome = nn.Error
	}
	return &nn.Violation{Outcome: outcome, Condition: name,
		Detail: fmt.Sprintf("%s is %d, level %s allows %d", text, v, t.Level.Name, limit)}
}

const rankLimit = "MAX_RANK"

// tensorLimits are the limits of every operator.
var tensorLimits = []Limit{
	{
		Name: rankLimit, Text: "the rank of a tensor",
		Max: func(l Level) int { return l.MaxRank },
		Greatest: func(c *nn.Call) int {
			return greatest(c, func(t *nn.Tensor) int { return len(t.Shape) })
		},
	},
	{
		Name: "MAX_LOG2_SIZE", Text: "the binary logarithm of a tensor's size in bytes, rounded up",
		Max:      func(l Level) int { return l.MaxLog2Size },
		Greatest: func(c *nn.Call) int { return greatest(c, log2Size) },
	},
	{
		Name: "MAX_TENSOR_LIST_SIZE", Text: "the number of tensors in a list",
		Max: func(l Level) int { return l.MaxTensorList },
		Greatest: func(c *nn.Call) int {
			if n := len(c.Op.Inputs); n > 0 && c.Op.Inputs[n-1].Variadic {
				return max(len(c.In)-n+1, len(c.Out))
			}
			return 0
		},
	},
}

func greatest(c *nn.Call, of func(*nn.Tensor) int) int {
	m := 0
	for _, t := range slices.Concat(c.In, c.Out) {
		if t != nil {
			m = max(m, of(t))
		}
	}
	return m
}

// log2Size is the least n with 2^n bytes or more for the tensor, at most 64.
func log2Size(t *nn.Tensor) int {
	size := float64(t.Type.Bits()) / 8
	if t.Type == nn.Bool {
		size = 1
	}
	for _, d := range t.Shape {
		size *= float64(max(d, 0))
	}
	if size <= 1 {
		return 0
	}
	return min(int(math.Ceil(math.Log2(size))), 64)
}

// extensions checks that the target has every extension the graph needs.
func (t Target) extensions(g *nn.Graph) error {
	for i := range g.Nodes {
		n := &g.Nodes[i]
		if err := t.callExtensions(g.Call(n)); err != nil {
			return fmt.Errorf("%s: %w", n.Name, err)
		}
		for _, inner := range graphs(n.Attrs) {
			if err := t.extensions(inner); err != nil {
				return fmt.Errorf("%s: %w", n.Name, err)
			}
		}
	}
	return nil
}

func (t Target) callExtensions(c *nn.Call) error {
	for _, e := range Needed(c) {
		if !slices.Contains(t.Extensions, e) {
			return fmt.Errorf("%s: %w", c.Op.Name, &nn.Violation{Outcome: nn.Error, Condition: typesCondition,
				Detail: fmt.Sprintf("the call needs %s, which the target does not have", e)})
		}
	}
	return nil
}

// Needed lists the extensions a call needs.
func Needed(c *nn.Call) []Extension {
	s, ok := Lookup(c.Op.Name)
	if !ok {
		return nil
	}
	var list []Extension
	for _, set := range s.Sets {
		if c.Has(set.Types) {
			if set.Extension != "" {
				list = append(list, set.Extension)
			}
			break
		}
	}
	if s.Needs != nil {
		list = append(list, s.Needs(c)...)
	}
	return list
}

// graphs lists the graphs in the attributes of an operator of control flow.
func graphs(a nn.Attrs) []*nn.Graph {
	var list []*nn.Graph
	for _, name := range slices.Sorted(maps.Keys(a)) {
		if g := a.Graph(name); g != nil {
			list = append(list, g)
		}
	}
	return list
}
