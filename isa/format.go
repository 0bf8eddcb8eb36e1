package isa

import (
	"fmt"
	"slices"
	"strings"
)

// Format is an encoding family. It expands by rule to the operand forms of a row, in the order of
// preference of GNU as.
//
// A form is a bit pattern and an operand text. In the pattern, digits are opcode bits and letters
// are fields; the same field letter in lower and upper case (s, S, T for three) are the low and the
// high part of a value that is stored in pieces.
//
//	a b c g h   registers (bbb...BBB is b split over two places)
//	u s w       unsigned and signed literals and branch offsets
//	F q D x m z .f, condition, .di, .x, address mode, size
//	d y         delay slot, branch prediction
//	-           reserved: written as zero, ignored when read
//
// In the text a name is one of those letters, a literal with its width (u6, s12, and @s9 for a
// branch target: the difference to the number of bits in the pattern is the scale), limm, a
// register, or 0 for a dropped result. A name that comes twice must be the same operand twice.
type Format interface {
	expand() []spec
	begins(start) bool // whether some form may begin so
	shared() Row       // what rows of the family are unless they say something else
}

// spec is one form before its pattern is read.
type spec struct {
	bits    string
	text    string
	gnu     uint32 // opcode bits that GNU as inverts by mistake
	looseC  bool   // the third operand is not named as a pair
	alias   bool   // assembled, but disassembled as another instruction
	needs   Feature
	exec    Op
	fix     Mods
	implied []Operand
}

// Forms lists encodings that follow no family: 16-bit instructions, branches, loads.
type Forms []Encoding

// Encoding is one written-out form.
type Encoding struct {
	Bits    string
	Text    string    // suffixes that must be written first: ".x c,[b,u6]"
	Needs   Feature   // options beyond those of the row
	Exec    Op        // when it differs from Row.Exec
	Fix     Mods      // modifiers that the opcode implies
	Implied []Operand // operands that are not written
	GNU     uint32    // opcode bits that GNU as inverts by mistake
	Alias   bool      // assembled, but disassembled as another instruction
}

func (Forms) shared() Row { return Row{} }

func (f Forms) begins(s start) bool {
	return slices.ContainsFunc(f, func(e Encoding) bool { return s.meets(startOf(e.Bits)) })
}

func (f Forms) expand() []spec {
	s := make([]spec, len(f))
	for i, e := range f {
		s[i] = spec{bits: e.Bits, text: e.Text, gnu: e.GNU, needs: e.Needs, exec: e.Exec,
			fix: e.Fix, implied: e.Implied, alias: e.Alias}
	}
	return s
}

// OneOf joins families of one mnemonic, each with options of its own.
type OneOf []Choice

// Choice is one family of a OneOf.
type Choice struct {
	Format Format
	Needs  Feature
}

func (f OneOf) shared() Row { return f[0].Format.shared() }

func (f OneOf) begins(s start) bool {
	return slices.ContainsFunc(f, func(c Choice) bool { return c.Format.begins(s) })
}

func (f OneOf) expand() []spec {
	var all []spec
	for _, c := range f {
		for _, s := range c.Format.expand() {
			s.needs |= c.Needs
			all = append(all, s)
		}
	}
	return all
}

// Bit15 is what bit 15 of a general instruction is.
type Bit15 uint8

const (
	FlagBit   Bit15 = iota // F: the instruction takes .f
	Bit15Zero              // opcode bit, 0
	Bit15One               // opcode bit, 1
)

func (b Bit15) String() string { return [...]string{"F", "0", "1"}[b] }

// GNUFault names the faults of the GNU as 2.40 table. A form remembers the faulty bits, so that an
// assembler can offer them; decoding never uses them where they mean something else.
type GNUFault uint8

const (
	// GNURegAsLiteral encodes "0,limm,c" with the operand format of "0,limm,u6".
	GNURegAsLiteral GNUFault = 1 << iota
	// GNUOtherSub encodes all forms but "a,b,c" with the sub-opcode of the twin, bit 17 inverted.
	GNUOtherSub
	// GNUNoBit15 loses bit 15 in the forms with a dropped result or a long immediate.
	GNUNoBit15
	// GNUTwin loses bit 15 in every form: the bytes are those of the wrapping twin.
	GNUTwin
	// GNUOddSource names an even/odd pair everywhere but as c of "b,b,c". The bytes are right.
	GNUOddSource
)

