package isa

import (
	"encoding/binary"
	"fmt"
)

// Range returns the smallest and the largest value of a literal or branch target and the distance
// between neighbours.
func (fd *Field) Range() (lo, hi int64, step int64) {
	step = 1 << fd.Scale
	switch {
	case fd.Kind == FieldZero:
		return 0, 0, 1
	case fd.Kind == FieldLimm:
		return -1 << 31, 1<<32 - 1, 1
	case fd.MinusOne:
		return -1, 6, 1
	case fd.Signed:
		return -1 << (fd.Width - 1), 1<<(fd.Width-1) - step, step
	}
	return 0, 1<<fd.Width - step, step
}

// Fits reports whether a literal or branch target can hold v.
func (fd *Field) Fits(v int64) bool {
	switch fd.Kind {
	case FieldImm, FieldTarget, FieldList, FieldZero, FieldLimm:
	default:
		return false
	}
	lo, hi, step := fd.Range()
	return v >= lo && v <= hi && v&(step-1) == 0
}

// FitsReg reports whether the position takes core register r.
func (fd *Field) FitsReg(r uint8) bool {
	switch fd.Kind {
	case FieldReg:
		if fd.Pair {
			return r < RegLPCount && r&1 == 0
		}
		return r <= RegLPCount && !(r == RegLPCount && fd.NoLPCount) || r == RegPCL
	case FieldReg3:
		return r <= 3 || r >= 12 && r <= 15
	case FieldRegH, FieldRegG:
		return r <= 31 && r != 30
	case FieldFixed:
		return r == fd.Reg
	}
	return false
}

// describe describes what the position accepts, for error messages.
func (fd *Field) describe() string {
	switch fd.Kind {
	case FieldReg:
		switch {
		case fd.Pair:
			return "an even register below 60"
		case fd.NoLPCount:
			return "a core register other than lp_count"
		}
		return "a core register"
	case FieldReg3:
		return "r0-r3 or r12-r15"
	case FieldRegH, FieldRegG:
		return "r0-r29 or r31"
	case FieldFixed:
		return fd.Name
	case FieldNull:
		return "0"
	}
	lo, hi, step := fd.Range()
	if step > 1 {
		return fmt.Sprintf("%d to %d in steps of %d", lo, hi, step)
	}
	return fmt.Sprintf("%d to %d", lo, hi)
}

// OperandError is an operand that does not fit its position.
type OperandError struct {
	Form *Form
	Arg  int // position in Form.Args
	Want string
}

func (e *OperandError) Error() string {
	return fmt.Sprintf("%s: operand %d must be %s", e.Form.Row.Name, e.Arg+1, e.Want)
}

// Encode gives the instruction word of a form. ops are the written operands, one for each of
// form.Args; operands that must repeat an earlier one are checked.
func Encode(form *Form, ops []Operand, mods Mods) (Word, error) {
	w := Word{Bits: form.Value, Size: form.Size, HasLimm: form.Limm}
	if len(ops) != len(form.Args) {
		return w, fmt.Errorf("%s: %d operands, want %d", form.Row.Name, len(ops), len(form.Args))
	}
	for i := range form.Args {
		fd, op := &form.Args[i], ops[i]
		if fd.Same >= 0 {
			if op != ops[fd.Same] {
				return w, &OperandError{form, i, "the same as operand " + string('1'+rune(fd.Same))}
			}
			continue
		}
		if !fd.accepts(op) {
			return w, &OperandError{form, i, fd.describe()}
		}
		switch fd.Kind {
		case FieldReg, FieldRegH, FieldRegG:
			w.Bits |= fd.insert(uint32(op.Reg))
		case FieldReg3:
			w.Bits |= fd.insert(uint32(op.Reg&3 | op.Reg>>1&4))
		case FieldImm, FieldTarget, FieldList:
			w.Bits |= fd.insert(uint32(op.Val) >> fd.Scale)
		case FieldLimm:
			w.Limm = uint32(op.Val)
		}
	}
	bits, err := form.modBits(mods)
	w.Bits |= bits
	return w, err
}

