package elfarc

import (
	"fmt"
	"strconv"
)

// Reloc is a relocation type, the low byte of r_info.
type Reloc uint8

// Relocation types of EM_ARC_COMPACT2. Names and numbers are those of the GNU tools.
const (
	R_ARC_NONE           Reloc = 0
	R_ARC_8              Reloc = 1
	R_ARC_16             Reloc = 2
	R_ARC_24             Reloc = 3
	R_ARC_32             Reloc = 4
	R_ARC_N8             Reloc = 8
	R_ARC_N16            Reloc = 9
	R_ARC_N24            Reloc = 10
	R_ARC_N32            Reloc = 11
	R_ARC_SDA            Reloc = 12
	R_ARC_SECTOFF        Reloc = 13
	R_ARC_S21H_PCREL     Reloc = 14
	R_ARC_S21W_PCREL     Reloc = 15
	R_ARC_S25H_PCREL     Reloc = 16
	R_ARC_S25W_PCREL     Reloc = 17
	R_ARC_SDA32          Reloc = 18
	R_ARC_SDA_LDST       Reloc = 19
	R_ARC_SDA_LDST1      Reloc = 20
	R_ARC_SDA_LDST2      Reloc = 21
	R_ARC_SDA16_LD       Reloc = 22
	R_ARC_SDA16_LD1      Reloc = 23
	R_ARC_SDA16_LD2      Reloc = 24
	R_ARC_S13_PCREL      Reloc = 25
	R_ARC_W              Reloc = 26
	R_ARC_32_ME          Reloc = 27
	R_ARC_N32_ME         Reloc = 28
	R_ARC_SECTOFF_ME     Reloc = 29
	R_ARC_SDA32_ME       Reloc = 30
	R_ARC_W_ME           Reloc = 31
	R_ARC_SDA_12         Reloc = 45
	R_ARC_SDA16_ST2      Reloc = 48
	R_ARC_32_PCREL       Reloc = 49
	R_ARC_PC32           Reloc = 50
	R_ARC_GOTPC32        Reloc = 51
	R_ARC_PLT32          Reloc = 52
	R_ARC_COPY           Reloc = 53
	R_ARC_GLOB_DAT       Reloc = 54
	R_ARC_JMP_SLOT       Reloc = 55
	R_ARC_RELATIVE       Reloc = 56
	R_ARC_GOTOFF         Reloc = 57
	R_ARC_GOTPC          Reloc = 58
	R_ARC_GOT32          Reloc = 59
	R_ARC_S21W_PCREL_PLT Reloc = 60
	R_ARC_S25H_PCREL_PLT Reloc = 61
	R_ARC_JLI_SECTOFF    Reloc = 63
	R_ARC_TLS_DTPMOD     Reloc = 66
	R_ARC_TLS_DTPOFF     Reloc = 67
	R_ARC_TLS_TPOFF      Reloc = 68
	R_ARC_TLS_GD_GOT     Reloc = 69
	R_ARC_TLS_GD_LD      Reloc = 70
	R_ARC_TLS_GD_CALL    Reloc = 71
	R_ARC_TLS_IE_GOT     Reloc = 72
	R_ARC_TLS_DTPOFF_S9  Reloc = 73
	R_ARC_TLS_LE_S9      Reloc = 74
	R_ARC_TLS_LE_32      Reloc = 75
	R_ARC_S25W_PCREL_PLT Reloc = 76
	R_ARC_S21H_PCREL_PLT Reloc = 77
	R_ARC_NPS_CMEM16     Reloc = 78
	R_ARC_32_ME_S        Reloc = 105
)

// Rule is the formula of a relocated value. S is the symbol, A the addend, P the place as an
// instruction sees it (PCL), PDATA the place itself.
type Rule uint8

const (
	RuleNone    Rule = iota // nothing to patch
	RuleAbs                 // S+A
	RuleWordAbs             // (S+A)&~3
	RuleNeg                 // A-S
	RulePC                  // S+A-P
	RulePlace               // S+A-PDATA
	RuleSDA                 // S+A-SDA, the small-data base __SDATA_BEGIN__
	RuleJLI                 // S+A-JLI, the jump table base __JLI_TABLE__
	RuleGOTSlot             // address of the GOT slot of S, +A-P
	RuleGOTOff              // S+A-GOT
	RuleGOT                 // GOT+A-P
	RuleTLS                 // thread-local storage: operating systems only
	RuleDynamic             // for a dynamic loader only
	RuleOther               // of other processors or obsolete
)

