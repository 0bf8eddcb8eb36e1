package cexpr

import (
	"encoding/binary"

	"arcv2dsp/internal/program/dwarf"
)

// maxArguments is how many arguments a call from an expression has: those that registers take.
const maxArguments = 8

// call makes the node of a call of the program's function.
func (p *parser) call(at int, function node) node {
	var arguments []node
	for !p.accept(")") {
		if len(arguments) > 0 {
			p.expect(",")
		}
		arguments = append(arguments, p.assignment())
		if p.err != nil {
			return function
		}
	}
	if len(arguments) > maxArguments {
		return p.fail(at, "more than %d arguments", maxArguments)
	}
	p.constant, p.calls = false, true
	l := p.l
	return func(e *env) Value {
		f := decay(function(e))
		if e.err == nil && (f.Type.Kind != dwarf.KindPointer || f.Type.Elem().Kind != dwarf.KindFunction) {
			return e.fail(at, "%s is no function", f.Type.Name)
		}
		var words []uint32
		for i, argument := range arguments {
			v := decay(argument(e))
			if e.err == nil && (!v.Type.Scalar() || v.Type.Size > 4) {
				return e.fail(at, "argument %d is %s: arguments are integers, pointers and numbers of 32 bits", i+1, v.Type.Name)
			}
			words = append(words, v.Words()...)
		}
		if e.err != nil {
			return f
		}
		result := f.Type.Elem().Elem()
		if f.Type.Elem() == typeCode {
			result = typeInt // as C has it of a function without a declaration
		}
		switch {
		case result.Kind != dwarf.KindVoid && (!result.Scalar() || result.Size > 8):
			return e.fail(at, "the function returns %s: results are scalar", result.Name)
		case e.types:
			return unread(result)
		}
		raw, err := l.t.Call(uint32(f.Num), words)
		if err != nil {
			return e.fail(at, "%v", err)
		}
		if result.Kind == dwarf.KindVoid {
			return Value{Type: Void}
		}
		return FromBytes(result, raw)
	}
}

// Words are the registers that hold a number: one, extended as its type is, or two.
func (v *Value) Words() []uint32 {
	n := uint64(v.Num)
	if v.Type.Kind == dwarf.KindFloat {
		n = binary.LittleEndian.Uint64(append(v.Bytes(), make([]byte, 8-v.Type.Size)...))
	}
	return []uint32{uint32(n), uint32(n >> 32)}[:max(v.Type.Size, 4)/4]
}

// EvalAs evaluates an expression and converts it to a type.
func (l *Language) EvalAs(text string, t *Type) (Value, error) {
	v, err := l.Eval(text)
	if err != nil {
		return Value{}, err
	}
	return convert(v, t)
}
