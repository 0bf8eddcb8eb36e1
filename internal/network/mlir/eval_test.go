package mlir

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/nn"
	"arcv2dsp/quant"
)

// Tensor is the value of a Value: reals where the elements are real, else integers, quantized ones as
// they are stored.
type Tensor struct {
	Type  Type
	Ints  []int64
	Reals []float64
}

// Evaluator computes functions. Reals of f32 are rounded to float32 after every operation.
type Evaluator struct {
	Rule    quant.RealRule // how qcast rounds
	Kernels *nn.Registry   // the operators behind calls of kernels; none can be computed without
}

// machine holds the values of a run.
type machine struct {
	rule    quant.RealRule
	kernels *nn.Registry
	values  map[*Value]*Tensor
}

// Run computes a function.
func (e Evaluator) Run(f *Func, args ...*Tensor) ([]*Tensor, error) {
	if f.Body == nil {
		return nil, fmt.Errorf("@%s has no body", f.Name)
	}
	if len(args) != len(f.Body.Args) {
		return nil, fmt.Errorf("@%s takes %d arguments, not %d", f.Name, len(f.Body.Args), len(args))
	}
	m := &machine{rule: e.Rule, kernels: e.Kernels, values: map[*Value]*Tensor{}}
	for i, v := range f.Body.Args {
		if !args[i].Type.Equal(v.Type) || len(args[i].Ints)+len(args[i].Reals) != v.Type.Count() {
			return nil, fmt.Errorf("argument %d of @%s is %s, not %s", i+1, f.Name, v.Type, args[i].Type)
		}
		m.values[v] = args[i]
	}
	for _, op := range f.Body.Ops {
		if op.Name == "func.return" {
			var out []*Tensor
			for _, v := range op.Operands {
				out = append(out, m.values[v])
			}
			return out, nil
		}
		if err := m.run(op); err != nil {
			return nil, &Error{Pos: op.Pos, Msg: fmt.Sprintf("%s: %v", op.Name, err)}
		}
	}
	return nil, fmt.Errorf("@%s does not return", f.Name)
}

// run computes one operation whose operands have values.
func (m *machine) run(op *Op) error {
	eval := evaluations[op.Name]
	if eval == nil {
		return fmt.Errorf("cannot be computed here")
	}
	for _, v := range op.Results {
		if !v.Type.Static() || !fits(v.Type.Shape) {
			return fmt.Errorf("the size of %s is not known or too large", v.Type)
		}
		t := &Tensor{Type: v.Type}
		if v.Type.Elem.Float != quant.NoFloat {
			t.Reals = make([]float64, v.Type.Count())
		} else {
			t.Ints = make([]int64, v.Type.Count())
		}
		m.values[v] = t
	}
	return eval(m, op)
}

// evaluations compute the operations that have a meaning without a target.
var evaluations = map[string]func(*machine, *Op) error{
	"arith.constant":               evalConstant,
	"quant.qcast":                  evalQCast,
	"quant.dcast":                  evalDCast,
	"quant.scast":                  evalSCast,
	"quant.stats":                  evalIdentity,
	"quant.stats_ref":              evalIdentity,
	"quant.coupled_ref":            evalIdentity,
	"fxpmath.real_unary_ew":        evalUnary,
	"fxpmath.real_compare_zero_ew": evalCompare,
	"fxpmath.real_matmul":          evalMatmul,
	"fxpmath.real_matmul_bias":     evalMatmul,
	"fxpmath.clampis":              evalClamp,
	"fxpmath.saturating_addi":      evalClamp,
	"fxpmath.convertis":            evalConvert,
	"fxpmath.convertistof":         evalToReal,
	"fxpmath.vs_saturating_rounding_doubling_high_mulis": evalHighMul,
	"fxpmath.rounding_divide_by_potis":                   evalDivide,
	"gemmlowp.GemmWithOutputPipeline":                    evalGemm,
	"arith.addi":                                         evalInt2(func(a, b int64) int64 { return a + b }),
	"arith.subi":                                         evalInt2(func(a, b int64) int64 { return a - b }),
	"arith.muli":                                         evalInt2(func(a, b int64) int64 { return a * b }),
	"arith.divsi":                                        evalInt2(func(a, b int64) int64 { return a / b }),
	"arith.cmpi":                                         evalRelation,
	"arith.select":                                       evalSelect,
	"tosa.table":                                         evalTable,
	"arith.maxsi":                                        evalInt2(func(a, b int64) int64 { return max(a, b) }),
	"arith.minsi":                                        evalInt2(func(a, b int64) int64 { return min(a, b) }),
	"arith.maxui":                                        evalUnsigned2(func(a, b uint64) uint64 { return max(a, b) }),
	"arith.minui":                                        evalUnsigned2(func(a, b uint64) uint64 { return min(a, b) }),
	"arith.addf":                                         evalReal2(func(a, b float64) float64 { return a + b }),
	"arith.subf":                                         evalReal2(func(a, b float64) float64 { return a - b }),
	"arith.mulf":                                         evalReal2(func(a, b float64) float64 { return a * b }),
	"arith.divf":                                         evalReal2(func(a, b float64) float64 { return a / b }),
	"arith.sitofp":                                       evalToReal,
	"arith.uitofp":                                       evalToReal,
	"arith.fptosi":                                       evalToInt,
	"arith.fptoui":                                       evalToInt,
	"fxpmath.real_add_ew":                                evalReal2(func(a, b float64) float64 { return a + b }),
	"fxpmath.real_sub_ew":                                evalReal2(func(a, b float64) float64 { return a - b }),
	"fxpmath.real_mul_ew":                                evalReal2(func(a, b float64) float64 { return a * b }),
	"fxpmath.real_div_ew":                                evalReal2(func(a, b float64) float64 { return a / b }),
}

