package numbers

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"arcv2dsp/internal/network/mlir"
	"arcv2dsp/internal/term/steps"
	"arcv2dsp/quant"
)

// typeLine is a quantized type as it was written, and as it was printed.
type typeLine struct {
	Text, Printed string
	Valid         bool
}

func typeText(v typeLine) {
	t, err := quant.ParseType(v.Text)
	switch {
	case !v.Valid && err == nil:
		steps.Check(fmt.Errorf("%s is read, recorded is a refusal", v.Text))
	case !v.Valid:
		return
	case err != nil:
		steps.Check(fmt.Errorf("%s: %w", v.Text, err))
	}
	equal("printed form of "+v.Text, t.String(), v.Printed)
	again := steps.Must(quant.ParseType(v.Printed))
	equal("type read again", again.String(), v.Printed)
}

// paramsRecord are the container and the parameters of a type.
type paramsRecord struct {
	Signed     bool
	Bits       int
	QMin, QMax int64
	Axis       int
	Scale      float64
	Scales     []float64
	ZeroPoint  int64   `json:"zero_point"`
	ZeroPoints []int64 `json:"zero_points"`
}

func (r paramsRecord) storage() quant.Storage {
	return quant.Storage{Signed: r.Signed, Bits: r.Bits, Min: r.QMin, Max: r.QMax}
}

// params are the parameters, one for each channel where there are channels.
func (r paramsRecord) params() []quant.Params {
	if r.Scales == nil {
		return []quant.Params{{Scale: r.Scale, ZeroPoint: r.ZeroPoint}}
	}
	same(len(r.Scales), len(r.ZeroPoints))
	var all []quant.Params
	for i, scale := range r.Scales {
		all = append(all, quant.Params{Scale: scale, ZeroPoint: r.ZeroPoints[i]})
	}
	return all
}

// fakeQuantTypeLine is a record of what a fake quantization becomes.
type fakeQuantTypeLine struct {
	Min, Max list[float64]
	Axis     int
	NumBits  int  `json:"num_bits"`
	Narrow   bool `json:"narrow_range"`
	Signed   bool `json:"is_signed"`
	Kind     string
	Type     string
	Result   paramsRecord
}

// fakeQuantType checks the chosen parameters, and the type that the pass on the text of a function makes.
func fakeQuantType(v fakeQuantTypeLine) {
	if len(v.Min) == 0 || len(v.Min) != len(v.Max) {
		steps.Check(fmt.Errorf("%d minima, %d maxima", len(v.Min), len(v.Max)))
	}
	s := quant.FakeQuantStorage(v.NumBits, v.Signed, v.Narrow)
	equal("container", s, v.Result.storage())
	var params []quant.Params
	for i := range v.Min {
		p, _, err := quant.MLIRFakeQuant.Choose(v.Min[i], v.Max[i], s)
		steps.Check(err)
		params = append(params, p)
	}
	recorded := v.Result.params()
	equal("parameters", params, recorded)
	name, attrs, tensor := "quant.const_fake_quant", fmt.Sprintf("min = %s, max = %s", typed(v.Min[0]), typed(v.Max[0])), "tensor<4xf32>"
	if v.Kind == "per_axis" {
		const rank = 4
		if v.Axis < 0 || v.Axis >= rank {
			steps.Check(fmt.Errorf("axis %d of %d", v.Axis, rank))
		}
		dims := []string{"3", "3", "3", "3"}
		dims[v.Axis] = strconv.Itoa(len(v.Min))
		tensor = "tensor<" + strings.Join(dims, "x") + "xf32>"
		name += "_per_axis"
		attrs = fmt.Sprintf("min = %s, max = %s, axis = %d", typedList(v.Min), typedList(v.Max), v.Axis)
	}
	m := passed(fmt.Sprintf(`func.func @f(%%0: %[1]s) -> %[1]s {
  %%1 = %[2]q(%%0) {%[3]s, num_bits = %[4]d, narrow_range = %[5]t, is_signed = %[6]t} : (%[1]s) -> %[1]s
  return %%1 : %[1]s
}`, tensor, name, attrs, v.NumBits, v.Narrow, v.Signed), "convert-simulated-quantization")
	ops := m.Funcs[0].Body.Ops
	if len(ops) < 2 || ops[0].Name != "quant.qcast" || ops[1].Name != "quant.dcast" {
		steps.Check(fmt.Errorf("the pass makes no pair of casts:\n%s", m))
	}
	equal("type", ops[0].Results[0].Type.Elem.String(), v.Type)
}

