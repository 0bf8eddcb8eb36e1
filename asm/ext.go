package asm

import (
	"encoding/binary"
	"strings"

	"arcv2dsp/internal/program/elfarc"
	"arcv2dsp/isa"
)

// extensions are the names that .ext directives define.
type extensions struct {
	instructions map[string]*extInsn
	registers    map[string]uint8
	conds        map[string]isa.Cond
	aux          map[string]int64
	records      []byte // contents of the section .arcextmap, which disassemblers read
}

// extInsn is a user instruction.
type extInsn struct {
	name  string // as written
	forms []*isa.Form
	row   *isa.Row
}

// Record types of .arcextmap.
const (
	recordInstruction = 0
	recordCoreReg     = 1
	recordAuxReg      = 2
	recordCond        = 3
)

// record adds an entry: its length, its type, its numbers, its name.
func (x *extensions) record(kind byte, numbers []byte, name string) {
	n := 2 + len(numbers) + len(name) + 1
	if n > 255 {
		return // the length is one byte; a name that long only loses its print
	}
	x.records = append(x.records, byte(n), kind)
	x.records = append(x.records, numbers...)
	x.records = append(append(x.records, name...), 0)
}

// extName reads the name that an .ext directive defines, and the comma behind it.
func (a *assembler) extName() string {
	name := need(a.name("the name"))
	needed(a.comma("a number"))
	return name
}

// extNumber reads a number with its range.
func (a *assembler) extNumber(what string, limit int64) int64 {
	a.skipBlanks()
	at := a.i
	n := need(a.absolute(what))
	a.giveUpIf(n < 0 || n > limit, at, "%s %d is out of range 0 to %d", what, n, limit)
	return n
}

// alternatives reads the words between bars: r|w.
func (a *assembler) alternatives() []string {
	a.skipBlanks()
	start := a.i
	for c := a.s[a.i]; isNameChar(c) || c == '|' || isBlank(c); c = a.s[a.i] {
		a.i++
	}
	var words []string
	for _, w := range strings.Split(a.s[start:a.i], "|") {
		words = append(words, strings.TrimSpace(w))
	}
	return words
}

// Syntax classes of user instructions, and their codes in .arcextmap.
const (
	syntax3OP       = 1
	syntax2OP       = 2
	syntax1OP       = 4
	syntaxNOP       = 8
	op1MustBeImm    = 8
	op1ImmImplied   = 16
	suffixCond      = 1
	suffixFlag      = 2
	extMajorDefault = 7
)

// extInstruction is .extInstruction name, opcode, sub-opcode, suffixes, syntax.
func (a *assembler) extInstruction() {
	name := a.extName()
	at := a.i
	major := a.extNumber("the opcode", extMajorDefault)
	a.giveUpIf(major < 4, at, "the opcode %d is out of range 4 to 7", major)
	needed(a.comma("the sub-opcode"))
	subAt := a.i
	sub := a.extNumber("the sub-opcode", 0x3f)
	needed(a.comma("the suffixes"))
	suffixes, suffixAt := 0, a.i
	for _, w := range a.alternatives() {
		switch w {
		case "SUFFIX_COND":
			suffixes |= suffixCond
		case "SUFFIX_FLAG":
			suffixes |= suffixFlag
		case "SUFFIX_NONE":
		default:
			a.giveUp(suffixAt, "unknown suffix class %q, expected SUFFIX_NONE, SUFFIX_COND or SUFFIX_FLAG", w)
		}
	}
	needed(a.comma("the syntax"))
	syntax, class, syntaxAt := 0, 0, a.i
	for _, w := range a.alternatives() {
		switch w {
		case "SYNTAX_3OP":
			class |= syntax3OP
		case "SYNTAX_2OP":
			class |= syntax2OP
		case "SYNTAX_1OP":
			class |= syntax1OP
		case "SYNTAX_NOP":
			class |= syntaxNOP
		case "OP1_MUST_BE_IMM":
			syntax |= op1MustBeImm
		case "OP1_IMM_IMPLIED":
			syntax |= op1ImmImplied
		default:
			a.giveUp(syntaxAt, "unknown syntax class %q, expected SYNTAX_3OP, SYNTAX_2OP, SYNTAX_1OP or SYNTAX_NOP", w)
		}
	}
	if class == 0 || class&(class-1) != 0 {
		a.errorAt(syntaxAt, "expected one of SYNTAX_3OP SYNTAX_2OP SYNTAX_1OP SYNTAX_NOP")
		return
	}
	threeOp := class == syntax3OP || class == syntax2OP && syntax&op1ImmImplied != 0
	switch {
	case syntax&op1MustBeImm != 0 && class != syntax3OP:
		a.errorAt(syntaxAt, "OP1_MUST_BE_IMM goes with SYNTAX_3OP only")
		return
	case syntax&op1ImmImplied != 0 && class != syntax2OP:
		a.errorAt(syntaxAt, "OP1_IMM_IMPLIED goes with SYNTAX_2OP only")
		return
	case threeOp && sub == 0x2f:
		a.errorAt(subAt, "sub-opcode 0x2f holds the instructions with fewer operands")
		return
	case class == syntax2OP && !threeOp && sub == 0x3f:
		a.errorAt(subAt, "sub-opcode 0x3f holds the instructions with fewer operands")
		return
	}
	if suffixes&suffixCond != 0 && !threeOp {
		a.warnAt(suffixAt, "SUFFIX_COND is ignored: only instructions with three operands take conditions")
		suffixes &^= suffixCond
	}
	x := &extInsn{name: name}
	x.row = &isa.Row{Name: name, Class: isa.ClassALU}
	x.forms = extForms(x.row, uint32(major), uint32(sub), class, syntax, suffixes)
	if a.ext.instructions == nil {
		a.ext.instructions = make(map[string]*extInsn)
	}
	key := strings.ToLower(name)
	if a.ext.instructions[key] != nil {
		a.errorAt(at, "instruction %q is already defined", name)
		return
	}
	a.ext.instructions[key] = x
	clear(a.opcodes)
	a.ext.record(recordInstruction, []byte{byte(major), byte(sub), byte(class | syntax&op1ImmImplied)}, name)
}

