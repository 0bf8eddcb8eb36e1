package mlir

// The arithmetic of integer operations, and the kernels.

import (
	"fmt"
	"math"
	"strings"

	"arcv2dsp/nn"
	"arcv2dsp/quant"
)

func evalInt2(f func(a, b int64) int64) func(*machine, *Op) error {
	return func(m *machine, op *Op) error {
		out := m.out(op)
		for i := range out.Ints {
			out.Ints[i] = wrap(f(m.in(op, 0).Ints[i], m.in(op, 1).Ints[i]), out.Type.Elem.Int)
		}
		return nil
	}
}

func evalUnsigned2(f func(a, b uint64) uint64) func(*machine, *Op) error {
	return func(m *machine, op *Op) error {
		out := m.out(op)
		mask := uint64(math.MaxUint64) >> (64 - out.Type.Elem.Int)
		for i := range out.Ints {
			out.Ints[i] = wrap(int64(f(uint64(m.in(op, 0).Ints[i])&mask, uint64(m.in(op, 1).Ints[i])&mask)), out.Type.Elem.Int)
		}
		return nil
	}
}

// evalRelation is cmpi: signed predicates from 2, unsigned ones from 6.
func evalRelation(m *machine, op *Op) error {
	out := m.out(op)
	width := op.Operands[0].Type.Elem.Int
	for i, a := range m.in(op, 0).Ints {
		b := m.in(op, 1).Ints[i]
		p := op.int("predicate")
		if p >= 6 { // signed, with the highest bit turned round
			a, b, p = wrap(a^1<<(width-1), width), wrap(b^1<<(width-1), width), p-4
		}
		out.Ints[i] = map[bool]int64{true: 1}[[]bool{a == b, a != b, a < b, a <= b, a > b, a >= b}[p]]
	}
	return nil
}

func evalSelect(m *machine, op *Op) error {
	out := m.out(op)
	for i, truth := range m.in(op, 0).Ints {
		out.Ints[i] = m.in(op, 2-int(truth&1)).Ints[i]
	}
	return nil
}

// evalTable is TOSA's TABLE as its specification has it.
func evalTable(m *machine, op *Op) error {
	out, table := m.out(op), m.in(op, 1).Ints
	for i, x := range m.in(op, 0).Ints {
		if op.Operands[0].Type.Elem.Int == 8 {
			out.Ints[i] = table[x+128]
			continue
		}
		at, frac := (x+32768)>>7, (x+32768)&127
		out.Ints[i] = table[at]*128 + (table[at+1]-table[at])*frac
	}
	return nil
}

// evalClamp is clampis, and saturating_addi with its second operand: the sum does not wrap before it is
// clamped.
func evalClamp(m *machine, op *Op) error {
	out := m.out(op)
	for i, x := range m.in(op, 0).Ints {
		if len(op.Operands) == 2 {
			x += m.in(op, 1).Ints[i]
		}
		out.Ints[i] = wrap(max(op.int("clamp_min"), min(x, op.int("clamp_max"))), out.Type.Elem.Int)
	}
	return nil
}

func evalConvert(m *machine, op *Op) error {
	out := m.out(op)
	for i, x := range m.in(op, 0).Ints {
		out.Ints[i] = wrap(x, out.Type.Elem.Int)
	}
	return nil
}

func evalToReal(m *machine, op *Op) error {
	out := m.out(op)
	for i, x := range m.in(op, 0).Ints {
		if op.Name == "arith.uitofp" {
			x &= math.MaxInt64 >> (63 - min(op.Operands[0].Type.Elem.Int, 63))
		}
		out.Reals[i] = narrow(float64(x), out.Type.Elem.Float)
	}
	return nil
}

// evalToInt drops the fraction. A number that does not fit is undefined in MLIR and saturates here.
func evalToInt(m *machine, op *Op) error {
	out := m.out(op)
	width := out.Type.Elem.Int
	signed := op.Name == "arith.fptosi"
	s := quant.MakeStorage(signed, min(width, 32))
	for i, x := range m.in(op, 0).Reals {
		rule := quant.RealRule{Rounding: quant.TowardZero}
		out.Ints[i] = wrap(rule.Quantize(x, quant.Params{Scale: 1}, s), width)
	}
	return nil
}

func evalHighMul(m *machine, op *Op) error {
	out := m.out(op)
	for i, x := range m.in(op, 0).Ints {
		if out.Type.Elem.Int == 16 {
			out.Ints[i] = int64(quant.SaturatingRoundingDoublingHighMul(int16(x), int16(op.int("b"))))
		} else {
			out.Ints[i] = int64(quant.SaturatingRoundingDoublingHighMul(int32(x), int32(op.int("b"))))
		}
	}
	return nil
}

func evalDivide(m *machine, op *Op) error {
	out := m.out(op)
	for i, x := range m.in(op, 0).Ints {
		out.Ints[i] = quant.HalfAway.Shift(x, int(op.int("exponent")))
	}
	return nil
}

// evalGemm calls the operator of the same name in the registry.
func evalGemm(m *machine, op *Op) error {
	if m.kernels == nil {
		return fmt.Errorf("cannot be computed without kernels")
	}
	_, name, _ := strings.Cut(op.Name, ".")
	row, ok := m.kernels.Lookup(nn.Gemmlowp, name)
	if !ok {
		return fmt.Errorf("no such kernel")
	}
	matrix := func(i int) *nn.Tensor { return nn.FromInts(nn.I8, op.Operands[i].Type.Shape, m.in(op, i).Ints) }
	call := &nn.Call{
		Op: row,
		Attrs: nn.Attrs{
			"lhs_offset": int(op.int("lhs_offset")), "rhs_offset": int(op.int("rhs_offset")), "pipeline": op.text("pipeline"),
		},
		In: []*nn.Tensor{matrix(0), matrix(1)},
	}
	if err := call.Prepare(); err != nil {
		return err
	}
	if err := call.Run(); err != nil {
		return err
	}
	out := m.out(op)
	if len(call.Out[0].Ints) != len(out.Ints) {
		return fmt.Errorf("a result of %d elements for %s", len(call.Out[0].Ints), out.Type)
	}
	copy(out.Ints, call.Out[0].Ints)
	return nil
}