// constantLine is a record of a constant that became integers.
type constantLine struct {
	Type      string
	Shape     []int
	Values    []float64
	Params    paramsRecord
	Quantized []int64
}

func constant(v constantLine) {
	params := v.Params.params()
	inner := 1
	if len(params) > 1 {
		if v.Params.Axis < 0 || v.Params.Axis >= len(v.Shape) || v.Shape[v.Params.Axis] != len(params) {
			steps.Check(fmt.Errorf("%d scales on axis %d of %v", len(params), v.Params.Axis, v.Shape))
		}
		for _, d := range v.Shape[v.Params.Axis+1:] {
			inner *= d
		}
	}
	var out []int64
	for i, x := range v.Values {
		out = append(out, quant.RealMLIRConst.Quantize(x, params[i/inner%len(params)], v.Params.storage()))
	}
	equal("integers of "+v.Type, out, v.Quantized)
}

// realMathLine is a record of MLIR's real additions and products that became integer operations.
type realMathLine struct {
	Op            string
	Bits          int      `json:"storage_bits"`
	LhsLog        int      `json:"lhs_log2_scale"`
	RhsLog        int      `json:"rhs_log2_scale"`
	OutLog        int      `json:"result_log2_scale"`
	ClampMin      *float64 `json:"clamp_min"`
	ClampMax      *float64 `json:"clamp_max"`
	IntMin        int64    `json:"int_clamp_min"`
	IntMax        int64    `json:"int_clamp_max"`
	ZeroPoint     int64    `json:"zero_point"`
	LhsScale      float64  `json:"lhs_scale"`
	RhsScale      float64  `json:"rhs_scale"`
	OutScale      float64  `json:"result_scale"`
	LhsZero       int64    `json:"lhs_zp"`
	RhsZero       int64    `json:"rhs_zp"`
	OutZero       int64    `json:"result_zp"`
	Multiplier    int64
	Exponent      int64
	Lhs, Rhs, Out []int64
}

// params are the relations of both operands and the result.
func (v realMathLine) params() (p [3]quant.Params) {
	switch v.Op {
	case "real_add_ew_pot":
		for i, log := range []int{v.LhsLog, v.RhsLog, v.OutLog} {
			p[i] = quant.Params{Scale: math.Ldexp(1, log)}
		}
	case "real_add_ew_same_type":
		for i := range p {
			p[i] = quant.Params{Scale: 0.25, ZeroPoint: v.ZeroPoint}
		}
	case "real_mul_ew":
		p = [3]quant.Params{{Scale: v.LhsScale, ZeroPoint: v.LhsZero}, {Scale: v.RhsScale, ZeroPoint: v.RhsZero}, {Scale: v.OutScale, ZeroPoint: v.OutZero}}
	default:
		steps.Check(fmt.Errorf("no operation %q", v.Op))
	}
	return p
}

func realMath(v realMathLine) {
	params := v.params()
	name, bits := "fxpmath.real_add_ew", v.Bits
	if v.Op == "real_mul_ew" {
		name, bits = "fxpmath.real_mul_ew", 8
	}
	var types [3]string
	for i, p := range params {
		types[i] = fmt.Sprintf("tensor<%dx%s>", len(v.Lhs), quant.Uniform(quant.MakeStorage(true, bits), quant.F32, p))
	}
	attrs := ""
	if v.ClampMin != nil && v.ClampMax != nil {
		attrs = fmt.Sprintf(" {clamp_min = %e, clamp_max = %e}", *v.ClampMin, *v.ClampMax)
	}
	m := passed(fmt.Sprintf(`func.func @f(%%a: %[1]s, %%b: %[2]s) -> %[3]s {
  %%0 = %[4]q(%%a, %%b)%[5]s : (%[1]s, %[2]s) -> %[3]s
  return %%0 : %[3]s
}`, types[0], types[1], types[2], name, attrs), "lower-real-math")
	text := m.String()
	if strings.Contains(text, "fxpmath.real") {
		steps.Check(fmt.Errorf("the pass leaves real math:\n%s", text))
	}
	if v.Op == "real_mul_ew" {
		for _, want := range []string{fmt.Sprintf("b = %d : i32", v.Multiplier), fmt.Sprintf("exponent = %d : i32", -v.Exponent)} {
			if !strings.Contains(text, want) {
				steps.Check(fmt.Errorf("the recorded %q is not in\n%s", want, text))
			}
		}
	}
	out := v.results(params, bits)
	equal(v.Op, out, v.Out)
}

