package isa

// Encoding families of memory, auxiliary-register and compare-and-branch instructions.

// Exchange is a one-source memory operation, "b,[c]" with .di.
type Exchange struct {
	Op uint8
	B  Exchanged
}

// Exchanged is what b of an Exchange is.
type Exchanged uint8

const (
	ExchangeDest     Exchanged = iota // a destination, which may be dropped
	ExchangeAny                       // a register or a long immediate
	ExchangeRegister                  // a register
	ExchangeAnyEM                     // a register; on EM also a long immediate
)

func (Exchange) shared() Row { return Row{Shape: ShapeRMW, Class: ClassAtomic} }

func (Exchange) begins(s start) bool { return s.meets(generalStart(4, 0x2f)) }

func (g Exchange) expand() []spec {
	op := bin(g.Op, 6)
	form := func(b, p, c, text string) spec {
		s := spec{bits: general(4, b, p, subSingle, "D", c, op), text: text}
		if g.B == ExchangeAnyEM && b == "limm" {
			s.needs = EM
		}
		return s
	}
	if g.B == ExchangeDest {
		return toB(4, subSingle, "D", op, "[%s]", singleSources)
	}
	s := []spec{
		form("b", fmtReg, bitsC, "b,[c]"),
		form("b", fmtU6, bitsU6, "b,[u6]"),
		form("b", fmtReg, bitsLimm, "b,[limm]"),
		form("limm", fmtReg, bitsC, "limm,[c]"),
		form("limm", fmtU6, bitsU6, "limm,[u6]"),
		form("limm", fmtReg, bitsLimm, "limm,[limm]"),
	}
	if g.B == ExchangeRegister {
		return s[:3]
	}
	return s
}

// AuxRead is lr and ldi: destination b, the register or table index in brackets: 8 forms.
type AuxRead struct {
	Sub uint8
}

func (AuxRead) shared() Row { return Row{Shape: ShapeAuxR} }

func (g AuxRead) begins(s start) bool { return s.meets(generalStart(4, g.Sub)) }

func (g AuxRead) expand() []spec { return toB(4, bin(g.Sub, 6), "-", "", "[%s]", readSources) }

// AuxWrite is sr: source b, the register in brackets; aex adds the conditional forms.
type AuxWrite struct {
	Sub  uint8
	Cond bool
}

func (AuxWrite) shared() Row { return Row{Shape: ShapeAuxW} }

func (g AuxWrite) begins(s start) bool { return s.meets(generalStart(4, g.Sub)) }

func (g AuxWrite) expand() []spec {
	form := func(b, p, c, a, text string) spec {
		return spec{bits: general(4, b, p, bin(g.Sub, 6), "-", c, a), text: text}
	}
	s := []spec{
		form("b", fmtReg, bitsC, bitsNone, "b,[c]"),
		form("b", fmtU6, bitsU6, bitsNone, "b,[u6]"),
		form("b", fmtS12, s12Low, s12High, "b,[s12]"),
		form("limm", fmtReg, bitsC, bitsNone, "limm,[c]"),
		form("b", fmtReg, bitsLimm, bitsNone, "b,[limm]"),
		form("limm", fmtU6, bitsU6, bitsNone, "limm,[u6]"),
		form("limm", fmtS12, s12Low, s12High, "limm,[s12]"),
		form("limm", fmtReg, bitsLimm, bitsNone, "limm,[limm]"),
	}
	if g.Cond {
		s = append(s,
			form("b", fmtCond, bitsC, bitsCC, "b,[c]"),
			form("b", fmtCond, bitsU6, bitsCCU6, "b,[u6]"),
			form("b", fmtCond, bitsLimm, bitsCC, "b,[limm]"),
			form("limm", fmtCond, bitsC, bitsCC, "limm,[c]"),
			form("limm", fmtCond, bitsU6, bitsCCU6, "limm,[u6]"),
			form("limm", fmtCond, bitsLimm, bitsCC, "limm,[limm]"))
	}
	return s
}

// Load is ld and ldd: register + s9 in major 2, register + register in major 4.
type Load struct {
	Size string // "zz", or the fixed size bits
	X    string // "x", or the fixed bit
}

func (Load) shared() Row {
	return Row{Shape: ShapeLoad, Class: ClassLoad, Memory: MemoryRead, Method: "execLoad"}
}

func (Load) begins(s start) bool { return s.meets(loadStart) || s.meets(start{0xf800, 2 << 11}) }

func (g Load) expand() []spec {
	off := func(b, s9, aa, a, text string) spec {
		lo, hi := fieldB(b)
		low, high := fieldS9(s9)
		return spec{bits: "00010" + lo + low + high + hi + "D" + aa + g.Size + g.X + a, text: text}
	}
	reg := func(b, c, a, text string) spec {
		lo, hi := fieldB(b)
		return spec{bits: "00100" + lo + "mm" + "110" + g.Size + g.X + "D" + hi + c + a, text: text}
	}
	return []spec{
		off("b", "0", "mm", bitsA, "a,[b]"),
		reg("b", bitsC, bitsA, "a,[b,c]"),
		off("b", "0", "mm", bitsNull, "0,[b]"),
		reg("b", bitsC, bitsNull, "0,[b,c]"),
		off("b", "s9", "mm", bitsA, "a,[b,s9]"),
		off("b", "s9", "mm", bitsNull, "0,[b,s9]"),
		off("limm", "0", "00", bitsA, "a,[limm]"),
		reg("b", bitsLimm, bitsA, "a,[b,limm]"),
		reg("limm", bitsC, bitsA, "a,[limm,c]"),
		off("limm", "0", "00", bitsNull, "0,[limm]"),
		reg("b", bitsLimm, bitsNull, "0,[b,limm]"),
		reg("limm", bitsC, bitsNull, "0,[limm,c]"),
		off("limm", "s9", "mm", bitsA, "a,[limm,s9]"),
		off("limm", "s9", "mm", bitsNull, "0,[limm,s9]"),
		reg("limm", bitsLimm, bitsA, "a,[limm,limm]"),
		reg("limm", bitsLimm, bitsNull, "0,[limm,limm]"),
	}
}