// Check is how a value that does not fit its field is found.
type Check uint8

const (
	CheckNone     Check = iota
	CheckSigned         // -2^(n-1) .. 2^(n-1)-1
	CheckUnsigned       // 0 .. 2^n-1
	CheckEither         // -2^n .. 2^n-1: signed or unsigned, and an address may wrap
)

// Row describes one relocation type.
type Row struct {
	Reloc  Reloc
	Name   string
	Field  Field
	Rule   Rule
	Shift  uint8 // low bits of the value that the field does not hold; they must be zero
	Check  Check
	Middle bool // written with swapped halfwords in little-endian files, as instructions are
}

// Rows of the relocation table. Comments give the source form the assembler makes each from.
var relocRows = [...]Row{
	{Reloc: R_ARC_NONE, Name: "R_ARC_NONE", Field: FieldNone, Rule: RuleNone},
	// .byte sym
	{Reloc: R_ARC_8, Name: "R_ARC_8", Field: FieldByte, Rule: RuleAbs, Check: CheckEither},
	// .short sym
	{Reloc: R_ARC_16, Name: "R_ARC_16", Field: FieldHalf, Rule: RuleAbs, Check: CheckEither},
	{Reloc: R_ARC_24, Name: "R_ARC_24", Field: FieldTriple, Rule: RuleAbs, Check: CheckEither},
	// .word sym
	{Reloc: R_ARC_32, Name: "R_ARC_32", Field: FieldWord, Rule: RuleAbs},
	{Reloc: R_ARC_N8, Name: "R_ARC_N8", Field: FieldByte, Rule: RuleNeg, Check: CheckEither},
	{Reloc: R_ARC_N16, Name: "R_ARC_N16", Field: FieldHalf, Rule: RuleNeg, Check: CheckEither},
	{Reloc: R_ARC_N24, Name: "R_ARC_N24", Field: FieldTriple, Rule: RuleNeg, Check: CheckEither},
	{Reloc: R_ARC_N32, Name: "R_ARC_N32", Field: FieldWord, Rule: RuleNeg},
	{Reloc: R_ARC_SDA, Name: "R_ARC_SDA", Field: FieldWord, Rule: RuleOther, Middle: true},
	{Reloc: R_ARC_SECTOFF, Name: "R_ARC_SECTOFF", Field: FieldWord, Rule: RuleOther},
	// beq sym
	{Reloc: R_ARC_S21H_PCREL, Name: "R_ARC_S21H_PCREL", Field: FieldDisp21H, Rule: RulePC, Shift: 1, Check: CheckSigned, Middle: true},
	// bleq sym
	{Reloc: R_ARC_S21W_PCREL, Name: "R_ARC_S21W_PCREL", Field: FieldDisp21W, Rule: RulePC, Shift: 2, Check: CheckSigned, Middle: true},
	// b sym
	{Reloc: R_ARC_S25H_PCREL, Name: "R_ARC_S25H_PCREL", Field: FieldDisp25H, Rule: RulePC, Shift: 1, Check: CheckSigned, Middle: true},
	// bl sym
	{Reloc: R_ARC_S25W_PCREL, Name: "R_ARC_S25W_PCREL", Field: FieldDisp25W, Rule: RulePC, Shift: 2, Check: CheckSigned, Middle: true},
	{Reloc: R_ARC_SDA32, Name: "R_ARC_SDA32", Field: FieldWord, Rule: RuleSDA},
	// ldb r0,[gp,sym@sda]
	{Reloc: R_ARC_SDA_LDST, Name: "R_ARC_SDA_LDST", Field: FieldDisp9LS, Rule: RuleSDA, Check: CheckSigned, Middle: true},
	// ldh.as r0,[gp,sym@sda]
	{Reloc: R_ARC_SDA_LDST1, Name: "R_ARC_SDA_LDST1", Field: FieldDisp9LS, Rule: RuleSDA, Shift: 1, Check: CheckSigned, Middle: true},
	// ld.as r0,[gp,sym@sda]
	{Reloc: R_ARC_SDA_LDST2, Name: "R_ARC_SDA_LDST2", Field: FieldDisp9LS, Rule: RuleSDA, Shift: 2, Check: CheckSigned, Middle: true},
	// ldb_s r0,[gp,sym@sda]
	{Reloc: R_ARC_SDA16_LD, Name: "R_ARC_SDA16_LD", Field: FieldDisp9S, Rule: RuleSDA, Check: CheckSigned},
	// ldh_s r0,[gp,sym@sda]
	{Reloc: R_ARC_SDA16_LD1, Name: "R_ARC_SDA16_LD1", Field: FieldDisp9S, Rule: RuleSDA, Shift: 1, Check: CheckSigned},
	// ld_s r0,[gp,sym@sda]
	{Reloc: R_ARC_SDA16_LD2, Name: "R_ARC_SDA16_LD2", Field: FieldDisp9S, Rule: RuleSDA, Shift: 2, Check: CheckSigned},
	// bl_s sym
	{Reloc: R_ARC_S13_PCREL, Name: "R_ARC_S13_PCREL", Field: FieldDisp13, Rule: RulePC, Shift: 2, Check: CheckSigned},
	{Reloc: R_ARC_W, Name: "R_ARC_W", Field: FieldWord, Rule: RuleWordAbs},
	// mov r0,sym
	{Reloc: R_ARC_32_ME, Name: "R_ARC_32_ME", Field: FieldWord, Rule: RuleAbs, Middle: true},
	{Reloc: R_ARC_N32_ME, Name: "R_ARC_N32_ME", Field: FieldWord, Rule: RuleNeg, Middle: true},
	{Reloc: R_ARC_SECTOFF_ME, Name: "R_ARC_SECTOFF_ME", Field: FieldWord, Rule: RuleOther, Middle: true},
	// add r0,gp,sym@sda
	{Reloc: R_ARC_SDA32_ME, Name: "R_ARC_SDA32_ME", Field: FieldWord, Rule: RuleSDA, Middle: true},
	{Reloc: R_ARC_W_ME, Name: "R_ARC_W_ME", Field: FieldWord, Rule: RuleWordAbs, Middle: true},
	{Reloc: R_ARC_SDA_12, Name: "R_ARC_SDA_12", Field: FieldDisp12, Rule: RuleSDA, Check: CheckSigned, Middle: true},
	// st_s r0,[gp,sym@sda]
	{Reloc: R_ARC_SDA16_ST2, Name: "R_ARC_SDA16_ST2", Field: FieldDisp9ST, Rule: RuleSDA, Shift: 2, Check: CheckSigned},
	// .word sym-.
	{Reloc: R_ARC_32_PCREL, Name: "R_ARC_32_PCREL", Field: FieldWord, Rule: RulePlace},
	// add r0,pcl,sym@pcl
	{Reloc: R_ARC_PC32, Name: "R_ARC_PC32", Field: FieldWord, Rule: RulePC, Middle: true},
	// ld r0,[pcl,sym@gotpc]
	{Reloc: R_ARC_GOTPC32, Name: "R_ARC_GOTPC32", Field: FieldWord, Rule: RuleGOTSlot, Middle: true},
	// In a static link the procedure linkage table is empty: these reach the symbol itself.
	{Reloc: R_ARC_PLT32, Name: "R_ARC_PLT32", Field: FieldWord, Rule: RulePC, Middle: true},
	{Reloc: R_ARC_COPY, Name: "R_ARC_COPY", Field: FieldNone, Rule: RuleDynamic},
	{Reloc: R_ARC_GLOB_DAT, Name: "R_ARC_GLOB_DAT", Field: FieldWord, Rule: RuleDynamic},
	{Reloc: R_ARC_JMP_SLOT, Name: "R_ARC_JMP_SLOT", Field: FieldWord, Rule: RuleDynamic},
	{Reloc: R_ARC_RELATIVE, Name: "R_ARC_RELATIVE", Field: FieldWord, Rule: RuleDynamic},
	// add r0,gp,sym@gotoff
	{Reloc: R_ARC_GOTOFF, Name: "R_ARC_GOTOFF", Field: FieldWord, Rule: RuleGOTOff, Middle: true},
	// add r0,pcl,_GLOBAL_OFFSET_TABLE_@gotpc
	{Reloc: R_ARC_GOTPC, Name: "R_ARC_GOTPC", Field: FieldWord, Rule: RuleGOT, Middle: true},
	{Reloc: R_ARC_GOT32, Name: "R_ARC_GOT32", Field: FieldWord, Rule: RuleOther},
	// bleq sym@plt
	{Reloc: R_ARC_S21W_PCREL_PLT, Name: "R_ARC_S21W_PCREL_PLT", Field: FieldDisp21W, Rule: RulePC, Shift: 2, Check: CheckSigned, Middle: true},
	// b sym@plt
	{Reloc: R_ARC_S25H_PCREL_PLT, Name: "R_ARC_S25H_PCREL_PLT", Field: FieldDisp25H, Rule: RulePC, Shift: 1, Check: CheckSigned, Middle: true},
	// jli_s sym
	{Reloc: R_ARC_JLI_SECTOFF, Name: "R_ARC_JLI_SECTOFF", Field: FieldIndex10, Rule: RuleJLI, Shift: 2, Check: CheckUnsigned},
	{Reloc: R_ARC_TLS_DTPMOD, Name: "R_ARC_TLS_DTPMOD", Field: FieldWord, Rule: RuleTLS},
	{Reloc: R_ARC_TLS_DTPOFF, Name: "R_ARC_TLS_DTPOFF", Field: FieldWord, Rule: RuleTLS, Middle: true},
	{Reloc: R_ARC_TLS_TPOFF, Name: "R_ARC_TLS_TPOFF", Field: FieldWord, Rule: RuleTLS},
	{Reloc: R_ARC_TLS_GD_GOT, Name: "R_ARC_TLS_GD_GOT", Field: FieldWord, Rule: RuleTLS, Middle: true},
	{Reloc: R_ARC_TLS_GD_LD, Name: "R_ARC_TLS_GD_LD", Field: FieldNone, Rule: RuleTLS},
	{Reloc: R_ARC_TLS_GD_CALL, Name: "R_ARC_TLS_GD_CALL", Field: FieldWord, Rule: RuleTLS},
	{Reloc: R_ARC_TLS_IE_GOT, Name: "R_ARC_TLS_IE_GOT", Field: FieldWord, Rule: RuleTLS, Middle: true},
	{Reloc: R_ARC_TLS_DTPOFF_S9, Name: "R_ARC_TLS_DTPOFF_S9", Field: FieldDisp9LS, Rule: RuleTLS, Middle: true},
	{Reloc: R_ARC_TLS_LE_S9, Name: "R_ARC_TLS_LE_S9", Field: FieldDisp9LS, Rule: RuleTLS, Middle: true},
	{Reloc: R_ARC_TLS_LE_32, Name: "R_ARC_TLS_LE_32", Field: FieldWord, Rule: RuleTLS, Middle: true},
	// bl sym@plt
	{Reloc: R_ARC_S25W_PCREL_PLT, Name: "R_ARC_S25W_PCREL_PLT", Field: FieldDisp25W, Rule: RulePC, Shift: 2, Check: CheckSigned, Middle: true},
	// beq sym@plt
	{Reloc: R_ARC_S21H_PCREL_PLT, Name: "R_ARC_S21H_PCREL_PLT", Field: FieldDisp21H, Rule: RulePC, Shift: 1, Check: CheckSigned, Middle: true},
	{Reloc: R_ARC_NPS_CMEM16, Name: "R_ARC_NPS_CMEM16", Field: FieldHighByte, Rule: RuleOther, Middle: true},
	// Long immediate of a short instruction.
	{Reloc: R_ARC_32_ME_S, Name: "R_ARC_32_ME_S", Field: FieldWord, Rule: RuleAbs, Middle: true},
}

