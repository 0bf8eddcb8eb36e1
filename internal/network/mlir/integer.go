package mlir

import (
	"encoding/json"
	"math"

	"arcv2dsp/quant"
)

// lowerRealMath makes integer operations of real operators whose values are quantized: additions whose scales
// are powers of two or whose types are one, products and quotients of signed bytes, matrix products as calls of a
// kernel, functions of one value as tables, comparisons with zero, and dcast. An operation without a rule stays.
func lowerRealMath(f *Func, o Options) error {
	return f.Body.rewrite(func(r *rewriter, op *Op) error {
		l := &realLowering{r: r, op: op}
		var out *Value
		switch {
		case op.Name == "quant.dcast":
			out = l.dcast()
		case op.Name == "fxpmath.real_compare_zero_ew":
			out = l.compare()
		case !l.read():
		case op.Name == "fxpmath.real_add_ew":
			if out = l.addPowers(); out == nil {
				out = l.addSame("arith.addi", -1)
			}
		case op.Name == "fxpmath.real_sub_ew":
			out = l.addSame("arith.subi", 1)
		case op.Name == "fxpmath.real_mul_ew":
			out = l.multiply()
		case op.Name == "fxpmath.real_div_ew":
			out = l.divide()
		case op.Name == "fxpmath.real_unary_ew":
			out = l.unary()
		case op.Name == "fxpmath.real_matmul" || op.Name == "fxpmath.real_matmul_bias":
			out = l.matmul()
		}
		if out == nil {
			r.keep(op)
			return nil
		}
		r.replace(op.Results[0], out)
		return nil
	})
}

type realLowering struct {
	r      *rewriter
	op     *Op
	in     []quant.Type
	out    quant.Type
	params []quant.Params // of the operands that have one scale
	result quant.Params
}

// read takes the types of operands and result, which are all integers. Only the weights and the bias of a
// matrix product may have more than one scale.
func (l *realLowering) read() bool {
	if !quantizable[l.op.Name] {
		return false
	}
	for i, v := range append(l.op.Operands[:len(l.op.Operands):len(l.op.Operands)], l.op.Results[0]) {
		q := v.Type.Elem.Quant
		if q == nil || !q.Uniformly() || q.Table != nil || q.Storage.Float != quant.NoFloat {
			return false
		}
		product := l.op.Name == "fxpmath.real_matmul" || l.op.Name == "fxpmath.real_matmul_bias"
		if q.Form != quant.PerLayer && !(product && i >= 1 && i < len(l.op.Operands) && q.Form == quant.PerAxis) {
			return false
		}
	}
	for _, v := range l.op.Operands {
		l.in = append(l.in, *v.Type.Elem.Quant)
		l.params = append(l.params, v.Type.Elem.Quant.Params[0])
	}
	l.out = *l.op.Results[0].Type.Elem.Quant
	l.result = l.out.Params[0]
	return true
}

// stored casts an operand to the integers that it is stored in, and widens them.
func (l *realLowering) stored(i, width int) *Value {
	v := l.op.Operands[i]
	s := l.r.emit(l.op.Pos, "quant.scast", v.Type.With(storage(*v.Type.Elem.Quant)), nil, v)
	return l.convert(s, width)
}

func (l *realLowering) convert(v *Value, width int) *Value {
	if v.Type.Elem.Int == width {
		return v
	}
	return l.r.emit(l.op.Pos, "fxpmath.convertis", v.Type.With(integer(width)), nil, v)
}

// add adds a number to every element.
func (l *realLowering) add(v *Value, n int64) *Value {
	if n == 0 {
		return v
	}
	return l.r.emit(l.op.Pos, "arith.addi", v.Type, nil, v, l.number(v.Type, n))
}

// number is an integer for every element of a type.
func (l *realLowering) number(t Type, n int64) *Value {
	var attr Attr = Dense{Type: t, Ints: []int64{n}}
	if t.Shaping == Scalar {
		attr = Int{Value: n, Type: t}
	}
	return l.r.emit(l.op.Pos, "arith.constant", t, Attrs{"value": attr})
}

// clamp is the range of the result: the clamps of the operator in the result's type, within its storage.
func (l *realLowering) clamp() Attrs {
	s := l.out.Storage
	q := func(name string, absent int64) int64 {
		x := l.op.real(name, math.NaN())
		if math.IsNaN(x) {
			return absent
		}
		return quant.RealMLIRConst.Quantize(x, l.result, s)
	}
	attr := func(n int64) Int { return Int{Value: n, Type: i32} }
	return Attrs{"clamp_min": attr(q("clamp_min", s.Min)), "clamp_max": attr(q("clamp_max", s.Max))}
}

