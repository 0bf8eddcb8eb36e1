package mlir

import (
	"fmt"
	"slices"
	"strings"

	"arcv2dsp/quant"
)

// Shaping says whether a type is one value or many.
type Shaping uint8

// The shapings.
const (
	Scalar Shaping = iota
	Ranked
	Unranked
	Vector
)

// Dynamic is the size of a dimension that is not known.
const Dynamic = -1

// Type is a scalar, a tensor or a vector of elements.
type Type struct {
	Shaping Shaping
	Shape   []int
	Elem    Elem
}

// Elem is the type of one element: exactly one of its parts is set.
type Elem struct {
	Int   int  // width of an integer
	Sign  Sign // of an integer
	Float quant.Float
	Quant *quant.Type
}

// Sign is the signedness of an integer type.
type Sign uint8

// The signs. Most integers are signless: operations, not types, know.
const (
	Signless Sign = iota
	Signed
	Unsigned
)

func (e Elem) String() string {
	switch {
	case e.Quant != nil:
		return e.Quant.String()
	case e.Float != quant.NoFloat:
		return e.Float.String()
	}
	return [...]string{Signless: "i", Signed: "si", Unsigned: "ui"}[e.Sign] + fmt.Sprint(e.Int)
}

// String is MLIR's text of the type.
func (t Type) String() string {
	if t.Shaping == Scalar {
		return t.Elem.String()
	}
	var b strings.Builder
	b.WriteString("tensor<")
	if t.Shaping == Vector {
		b.Reset()
		b.WriteString("vector<")
	}
	if t.Shaping == Unranked {
		b.WriteString("*x")
	}
	for _, d := range t.Shape {
		if d == Dynamic {
			b.WriteString("?x")
		} else {
			fmt.Fprintf(&b, "%dx", d)
		}
	}
	return b.String() + t.Elem.String() + ">"
}

// Equal reports whether two types are one.
func (t Type) Equal(o Type) bool { return t.String() == o.String() }

// With is the type with another element.
func (t Type) With(e Elem) Type {
	t.Elem = e
	return t
}

// Static reports whether every dimension is known.
func (t Type) Static() bool {
	return t.Shaping != Unranked && !slices.Contains(t.Shape, Dynamic)
}

// Count is the number of elements of a static type.
func (t Type) Count() int {
	n := 1
	for _, d := range t.Shape {
		n *= d
	}
	return n
}

// sameShape reports whether two types differ in their elements only, as far as is known.
func (t Type) sameShape(o Type) bool {
	return t.Shaping == o.Shaping && slices.EqualFunc(t.Shape, o.Shape, func(a, b int) bool {
		return a == b || a == Dynamic || b == Dynamic
	})
}

// integer is the signless integer element of the given width.
func integer(width int) Elem { return Elem{Int: width} }

// quantized is a quantized element.
func quantized(q quant.Type) Elem { return Elem{Quant: &q} }

// storage is the integer behind a quantized element.
func storage(q quant.Type) Elem { return integer(q.Storage.Bits) }