// Operand formats: the P field, bits 23:22 of a general instruction.
const (
	fmtReg  = "00" // REG_REG: c is a register
	fmtU6   = "01" // REG_U6: c is an unsigned literal
	fmtS12  = "10" // REG_S12: the literal takes the place of c and a
	fmtCond = "11" // COND_REG and COND_U6 by bit 5
)

// general builds the pattern of a general instruction. b is "b" or "limm"; c holds bits 11:6 and
// a bits 5:0.
func general(major uint8, b, p, sub, f, c, a string) string {
	lo, hi := fieldB(b)
	return bin(major, 5) + lo + p + sub + f + hi + c + a
}

// fieldB returns the low and the high bits of field b, of a register, a long immediate, or nothing.
func fieldB(b string) (lo, hi string) {
	switch b {
	case "limm":
		return "110", "111"
	case "-":
		return "---", "---"
	}
	return "bbb", "BBB"
}

// second is a form of the second operand: its name, and the bits of format and of fields c and a.
type second struct{ name, p, c, a string }

// The second operands of moves, in the order of preference.
var (
	sourceC       = second{"c", fmtReg, bitsC, bitsNone}
	sourceCIf     = second{"c", fmtCond, bitsC, bitsCC}
	sourceU6      = second{"u6", fmtU6, bitsU6, bitsNone}
	sourceU6If    = second{"u6", fmtCond, bitsU6, bitsCCU6}
	sourceS12     = second{"s12", fmtS12, s12Low, s12High}
	sourceLimm    = second{"limm", fmtReg, bitsLimm, bitsNone}
	sourceLimmIf  = second{"limm", fmtCond, bitsLimm, bitsCC}
	moveSources   = []second{sourceC, sourceCIf, sourceU6, sourceU6If, sourceS12, sourceLimm, sourceLimmIf}
	readSources   = []second{sourceC, sourceU6, sourceS12, sourceLimm}
	singleSources = []second{sourceC, sourceU6, sourceLimm}
)

// toB returns the forms of a general instruction that writes b, or drops its result, from one source. The operand is
// written as operand has it; op is what field a holds instead of a register, "" for nothing.
func toB(major uint8, sub, f, op, operand string, sources []second) []spec {
	var list []spec
	for _, from := range sources {
		a := from.a
		if op != "" {
			a = op
		}
		for _, dest := range []struct{ field, name string }{{"b", "b"}, {"limm", "0"}} {
			list = append(list, spec{bits: general(major, dest.field, from.p, sub, f, from.c, a), text: dest.name + "," + fmt.Sprintf(operand, from.name)})
		}
	}
	return list
}

func bin(v uint8, width int) string {
	s := make([]byte, width)
	for i := range s {
		s[i] = '0' + v>>(width-1-i)&1
	}
	return string(s)
}

const (
	bitsC    = "cccccc"
	bitsU6   = "uuuuuu"
	bitsLimm = "111110" // register field 62: long immediate as a source
	bitsNull = "111110" // register field 62: no destination
	bitsA    = "aaaaaa"
	bitsNone = "------"
	bitsCC   = "0qqqqq" // conditional, c a register
	bitsCCU6 = "1qqqqq" // conditional, c a literal
	s12Low   = "ssssss"
	s12High  = "SSSSSS"
)

// Gen3 is the general instruction with destination and two sources: 20 forms.
type Gen3 struct {
	Major uint8
	Sub   uint8
	Bit15 Bit15
	GNU   GNUFault
}

func (Gen3) shared() Row { return Row{Shape: ShapeDSS} }

func (g Gen3) begins(s start) bool {
	return s.meets(generalStart(g.Major, g.Sub)) || g.GNU&GNUOtherSub != 0 && s.meets(generalStart(g.Major, g.Sub^2))
}