// extForms makes the forms of a user instruction from those of an instruction of the same format.
func extForms(row *isa.Row, major, sub uint32, class, syntax, suffixes int) []*isa.Form {
	model, drop := isa.ADD, 0
	switch {
	case class == syntax2OP && syntax&op1ImmImplied != 0:
		drop = 1
	case class == syntax2OP:
		model = isa.ABS
	case class == syntax1OP, class == syntaxNOP:
		model = isa.SLEEP
	}
	var forms []*isa.Form
	for _, m := range isa.RowOf(model).Forms() {
		f := *m
		f.Row = row
		f.Needs = 0
		f.Exec = isa.Invalid
		f.Value &^= 0x1f << 27
		f.Value |= major << 27
		f.Mask |= 0x1f << 27
		switch model {
		case isa.ADD:
			f.Value = f.Value&^(0x3f<<16) | sub<<16
		case isa.ABS:
			f.Value = f.Value&^0x3f | sub
		default: // the operation stands in the place of b
			f.Value = f.Value&^(7<<24|7<<12) | sub&7<<24 | sub>>3<<12
		}
		f.GNU = f.Value
		null := len(f.Args) > 0 && f.Args[0].Kind == isa.FieldNull
		if f.Allow&isa.ModCC != 0 && suffixes&suffixCond == 0 {
			continue
		}
		if suffixes&suffixFlag == 0 {
			f.Allow &^= isa.ModF
		}
		switch {
		case drop > 0 || syntax&op1MustBeImm != 0:
			if !null {
				continue
			}
		case class == syntax1OP && len(f.Args) == 0:
			continue
		case class == syntaxNOP:
			// Written without operands, encoded with the literal 0.
			if len(f.Args) == 0 || f.Args[0].Kind != isa.FieldImm {
				continue
			}
			f.Args = nil
		}
		// DEVIATION(152): with a long literal first GNU as encodes a write to r0 here, all other forms
		// drop the result.
		if drop > 0 {
			args := append([]isa.Field(nil), f.Args[drop:]...)
			for i := range args {
				if args[i].Same >= 0 {
					args[i].Same -= int8(drop)
				}
			}
			f.Args = args
		}
		forms = append(forms, &f)
	}
	return forms
}

// extend gives an opcode the forms of a user instruction.
func (op *opcode) extend(a *assembler, x *extInsn) {
	for _, form := range x.forms {
		if c, ok := op.candidate(a, x.row, form); ok {
			op.cands = append(op.cands, c)
		}
	}
	if len(op.cands) == 0 {
		op.msg, op.msgOff = "these suffixes are not possible with "+x.name, len(x.name)
	}
}

// extCoreRegister is .extCoreRegister name, number, r|w, can_shortcut.
func (a *assembler) extCoreRegister() {
	name := a.extName()
	n := a.extNumber("the register number", 59)
	needed(a.comma("r|w"))
	a.extMode()
	if a.optionalComma() {
		at := a.i
		if word, ok := a.name("can_shortcut"); ok && word != "can_shortcut" && word != "cannot_shortcut" {
			a.errorAt(at, "expected can_shortcut or cannot_shortcut")
		}
	}
	if a.ext.registers == nil {
		a.ext.registers = make(map[string]uint8)
	}
	a.ext.registers[name] = uint8(n)
	a.ext.record(recordCoreReg, []byte{byte(n)}, name)
}

// extMode reads r, w or r|w. Whether a register may be read or written is not checked.
func (a *assembler) extMode() {
	at := a.i
	for _, word := range a.alternatives() {
		a.giveUpIf(word != "r" && word != "w", at, "expected r, w or r|w")
	}
}

// extAuxRegister is .extAuxRegister name, address, r|w.
func (a *assembler) extAuxRegister() {
	name := a.extName()
	n := need(a.absolute("the address"))
	needed(a.comma("r|w"))
	a.extMode()
	if a.ext.aux == nil {
		a.ext.aux = make(map[string]int64)
	}
	a.ext.aux[name] = n
	a.ext.record(recordAuxReg, binary.BigEndian.AppendUint32(nil, uint32(n)), name)
}

// extCondCode is .extCondCode name, number.
func (a *assembler) extCondCode() {
	name := a.extName()
	at := a.i
	n := a.extNumber("the condition code", 31)
	if n < 16 {
		a.warnAt(at, "condition code %d has a name already", n)
	}
	if a.ext.conds == nil {
		a.ext.conds = make(map[string]isa.Cond)
	}
	a.ext.conds[strings.ToLower(name)] = isa.Cond(n)
	clear(a.opcodes)
	a.ext.record(recordCond, []byte{byte(n)}, name)
}

// extSection is the section .arcextmap, if there is anything to put into it.
func (a *assembler) extSection() *elfarc.Section {
	if a.ext.records == nil {
		return nil
	}
	return &elfarc.Section{Name: ".arcextmap", Type: 1, Align: 1, Data: a.ext.records}
}
