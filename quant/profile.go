package quant

import (
	"fmt"
	"slices"
	"strings"
)

// Profile is the set of rules of one library: how it scales integers and how it turns reals into
// integers. A nil field means that the library defines no such operation.
type Profile struct {
	Name    string
	Meaning string
	Scaling *Scaling
	Real    *RealRule
}

var profiles = []Profile{
	{
		Name:    "gemmlowp-legacy",
		Meaning: "gemmlowp with an integer multiplier and a shift (QuantizeDownInt32ToUint8Scale)",
		Scaling: &ScaleLegacy,
		Real:    &RealGemmlowp,
	},
	{
		Name:    "gemmlowp",
		Meaning: "gemmlowp with a fixed-point multiplier and an exponent that saturates",
		Scaling: &ScaleGemmlowp,
		Real:    &RealGemmlowp,
	},
	{
		Name:    "tflite-double",
		Meaning: "TensorFlow Lite as it is built by default: two roundings",
		Scaling: &ScaleDouble,
		Real:    &RealTFLite,
	},
	{
		Name:    "tflite-single",
		Meaning: "TensorFlow Lite built with TFLITE_SINGLE_ROUNDING",
		Scaling: &ScaleSingle,
		Real:    &RealTFLite,
	},
	{
		Name:    "tosa-single",
		Meaning: "TOSA RESCALE without double_round",
		Scaling: &ScaleSingle,
	},
	{
		Name:    "tosa-double",
		Meaning: "TOSA RESCALE with double_round",
		Scaling: &ScaleNudged,
	},
	{
		Name:    "mli-convergent",
		Meaning: "MLI on a core in convergent rounding mode",
		Scaling: &ScaleConvergent,
		Real:    &RealMLI,
	},
	{
		Name:    "mli-up",
		Meaning: "MLI on a core in rounding mode up",
		Scaling: &ScaleUp,
		Real:    &RealMLI,
	},
	{
		Name:    "mlir-const",
		Meaning: "MLIR's quantization of constants",
		Real:    &RealMLIRConst,
	},
	{
		Name:    "mlir-lower",
		Meaning: "MLIR's lowering of quant.qcast to arithmetic",
		Real:    &RealMLIRLower,
	},
}

// Profiles lists the profiles.
func Profiles() []Profile { return append([]Profile(nil), profiles...) }

// ParseProfile finds a profile by name.
func ParseProfile(name string) (Profile, error) {
	var names []string
	for _, p := range profiles {
		if p.Name == name {
			return p, nil
		}
		names = append(names, p.Name)
	}
	return Profile{}, fmt.Errorf("unknown profile %q (%s)", name, strings.Join(names, ", "))
}

// Requantize scales an integer by the rules of the profile.
func (p Profile) Requantize(x int32, m Multiplier) (int32, error) {
	if p.Scaling == nil {
		return 0, fmt.Errorf("profile %s does not say how integers are scaled", p.Name)
	}
	return p.Scaling.Apply(x, m), nil
}

// Quantize turns a real into an integer by the rules of the profile.
func (p Profile) Quantize(x float64, params Params, s Storage) (int64, error) {
	if p.Real == nil {
		return 0, fmt.Errorf("profile %s does not say how reals become integers", p.Name)
	}
	return p.Real.Quantize(x, params, s), nil
}

// FixedRule is a rule by which values become fixed-point integers, with the names of what follows it.
type FixedRule struct {
	Names []string
	Rule  RealRule
}

// FixedRules are those of the core's rounding modes and of all libraries, equal ones in one row. A fixed-point format has the zero
// point 0, so a rule's place of the zero point makes no difference; and where integers change their format, no rule works
// in single precision.
func FixedRules(integers bool) []FixedRule {
	rows := []FixedRule{
		{Names: []string{"core-convergent"}, Rule: RealRule{Rounding: NearestEven}},
		{Names: []string{"core-up"}, Rule: RealRule{Rounding: HalfUp}},
		{Names: []string{"core-truncate"}, Rule: RealRule{Rounding: Floor}},
	}
	add := func(name string, rule RealRule) {
		rule.Zero = ZeroAfter
		rule.Single = rule.Single && !integers
		for i := range rows {
			if rows[i].Rule == rule {
				rows[i].Names = append(rows[i].Names, name)
				return
			}
		}
		rows = append(rows, FixedRule{Names: []string{name}, Rule: rule})
	}
	for _, p := range profiles {
		if p.Real != nil {
			add(p.Name, *p.Real)
		}
	}
	add("stablehlo", RealStableHLO)
	return rows
}

// FixedRulesOf are the rules that have one of the names; without names they are all.
func FixedRulesOf(integers bool, name string) ([]FixedRule, error) {
	rows := FixedRules(integers)
	if name == "" {
		return rows, nil
	}
	var names []string
	for _, row := range rows {
		if slices.Contains(row.Names, name) {
			return []FixedRule{{Names: []string{name}, Rule: row.Rule}}, nil
		}
		names = append(names, row.Names...)
	}
	return nil, fmt.Errorf("unknown rule %q (%s)", name, strings.Join(names, ", "))
}

// Fixed makes an integer of a real by the rule, in a fixed-point format.
func (r RealRule) Fixed(x float64, f QFormat) int64 {
	if r.Single {
		x = float64(float32(x))
	}
	return f.Quantize(x, r.Rounding)
}
