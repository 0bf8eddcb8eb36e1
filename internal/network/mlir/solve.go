package mlir

import (
	"fmt"
	"math"

	"arcv2dsp/quant"
)

// The solver chooses a type for every value that a real operator reads or makes. Values that must share one
// type are a cluster: the operands and the result of an addition, the two sides of an operation that
// changes nothing, all coupled_ref of one key. A cluster's range is the union of what is known of its
// members: constants, statistics, clamps. The first candidate that can represent the range wins. A bias
// is 32 bits wide and has the scale of the result it is added to.

// constraints holds the facts known about the values of a function.
type constraints struct {
	f       *Func
	parent  map[*Value]*Value
	ranges  map[*Value][2]float64 // by the root of a cluster
	order   []*Value              // every value that takes part, in order
	members map[*Value]bool
}

func newConstraints(f *Func) (*constraints, error) {
	g := &constraints{f: f, parent: map[*Value]*Value{}, ranges: map[*Value][2]float64{},
		members: map[*Value]bool{}}
	coupled := map[string]*Value{}
	for _, op := range f.Body.Ops {
		s := table[op.Name]
		if s == nil {
			continue
		}
		switch {
		case op.Name == "arith.constant":
			g.constant(op)
		case s.identity:
			g.join(op.Operands[0], op.Results[0])
			if op.Name == "quant.stats" {
				pair := op.reals("layerStats")
				g.widen(op.Results[0], pair[0], pair[1])
			}
			if key := op.text("coupledKey"); op.Name == "quant.coupled_ref" {
				if first := coupled[key]; first != nil {
					if first.Type.Elem != op.Results[0].Type.Elem {
						return nil, at(op, fmt.Errorf("key %q couples %s with %s", key, first.Type, op.Results[0].Type))
					}
					g.join(first, op.Results[0])
				}
				coupled[key] = op.Results[0]
			}
		case quantizable[op.Name]:
			g.operator(op)
		}
	}
	return g, nil
}

// quantizable are the operators that the solver gives quantized operands.
var quantizable = map[string]bool{
	"fxpmath.real_add_ew": true, "fxpmath.real_sub_ew": true, "fxpmath.real_mul_ew": true,
	"fxpmath.real_div_ew": true, "fxpmath.real_unary_ew": true,
	"fxpmath.real_matmul": true, "fxpmath.real_matmul_bias": true,
}

// takes reports whether the solver types an operation: all of its values still have elements of f32.
func takes(op *Op) bool {
	if !quantizable[op.Name] || op.Results[0].Type.Elem.Float != quant.F32 {
		return false
	}
	for _, v := range op.Operands {
		if v.Type.Elem.Float != quant.F32 {
			return false
		}
	}
	return true
}

func (g *constraints) operator(op *Op) {
	if !takes(op) {
		return
	}
	result := op.Results[0]
	values := append(op.Operands[:len(op.Operands):len(op.Operands)], result)
	for i, v := range values {
		if op.Name == "fxpmath.real_matmul_bias" && i == 2 {
			continue // a bias takes the scale of the result
		}
		if !g.members[v] {
			g.members[v], g.order = true, append(g.order, v)
		}
		if op.Name == "fxpmath.real_add_ew" || op.Name == "fxpmath.real_sub_ew" {
			g.join(v, result)
		}
	}
	lo, hi := op.real("clamp_min", math.Inf(-1)), op.real("clamp_max", math.Inf(1))
	if !math.IsInf(lo, 0) && !math.IsInf(hi, 0) {
		g.widen(result, lo, hi)
	}
}

func (g *constraints) constant(op *Op) {
	switch v := op.Attrs["value"].(type) {
	case Real:
		g.widen(op.Results[0], v.Value, v.Value)
	case Dense:
		for _, x := range v.Reals {
			g.widen(op.Results[0], x, x)
		}
	}
}

// root is the value that stands for a cluster.
func (g *constraints) root(v *Value) *Value {
	for g.parent[v] != nil {
		v = g.parent[v]
	}
	return v
}

func (g *constraints) join(a, b *Value) {
	ra, rb := g.root(a), g.root(b)
	if ra == rb {
		return
	}
	g.parent[rb] = ra
	if pair, ok := g.ranges[rb]; ok {
		g.widen(ra, pair[0], pair[1])
	}
}

func (g *constraints) widen(v *Value, lo, hi float64) {
	if math.IsNaN(lo) || math.IsNaN(hi) {
		return
	}
	r := g.root(v)
	if pair, ok := g.ranges[r]; ok {
		lo, hi = min(lo, pair[0]), max(hi, pair[1])
	}
	g.ranges[r] = [2]float64{lo, hi}
}

// missing are the values that need a range and have none.
func (g *constraints) missing() map[*Value]bool {
	m := map[*Value]bool{}
	for _, v := range g.order {
		if _, ok := g.ranges[g.root(v)]; !ok {
			m[v] = true
		}
	}
	return m
}

// candidate is the first type that represents the range of a cluster.
func (g *constraints) candidate(v *Value, o Options) (quant.Type, bool) {
	pair, ok := g.ranges[g.root(v)]
	if !ok {
		return quant.Type{}, false
	}
	widths := o.Candidates
	if len(widths) == 0 {
		widths = []int{8, 16}
	}
	for _, bits := range widths {
		s := quant.MakeStorage(true, bits)
		fit, err := quant.Solve(pair[0], pair[1], s.Levels(), s.Min)
		if err == nil && fit.Satisfied {
			return quant.Uniform(s, quant.F32, fit.Params), true
		}
	}
	return quant.Type{}, false
}

// solve chooses types and wraps every operator whose values all have one in casts.
func solve(f *Func, o Options) error {
	for _, bits := range o.Candidates {
		if bits < 2 || bits > 32 {
			return fmt.Errorf("candidates of %d bits (2 to 32)", bits)
		}
	}
	g, err := newConstraints(f)
	if err != nil {
		return err
	}
	return f.Body.rewrite(func(r *rewriter, op *Op) error {
		if s := table[op.Name]; s != nil && s.identity {
			r.replace(op.Results[0], op.Operands[0])
			return nil
		}
		types, ok := g.types(op, o)
		if !ok {
			r.keep(op)
			return nil
		}
		for i, v := range op.Operands {
			op.Operands[i] = r.emit(op.Pos, "quant.qcast", v.Type.With(quantized(types[i])), nil, v)
		}
		result := op.Results[0]
		now := r.emit(op.Pos, op.Name, result.Type.With(quantized(types[len(op.Operands)])), op.Attrs, op.Operands...)
		back := r.emit(op.Pos, "quant.dcast", result.Type, nil, now)
		r.replace(result, back)
		g.alias(back, result)
		return nil
	})
}

// alias lets a new value belong to the cluster of an old one.
func (g *constraints) alias(now, old *Value) {
	if g.root(now) != g.root(old) {
		g.parent[now] = g.root(old)
	}
}

// types are those of the operands and the result of an operator; none where one of them is unknown.
func (g *constraints) types(op *Op, o Options) ([]quant.Type, bool) {
	if !takes(op) {
		return nil, false
	}
	result, ok := g.candidate(op.Results[0], o)
	if !ok {
		return nil, false
	}
	var list []quant.Type
	for i, v := range op.Operands {
		if op.Name == "fxpmath.real_matmul_bias" && i == 2 {
			list = append(list, quant.Uniform(quant.Int32, quant.F32, quant.Params{Scale: result.Params[0].Scale}))
			continue
		}
		t, ok := g.candidate(v, o)
		if !ok {
			return nil, false
		}
		list = append(list, t)
	}
	return append(list, result), true
}