func (m *machine) in(op *Op, i int) *Tensor { return m.values[op.Operands[i]] }
func (m *machine) out(op *Op) *Tensor       { return m.values[op.Results[0]] }

// real is an element as a real number, dequantized where it is quantized.
func (t *Tensor) real(i int) (float64, error) {
	if t.Reals != nil {
		return t.Reals[i], nil
	}
	if t.Type.Elem.Quant == nil {
		return float64(t.Ints[i]), nil
	}
	of, err := t.Type.Elem.Quant.Of(t.Type.Shape)
	if err != nil {
		return 0, err
	}
	return narrow(of(i).Dequantize(t.Ints[i]), float(t.Type.Elem)), nil
}

// reals are all elements as real numbers.
func (t *Tensor) reals() ([]float64, error) {
	v := make([]float64, len(t.Ints)+len(t.Reals))
	for i := range v {
		var err error
		if v[i], err = t.real(i); err != nil {
			return nil, err
		}
	}
	return v, nil
}

// set stores a real number, quantized where the elements are.
func (t *Tensor) set(i int, x float64, rule quant.RealRule) error {
	if t.Reals != nil {
		t.Reals[i] = narrow(x, t.Type.Elem.Float)
		return nil
	}
	of, err := t.Type.Elem.Quant.Of(t.Type.Shape)
	if err == nil {
		t.Ints[i] = rule.Quantize(x, of(i), t.Type.Elem.Quant.Storage)
	}
	return err
}

func evalConstant(m *machine, op *Op) error {
	out := m.out(op)
	switch v := op.Attrs["value"].(type) {
	case Int:
		out.Ints[0] = v.Value
	case Real:
		out.Reals[0] = v.Value
	case Bool:
		if v {
			out.Ints[0] = 1
		}
	case Dense:
		if v.Reals != nil {
			out.Reals = v.values()
		} else {
			copy(out.Ints, v.integers())
		}
	}
	for i, n := range out.Ints {
		out.Ints[i] = wrap(n, out.Type.Elem.Int)
	}
	return nil
}

func evalQCast(m *machine, op *Op) error {
	in, out := m.in(op, 0), m.out(op)
	for i, x := range in.Reals {
		if err := out.set(i, x, m.rule); err != nil {
			return err
		}
	}
	return nil
}

func evalDCast(m *machine, op *Op) error {
	var err error
	m.out(op).Reals, err = m.in(op, 0).reals()
	return err
}

// evalSCast re-labels: storage integers are signless in the text, so those of an unsigned type turn signed.
func evalSCast(m *machine, op *Op) error {
	in, out := m.in(op, 0), m.out(op)
	for i, n := range in.Ints {
		if q := out.Type.Elem.Quant; q != nil {
			out.Ints[i] = wrap(n, q.Storage.Bits)
			if !q.Storage.Signed {
				out.Ints[i] = n & (1<<q.Storage.Bits - 1)
			}
		} else {
			out.Ints[i] = wrap(n, out.Type.Elem.Int)
		}
	}
	return nil
}