// relocIndex finds the row of a type; 0xff marks numbers that are no relocation.
var relocIndex = func() (index [256]uint8) {
	for i := range index {
		index[i] = 0xff
	}
	for i := range relocRows {
		index[relocRows[i].Reloc] = uint8(i)
	}
	return index
}()

// Row returns the description of r, or nil when r is no known relocation type.
func (r Reloc) Row() *Row {
	if i := relocIndex[r]; i != 0xff {
		return &relocRows[i]
	}
	return nil
}

// String returns the name of r, or "R_ARC_(number)" when it has none.
func (r Reloc) String() string {
	if row := r.Row(); row != nil {
		return row.Name
	}
	return "R_ARC_(" + strconv.Itoa(int(r)) + ")"
}

// RelocByName finds a relocation type by its full name, as .reloc gives it.
func RelocByName(name string) (Reloc, bool) {
	for i := range relocRows {
		if relocRows[i].Name == name {
			return relocRows[i].Reloc, true
		}
	}
	return 0, false
}

// Relocs returns all rows, by number.
func Relocs() []Row { return append([]Row(nil), relocRows[:]...) }

// Terms are the values that the formulas combine.
type Terms struct {
	S     uint32 // the symbol
	A     int32  // the addend
	Place uint32 // address of the patched bytes
	SDA   uint32 // small-data base
	JLI   uint32 // base of the jli_s table
	GOT   uint32 // base of the global offset table
	Slot  uint32 // address of the symbol's slot in the global offset table
}

