package mlir

import "arcv2dsp/quant"

// fuse lets a real operator work on quantized values where it has dcast before and qcast behind it, as a
// model trained with fake quantization does. A constant bias without a type of its own becomes 32 bits
// wide with the scale of the product, TensorFlow Lite's rule.
func fuse(f *Func, _ Options) error {
	uses := f.Body.uses()
	err := f.Body.rewrite(func(r *rewriter, op *Op) error {
		inner := op.Operands
		if op.Name != "quant.qcast" || inner[0].Def == nil || uses[inner[0]] != 1 || !takes(inner[0].Def) {
			r.keep(op)
			return nil
		}
		real := inner[0].Def
		operands, ok := quantizedOperands(r, real)
		if !ok {
			r.keep(op)
			return nil
		}
		r.replace(op.Results[0], r.emit(real.Pos, real.Name, op.Results[0].Type, real.Attrs, operands...))
		return nil
	})
	f.Body.sweep()
	return err
}

// quantizedOperands are the operands of the dcasts before an operator.
func quantizedOperands(r *rewriter, op *Op) ([]*Value, bool) {
	var list []*Value
	for i, v := range op.Operands {
		switch {
		case v.Def != nil && v.Def.Name == "quant.dcast":
			list = append(list, v.Def.Operands[0])
		case op.Name == "fxpmath.real_matmul_bias" && i == 2 && v.Def != nil && v.Def.Name == "arith.constant":
			t, ok := biasType(list[0].Type, list[1].Type)
			if !ok {
				return nil, false
			}
			list = append(list, r.emit(op.Pos, "quant.qcast", v.Type.With(quantized(t)), nil, v))
		default:
			return nil, false
		}
	}
	return list, true
}

// biasType has the scale of the product, one for each column where the weights have one for each.
func biasType(lhs, rhs Type) (quant.Type, bool) {
	l, w := lhs.Elem.Quant, rhs.Elem.Quant
	if l.Form != quant.PerLayer {
		return quant.Type{}, false
	}
	if w.Form == quant.PerLayer {
		return quant.Uniform(quant.Int32, quant.F32, quant.Params{Scale: l.Params[0].Scale * w.Params[0].Scale}), true
	}
	if w.Form != quant.PerAxis || w.Axis != 1 {
		return quant.Type{}, false
	}
	var params []quant.Params
	for _, p := range w.Params {
		params = append(params, quant.Params{Scale: l.Params[0].Scale * p.Scale})
	}
	return quant.UniformAxis(quant.Int32, quant.F32, 0, params), true
}
