package isa

import (
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"
)

// newForm reads the pattern and the operand text of one encoding. A table that does not fit
// together is a programming error, found by any test: it panics.
func newForm(r *Row, s spec) *Form {
	f := &Form{Row: r, Exec: s.exec, Needs: r.Needs | s.needs, Bits: s.bits, Text: s.text,
		Fix: s.fix.or(r.Fix), Open: -1, Close: -1, Implied: s.implied,
		Alias: s.alias}
	if f.Exec == Invalid {
		f.Exec = r.Exec
	}
	if f.Exec == Invalid {
		f.Exec = r.Op
	}
	f.Bits = strings.ReplaceAll(f.Bits, " ", "")
	fields := f.readBits()
	f.GNU = f.Value ^ s.gnu
	f.readText(&fields)
	if s.looseC {
		f.Args[2].Pair = false
	}
	f.complete()
	return f
}

// bitsOf holds the places of each pattern letter, as a mask.
type bitsOf ['z' + 1]uint32

func (f *Form) fail(why string) {
	panic(fmt.Sprintf("isa: %s %q %q: %s", f.Row.Name, f.Bits, f.Text, why))
}

// readBits finds the opcode bits, the modifiers and the fields of the pattern.
func (f *Form) readBits() (fields bitsOf) {
	switch len(f.Bits) {
	case 32, 16:
		f.Size = uint8(len(f.Bits) / 8)
	default:
		f.fail("pattern is " + strconv.Itoa(len(f.Bits)) + " bits")
	}
	for i := range len(f.Bits) {
		bit := uint32(1) << (len(f.Bits) - 1 - i)
		switch letter := f.Bits[i]; letter {
		case '0':
			f.Mask |= bit
		case '1':
			f.Mask |= bit
			f.Value |= bit
		case '-':
			f.Reserved |= bit
		default:
			fields[letter] |= bit
		}
	}
	for _, m := range [...]struct {
		letter byte
		kind   ModSet
		at     *uint8
	}{
		{'F', ModF, &f.mods.f}, {'q', ModCC, &f.mods.cc}, {'d', ModD, &f.mods.d},
		{'y', ModT, &f.mods.y}, {'m', ModAA, &f.mods.aa}, {'z', ModSize, &f.mods.size},
		{'x', ModX, &f.mods.x}, {'D', ModDI, &f.mods.di},
	} {
		if at := fields[m.letter]; at != 0 {
			f.Allow |= m.kind
			*m.at = uint8(bits.TrailingZeros32(at))
			fields[m.letter] = 0
		}
	}
	return fields
}

// readText reads the operands.
func (f *Form) readText(fields *bitsOf) {
	text := f.Text
	for strings.HasPrefix(text, ".") {
		suffix, rest, _ := strings.Cut(text, " ")
		text = rest
		switch suffix {
		case ".x":
			f.Fix.SignExtend, f.Require = true, f.Require|ModX
		case ".as":
			f.Fix.Addr, f.Require = AddrScaled, f.Require|ModAA
		case ".d":
			f.Fix.Delay, f.Require = true, f.Require|ModD
		case ".ne":
			f.Fix.Cond, f.Require = CondNE, f.Require|ModCC
		default:
			f.fail("unknown suffix " + suffix)
		}
	}
	f.Text = text
	f.Args = make([]Field, 0, 3)
	for name := range strings.SplitSeq(text, ",") {
		if name == "" {
			continue
		}
		if strings.HasPrefix(name, "[") {
			f.Open = int8(len(f.Args))
			name = name[1:]
		}
		if strings.HasSuffix(name, "]") {
			f.Close = int8(len(f.Args))
			name = name[:len(name)-1]
		}
		fd := f.field(name, fields)
		if first := slices.IndexFunc(f.Args, func(a Field) bool { return a.Name == name }); first >= 0 && fd.Kind != FieldFixed {
			fd.Same = int8(first)
		}
		f.Args = append(f.Args, fd)
	}
	for letter, at := range fields {
		if at != 0 && !f.used(rune(letter)) {
			f.fail("field " + string(rune(letter)) + " has no operand")
		}
	}
}

// used reports whether a field letter belongs to a written operand.
func (f *Form) used(letter rune) bool {
	lower := strings.ToLower(string(letter))
	if lower == "v" || lower == "t" {
		lower = string("us"[strings.Index("vt", lower)])
	}
	return slices.ContainsFunc(f.Args, func(a Field) bool {
		return strings.TrimPrefix(a.Name, "@")[:1] == lower || a.Kind == FieldList && lower == "u"
	})
}