// Value computes the relocated value before shift and range check. Addresses wrap at 2^32, so the
// result is a signed 32-bit quantity. Rules that a static link cannot satisfy are an error.
func (row *Row) Value(t Terms) (int32, error) {
	sa := t.S + uint32(t.A)
	pcl := t.Place
	if row.Field == FieldWord {
		// A long immediate follows its four-byte instruction, and PCL is that of the instruction.
		pcl -= 4
	}
	pcl &^= 3
	switch row.Rule {
	case RuleNone:
		return 0, nil
	case RuleAbs:
		return int32(sa), nil
	case RuleWordAbs:
		return int32(sa &^ 3), nil
	case RuleNeg:
		return int32(uint32(t.A) - t.S), nil
	case RulePC:
		return int32(sa - pcl), nil
	case RulePlace:
		return int32(sa - t.Place), nil
	case RuleSDA:
		return int32(sa - t.SDA), nil
	case RuleJLI:
		return int32(sa - t.JLI), nil
	case RuleGOTSlot:
		return int32(t.Slot + uint32(t.A) - pcl), nil
	case RuleGOTOff:
		return int32(sa - t.GOT), nil
	case RuleGOT:
		return int32(t.GOT + uint32(t.A) - pcl), nil
	case RuleTLS:
		return 0, fmt.Errorf("%s: thread-local storage needs an operating system", row.Name)
	case RuleDynamic:
		return 0, fmt.Errorf("%s is for a dynamic loader and cannot be linked", row.Name)
	}
	return 0, fmt.Errorf("%s is not supported", row.Name)
}

