package ir_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/cpu/internal/jit/ir"
)

// TestCheck gives the checker programs that are not well-formed, each for one reason.
func TestCheck(t *testing.T) {
	limits := ir.Limits{Offsets: 2, Bases: 3}
	constant := ir.Inst{Op: ir.Const, A: -1, B: -1, C: -1, Imm: 1}
	long := ir.Inst{Op: ir.Const, A: -1, B: -1, C: -1, Imm: 1 << 40}
	base := ir.Inst{Op: ir.Base, Wide: true, A: -1, B: -1, C: -1}
	exit := ir.Inst{Op: ir.Exit, A: -1, B: -1, C: -1, Imm: 3}
	branch := ir.Inst{Op: ir.If, A: 0, B: -1, C: -1}
	otherwise, end := ir.Inst{Op: ir.Else, A: -1, B: -1, C: -1}, ir.Inst{Op: ir.End, A: -1, B: -1, C: -1}
	unary := func(op ir.Op, a int32) ir.Inst { return ir.Inst{Op: op, A: a, B: -1, C: -1} }
	for _, c := range []struct {
		want string
		p    ir.Prog
	}{
		{"", ir.Prog{constant, exit}},
		{"", ir.Prog{constant, branch, unary(ir.Neg, 0), otherwise, end, exit}},
		{"instruction 0, 200: no such operation", ir.Prog{{Op: 200}}},
		{"instruction 1, neg: operand 0 is instruction 1", ir.Prog{constant, unary(ir.Neg, 1)}},
		{"instruction 1, neg: operand 0 is instruction -1", ir.Prog{constant, unary(ir.Neg, -1)}},
		{"instruction 2, neg: operand 0 is if, which makes no value", ir.Prog{constant, branch, unary(ir.Neg, 1)}},
		{
			"instruction 5, neg: operand 0 is made in a part that may not have been executed",
			ir.Prog{constant, branch, unary(ir.Neg, 0), otherwise, end, unary(ir.Neg, 2)},
		},
		{
			"instruction 4, neg: operand 0 is made in a part that may not have been executed",
			ir.Prog{constant, branch, unary(ir.Neg, 0), otherwise, unary(ir.Neg, 2)},
		},
		{"instruction 1, neg: operand 0 has 64 bits", ir.Prog{long, unary(ir.Neg, 0)}},
		{"instruction 1, if: operand 0 has 64 bits", ir.Prog{long, branch}},
		{"instruction 1, mulhi: it has 64 bits", ir.Prog{constant, {Op: ir.MulHi, A: 0, B: 0, C: -1}}},
		{"instruction 1, sext8: it has 32 bits", ir.Prog{constant, {Op: ir.Sext8, Wide: true, A: 0, B: -1, C: -1}}},
		{"instruction 0, field: there is no number 6", ir.Prog{{Op: ir.Field, Imm: 6}}},
		{"instruction 0, offset: there is no number 2", ir.Prog{{Op: ir.Offset, Imm: 2}}},
		{"instruction 0, base: there is no number 3", ir.Prog{{Op: ir.Base, Imm: 3}}},
		{"instruction 0, exit: there is no number 4294967293", ir.Prog{{Op: ir.Exit, A: -1, B: -1, Imm: 1<<32 - 3}}},
		{"instruction 1, neg: it has 1 operands", ir.Prog{constant, {Op: ir.Neg, A: 0, B: 0, C: -1}}},
		{"instruction 0, else: there is no branch", ir.Prog{otherwise}},
		{"instruction 2, end: there is no branch with two parts", ir.Prog{constant, branch, end}},
		{"instruction 3, else: there is no branch", ir.Prog{constant, branch, otherwise, otherwise}},
		{"1 branches have no end", ir.Prog{constant, branch, otherwise}},
		{"instruction 2, skipif: it is in a branch", ir.Prog{constant, branch, unary(ir.SkipIf, 0)}},
		{"instruction 2, way: the edge depends on data", ir.Prog{base, unary(ir.Load32, 0), unary(ir.Way, 1)}},
		{
			"instruction 2, exit: the edge depends on data",
			ir.Prog{base, unary(ir.Load32, 0), {Op: ir.Exit, A: -1, B: 1, C: -1}},
		},
		{
			"instruction 2, leaveto: the edge depends on data",
			ir.Prog{base, unary(ir.Load32, 0), {Op: ir.LeaveTo, A: 1, B: 0, C: -1}},
		},
	} {
		err := ir.Check(c.p, limits)
		if c.want == "" {
			require.NoError(t, err)
		} else {
			require.EqualError(t, err, c.want)
		}
	}
}

// TestLeaves asks of programs whether they may run to their end.
func TestLeaves(t *testing.T) {
	op := func(list ...ir.Op) (p ir.Prog) {
		for _, o := range list {
			p = append(p, ir.Inst{Op: o})
		}
		return p
	}
	require.True(t, op(ir.Const, ir.Exit).Leaves())
	require.False(t, op(ir.Const, ir.Guard).Leaves())
	require.True(t, op(ir.Const, ir.If, ir.Leave, ir.Else, ir.LeaveTo, ir.End).Leaves())
	require.False(t, op(ir.Const, ir.If, ir.Leave, ir.Else, ir.End).Leaves())
	require.True(t, op(ir.Const, ir.If, ir.Else, ir.End, ir.Leave).Leaves())
	require.True(t, op(ir.If, ir.If, ir.Exit, ir.Else, ir.Exit, ir.End, ir.Else, ir.Leave, ir.End).Leaves())
	require.False(t, op(ir.If, ir.If, ir.Exit, ir.Else, ir.End, ir.Else, ir.Leave, ir.End).Leaves())
}
