package mlir

import (
	"fmt"
	"strings"
)

// Pass rewrites a module.
type Pass struct {
	Name string
	Doc  string // one line
	Run  func(*Module, Options) error
}

// Options are the arguments of passes that take some.
type Options struct {
	// Stats are ranges by the key of stats_ref: apply-stats puts them in its place.
	Stats map[string][2]float64
	// Candidates are the widths that the solver tries, in order: 8 and 16 when there are none.
	Candidates []int
}

// Passes are all passes, in the order in which a float model becomes integers.
func Passes() []Pass {
	return []Pass{
		{Name: "convert-simulated-quantization", Doc: "fake quantization becomes qcast and dcast", Run: each(convertSimulated)},
		{Name: "convert-const", Doc: "quantized constants become integers and scast", Run: each(convertConst)},
		{Name: "instrument", Doc: "stats_ref where the solver would miss a range", Run: each(instrument)},
		{Name: "apply-stats", Doc: "stats_ref becomes stats by the ranges given for its key", Run: each(applyStats)},
		{Name: "solve", Doc: "ranges become types; real operators work on quantized values", Run: each(solve)},
		{Name: "simplify", Doc: "casts that cancel and values that nobody uses are dropped", Run: each(simplify)},
		{Name: "fuse", Doc: "real operators between dcast and qcast work on quantized values", Run: each(fuse)},
		{Name: "trim-casts", Doc: "casts at the borders of a function move to its callers", Run: each(trimCasts)},
		{Name: "lower-real-math", Doc: "real operators on quantized values become integer ones and kernel calls", Run: each(lowerRealMath)},
		{Name: "lower-quant-ops", Doc: "qcast and dcast become arithmetic", Run: each(lowerQuantOps)},
		{Name: "normalize-quant-types", Doc: "types by block become types by axis or by tensor where the blocks are such", Run: each(normalizeTypes)},
		{Name: "strip-func-quant-types", Doc: "functions take and give the integers behind quantized types", Run: each(stripFuncTypes)},
	}
}

// each runs a pass on every function with a body.
func each(run func(*Func, Options) error) func(*Module, Options) error {
	return func(m *Module, o Options) error {
		for _, f := range m.Funcs {
			if f.Body == nil {
				continue
			}
			if err := run(f, o); err != nil {
				return err
			}
		}
		return nil
	}
}

// Run applies passes by name, one after the other, and verifies the module after each.
func Run(m *Module, names []string, o Options) error {
	for _, name := range names {
		pass, err := ParsePass(name)
		if err != nil {
			return err
		}
		if err := pass.Run(m, o); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if err := Verify(m); err != nil {
			return fmt.Errorf("after %s: %w", name, err)
		}
	}
	return nil
}

// ParsePass finds a pass by name.
func ParsePass(name string) (Pass, error) {
	var names []string
	for _, p := range Passes() {
		if p.Name == name {
			return p, nil
		}
		names = append(names, p.Name)
	}
	return Pass{}, fmt.Errorf("unknown pass %q (%s)", name, strings.Join(names, ", "))
}

// at puts the place of an operation before an error.
func at(op *Op, err error) error {
	return &Error{Pos: op.Pos, Msg: op.Name + ": " + err.Error()}
}
