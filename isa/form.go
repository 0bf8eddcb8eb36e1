package isa

// Form is one encoding of an instruction: one combination of operands, with its bits. Forms are
// expanded from the Format of a row; nobody writes them down one by one.
type Form struct {
	Row   *Row
	Exec  Op      // operation whose semantics it has (Row.Exec unless the form differs)
	Needs Feature // options of the row and of this form

	Bits string // bit pattern, most significant bit first: letters are fields
	Text string // operands as in the manual: "a,b,c", "c,[b,u7]"

	Size     uint8  // bytes without the long immediate: 2 or 4
	Value    uint32 // opcode bits
	Mask     uint32 // which bits Value fixes
	Reserved uint32 // bits without a meaning: zero when encoded, ignored when decoded
	GNU      uint32 // Value that GNU as 2.40 emits by mistake; equal to Value when it is right

	Alias bool // assembled, but disassembled as another instruction

	Args    []Field   // operands as written
	Implied []Operand // operands not written, following Args in Inst.Args
	Open    int8      // operand before which "[" stands, -1 without brackets
	Close   int8      // operand after which "]" stands
	Limm    bool      // a long immediate follows

	Allow   ModSet // suffixes that may be written
	Require ModSet // suffixes that must be written to mean this form
	Fix     Mods   // modifiers that the opcode implies

	mods  modPlaces
	index uint16 // among the forms of its row
}

// modPlaces holds the lowest bit of each modifier that Allow names.
type modPlaces struct {
	f, cc, d, y, aa, size, x, di uint8
}

// Mods are the modifiers of an instruction, written as suffixes.
type Mods struct {
	Cond       Cond     // .cc, CondAL when there is none
	SetFlags   bool     // .f
	Delay      bool     // .d: the next instruction executes before the branch is taken
	Hint       bool     // .t .nt: prediction bit Y of brcc and bbit as encoded
	Addr       AddrMode // .aw .ab .as: write-back or scaling of a memory operand
	Size       MemSize  // width of a memory access
	SignExtend bool     // .x
	Uncached   bool     // .di
}

// ModSet is a set of modifier kinds.
type ModSet uint8

const (
	ModF    ModSet = 1 << iota // .f
	ModCC                      // .cc
	ModD                       // .d
	ModT                       // .t .nt
	ModAA                      // .aw .ab .as
	ModSize                    // b h d
	ModX                       // .x
	ModDI                      // .di
)

// FieldKind is what an operand position of a form accepts.
type FieldKind uint8

const (
	FieldReg    FieldKind = iota // core register 0-60 or 63, six bits
	FieldReg3                    // r0-r3, r12-r15
	FieldRegH                    // r0-r29, blink: five bits, 30 stands for the long immediate
	FieldRegG                    // like FieldRegH, as a destination
	FieldFixed                   // the register Reg, no bits
	FieldNull                    // "0" as a destination
	FieldZero                    // literal 0
	FieldImm                     // literal
	FieldLimm                    // long immediate
	FieldTarget                  // branch target: byte offset from PCL
	FieldList                    // enter_s and leave_s register list
)

// Field is one operand position of a form.
type Field struct {
	Kind      FieldKind
	Name      string // as in the manual: a b c h u6 s12 limm ...
	Width     uint8  // bits of the value, implied low zeros included
	Scale     uint8  // implied low zeros
	Signed    bool
	MinusOne  bool  // the s3 of 16-bit forms: -1 to 6, -1 stored as 7
	Pair      bool  // assembler text names an even/odd pair: r0r1
	NoLPCount bool  // lp_count is refused
	Reg       uint8 // FieldFixed
	Same      int8  // index of the earlier operand it must repeat, -1 if free

	parts [3]part // places in the instruction word, least significant part first
}

// part is a run of bits of an operand in the instruction word.
type part struct {
	shift uint8  // its lowest bit in the instruction word
	mask  uint32 // its width
	at    uint8  // its place in the value, before Scale
}

// Word is an encoded instruction.
type Word struct {
	Bits    uint32 // 32 bits, or 16 bits in the low half
	Size    uint8  // bytes without the long immediate
	Limm    uint32
	HasLimm bool
}