// results are those of the operation by the primitives that the text calls.
func (v realMathLine) results(p [3]quant.Params, bits int) (out []int64) {
	same(len(v.Lhs), len(v.Rhs))
	limits := quant.MakeStorage(true, bits)
	if v.ClampMin != nil && v.ClampMax != nil {
		limits.Min, limits.Max = v.IntMin, v.IntMax
	}
	for i, a := range v.Lhs {
		b := v.Rhs[i]
		var sum int64
		switch v.Op {
		case "real_add_ew_pot": // the operand of finer steps is brought to the other's
			a = quant.HalfAway.Shift(a, max(0, v.OutLog-v.LhsLog))
			b = quant.HalfAway.Shift(b, max(0, v.OutLog-v.RhsLog))
			sum = quant.Saturate(a+b, bits)
		case "real_add_ew_same_type":
			sum = a + b - p[2].ZeroPoint
		default:
			product := int32((a - p[0].ZeroPoint) * (b - p[1].ZeroPoint))
			high := quant.SaturatingRoundingDoublingHighMul(product, int32(v.Multiplier))
			sum = int64(quant.RoundingDivideByPOT(high, int(-v.Exponent))) + p[2].ZeroPoint
		}
		out = append(out, limits.Clamp(sum))
	}
	return out
}

// solvedLine is a record of the historic solver.
type solvedLine struct {
	NumLevels  int64 `json:"num_levels"`
	StorageMin int64 `json:"storage_min"`
	Min, Max   float64
	Satisfied  bool
	Scale      float64
	ZeroPoint  int64   `json:"zero_point"`
	AdjMin     float64 `json:"adj_min"`
	AdjMax     float64 `json:"adj_max"`
	Steps      int
}

// solved compares reals to a billionth of the scale: they were computed in another order.
func solved(v solvedLine) {
	s, err := quant.Solve(v.Min, v.Max, v.NumLevels, v.StorageMin)
	equal("satisfied", err == nil && s.Satisfied, v.Satisfied)
	if !v.Satisfied {
		return
	}
	near := v.Scale * 1e-9
	for _, c := range []struct {
		what          string
		got, recorded float64
	}{{what: "scale", got: s.Scale, recorded: v.Scale}, {what: "minimum", got: s.Lo, recorded: v.AdjMin}, {what: "maximum", got: s.Hi, recorded: v.AdjMax}} {
		if !(math.Abs(c.got-c.recorded) <= near) {
			equal(c.what, c.got, c.recorded)
		}
	}
	equal("zero point", s.ZeroPoint, v.ZeroPoint)
	equal("steps", s.Steps, v.Steps)
}

// applyScaleLine is a record of TOSA's scaling as MLIR folds it.
type applyScaleLine struct {
	Multiplier int32
	Shift      int
	Double     bool `json:"double_round"`
	Value, Out []int32
}

func applyScale(v applyScaleLine) {
	m := steps.Must(quant.FromTOSA(v.Multiplier, v.Shift))
	scaling := quant.ScaleSingle
	if v.Double {
		scaling = quant.ScaleNudged
	}
	var out []int32
	for _, x := range v.Value {
		steps.Check(quant.CheckApplyScale32(x, m))
		out = append(out, scaling.Apply(x, m))
	}
	equal(fmt.Sprintf("values by %v, double %t", m, v.Double), out, v.Out)
}

// passed parses the text of a function, runs passes on it, and holds its printed form against itself.
func passed(text string, names ...string) *mlir.Module {
	m := steps.Must(mlir.Parse("record", text))
	steps.Check(mlir.Run(m, names, mlir.Options{}))
	if len(m.Funcs) != 1 || len(m.Funcs[0].Body.Ops) == 0 {
		steps.Check(fmt.Errorf("the passes leave no function:\n%s", m))
	}
	again := steps.Must(mlir.Parse("record", m.String()))
	equal("text read again", again.String(), m.String())
	return m
}

// typed writes a real with all digits that single precision has, and its type.
func typed(x float64) string { return strconv.FormatFloat(x, 'e', 8, 32) + " : f32" }

// typedList writes reals as a list.
func typedList(values []float64) string {
	var parts []string
	for _, x := range values {
		parts = append(parts, typed(x))
	}
	return "[" + strings.Join(parts, ", ") + "]"
}
