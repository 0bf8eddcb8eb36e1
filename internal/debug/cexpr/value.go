package cexpr

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"arcv2dsp/internal/program/dwarf"
)

// Type is a type of the program or one of the debugger's own.
type Type = dwarf.Type

// Value is the result of an expression.
type Value struct {
	Type  *Type
	Num   int64   // integers, pointers, enumerations, fixed point (unscaled); sign- or zero-extended
	Flt   float64 // floating point
	Data  []byte  // arrays and structures, little-endian
	place location
}

// location is where a value is, for assignment and &.
type location struct {
	kind  placeKind
	addr  uint32
	reg   uint8  // placeReg: core register
	name  string // placeNamed: any register; placeConv: convenience variable
	shift uint8  // bit field
	bits  uint8
}

type placeKind uint8

const (
	placeNone placeKind = iota
	placeMemory
	placeReg
	placeNamed
	placeConv
)

// Addr returns the address of a value in memory.
func (v *Value) Addr() (uint32, bool) { return v.place.addr, v.place.kind == placeMemory }

// Whole returns the address of a value in memory that is no bit field.
func (v *Value) Whole() (uint32, bool) {
	return v.place.addr, v.place.kind == placeMemory && v.place.bits == 0
}

// InReg is a value that is in a core register of the innermost frame.
func (v Value) InReg(n uint8) Value {
	v.place = location{kind: placeReg, reg: n}
	return v
}

// Truth is how C's if takes a value.
func (v *Value) Truth() bool {
	switch v.Type.Kind {
	case dwarf.KindFloat:
		return v.Flt != 0
	case dwarf.KindArray, dwarf.KindFunction:
		return true
	}
	return v.Num != 0
}

// Equal compares contents.
func (v *Value) Equal(w *Value) bool {
	return v.Num == w.Num && (v.Flt == w.Flt || v.Flt != v.Flt && w.Flt != w.Flt) && string(v.Data) == string(w.Data)
}

// Float is a scalar as a real number.
func (v *Value) Float() float64 {
	switch v.Type.Kind {
	case dwarf.KindFloat:
		return v.Flt
	case dwarf.KindFixed:
		return math.Ldexp(float64(v.Num), -v.Type.Frac)
	case dwarf.KindUint:
		if v.Type.Size == 8 {
			return float64(uint64(v.Num))
		}
	}
	return float64(v.Num)
}

// The debugger's own types, as C names them.
var (
	Void        = &Type{Kind: dwarf.KindVoid, Name: "void"}
	typeInt     = &Type{Kind: dwarf.KindInt, Name: "int", Size: 4, Signed: true}
	typeUint    = &Type{Kind: dwarf.KindUint, Name: "unsigned int", Size: 4}
	typeInt64   = &Type{Kind: dwarf.KindInt, Name: "long long", Size: 8, Signed: true}
	typeUint64  = &Type{Kind: dwarf.KindUint, Name: "unsigned long long", Size: 8}
	typeDouble  = &Type{Kind: dwarf.KindFloat, Name: "double", Size: 8}
	typeChar    = &Type{Kind: dwarf.KindChar, Name: "char", Size: 1}
	typeCode    = dwarf.FunctionOf("<code>", Void)
	typeCodePtr = dwarf.PointerTo(typeCode)
	typeDataPtr = dwarf.PointerTo(Void)
)

// fixedType is a fixed-point type with a number of fraction bits in the smallest storage for it.
func fixedType(frac int) *Type {
	size := uint32(4)
	switch {
	case frac <= 7:
		size = 1
	case frac <= 15:
		size = 2
	case frac > 31:
		size = 8
	}
	return &Type{Kind: dwarf.KindFixed, Name: fmt.Sprintf("q%d", frac), Size: size, Signed: true, Frac: frac}
}

// Truncate cuts a number to the bits of a type and extends it again.
func Truncate(n int64, t *Type) int64 {
	if t.Kind == dwarf.KindBool {
		if n != 0 {
			return 1
		}
		return 0
	}
	if t.Size >= 8 || t.Size == 0 {
		return n
	}
	up := 64 - 8*t.Size
	if t.Signed {
		return n << up >> up
	}
	return int64(uint64(n) << up >> up)
}

// Bytes returns the value as it lies in memory.
func (v *Value) Bytes() []byte {
	if v.Data != nil {
		return v.Data
	}
	n := uint64(v.Num)
	if v.Type.Kind == dwarf.KindFloat {
		if v.Type.Size == 4 {
			n = uint64(math.Float32bits(float32(v.Flt)))
		} else {
			n = math.Float64bits(v.Flt)
		}
	}
	return binary.LittleEndian.AppendUint64(nil, n)[:min(max(v.Type.Size, 1), 8)]
}

// FromBytes makes a value of memory contents.
func FromBytes(t *Type, data []byte) Value {
	v := Value{Type: t}
	if !t.Scalar() {
		v.Data = data
		return v
	}
	var raw [8]byte
	copy(raw[:], data)
	n := binary.LittleEndian.Uint64(raw[:])
	if t.Kind == dwarf.KindFloat {
		if t.Size == 4 {
			v.Flt = float64(math.Float32frombits(uint32(n)))
		} else {
			v.Flt = math.Float64frombits(n)
		}
		return v
	}
	v.Num = Truncate(int64(n), t)
	return v
}

// unread returns a value of which nothing but the type is known; it has at most MaxValue bytes.
func unread(t *Type) Value {
	return FromBytes(t, make([]byte, t.Size))
}

// MaxValue bounds what is read of an array or structure.
const MaxValue = 1 << 20