func (g Gen3) expand() []spec {
	sub, f := bin(g.Sub, 6), g.Bit15.String()
	form := func(b, p, c, a, text string) spec {
		s := spec{bits: general(g.Major, b, p, sub, f, c, a), text: text}
		if g.GNU&GNURegAsLiteral != 0 && text == "0,limm,c" && p == fmtReg {
			s.gnu |= 1 << 22
		}
		s.looseC = g.GNU&GNUOddSource != 0 && text == "b,b,c"
		if g.GNU&GNUOtherSub != 0 && text != "a,b,c" {
			s.gnu |= 1 << 17
		}
		if g.GNU&GNUTwin != 0 ||
			g.GNU&GNUNoBit15 != 0 && (strings.HasPrefix(text, "0") || strings.Contains(text, "limm")) {
			s.gnu |= 1 << 15
		}
		return s
	}
	return []spec{
		form("b", fmtReg, bitsC, bitsA, "a,b,c"),
		form("b", fmtReg, bitsC, bitsNull, "0,b,c"),
		form("b", fmtCond, bitsC, bitsCC, "b,b,c"),
		form("b", fmtU6, bitsU6, bitsA, "a,b,u6"),
		form("b", fmtU6, bitsU6, bitsNull, "0,b,u6"),
		form("b", fmtCond, bitsU6, bitsCCU6, "b,b,u6"),
		form("b", fmtS12, s12Low, s12High, "b,b,s12"),
		form("limm", fmtReg, bitsC, bitsA, "a,limm,c"),
		form("b", fmtReg, bitsLimm, bitsA, "a,b,limm"),
		form("limm", fmtReg, bitsC, bitsNull, "0,limm,c"),
		form("b", fmtReg, bitsLimm, bitsNull, "0,b,limm"),
		form("b", fmtCond, bitsLimm, bitsCC, "b,b,limm"),
		form("limm", fmtCond, bitsC, bitsCC, "0,limm,c"),
		form("limm", fmtU6, bitsU6, bitsA, "a,limm,u6"),
		form("limm", fmtU6, bitsU6, bitsNull, "0,limm,u6"),
		form("limm", fmtCond, bitsU6, bitsCCU6, "0,limm,u6"),
		form("limm", fmtS12, s12Low, s12High, "0,limm,s12"),
		form("limm", fmtReg, bitsLimm, bitsA, "a,limm,limm"),
		form("limm", fmtReg, bitsLimm, bitsNull, "0,limm,limm"),
		form("limm", fmtCond, bitsLimm, bitsCC, "0,limm,limm"),
	}
}

// Cmp is the general instruction with two sources and no destination; bit 15 is set: 14 forms.
type Cmp struct {
	Major uint8
	Sub   uint8
}

func (Cmp) shared() Row { return Row{Shape: ShapeSS, AlwaysFlags: true} }

func (g Cmp) begins(s start) bool { return s.meets(generalStart(g.Major, g.Sub)) }

func (g Cmp) expand() []spec {
	sub := bin(g.Sub, 6)
	form := func(b, p, c, a, text string) spec {
		return spec{bits: general(g.Major, b, p, sub, "1", c, a), text: text}
	}
	return []spec{
		form("b", fmtReg, bitsC, bitsNone, "b,c"),
		form("b", fmtCond, bitsC, bitsCC, "b,c"),
		form("b", fmtU6, bitsU6, bitsNone, "b,u6"),
		form("b", fmtCond, bitsU6, bitsCCU6, "b,u6"),
		form("b", fmtS12, s12Low, s12High, "b,s12"),
		form("limm", fmtReg, bitsC, bitsNone, "limm,c"),
		form("b", fmtReg, bitsLimm, bitsNone, "b,limm"),
		form("b", fmtCond, bitsLimm, bitsCC, "b,limm"),
		form("limm", fmtCond, bitsC, bitsCC, "limm,c"),
		form("limm", fmtU6, bitsU6, bitsNone, "limm,u6"),
		form("limm", fmtCond, bitsU6, bitsCCU6, "limm,u6"),
		form("limm", fmtS12, s12Low, s12High, "limm,s12"),
		form("limm", fmtReg, bitsLimm, bitsNone, "limm,limm"),
		form("limm", fmtCond, bitsLimm, bitsCC, "limm,limm"),
	}
}

// Move is mov: destination b, source c, conditions allowed: 14 forms.
type Move struct {
	Major uint8
	Sub   uint8
}

func (Move) shared() Row { return Row{Shape: ShapeDS} }

func (g Move) begins(s start) bool { return s.meets(generalStart(g.Major, g.Sub)) }

func (g Move) expand() []spec { return toB(g.Major, bin(g.Sub, 6), "F", "", "%s", moveSources) }

// Single is a one-source operation: sub-opcode 0x2f, the operation in the place of a: 6 forms.
type Single struct {
	Major uint8
	Op    uint8
	Bit15 Bit15
	GNU   uint8 // operation that GNU as emits for "b,c" by mistake, 0 when it is right
}

const subSingle = "101111" // 0x2f

func (Single) shared() Row { return Row{Shape: ShapeDS} }

func (g Single) begins(s start) bool { return s.meets(generalStart(g.Major, 0x2f)) }

func (g Single) expand() []spec {
	s := toB(g.Major, subSingle, g.Bit15.String(), bin(g.Op, 6), "%s", singleSources)
	if g.GNU != 0 {
		s[0].gnu = uint32(g.GNU ^ g.Op)
	}
	return s
}