// finish clamps, narrows and labels.
func (l *realLowering) finish(v *Value) *Value {
	v = l.r.emit(l.op.Pos, "fxpmath.clampis", v.Type, l.clamp(), v)
	return l.label(l.convert(v, l.out.Storage.Bits))
}

func (l *realLowering) label(v *Value) *Value {
	return l.r.emit(l.op.Pos, "quant.scast", l.op.Results[0].Type, nil, v)
}

// scaleTolerance is how far a scale may be from a power of two and still count as one.
const scaleTolerance = 1e-6

// power is the binary logarithm of a scale that is a power of two.
func power(scale float64) (int, bool) {
	log := math.Log2(scale)
	n := math.Round(log)
	return int(n), math.Abs(log-n) < scaleTolerance
}

// addPowers adds where all scales are powers of two and one operand is on the result's: the other, equally
// fine or finer, is shifted to it.
func (l *realLowering) addPowers() *Value {
	to, ok := power(l.result.Scale)
	if !ok || !l.out.FixedPoint() {
		return nil
	}
	var shift [2]int
	for i, q := range l.in {
		n, ok := power(l.params[i].Scale)
		if !ok || !q.FixedPoint() || q.Storage != l.out.Storage {
			return nil
		}
		shift[i] = to - n
	}
	if shift[0] != 0 && shift[1] != 0 || min(shift[0], shift[1]) < 0 || max(shift[0], shift[1]) > 31 {
		return nil
	}
	var v [2]*Value
	for i := range v {
		v[i] = l.stored(i, l.out.Storage.Bits)
		if shift[i] > 0 {
			v[i] = l.r.emit(l.op.Pos, "fxpmath.rounding_divide_by_potis", v[i].Type,
				Attrs{"exponent": Int{Value: int64(shift[i]), Type: i32}}, v[i])
		}
	}
	return l.label(l.r.emit(l.op.Pos, "fxpmath.saturating_addi", v[0].Type, l.clamp(), v[0], v[1]))
}

// addSame adds or subtracts in the next wider integers where all types are one.
func (l *realLowering) addSame(name string, zeros int64) *Value {
	bits := l.out.Storage.Bits
	if bits > 16 || l.in[0].String() != l.out.String() || l.in[1].String() != l.out.String() {
		return nil
	}
	if !l.out.Storage.Signed {
		return nil
	}
	wide := 16
	if bits > 8 {
		wide = 32
	}
	a, b := l.stored(0, wide), l.stored(1, wide)
	sum := l.r.emit(l.op.Pos, name, a.Type, nil, a, b)
	return l.finish(l.add(sum, zeros*l.result.ZeroPoint))
}

// multiply is a product of signed bytes, scaled by a factor below 1.
func (l *realLowering) multiply() *Value {
	for _, q := range append(l.in[:len(l.in):len(l.in)], l.out) {
		if !q.Storage.Signed || q.Storage.Bits > 8 {
			return nil
		}
	}
	m, err := quant.QuantizeMultiplier(l.params[0].Scale * l.params[1].Scale / l.result.Scale)
	if err != nil || m.Shift > 0 || m.Shift < -31 {
		return nil
	}
	a := l.add(l.stored(0, 32), -l.params[0].ZeroPoint)
	b := l.add(l.stored(1, 32), -l.params[1].ZeroPoint)
	v := l.r.emit(l.op.Pos, "arith.muli", a.Type, nil, a, b)
	v = l.r.emit(l.op.Pos, "fxpmath.vs_saturating_rounding_doubling_high_mulis", v.Type,
		Attrs{"b": Int{Value: int64(m.Value), Type: i32}}, v)
	v = l.r.emit(l.op.Pos, "fxpmath.rounding_divide_by_potis", v.Type,
		Attrs{"exponent": Int{Value: int64(-m.Shift), Type: i32}}, v)
	return l.finish(l.add(v, l.result.ZeroPoint))
}

// dcast converts, subtracts the zero point and multiplies by the scale.
func (l *realLowering) dcast() *Value {
	in, out := l.op.ends()
	q := in.Elem.Quant
	if q.Form != quant.PerLayer || !q.Storage.Signed || q.Storage.Bits > 31 || q.Table != nil || q.Storage.Float != quant.NoFloat ||
		in.Shaping == Unranked || in.Shaping != Scalar && !in.Static() {
		return nil
	}
	v := l.add(l.stored(0, 32), -q.Params[0].ZeroPoint)
	v = l.r.emit(l.op.Pos, "fxpmath.convertistof", out, nil, v)
	var attr Attr = Dense{Type: out, Reals: []float64{narrow(q.Params[0].Scale, out.Elem.Float)}}
	if out.Shaping == Scalar {
		attr = Real{Value: narrow(q.Params[0].Scale, out.Elem.Float), Type: out}
	}
	scale := l.r.emit(l.op.Pos, "arith.constant", out, Attrs{"value": attr})
	return l.r.emit(l.op.Pos, "arith.mulf", out, nil, v, scale)
}