// accepts reports whether op can stand at the position.
func (fd *Field) accepts(op Operand) bool {
	switch fd.Kind {
	case FieldNull:
		return op.Kind == OpNull
	case FieldReg, FieldReg3, FieldRegH, FieldRegG, FieldFixed:
		return op.Kind == OpReg && fd.FitsReg(op.Reg)
	case FieldLimm:
		return op.Kind == OpImm
	case FieldZero:
		return op.Kind == OpImm && op.Val == 0
	case FieldTarget:
		return op.Kind == OpTarget && fd.Fits(int64(op.Val))
	case FieldList:
		return op.Kind == OpRegList && fd.Fits(int64(op.Val))
	}
	return op.Kind == OpImm && fd.Fits(int64(op.Val))
}

// insert spreads a value over the places of the field.
func (fd *Field) insert(v uint32) uint32 {
	w := uint32(0)
	for _, p := range fd.parts {
		w |= v >> p.at & p.mask << p.shift
	}
	return w
}

// modBits encodes the modifiers. One that the form neither allows nor implies is an error.
func (f *Form) modBits(m Mods) (uint32, error) {
	w, rest := uint32(0), m
	set := func(kind ModSet, v uint32, at uint8) {
		if f.Allow&kind != 0 {
			w |= v << at
		}
	}
	set(ModF, bit(m.SetFlags), f.mods.f)
	set(ModCC, uint32(m.Cond&31), f.mods.cc)
	set(ModD, bit(m.Delay), f.mods.d)
	set(ModT, bit(m.Hint), f.mods.y)
	set(ModAA, uint32(m.Addr&3), f.mods.aa)
	set(ModSize, uint32(m.Size&3), f.mods.size)
	set(ModX, bit(m.SignExtend), f.mods.x)
	set(ModDI, bit(m.Uncached), f.mods.di)
	if f.Allow&ModSize != 0 && m.Size == SizeDouble {
		return w, fmt.Errorf("%s: 64-bit access has an instruction of its own", f.Row.Name)
	}
	rest = rest.without(f.Allow)
	if rest != f.Fix {
		return w, fmt.Errorf("%s %s: suffix not allowed", f.Row.Name, f.Text)
	}
	return w, nil
}

// without clears the modifiers of the given kinds.
func (m Mods) without(kinds ModSet) Mods {
	if kinds&ModF != 0 {
		m.SetFlags = false
	}
	if kinds&ModCC != 0 {
		m.Cond = CondAL
	}
	if kinds&ModD != 0 {
		m.Delay = false
	}
	if kinds&ModT != 0 {
		m.Hint = false
	}
	if kinds&ModAA != 0 {
		m.Addr = AddrOffset
	}
	if kinds&ModSize != 0 {
		m.Size = SizeWord
	}
	if kinds&ModX != 0 {
		m.SignExtend = false
	}
	if kinds&ModDI != 0 {
		m.Uncached = false
	}
	return m
}

func bit(b bool) uint32 {
	if b {
		return 1
	}
	return 0
}

// Len returns the length in bytes, long immediate included.
func (w Word) Len() int {
	if w.HasLimm {
		return int(w.Size) + 4
	}
	return int(w.Size)
}

// Append appends the bytes as they stand in memory: middle-endian on little-endian cores.
func (w Word) Append(b []byte, bigEndian bool) []byte {
	if w.Size == 2 {
		b = append16(b, uint16(w.Bits), bigEndian)
	} else {
		b = append32(b, w.Bits, bigEndian)
	}
	if w.HasLimm {
		b = append32(b, w.Limm, bigEndian)
	}
	return b
}

func append16(b []byte, v uint16, bigEndian bool) []byte {
	if bigEndian {
		return binary.BigEndian.AppendUint16(b, v)
	}
	return binary.LittleEndian.AppendUint16(b, v)
}

func append32(b []byte, v uint32, bigEndian bool) []byte {
	return append16(append16(b, uint16(v>>16), bigEndian), uint16(v), bigEndian)
}

// GNUWord returns what GNU as 2.40 emits for an instruction of the form: w, unless the entry of its
// table is faulty.
func (f *Form) GNUWord(w Word) Word {
	w.Bits ^= f.Value ^ f.GNU
	return w
}
