package mlir

import (
	"fmt"

	"arcv2dsp/quant"
)

// fakeQuantType is the type that a fake quantization simulates.
func fakeQuantType(op *Op) (quant.Type, error) {
	signed := op.bool("is_signed")
	s := quant.FakeQuantStorage(int(op.int("num_bits")), signed, op.bool("narrow_range"))
	expressed := op.Operands[0].Type.Elem.Float
	lo, hi := []float64{op.real("min", 0)}, []float64{op.real("max", 0)}
	axis, perAxis := op.Attrs["axis"].(Int)
	if perAxis {
		lo, hi = op.reals("min"), op.reals("max")
		if len(lo) != len(hi) || len(lo) == 0 {
			return quant.Type{}, fmt.Errorf("%d minima and %d maxima", len(lo), len(hi))
		}
	}
	var params []quant.Params
	for i := range lo {
		p, _, err := quant.MLIRFakeQuant.Choose(lo[i], hi[i], s)
		if err == nil {
			err = p.Check()
		}
		if err != nil {
			return quant.Type{}, err
		}
		params = append(params, p)
	}
	if !perAxis {
		return quant.Uniform(s, expressed, params[0]), nil
	}
	t := quant.UniformAxis(s, expressed, int(axis.Value), params)
	if op.Operands[0].Type.Shaping == Ranked {
		if _, err := t.Of(op.Operands[0].Type.Shape); err != nil {
			return t, err
		}
	}
	return t, nil
}

// convertSimulated makes a fake quantization the two casts that it simulates.
func convertSimulated(f *Func, _ Options) error {
	return f.Body.rewrite(func(r *rewriter, op *Op) error {
		if op.Name != "quant.const_fake_quant" && op.Name != "quant.const_fake_quant_per_axis" {
			r.keep(op)
			return nil
		}
		q, err := fakeQuantType(op)
		if err != nil {
			return at(op, err)
		}
		in := op.Operands[0]
		cast := r.emit(op.Pos, "quant.qcast", in.Type.With(quantized(q)), nil, in)
		r.replace(op.Results[0], r.emit(op.Pos, "quant.dcast", in.Type, nil, cast))
		return nil
	})
}

// convertConst quantizes constants as MLIR does, 8-bit containers by a rule of their own.
func convertConst(f *Func, _ Options) error {
	return f.Body.rewrite(func(r *rewriter, op *Op) error {
		c, ok := constant(op)
		if op.Name != "quant.qcast" || !ok {
			r.keep(op)
			return nil
		}
		out := op.Results[0].Type
		q := *out.Elem.Quant
		shape := out.Shape
		of, err := q.Of(shape)
		if err != nil {
			return at(op, err)
		}
		values := []float64{}
		var attr Attr
		t := out.With(storage(q))
		switch v := c.(type) {
		case Real:
			values = append(values, v.Value)
		case Dense:
			values = v.Reals
			if len(values) == 1 && q.Form != quant.PerLayer {
				values = v.values()
			}
		}
		ints := make([]int64, len(values))
		for i, x := range values {
			ints[i] = wrap(quant.RealMLIRConst.Quantize(x, of(i), q.Storage), q.Storage.Bits)
		}
		if t.Shaping == Scalar {
			attr = Int{Value: ints[0], Type: t}
		} else {
			attr = Dense{Type: t, Ints: ints}
		}
		folded := r.emit(op.Pos, "arith.constant", t, Attrs{"value": attr})
		r.replace(op.Results[0], r.emit(op.Pos, "quant.scast", out, nil, folded))
		return nil
	})
}

// constant is the value of the first operand where that is a constant.
func constant(op *Op) (Attr, bool) {
	if len(op.Operands) == 0 || op.Operands[0].Def == nil || op.Operands[0].Def.Name != "arith.constant" {
		return nil, false
	}
	return op.Operands[0].Def.Attrs["value"], true
}
