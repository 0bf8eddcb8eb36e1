package mlir

import (
	"fmt"
	"math"
)

// instrument names every value whose range the solver needs and cannot know: @function:number, counted over
// the values of the function in their order.
func instrument(f *Func, _ Options) error {
	g, err := newConstraints(f)
	if err != nil {
		return err
	}
	missing := g.missing()
	n := 0
	key := func() Attrs {
		n++
		return Attrs{"statsKey": Text(fmt.Sprintf("@%s:%d", f.Name, n-1))}
	}
	// Operations for an argument go to the front, those for a result behind its operation.
	var front []*Op
	named := map[*Value]*Value{}
	for _, v := range f.Body.Args {
		if missing[v] {
			ref := newOp(f.Pos, "quant.stats_ref", []*Value{v}, key(), v.Type)
			front, named[v] = append(front, ref), ref.Results[0]
		}
	}
	err = f.Body.rewrite(func(r *rewriter, op *Op) error {
		for i, v := range op.Operands {
			if now := named[v]; now != nil {
				op.Operands[i] = now
			}
		}
		r.keep(op)
		for _, v := range op.Results {
			if missing[v] {
				named[v] = r.emit(op.Pos, "quant.stats_ref", v.Type, key(), v)
			}
		}
		return nil
	})
	f.Body.Ops = append(front, f.Body.Ops...)
	return err
}

// applyStats puts ranges in the place of the keys that have some.
func applyStats(f *Func, o Options) error {
	return f.Body.rewrite(func(r *rewriter, op *Op) error {
		if op.Name != "quant.stats_ref" {
			r.keep(op)
			return nil
		}
		k, ok := o.Stats[op.text("statsKey")]
		if !ok {
			r.keep(op)
			return nil
		}
		if err := checkStatistics(k[:]); err != nil {
			return at(op, fmt.Errorf("key %q: %w", op.text("statsKey"), err))
		}
		pair := Type{Shaping: Ranked, Shape: []int{2}, Elem: f32.Elem}
		lo, hi := outward(k[0], -1), outward(k[1], 1)
		stats := Attrs{"layerStats": Dense{Type: pair, Reals: []float64{lo, hi}}}
		r.replace(op.Results[0], r.emit(op.Pos, "quant.stats", op.Results[0].Type, stats, op.Operands[0]))
		return nil
	})
}

// outward is the nearest float32 that does not narrow a range.
func outward(x float64, side int) float64 {
	f := float32(x)
	if d := float64(f) - x; d*float64(side) < 0 {
		f = math.Nextafter32(f, float32(math.Inf(side)))
	}
	return float64(f)
}
