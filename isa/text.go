package isa

import (
	"strconv"
)

// TextOptions choose the spelling of Text. The text is that of objdump of the GNU ARC tools with its quirks, because
// people compare the two. Where assemblers understand a plainer spelling, a comment says so.
type TextOptions struct {
	Features Feature // core, for the names of auxiliary registers
	Hex      bool    // signed literals in hexadecimal too (objdump -M hex)
}

// Text returns the text of an instruction: the mnemonic with its suffixes, a space, the operands.
func Text(in *Inst, o TextOptions) string {
	return string(o.Append(nil, in, ' '))
}

// Append appends the text of in to b, with sep between mnemonic and operands.
func (o TextOptions) Append(b []byte, in *Inst, sep byte) []byte {
	form := in.FormOf()
	if form == nil {
		return appendRaw(b, in, sep)
	}
	b = appendMnemonic(b, in, form)
	if len(form.Args) == 0 {
		return b
	}
	b = append(b, sep)
	for i := range form.Args {
		if i > 0 {
			b = append(b, ',')
		}
		if i == int(form.Open) {
			b = append(b, '[')
		}
		b = o.appendOperand(b, in, form, i)
		if i == int(form.Close) {
			b = append(b, ']')
		}
	}
	return b
}

// appendRaw prints bytes that are no instruction as data.
func appendRaw(b []byte, in *Inst, sep byte) []byte {
	if in.Len == 2 {
		return appendHexPadded(append(append(b, ".short"...), sep), in.Word, 4)
	}
	return appendHexPadded(append(append(b, ".word"...), sep), in.Word, 8)
}

func appendHexPadded(b []byte, v uint32, digits int) []byte {
	b = append(b, "0x"...)
	for shift := 4 * (digits - 1); shift >= 0; shift -= 4 {
		b = append(b, "0123456789abcdef"[v>>shift&15])
	}
	return b
}

// appendMnemonic appends the mnemonic and the suffixes in the order of the GNU table.
func appendMnemonic(b []byte, in *Inst, form *Form) []byte {
	b = append(b, form.Row.Name...)
	written := form.Allow | form.Require
	// The condition of a branch is part of the name: beq, jlne. GNU knows the extension
	// conditions so only for b.
	dot, condFirst := ".", false
	switch in.Op {
	case LD, ST:
		b = append(b, [...]string{"", "b", "h", "d"}[in.Size]...)
	case B:
		dot = ""
	case BL, J, JL, LP:
		if in.Cond <= CondPNZ {
			dot = ""
		}
	case DSP_FP_DIV, DSP_FP_CMP:
		condFirst = true
	}
	b = appendIf(b, in.SetFlags && !condFirst, ".f")
	if written&ModCC != 0 && in.Cond != CondAL {
		b = append(append(b, dot...), in.Cond.String()...)
	}
	b = appendIf(b, in.SetFlags && condFirst, ".f")
	if written&ModD != 0 {
		b = appendIf(b, in.Delay, ".d")
	}
	if written&ModT != 0 {
		// The bit itself; the meaning of .t to an assembler depends on the direction of the branch.
		b = append(b, [...]string{".nt", ".t"}[boolIndex(in.Hint)]...)
	}
	if written&ModDI != 0 {
		b = appendIf(b, in.Uncached, ".di")
	}
	if written&ModAA != 0 {
		b = append(b, [...]string{"", ".aw", ".ab", ".as"}[in.Addr]...)
	}
	if written&ModX != 0 {
		b = appendIf(b, in.SignExtend, ".x")
	}
	return b
}

func appendIf(b []byte, cond bool, s string) []byte {
	if cond {
		b = append(b, s...)
	}
	return b
}

func boolIndex(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (o TextOptions) appendOperand(b []byte, in *Inst, form *Form, i int) []byte {
	fd, op := &form.Args[i], &in.Args[i]
	switch op.Kind {
	case OpNull:
		return append(b, '0')
	case OpReg:
		b = append(b, RegName(op.Reg)...)
		if fd.Pair {
			b = append(b, RegName(op.Reg|1)...)
		}
		return b
	case OpRegList:
		return appendList(b, op.Val)
	case OpTarget:
		if !fd.Signed {
			return appendHex(b, uint32(op.Val))
		}
		return o.appendSigned(b, op.Val)
	}
	if form.Open == int8(i) && isAux(form.Row) {
		if name, ok := o.auxName(uint32(op.Val)); ok {
			return append(b, name...)
		}
	}
	if fd.Signed && fd.Kind != FieldLimm || fd.MinusOne {
		return o.appendSigned(b, op.Val)
	}
	return appendHex(b, uint32(op.Val))
}

// isAux reports whether the operand in brackets names an auxiliary register.
func isAux(r *Row) bool {
	return r.Op == LR || r.Op == SR || r.Op == AEX
}

// auxName returns the name that the GNU tools print for an auxiliary register. On EM they stop at
// the registers of the floating-point extensions and print the numbers of those beyond.
func (o TextOptions) auxName(addr uint32) (string, bool) {
	r, ok := AuxByAddr(addr, o.Features, true)
	if !ok || o.Features.Has(EM) && addr >= fpuAux {
		return "", false
	}
	return r.Name, true
}

// fpuAux is where the auxiliary registers of the floating-point extensions begin.
const fpuAux = 0x300

func (o TextOptions) appendSigned(b []byte, v int32) []byte {
	if o.Hex {
		return appendHex(b, uint32(v))
	}
	return strconv.AppendInt(b, int64(v), 10)
}

// appendHex prints 0 without a prefix.
func appendHex(b []byte, v uint32) []byte {
	if v != 0 {
		b = append(b, "0x"...)
	}
	return strconv.AppendUint(b, uint64(v), 16)
}

// appendList prints the register list of enter_s and leave_s.
func appendList(b []byte, v int32) []byte {
	b = append(b, '[')
	n := v & ListCount
	empty := len(b)
	if n > 0 {
		b = append(b, "r13"...)
	}
	if n > 1 {
		b = append(append(b, '-'), RegName(uint8(12+n))...)
	}
	for _, part := range [...]struct {
		bit  int32
		name string
	}{{ListFP, "fp"}, {ListBlink, "blink"}, {ListPCL, "pcl"}} {
		if v&part.bit == 0 {
			continue
		}
		if len(b) > empty {
			b = append(b, ',')
		}
		b = append(b, part.name...)
	}
	return append(b, ']')
}

// Target returns the address that the comment after an instruction shows: a branch target, or what
// a literal added to PCL points at.
func Target(in *Inst, pc uint32) (uint32, bool) {
	form := in.FormOf()
	if form == nil {
		return 0, false
	}
	relative, offset, found := false, int32(0), false
	for i := range form.Args {
		switch op := &in.Args[i]; op.Kind {
		case OpTarget:
			relative, offset, found = true, op.Val, true
		case OpImm:
			offset, found = op.Val, true
		case OpReg:
			relative = op.Reg == RegPCL
		}
	}
	return pc&^3 + uint32(offset), relative && found
}