// loadStart begins loads with two registers: major opcode 4, sub-opcodes from 0x30 on.
var loadStart = start{0xf838, 4<<11 | 0x30}

// Touch is prefetch, prealloc and prefetchw: loads of a word to the null register.
type Touch struct {
	X    string // .x bit
	DI   string // .di bit
	More bool   // forms of prefetch that only EM has
}

func (Touch) shared() Row {
	return Row{Shape: ShapeMem, Over: LD, Class: ClassPrefetch, Method: "execPrefetch"}
}

func (Touch) begins(s start) bool { return s.meets(loadStart) || s.meets(start{0xf800, 2 << 11}) }

func (g Touch) expand() []spec {
	off := func(b, s9, text string) spec {
		return spec{bits: "00010" + b[:3] + s9 + b[3:] + g.DI + "mm00" + g.X + bitsNull, text: text}
	}
	reg := func(b, c, text string) spec {
		return spec{bits: "00100" + b[:3] + "mm11000" + g.X + g.DI + b[3:] + c + bitsNull, text: text}
	}
	const regB, limmB, s9, zero = "bbbBBB", "110111", "ssssssssS", "000000000"
	s := []spec{
		reg(regB, bitsC, "[b,c]"),
		off(regB, s9, "[b,s9]"),
		reg(regB, bitsLimm, "[b,limm]"),
		reg(limmB, bitsC, "[limm,c]"),
		off(limmB, zero, "[limm]"),
		off(limmB, s9, "[limm,s9]"),
	}
	if g.More {
		more := []spec{off(regB, zero, "[b]"), reg(limmB, bitsLimm, "[limm,limm]")}
		for i := range more {
			more[i].needs = EM
		}
		s = append(more[:1:1], append(s, more[1])...)
	}
	return s
}

// Store is st and std: register or six-bit literal to register + s9.
type Store struct {
	Size string // "zz", or the fixed size bits
}

func (Store) shared() Row {
	return Row{Shape: ShapeStore, Class: ClassStore, Memory: MemoryWrite, Method: "execStore"}
}

func (Store) begins(s start) bool { return s.meets(start{0xf800, 3 << 11}) }

func (g Store) expand() []spec {
	form := func(b, s9, c, aa, kind, text string) spec {
		lo, hi := fieldB(b)
		low, high := fieldS9(s9)
		return spec{bits: "00011" + lo + low + high + hi + c + "D" + aa + g.Size + kind, text: text}
	}
	const bitsW6 = "wwwwww"
	bare := form("b", "0", bitsLimm, "mm", "0", "limm,[b]")
	bare.alias = true // printed as limm,[b,0]
	return []spec{
		form("b", "0", bitsC, "mm", "0", "c,[b]"),
		form("b", "0", bitsW6, "mm", "1", "w6,[b]"),
		form("b", "s9", bitsC, "mm", "0", "c,[b,s9]"),
		form("b", "s9", bitsW6, "mm", "1", "w6,[b,s9]"),
		form("limm", "0", bitsC, "00", "0", "c,[limm]"),
		form("limm", "0", bitsW6, "00", "1", "w6,[limm]"),
		form("b", "s9", bitsLimm, "mm", "0", "limm,[b,s9]"),
		bare,
		form("limm", "s9", bitsW6, "mm", "1", "w6,[limm,s9]"),
		form("limm", "s9", bitsLimm, "mm", "0", "limm,[limm,s9]"),
		form("limm", "s9", bitsC, "mm", "0", "c,[limm,s9]"),
	}
}

// fieldS9 returns the low bits and the high bit of an offset, which may be 0.
func fieldS9(s9 string) (low, high string) {
	if s9 == "0" {
		return "00000000", "0"
	}
	return "ssssssss", "S"
}

// CmpBranch is br<cc> and bbit: compare two sources and branch: 6 forms.
type CmpBranch struct {
	Op uint8 // bits 2:0
}

func (CmpBranch) shared() Row {
	return Row{Shape: ShapeCmpBr, Class: ClassCmpBranch, Method: "execCompareBranch"}
}

func (CmpBranch) begins(s start) bool { return s.meets(start{0xf800, 1 << 11}) }

func (g CmpBranch) expand() []spec {
	op := bin(g.Op, 3)
	form := func(b, c, d, kind, text string) spec {
		lo, hi := fieldB(b)
		return spec{bits: "00001" + lo + "sssssss1S" + hi + c + d + kind + "y" + op, text: text}
	}
	return []spec{
		form("b", bitsC, "d", "0", "b,c,@s9"),
		form("b", bitsU6, "d", "1", "b,u6,@s9"),
		form("b", bitsLimm, "0", "0", "b,limm,@s9"),
		form("limm", bitsC, "0", "0", "limm,c,@s9"),
		form("limm", bitsU6, "0", "1", "limm,u6,@s9"),
		form("limm", bitsLimm, "0", "0", "limm,limm,@s9"),
	}
}
