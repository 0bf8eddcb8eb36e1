// Package ir is the typed form of micro-operations that the compiler works on: a program of about 50
// primitives per micro-operation, written by a generator from the Go text that an interpreter executes.
//
// Values have 32 or 64 bits and are numbered by the instruction that makes them. Control is structured: an
// If has an Else, which may be empty, and an End; the rest leaves. Programs refer to the fields of the
// micro-operation they are part of, so that with a given one much of a program is constant.
//
// Eval defines the primitives, Check says which programs are well-formed. Start there.
package ir

// Op is a primitive.
type Op uint8

const (
	// Values without operands. Imm says which.
	Const  Op = iota
	Field     // a field of the micro-operation, see FieldA and so on
	Offset    // a number that the embedding program knows, such as the offset of a field
	Base      // the address of an object of the embedding program

	// Arithmetic, of 64 bits when Wide. Shift counts are taken modulo the width.
	Add
	Sub
	Mul
	And
	Or
	Xor
	Shl
	Shr
	Sar
	MulHi  // upper half of the unsigned product of 64-bit values
	Neg    //
	Not    //
	Sext8  // the low bits, sign-extended to 32 bits
	Sext16 //
	SextW  // a 32-bit value as a 64-bit one
	ZextW  //
	Trunc  // a 64-bit value as a 32-bit one
	Clz    // leading zeros, the width for 0
	Ctz    // trailing zeros, the width for 0
	Swap   // bytes reversed

	// Comparisons of values of 64 bits when Wide: 0 or 1.
	Eq
	Ne
	LtS
	LeS
	LtU
	LeU

	Way // the address of way A

	Select // B when A is not 0, else C

	// Condition codes of a result, Z N C V from bit 3 down.
	FlagsZN  // of the value A: Z and N
	FlagsAdd // of C, the sum of A and B and perhaps a carry
	FlagsSub // of C, the difference of A and B and perhaps a borrow; C is the borrow

	// Quotient and remainder, towards zero; 0 when B is 0 or the quotient does not fit.
	DivU
	DivS
	RemU
	RemS

	// Memory at address A.
	Load8
	Load16
	Load32
	Load64
	Store8 // the low bits of B
	Store16
	Store32
	Store64

	// Control.
	If      // what follows up to Else is for A not 0
	Else    //
	End     //
	Guard   // leaves for reason Imm when A is not 0
	Exit    // leaves for reason Imm, by way B if that is not negative
	Leave   // goes on by way A to where it leads
	LeaveTo // goes on by way A to the object at address B
	SkipIf  // goes on Imm bytes of micro-operations behind this one when A is not 0

	NumOps
)

// Fields of a micro-operation, as Field names them.
const (
	FieldA = iota
	FieldB
	FieldC
	FieldD
	FieldImm
	FieldX
)

// Inst is an instruction of a program. A, B and C are numbers of instructions before it; -1 is none.
type Inst struct {
	Op      Op
	Wide    bool
	A, B, C int32
	Imm     uint64
}

// Prog is the program of a micro-operation.
type Prog []Inst

// Uop is a micro-operation as a program sees it.
type Uop struct {
	A, B, C, D uint8
	Imm, X     uint32
}

// Field returns a field by its number.
func (u *Uop) Field(n uint64) uint32 {
	switch n {
	case FieldA:
		return uint32(u.A)
	case FieldB:
		return uint32(u.B)
	case FieldC:
		return uint32(u.C)
	case FieldD:
		return uint32(u.D)
	case FieldImm:
		return u.Imm
	}
	return u.X
}

// shape says what an operation has: operands, and a number.
type shape struct {
	operands uint8
	imm      bool
	effect   bool // it does something besides making a value
}

var shapes = [NumOps]shape{
	Const: {imm: true}, Field: {imm: true}, Offset: {imm: true}, Base: {imm: true},
	Add: {operands: 2}, Sub: {operands: 2}, Mul: {operands: 2}, And: {operands: 2}, Or: {operands: 2},
	Xor: {operands: 2}, Shl: {operands: 2}, Shr: {operands: 2}, Sar: {operands: 2}, MulHi: {operands: 2},
	Neg: {operands: 1}, Not: {operands: 1}, Sext8: {operands: 1}, Sext16: {operands: 1}, SextW: {operands: 1},
	ZextW: {operands: 1}, Trunc: {operands: 1}, Clz: {operands: 1}, Ctz: {operands: 1}, Swap: {operands: 1},
	Eq: {operands: 2}, Ne: {operands: 2}, LtS: {operands: 2}, LeS: {operands: 2}, LtU: {operands: 2}, LeU: {operands: 2},
	Way: {operands: 1}, Select: {operands: 3}, FlagsZN: {operands: 1}, FlagsAdd: {operands: 3}, FlagsSub: {operands: 3},
	DivU: {operands: 2}, DivS: {operands: 2}, RemU: {operands: 2}, RemS: {operands: 2},
	Load8: {operands: 1}, Load16: {operands: 1}, Load32: {operands: 1}, Load64: {operands: 1},
	Store8: {operands: 2, effect: true}, Store16: {operands: 2, effect: true},
	Store32: {operands: 2, effect: true}, Store64: {operands: 2, effect: true},
	If: {operands: 1, effect: true}, Else: {effect: true}, End: {effect: true},
	Guard: {operands: 1, imm: true, effect: true}, Exit: {operands: 2, imm: true, effect: true},
	Leave: {operands: 1, effect: true}, LeaveTo: {operands: 2, effect: true}, SkipIf: {operands: 1, imm: true, effect: true},
}

// Operands returns the operands that the operation of an instruction has.
func (in *Inst) Operands() []int32 {
	all := [...]int32{in.A, in.B, in.C}
	list := make([]int32, 0, 3)
	return append(list, all[:shapes[in.Op].operands]...)
}

// Effect reports whether an operation does something besides making a value.
func (op Op) Effect() bool { return shapes[op].effect }

var names = [NumOps]string{
	Const: "const", Field: "field", Offset: "offset", Base: "base", Add: "add", Sub: "sub", Mul: "mul", And: "and",
	Or: "or", Xor: "xor", Shl: "shl", Shr: "shr", Sar: "sar", MulHi: "mulhi", Neg: "neg", Not: "not", Sext8: "sext8",
	Sext16: "sext16", SextW: "sextw", ZextW: "zextw", Trunc: "trunc", Clz: "clz", Ctz: "ctz", Swap: "swap", Eq: "eq",
	Ne: "ne", LtS: "lts", LeS: "les", LtU: "ltu", LeU: "leu", Way: "way", Select: "select", FlagsZN: "flagszn", FlagsAdd: "flagsadd",
	FlagsSub: "flagssub", DivU: "divu", DivS: "divs", RemU: "remu", RemS: "rems", Load8: "load8", Load16: "load16",
	Load32: "load32", Load64: "load64", Store8: "store8", Store16: "store16", Store32: "store32", Store64: "store64",
	If: "if", Else: "else", End: "end", Guard: "guard", Exit: "exit", Leave: "leave", LeaveTo: "leaveto", SkipIf: "skipif",
}

func (op Op) String() string { return names[op] }