// gemmStage is a stage of gemmlowp's output pipeline in its text form.
type gemmStage map[string]any

// matmul calls the kernel of gemmlowp: the zero points are its offsets, the scales its multipliers, one
// for each column where the weights have one for each. A bias is constant. It is added before the
// scaling where its scale is that of the product, after it where its scale is that of the result.
func (l *realLowering) matmul() *Value {
	t := l.op.Results[0].Type
	if !t.Static() || !l.op.Operands[0].Type.Static() || !l.op.Operands[1].Type.Static() {
		return nil
	}
	for _, q := range []quant.Type{l.in[0], l.in[1], l.out} {
		if !q.Storage.Signed || q.Storage.Bits != 8 {
			return nil
		}
	}
	scale, products := l.scaling()
	if scale == nil {
		return nil
	}
	stages := []gemmStage{scale}
	if len(l.in) == 3 {
		bias, ok := l.bias()
		if !ok {
			return nil
		}
		stage := gemmStage{"stage": "BiasAddition", "shape": "row", "bias": bias}
		switch {
		case l.biasScales(products):
			stages = []gemmStage{stage, scale}
		case l.biasScales([]float64{l.result.Scale}):
			stages = append(stages, stage)
		default:
			return nil
		}
	}
	limits := l.clamp()
	stages = append(stages,
		gemmStage{"stage": "Clamp", "min": limits["clamp_min"].(Int).Value, "max": limits["clamp_max"].(Int).Value},
		gemmStage{"stage": "SaturatingCastToInt8"})
	text, err := json.Marshal(stages)
	if err != nil {
		return nil
	}
	offset := func(p quant.Params) Int { return Int{Value: -p.ZeroPoint, Type: i32} }
	return l.label(l.r.emit(l.op.Pos, "gemmlowp.GemmWithOutputPipeline", t.With(integer(8)), Attrs{
		"lhs_offset": offset(l.params[0]), "rhs_offset": offset(l.params[1]), "pipeline": Text(text),
	}, l.stored(0, 8), l.stored(1, 8)))
}

// scaling is the stage that brings sums to the scale of the result, and the scales of the sums: one, or one
// for each column. Columns with zero points of their own would need offsets by column, which have no rule.
func (l *realLowering) scaling() (gemmStage, []float64) {
	var products []float64
	var values, exponents []int
	for _, p := range l.in[1].Params {
		product := l.params[0].Scale * p.Scale
		m, err := quant.QuantizeMultiplier(product / l.result.Scale)
		if err != nil || m.Value == 0 || l.in[1].Form == quant.PerAxis && (l.in[1].Axis != 1 || p.ZeroPoint != 0) {
			return nil, nil
		}
		products, values, exponents = append(products, product), append(values, int(m.Value)), append(exponents, m.Shift)
	}
	if l.in[1].Form == quant.PerLayer {
		return gemmStage{
			"stage": "ScaleInt32ByFixedPointAndExponent", "result_fixedpoint_multiplier": values[0],
			"result_exponent": exponents[0], "result_offset_after_shift": l.result.ZeroPoint,
		}, products
	}
	return gemmStage{
		"stage": "ScaleInt32ByFixedPointAndExponentPC", "shape": "row", "result_fixedpoint_multiplier": values,
		"result_exponent": exponents, "result_offset_after_shift": l.result.ZeroPoint,
	}, products
}

// biasScales reports whether the bias has the wanted scales.
func (l *realLowering) biasScales(want []float64) bool {
	have := l.in[2].Params
	if len(have) != len(want) {
		return false
	}
	for i := range have {
		if math.Abs(have[i].Scale/want[i]-1) > scaleTolerance {
			return false
		}
	}
	return true
}

// bias are the integers of a constant bias of 32 bits.
func (l *realLowering) bias() ([]int64, bool) {
	v := l.op.Operands[2]
	if v.Def == nil || l.in[2].Storage != quant.Int32 || !l.in[2].FixedPoint() {
		return nil, false
	}
	c, ok := constant(v.Def)
	if !ok {
		return nil, false
	}
	d, ok := c.(Dense)
	if !ok || !d.Type.Static() {
		return nil, false
	}
	switch v.Def.Name {
	case "quant.scast":
		return d.integers(), true
	case "quant.qcast":
		of, err := l.in[2].Of(d.Type.Shape)
		if err != nil {
			return nil, false
		}
		list := make([]int64, d.Type.Count())
		for i, x := range d.values() {
			list[i] = quant.RealMLIRConst.Quantize(x, of(i), l.in[2].Storage)
		}
		return list, true
	}
	return nil, false
}
