package mlir

import (
	"fmt"

	"arcv2dsp/internal/term/steps"
	"arcv2dsp/quant"
)

// lowerQuantOps makes qcast and dcast arithmetic, as MLIR does today: the quotient and the zero point are
// added as reals, the fraction is dropped, and only a narrowed range is clamped.
func lowerQuantOps(f *Func, _ Options) error {
	return f.Body.rewrite(func(r *rewriter, op *Op) error {
		switch op.Name {
		case "quant.qcast":
			return lowerQCast(r, op)
		case "quant.dcast":
			return lowerDCast(r, op)
		}
		r.keep(op)
		return nil
	})
}

// lowering holds what both directions need.
type lowering struct {
	r     *rewriter
	op    *Op
	q     quant.Type
	reals Type // of the real side
	ints  Type // of the storage
}

func newLowering(r *rewriter, op *Op, q, reals Type) (lowering, error) {
	l := lowering{r: r, op: op, q: *q.Elem.Quant, reals: reals, ints: reals.With(storage(*q.Elem.Quant))}
	if q.Shaping == Unranked || l.q.Form != quant.PerLayer && !q.Static() {
		return l, at(op, fmt.Errorf("the size of %s is not known", q))
	}
	if q.Shaping != Scalar && (!q.Static() || !fits(q.Shape)) {
		return l, at(op, fmt.Errorf("constants for %s have no known or a too large size", q))
	}
	if l.q.Storage.Float != quant.NoFloat || l.q.Table != nil {
		return l, at(op, fmt.Errorf("%s is not stored as integers", l.q))
	}
	return l, nil
}

// constant is a number for each element, one for all where they are equal.
func (l lowering) constant(t Type, number func(p quant.Params) float64) (*Value, error) {
	of, err := l.q.Of(t.Shape)
	if err != nil {
		return nil, at(l.op, err)
	}
	n := t.Count()
	if l.q.Form == quant.PerLayer {
		n = 1
	}
	reals := make([]float64, n)
	ints := make([]int64, n)
	for i := range n {
		reals[i] = number(of(i))
		ints[i] = wrap(int64(reals[i]), max(t.Elem.Int, 1))
	}
	var attr Attr
	switch isReal := t.Elem.Float != quant.NoFloat; {
	case t.Shaping == Scalar && isReal:
		attr = Real{Value: reals[0], Type: t}
	case t.Shaping == Scalar:
		attr = Int{Value: ints[0], Type: t}
	case isReal:
		attr = Dense{Type: t, Reals: reals}
	default:
		attr = Dense{Type: t, Ints: ints}
	}
	return l.r.emit(l.op.Pos, "arith.constant", t, Attrs{"value": attr}), nil
}

func (l lowering) scale() (*Value, error) {
	return l.constant(l.reals, func(p quant.Params) float64 { return narrow(p.Scale, l.reals.Elem.Float) })
}

// zero is the zero points as reals, nil where all are 0.
func (l lowering) zero() (*Value, error) {
	for _, p := range l.q.Params {
		if p.ZeroPoint != 0 {
			return l.constant(l.reals, func(p quant.Params) float64 { return float64(p.ZeroPoint) })
		}
	}
	return nil, nil
}

// name picks the signed or the unsigned operation.
func (l lowering) name(signed, unsigned string) string {
	if l.q.Storage.Signed {
		return signed
	}
	return unsigned
}

func lowerQCast(r *rewriter, op *Op) (err error) {
	defer steps.Return(&err)
	in, out := op.ends()
	l := steps.Must(newLowering(r, op, out, in))
	scale := steps.Must(l.scale())
	v := r.emit(op.Pos, "arith.divf", in, nil, op.Operands[0], scale)
	zero := steps.Must(l.zero())
	if zero != nil {
		v = r.emit(op.Pos, "arith.addf", in, nil, v, zero)
	}
	v = r.emit(op.Pos, l.name("arith.fptosi", "arith.fptoui"), l.ints, nil, v)
	if s := l.q.Storage; s != s.Whole() {
		lo := steps.Must(l.constant(l.ints, func(quant.Params) float64 { return float64(s.Min) }))
		hi := steps.Must(l.constant(l.ints, func(quant.Params) float64 { return float64(s.Max) }))
		v = r.emit(op.Pos, l.name("arith.maxsi", "arith.maxui"), l.ints, nil, v, lo)
		v = r.emit(op.Pos, l.name("arith.minsi", "arith.minui"), l.ints, nil, v, hi)
	}
	r.replace(op.Results[0], r.emit(op.Pos, "quant.scast", out, nil, v))
	return nil
}

func lowerDCast(r *rewriter, op *Op) (err error) {
	defer steps.Return(&err)
	in, out := op.ends()
	l := steps.Must(newLowering(r, op, in, out))
	v := r.emit(op.Pos, "quant.scast", l.ints, nil, op.Operands[0])
	v = r.emit(op.Pos, l.name("arith.sitofp", "arith.uitofp"), out, nil, v)
	zero := steps.Must(l.zero())
	if zero != nil {
		v = r.emit(op.Pos, "arith.subf", out, nil, v, zero)
	}
	scale := steps.Must(l.scale())
	r.replace(op.Results[0], r.emit(op.Pos, "arith.mulf", out, nil, v, scale))
	return nil
}

// narrow rounds to the precision of a float type.
func narrow(x float64, f quant.Float) float64 {
	if f == quant.F32 {
		return float64(float32(x))
	}
	return x
}

// wrap keeps the low bits of an integer.
func wrap(x int64, width int) int64 { return x << (64 - width) >> (64 - width) }