// Load reads a value from memory.
func (l *Language) Load(t *Type, addr uint32) (Value, error) {
	at := location{kind: placeMemory, addr: addr}
	if t.Kind == dwarf.KindFunction || t.Kind == dwarf.KindVoid {
		return Value{Type: t, Num: int64(addr), place: at}, nil
	}
	if t.Size > MaxValue {
		return Value{}, fmt.Errorf("a value of %d bytes is too large", t.Size)
	}
	if t.Size <= 8 && t.Scalar() {
		if l.trail != nil {
			l.trail.Loads = append(l.trail.Loads, Span{Addr: addr, Size: max(t.Size, 1)})
		}
		var raw [8]byte
		if err := l.t.ReadMemory(addr, raw[:max(t.Size, 1)]); err != nil {
			return Value{}, MemoryError(addr, err)
		}
		v := FromBytes(t, raw[:])
		v.place = at
		return v, nil
	}
	data := make([]byte, t.Size)
	if err := l.t.ReadMemory(addr, data); err != nil {
		return Value{}, MemoryError(addr, err)
	}
	v := FromBytes(t, data)
	v.place = at
	return v, nil
}

// errHeld is the error of changing a register of a task that does not run.
var errHeld = errors.New("registers of a task that does not run cannot be changed; select the running one")

// MemoryError is the error of an access to memory that cannot be read or written.
func MemoryError(addr uint32, err error) error {
	return fmt.Errorf("cannot access memory at address 0x%08x: %w", addr, err)
}

// assign stores a converted value where another one is.
func (l *Language) assign(to *Value, v Value) error {
	at := to.place
	switch at.kind {
	case placeMemory:
		data := v.Bytes()
		if at.bits > 0 {
			var word [4]byte
			if err := l.t.ReadMemory(at.addr, word[:]); err != nil {
				return MemoryError(at.addr, err)
			}
			mask := uint32(1<<at.bits-1) << at.shift
			w := binary.LittleEndian.Uint32(word[:])&^mask | uint32(v.Num)<<at.shift&mask
			binary.LittleEndian.PutUint32(word[:], w)
			data = word[:]
		}
		if err := l.t.WriteMemory(at.addr, data); err != nil {
			return MemoryError(at.addr, err)
		}
	case placeReg:
		if l.t.Held() {
			return errHeld
		}
		raw := v.Bytes()
		for i := 0; i < len(raw); i += 4 {
			var w [4]byte
			copy(w[:], raw[i:])
			l.t.SetReg(at.reg+uint8(i/4), binary.LittleEndian.Uint32(w[:]))
		}
	case placeNamed:
		if l.t.Held() {
			return errHeld
		}
		if err := l.t.SetRegister(at.name, uint64(v.Num)); err != nil {
			return err
		}
	case placeConv:
		l.conv[at.name] = v
		return nil
	default:
		return errors.New("left operand of assignment is not an lvalue")
	}
	l.t.Changed()
	return nil
}

// convert changes the type of a value as a C cast does. To and from fixed point the number counts,
// except that an integer gives its bits: (q15)$r3 reads a register.
func convert(v Value, t *Type) (Value, error) {
	switch {
	case t.Kind == dwarf.KindVoid:
		return Value{Type: t}, nil
	case !t.Scalar():
		raw := v.Bytes()
		if uint32(len(raw)) < t.Size {
			return Value{}, fmt.Errorf("a value of %d bytes cannot be seen as %s", len(raw), t.Name)
		}
		return Value{Type: t, Data: raw[:t.Size]}, nil
	case v.Type.Kind == dwarf.KindArray:
		if t.Kind == dwarf.KindPointer && v.place.kind == placeMemory {
			return Value{Type: t, Num: int64(v.place.addr)}, nil
		}
		return Value{}, fmt.Errorf("%s cannot be converted to %s", v.Type.Name, t.Name)
	case v.Type.Kind == dwarf.KindFunction:
		return Value{Type: t, Num: Truncate(v.Num, t)}, nil
	case !v.Type.Scalar():
		return Value{}, fmt.Errorf("%s cannot be converted to %s", v.Type.Name, t.Name)
	}
	out := Value{Type: t}
	from := v.Type.Kind
	switch {
	case t.Kind == dwarf.KindFloat:
		out.Flt = v.Float()
		if t.Size == 4 {
			out.Flt = float64(float32(out.Flt))
		}
	case t.Kind == dwarf.KindFixed && from == dwarf.KindFloat:
		limit := math.Ldexp(1, int(t.Size)*8-1)
		out.Num = int64(max(-limit, min(limit-1, math.RoundToEven(math.Ldexp(v.Flt, t.Frac)))))
	case t.Kind == dwarf.KindFixed && from == dwarf.KindFixed:
		n := v.Num
		if s := t.Frac - v.Type.Frac; s >= 0 {
			n <<= min(s, 63)
		} else {
			n >>= min(-s, 63)
		}
		out.Num = Truncate(n, t)
	case from == dwarf.KindFloat:
		if math.IsNaN(v.Flt) || math.Abs(v.Flt) >= math.Ldexp(1, 64) {
			return Value{}, fmt.Errorf("%g does not fit %s", v.Flt, t.Name)
		}
		if v.Flt >= math.Ldexp(1, 63) {
			out.Num = int64(uint64(v.Flt))
		} else {
			out.Num = int64(v.Flt)
		}
		out.Num = Truncate(out.Num, t)
	case from == dwarf.KindFixed && t.Kind != dwarf.KindFixed:
		out.Num = Truncate(v.Num>>min(v.Type.Frac, 63), t)
	default:
		out.Num = Truncate(v.Num, t)
	}
	return out, nil
}