// Zero is an operation without destination: sub-opcode 0x2f, a = 0x3f, the operation in the place
// of b.
type Zero struct {
	Major uint8
	Op    uint8
	Bit15 Bit15
	Limm  bool // the operand may be a long immediate
	None  None // the operand may be left out: u6 = 0
}

// None reports whether an operand may be left out, and what disassembly makes of a literal 0.
type None uint8

const (
	NoneNever   None = iota
	NoneAlias        // assembled; prints as 0
	NonePrinted      // 0 prints as no operand
)

func (Zero) shared() Row { return Row{Shape: ShapeS} }

func (g Zero) begins(s start) bool { return s.meets(generalStart(g.Major, 0x2f)) }

func (g Zero) expand() []spec {
	form := func(p, c, text string) spec {
		return spec{bits: bin(g.Major, 5) + bin(g.Op&7, 3) + p + subSingle +
			[...]string{"0", "0", "1"}[g.Bit15] + bin(g.Op>>3, 3) + c + "111111", text: text}
	}
	s := []spec{form(fmtReg, bitsC, "c"), form(fmtU6, bitsU6, "u6")}
	if g.Limm {
		s = append(s, form(fmtReg, bitsLimm, "limm"))
	}
	if g.None != NoneNever {
		none := form(fmtU6, "000000", "")
		none.alias, none.implied = g.None == NoneAlias, noLiteral
		s = append(s, none)
	}
	return s
}

// Fixed is an operation without operands: the whole word is the opcode.
type Fixed uint32

func (Fixed) shared() Row { return Row{} }

func (g Fixed) begins(s start) bool { return s.meets(start{0xffff, uint16(g >> 16)}) }

func (g Fixed) expand() []spec {
	s := ""
	for shift := 24; shift >= 0; shift -= 8 {
		s += bin(uint8(g>>shift), 8)
	}
	return []spec{{bits: s}}
}

// Flag is flag and kflag: one source and no destination, conditions allowed: 7 forms.
type Flag struct {
	Sub   uint8
	Bit15 Bit15
}

func (Flag) shared() Row {
	return Row{Shape: ShapeS, WritesFlags: FlagsZNCV, AlwaysFlags: true, Class: ClassControl, Method: "execFlag"}
}

func (g Flag) begins(s start) bool { return s.meets(generalStart(4, g.Sub)) }

func (g Flag) expand() []spec {
	form := func(p, c, a, text string) spec {
		return spec{bits: general(4, "-", p, bin(g.Sub, 6), g.Bit15.String(), c, a), text: text}
	}
	return []spec{
		form(fmtReg, bitsC, bitsNone, "c"),
		form(fmtCond, bitsC, bitsCC, "c"),
		form(fmtU6, bitsU6, bitsNone, "u6"),
		form(fmtCond, bitsU6, bitsCCU6, "u6"),
		form(fmtS12, s12Low, s12High, "s12"),
		form(fmtReg, bitsLimm, bitsNone, "limm"),
		form(fmtCond, bitsLimm, bitsCC, "limm"),
	}
}

// Jump is j and jl: the plain sub-opcode and, one higher, the one with a delay slot.
type Jump struct {
	Sub uint8
}

func (Jump) shared() Row { return Row{Shape: ShapeJump, Class: ClassJump} }

func (g Jump) begins(s start) bool {
	return s.meets(generalStart(4, g.Sub)) || s.meets(generalStart(4, g.Sub+1))
}

func (g Jump) expand() []spec {
	form := func(delay uint8, p, c, a, text string) spec {
		s := spec{bits: general(4, "-", p, bin(g.Sub+delay, 6), "-", c, a), text: text}
		if delay != 0 {
			s.text = ".d " + text
		}
		return s
	}
	var all []spec
	for delay := range uint8(2) {
		all = append(all,
			form(delay, fmtReg, bitsC, bitsNone, "[c]"),
			form(delay, fmtCond, bitsC, bitsCC, "[c]"))
	}
	for delay := range uint8(2) {
		all = append(all, form(delay, fmtS12, s12Low, s12High, "s12"))
	}
	for delay := range uint8(2) {
		all = append(all,
			form(delay, fmtU6, bitsU6, bitsNone, "u6"),
			form(delay, fmtCond, bitsU6, bitsCCU6, "u6"))
	}
	return append(all,
		form(0, fmtReg, bitsLimm, bitsNone, "limm"),
		form(0, fmtCond, bitsLimm, bitsCC, "limm"))
}