func evalIdentity(m *machine, op *Op) error {
	*m.out(op) = *m.in(op, 0)
	return nil
}

// store clamps a real result by the attributes of the operation.
func (m *machine) store(op *Op, i int, x float64) error {
	x = max(op.real("clamp_min", math.Inf(-1)), min(x, op.real("clamp_max", math.Inf(1))))
	return m.out(op).set(i, x, m.rule)
}

func evalReal2(f func(a, b float64) float64) func(*machine, *Op) error {
	return func(m *machine, op *Op) error {
		for i := range op.Results[0].Type.Count() {
			a, err := m.in(op, 0).real(i)
			if err != nil {
				return err
			}
			b, err := m.in(op, 1).real(i)
			if err != nil {
				return err
			}
			if err := m.store(op, i, f(a, b)); err != nil {
				return err
			}
		}
		return nil
	}
}

// unaryFunctions are the functions of real_unary_ew.
var unaryFunctions = map[string]func(float64) float64{
	"IDENTITY": func(x float64) float64 { return x },
	"ABS":      math.Abs,
	"EXP":      math.Exp,
	"LOG":      math.Log,
	"NEG":      func(x float64) float64 { return -x },
	"RSQRT":    func(x float64) float64 { return 1 / math.Sqrt(x) },
	"SIGMOID":  func(x float64) float64 { return 1 / (1 + math.Exp(-x)) },
	"SIGN": func(x float64) float64 {
		switch {
		case x > 0:
			return 1
		case x < 0:
			return -1
		}
		return x
	},
	"SIN":    math.Sin,
	"SQRT":   math.Sqrt,
	"SQUARE": func(x float64) float64 { return x * x },
	"TANH":   math.Tanh,
}

func evalUnary(m *machine, op *Op) error {
	x, err := m.in(op, 0).reals()
	for i := range x {
		if err == nil {
			err = m.store(op, i, unaryFunctions[op.text("fn")](x[i]))
		}
	}
	return err
}

// relations are the comparisons of real_compare_zero_ew.
var relations = map[string]func(float64) bool{
	"CMPZ":   func(x float64) bool { return x == 0 },
	"CMPNZ":  func(x float64) bool { return x != 0 },
	"CMPLZ":  func(x float64) bool { return x < 0 },
	"CMPLZE": func(x float64) bool { return x <= 0 },
	"CMPGZ":  func(x float64) bool { return x > 0 },
	"CMPGZE": func(x float64) bool { return x >= 0 },
}

func evalCompare(m *machine, op *Op) error {
	x, err := m.in(op, 0).reals()
	for i := range x {
		if relations[op.text("comparison")](x[i]) {
			m.out(op).Ints[i] = -1 // the signed value of an i1
		}
	}
	return err
}

func evalMatmul(m *machine, op *Op) error {
	lhs, err := m.in(op, 0).reals()
	if err != nil {
		return err
	}
	rhs, err := m.in(op, 1).reals()
	if err != nil {
		return err
	}
	shape := op.Results[0].Type.Shape
	bias := make([]float64, shape[1])
	if len(op.Operands) == 3 {
		if bias, err = m.in(op, 2).reals(); err != nil {
			return err
		}
	}
	depth := op.Operands[0].Type.Shape[1]
	for i := range op.Results[0].Type.Count() {
		r, c := i/shape[1], i%shape[1]
		sum := bias[c]
		for d := range depth {
			sum += lhs[r*depth+d] * rhs[d*shape[1]+c]
		}
		if err := m.store(op, i, sum); err != nil {
			return err
		}
	}
	return nil
}

// TestEvaluations: each function, relation and operation that can be computed is one that the verifier takes.
func TestEvaluations(t *testing.T) {
	require.ElementsMatch(t, unaries, slices.Collect(maps.Keys(unaryFunctions)))
	require.ElementsMatch(t, comparisons, slices.Collect(maps.Keys(relations)))
	for name := range evaluations {
		require.True(t, table[name] != nil || name == "tosa.table", name)
	}
}