// RangeError is a relocated value that its field cannot hold.
type RangeError struct {
	Row   *Row
	Value int32
}

func (e *RangeError) Error() string {
	row := e.Row
	if low := e.Value & (1<<row.Shift - 1); low != 0 {
		return fmt.Sprintf("%s: value %s is not a multiple of %d", row.Name, signedHex(e.Value), 1<<row.Shift)
	}
	lo, hi := row.Range()
	return fmt.Sprintf("%s: value %s is out of range %s to %s", row.Name, signedHex(e.Value), signedHex(lo), signedHex(hi))
}

// Range returns the least and greatest value (before the shift) that the field holds.
func (row *Row) Range() (lo, hi int32) {
	n := row.Field.Bits()
	if row.Check == CheckNone || n >= 32 {
		return -1 << 31, 1<<31 - 1
	}
	switch row.Check {
	case CheckSigned:
		lo, hi = -1<<(n-1), 1<<(n-1)-1
	case CheckUnsigned:
		lo, hi = 0, 1<<n-1
	case CheckEither:
		lo, hi = -1<<n, 1<<n-1
	}
	return lo << row.Shift, hi << row.Shift
}

// Apply puts the value v into data at off: shift, range check, field, byte order. The bytes around
// the field's bits are kept. The error is a *RangeError when v does not fit.
func (row *Row) Apply(data []byte, off uint32, v int32, big bool) error {
	size := row.Field.Size()
	if size == 0 {
		return nil
	}
	if uint64(off)+uint64(size) > uint64(len(data)) {
		return fmt.Errorf("%s at offset %#x is outside the section of %#x bytes", row.Name, off, len(data))
	}
	if lo, hi := row.Range(); v < lo || v > hi || v&(1<<row.Shift-1) != 0 {
		return &RangeError{Row: row, Value: v}
	}
	b := data[off : off+size]
	w := getWord(b, row.Middle, big)
	putWord(b, row.Field.Insert(w, uint32(v>>row.Shift)), row.Middle, big)
	return nil
}

func signedHex(v int32) string {
	if v < 0 {
		return "-0x" + strconv.FormatUint(uint64(-int64(v)), 16)
	}
	return "0x" + strconv.FormatUint(uint64(v), 16)
}
