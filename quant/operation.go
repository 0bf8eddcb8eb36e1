package quant

import "fmt"

// Operation is one of the four operations on two formats: the format of its result, and what it asks of the operands.
type Operation struct {
	Name   string
	A, B   QFormat
	Result QFormat
	// ShiftA and ShiftB bring the operands of a sum to one point: they gain as many bits below it.
	ShiftA, ShiftB int
}

// Operations are their names.
func Operations() []string { return []string{"+", "-", "x", "/"} }

// Operate is the operation of that name; * is another way to write x.
func Operate(a QFormat, name string, b QFormat) (Operation, error) {
	o := Operation{Name: name, A: a, B: b}
	switch name {
	case "+", "-":
		same := a.Common(b)
		o.ShiftA, o.ShiftB = same.Frac-a.Frac, same.Frac-b.Frac
		o.Result = same.Sum(2)
	case "x", "*":
		o.Name, o.Result = "x", a.Mul(b)
	case "/":
		o.Result = a.Div(b)
	default:
		return Operation{}, fmt.Errorf("no operation %q (%v)", name, Operations())
	}
	return o, nil
}

// Lost is the number of bits below the point that the result loses in a container of so many bits that keeps all bits above it.
func (o Operation) Lost(container int) int { return max(0, o.Result.Bits-container) }

// Kept is the format of the result in a container of so many bits that keeps all bits above the point.
func (o Operation) Kept(container int) QFormat {
	return QFormat{Bits: container, Frac: container - 1 - o.Result.Whole()}
}

// Significant is the number of bits beside the sign that the result has, 0 where nothing is left.
func (o Operation) Significant() int { return max(0, o.Result.Bits-1) }

// Warning says what a caller must mind: a division of integers loses as many bits as the divisor has.
func (o Operation) Warning() string {
	if o.Name != "/" {
		return ""
	}
	wider := QFormat{Bits: o.A.Bits + o.B.Bits - 1, Frac: o.A.Frac + o.B.Bits - 1}
	advice := fmt.Sprintf("; with the dividend as %s the quotient has %d", wider, wider.Div(o.B).Bits-1)
	if o.Significant() == 0 {
		return "the quotient keeps no bits: total loss of precision" + advice
	}
	return fmt.Sprintf("the quotient keeps %d of the dividend's %d bits", o.Significant(), o.A.Bits-1) + advice
}
