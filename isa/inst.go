package isa

// Inst is one decoded instruction: which row it is, and what its fields say. It has no spelling
// (text.go prints it) and no meaning (cpu executes it).
type Inst struct {
	Op   Op         // the row; Invalid when the bytes are no instruction of the given features
	Form uint16     // index of the operand form the bytes have, see FormOf
	Word uint32     // the instruction word: 32 bits, or 16 bits in the low half
	Limm uint32     // the long immediate, when HasLimm
	Args [3]Operand // operands in assembler order; 16-bit forms are written out (dst,src,src)

	N       uint8 // operands used
	Len     uint8 // bytes, long immediate included: 2, 4, 6 or 8
	HasLimm bool
	Mods    // .f, .cc, .d ... as fields: Cond, SetFlags, Delay, Addr, Size, SignExtend
}

// Operand is one operand after decoding.
type Operand struct {
	Kind OperandKind
	Reg  uint8 // core register number (OpReg); first register of a pair; first of a list (OpRegList)
	Long bool  // OpImm taken from the long immediate
	Val  int32 // value (OpImm), byte offset from PCL (OpTarget), list bits (OpRegList)
}

// OperandKind is what an operand is.
type OperandKind uint8

const (
	OpNone    OperandKind = iota
	OpNull                // "0" as a destination: the result is dropped
	OpReg                 // core register Reg; 63 is PCL
	OpImm                 // literal Val, extended as its field says
	OpTarget              // branch target, Val bytes from PCL
	OpRegList             // enter_s/leave_s register list
)

// Cond is a condition code, the Q field of an instruction.
type Cond uint8

// AddrMode is the .aa field of loads and stores.
type AddrMode uint8

const (
	AddrOffset AddrMode = iota // base+offset, no write-back
	AddrPre                    // .aw: base += offset, access at the new base
	AddrPost                   // .ab: access at base, then base += offset
	AddrScaled                 // .as: base + (offset << log2 size)
)

// MemSize is the width of a memory access; its value is the size field of the encoding.
type MemSize uint8

const (
	SizeWord   MemSize = 0
	SizeByte   MemSize = 1
	SizeHalf   MemSize = 2
	SizeDouble MemSize = 3
)

// Bytes returns the width in bytes.
func (s MemSize) Bytes() uint32 {
	switch s {
	case SizeByte:
		return 1
	case SizeHalf:
		return 2
	case SizeDouble:
		return 8
	}
	return 4
}

// Scale is the shift of a scaled offset (.as): doubles are scaled like words.
func (s MemSize) Scale() uint8 {
	switch s {
	case SizeByte:
		return 0
	case SizeHalf:
		return 1
	}
	return 2
}
