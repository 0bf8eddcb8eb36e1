package isa

import (
	"reflect"
	"strings"
)

// Row describes one instruction, once. Everything else about it is derived: its encodings, decoder,
// assembler and disassembler entries, engine dispatch, hazards, documentation and coverage.
type Row struct {
	Op     Op     // the constant, the mnemonic in upper case
	Syntax string // as programs write it: mnemonic, suffixes in angle brackets, operands of the principal forms
	Format Format // encoding family; expands by rule to the operand forms and says what its rows share
	Shape  Shape  // roles of the operands

	Over         Op       // row whose encoding space it takes a part of: nop is a mov
	Exec         Op       // operation whose semantics it has; Op itself when zero
	Fix          Mods     // modifiers that the mnemonic implies
	ImmRep       ImmRep   // how a short literal fills the lanes of the second source
	Pair         PairMask // operands that are even/odd register pairs
	PairNames    PairMask // operands that assembler text names as pairs (r0r1), a subset of Pair
	TakesLPCount bool     // lp_count may be the first operand although the class refuses it

	ReadsFlags  FlagSet // flags the operation itself reads (conditions come on top)
	WritesFlags FlagSet // flags written when .f is given, or always for AlwaysFlags rows
	AlwaysFlags bool    // compare-like: writes flags without .f
	ReadsAcc    AccSet  // accumulator parts read
	WritesAcc   AccSet  // accumulator parts written

	AlsoReads    RegSet    // core registers read that no operand names
	AlsoWrites   RegSet    // core registers written that no operand names: BLINK by what calls
	ReadsDouble  DoubleSet // registers of the double-precision assist read
	WritesDouble DoubleSet // registers of the double-precision assist written
	Memory       Memory    // accesses of data memory, address generation ports apart

	Compare Comparison // what decides a compare-and-branch
	Streams bool       // loops of DSP code take its sources from address generation ports: its micro-operation reads them itself

	Own bool // it is no instruction of the GNU tools

	Needs Feature // core options that must be present; absent: does not decode
	Class Class   // timing class

	Method     string     // of the reference engine, in cpu/exec_*.go, when it is more than a function of cpu/internal/semantics
	Reason     string     // why it is not modelled
	Meaning    string     // one line of reference semantics
	Confidence Confidence // how sure we are
	Source     string     // where the semantics is known from: gnu-as, vendor-code A13, decision 22, rule

	Name string // the mnemonic, with which Syntax begins: no row states it
}

// mnemonic returns the first word of the syntax without suffixes.
func (r *Row) mnemonic() string {
	if end := strings.IndexAny(r.Syntax, "< "); end >= 0 {
		return r.Syntax[:end]
	}
	return r.Syntax
}

// family is rows of one topic with what they share.
type family struct {
	shared Row
	rows   []Row
}

// take adopts what r leaves out and others, a family or a format, say.
func (r *Row) take(others Row) {
	to, from := reflect.ValueOf(r).Elem(), reflect.ValueOf(others)
	for i := range to.NumField() {
		if to.Field(i).IsZero() {
			to.Field(i).Set(from.Field(i))
		}
	}
}

// RefusesLPCount reports whether lp_count is refused as the first operand, as the GNU tools do: by instructions
// of classes that refuse it unless the row takes it. Sources of operations without a destination and pairs that
// are named as such are no case of it.
func (r *Row) RefusesLPCount() bool {
	return r.Class.refusesLPCount() && !r.TakesLPCount && r.Shape != ShapeS && r.PairNames&PairA == 0
}

// Shape gives the role of each operand of Inst.Args.
type Shape uint8

const (
	ShapeNone   Shape = iota // no operands
	ShapeDSS                 // destination, source b, source c
	ShapeDS                  // destination, source c
	ShapeSS                  // source b, source c (compare-like, no destination)
	ShapeS                   // source c
	ShapeD                   // destination c
	ShapeLoad                // destination, base, offset
	ShapeStore               // source, base, offset
	ShapeRMW                 // register, [address]: ex, llock, scond
	ShapeAuxR                // lr destination, [aux]
	ShapeAuxW                // sr source, [aux]
	ShapeBranch              // target
	ShapeCmpBr               // source b, source c, target
	ShapeDecBr               // register read and written, target (dbnz)
	ShapeJump                // source c, the address
	ShapeList                // enter_s, leave_s
	ShapeMem                 // base, offset without a register transferred (prefetch)
)

// Model is how an instruction is executed.
type Model uint8

const (
	Pure        Model = iota // a value function of cpu/internal/semantics named as Op; divf raises division by zero on top
	Stateful                 // Row.Method
	NotModelled              // raises Instruction Error; Row.Reason says why
)

// Model returns how the instruction is executed.
func (r *Row) Model() Model {
	switch {
	case r.Reason != "":
		return NotModelled
	case r.Method != "":
		return Stateful
	}
	return Pure
}

// Confidence is how well the meaning of an instruction is known.
type Confidence uint8

const (
	Certain Confidence = iota // stated by an open source or checked against one
	Proved                    // proved by running vendor-compiled code
	ByRule                    // follows from the naming rules and its proved siblings
	Assumed                   // a decision, listed in docs/validation.md
)

// ImmRep is how a u6 or s12 literal becomes the second source of a lane operation. A long
// immediate is used as it is; where the source is a pair it stands in both words.
//
// DEVIATION(168): operations on bytes (vadd4b, dmpyhbl ...) take the literal in 16-bit lanes like all
// others, so that it meets bytes 0 and 2.
// DEVIATION(169): 32x16 operations take the literal in both halves of the second source, so that
// the forms that use the high half multiply by it too.
type ImmRep uint8

const (
	RepNone    ImmRep = iota // sign or zero extended
	RepLanes16               // copied into both 16-bit lanes
	RepPair32                // copied into both words of a pair
	RepPair16                // copied into all four 16-bit lanes of a pair
)

// FlagSet is a set of STATUS32 flags in the layout of the semantics functions.
type FlagSet uint8

const (
	FlagV FlagSet = 1 << iota
	FlagC
	FlagN
	FlagZ

	FlagsZN   = FlagZ | FlagN
	FlagsNV   = FlagN | FlagV
	FlagsZNC  = FlagZ | FlagN | FlagC
	FlagsZNV  = FlagZ | FlagN | FlagV
	FlagsZNCV = FlagZ | FlagN | FlagC | FlagV
)

// AccSet is a set of accumulator parts.
type AccSet uint8

const (
	AccLo AccSet = 1 << iota // r58 and the GLO guard
	AccHi                    // r59 and the GHI guard

	AccWide = AccLo | AccHi
)

// DoubleSet is a set of registers of the double-precision assist.
type DoubleSet uint8

const (
	D1 DoubleSet = 1 << iota
	D2
)

// PairMask marks operands (bit i for Args[i]) that name an even/odd register pair.
type PairMask uint8

const (
	PairA PairMask = 1 << iota // the first operand
	PairB                      // the second
	PairC                      // the third
)

// String returns the flags as ZNCV, those that are not in the set left out.
func (f FlagSet) String() string {
	s := ""
	for _, flag := range [...]struct {
		bit  FlagSet
		name string
	}{{FlagZ, "Z"}, {FlagN, "N"}, {FlagC, "C"}, {FlagV, "V"}} {
		if f&flag.bit != 0 {
			s += flag.name
		}
	}
	return s
}

func (c Confidence) String() string {
	return [...]string{"certain", "proved", "by rule", "assumed"}[c]
}