var fixedRegs = map[string]uint8{"r0": 0, "r1": 1, "r2": 2, "r3": 3, "gp": 26, "sp": 28,
	"blink": 31, "pcl": 63}

// field reads the name of one operand.
func (f *Form) field(name string, of *bitsOf) Field {
	fd := Field{Name: name, Same: -1}
	first := len(f.Args) == 0
	switch {
	case name == "0" && first:
		fd.Kind = FieldNull
		return fd
	case name == "0":
		fd.Kind = FieldZero
		return fd
	case name == "limm":
		fd.Kind, fd.Width, fd.Signed = FieldLimm, 32, true
		f.Limm = true
		return fd
	case name == "list":
		fd.Kind = FieldList
		fd.place(f, of, 'u', 'U', 'V')
		return fd
	case len(name) == 1:
		fd.place(f, of, rune(name[0]), rune(name[0]-'a'+'A'))
		switch {
		case f.Size == 4:
			fd.Kind = FieldReg
		case name == "h":
			fd.Kind = FieldRegH
		case name == "g":
			fd.Kind = FieldRegG
		default:
			fd.Kind = FieldReg3
		}
		i := len(f.Args)
		fd.Pair = f.Row.PairNames&(1<<i) != 0
		fd.NoLPCount = first && f.Row.RefusesLPCount()
		return fd
	}
	if reg, ok := fixedRegs[name]; ok {
		fd.Kind, fd.Reg = FieldFixed, reg
		return fd
	}
	fd.Kind = FieldImm
	kind := name
	if name[0] == '@' {
		fd.Kind, kind = FieldTarget, name[1:]
	}
	width, err := strconv.Atoi(kind[1:])
	if err != nil {
		f.fail("operand " + name)
	}
	switch kind[0] {
	case 'u':
		fd.place(f, of, 'u', 'U', 'V')
	case 's':
		fd.Signed = true
		fd.place(f, of, 's', 'S', 'T')
	case 'w':
		fd.Signed = true
		fd.place(f, of, 'w')
	default:
		f.fail("operand " + name)
	}
	fd.Scale = uint8(width) - fd.Width
	fd.Width = uint8(width)
	if name == "s3" {
		fd.MinusOne, fd.Signed = true, false
	}
	return fd
}

// place finds the pieces of an operand; letters are named from the lowest piece.
func (fd *Field) place(f *Form, of *bitsOf, letters ...rune) {
	n := 0
	for _, l := range letters {
		if of[l] == 0 {
			continue
		}
		shift := bits.TrailingZeros32(of[l])
		mask := of[l] >> shift
		if mask&(mask+1) != 0 {
			f.fail("field " + string(l) + " is not contiguous")
		}
		fd.parts[n] = part{shift: uint8(shift), mask: mask, at: fd.Width}
		fd.Width += uint8(bits.OnesCount32(mask))
		n++
	}
	if n == 0 {
		f.fail("operand " + fd.Name + " has no bits")
	}
}

// complete adds the operands that every memory operation has: a written "[b]" is "[b,0]".
func (f *Form) complete() {
	want := 0
	switch f.Row.Shape {
	case ShapeLoad, ShapeStore:
		want = 3
	case ShapeMem:
		want = 2
	}
	for len(f.Args)+len(f.Implied) < want {
		f.Implied = append(f.Implied, Operand{Kind: OpImm})
	}
	if len(f.Args)+len(f.Implied) > len(Inst{}.Args) {
		f.fail("too many operands")
	}
	if f.Row.Shape == ShapeJump && f.Limm {
		f.Args[0].Signed = false
	}
}

// or merges modifiers of the row into those of the form.
func (m Mods) or(r Mods) Mods {
	if m.Cond == CondAL {
		m.Cond = r.Cond
	}
	if m.Addr == AddrOffset {
		m.Addr = r.Addr
	}
	if m.Size == SizeWord {
		m.Size = r.Size
	}
	m.SetFlags = m.SetFlags || r.SetFlags
	m.Delay = m.Delay || r.Delay
	m.SignExtend = m.SignExtend || r.SignExtend
	m.Uncached = m.Uncached || r.Uncached
	return m
}
