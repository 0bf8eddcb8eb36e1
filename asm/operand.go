package asm

import "arcv2dsp/isa"

// operand is one operand as written.
type operand struct {
	kind operandKind
	reg  uint8
	off  int32 // offset in the text
	list int32 // operandList: the bits of enter_s and leave_s
	e    expr  // operandValue
}

type operandKind uint8

const (
	operandReg   operandKind = iota
	operandConst             // e.n
	operandSym               // e, known only later
	operandList
)

// maxOperands is more than any instruction has.
const maxOperands = 6

// operands are those of the statement being assembled.
type operands struct {
	list        [maxOperands]operand
	n           int
	open, close int8 // operand before "[" and behind "]", -1 without brackets
}

// parseOperands reads the operands of an instruction up to the end of the statement.
func (a *assembler) parseOperands(ops *operands) bool {
	ops.n, ops.open, ops.close = 0, -1, -1
	inside := false
	a.skipBlanks()
	if isEnd(a.s[a.i]) {
		return true
	}
	for {
		if a.s[a.i] == '[' {
			if ops.open >= 0 {
				a.errorAt(a.i, "a second [")
				return false
			}
			ops.open = int8(ops.n)
			inside = true
			a.i++
			a.skipBlanks()
		}
		if ops.n == maxOperands {
			a.errorAt(a.i, "too many operands")
			return false
		}
		if !a.parseOperand(&ops.list[ops.n]) {
			return false
		}
		ops.n++
		if c := a.s[a.i]; isBlank(c) || c == '/' {
			a.skipBlanks()
		}
		if a.s[a.i] == ']' {
			if !inside {
				a.errorAt(a.i, "] without [")
				return false
			}
			inside = false
			ops.close = int8(ops.n - 1)
			a.i++
			a.skipBlanks()
		}
		c := a.s[a.i]
		if c == ',' {
			a.i++
			a.skipBlanks()
			continue
		}
		if inside {
			a.errorAt(a.i, "] is missing")
			return false
		}
		if !isEnd(c) {
			a.errorAt(a.i, "expected a comma before %s", a.word())
			return false
		}
		return true
	}
}

// parseOperand reads one operand at the cursor.
func (a *assembler) parseOperand(op *operand) bool {
	start := a.i
	op.off = int32(start)
	c := a.s[start]
	if c == '%' {
		a.i++
		reg, ok := a.register()
		if !ok {
			a.errorAt(start, "%s is not a register", a.word())
			return false
		}
		op.kind, op.reg = operandReg, reg
		return true
	}
	if isNameFirst(c) {
		if reg, ok := a.register(); ok {
			op.kind, op.reg = operandReg, reg
			return true
		}
	} else if isDigit(c) && a.shortNumber(op) {
		return true
	}
	op.e = a.expression()
	switch op.e.kind {
	case exprNone:
		if isEnd(a.s[a.i]) || a.s[a.i] == ',' || a.s[a.i] == ']' {
			a.errorAt(a.i, "an operand is missing")
		} else {
			a.errorAt(a.i, "unexpected %s in an operand", a.word())
		}
		return false
	case exprConst:
		op.kind = operandConst
	default:
		op.kind = operandSym
		if op.e.mod != opNone && op.e.n != 0 && !operators[op.e.mod].addend {
			a.errorAt(start, "no constant can be added to a symbol with @%s", op.e.mod)
			return false
		}
	}
	return true
}

// shortNumber reads a plain number that is the whole operand, which most constants are.
func (a *assembler) shortNumber(op *operand) bool {
	s, i := a.s, a.i
	n := int64(0)
	if s[i] == '0' && s[i+1]|0x20 == 'x' {
		i += 2
		first := i
		for ; i-first <= 15; i++ {
			d := hexDigit[s[i]]
			if d > 15 {
				break
			}
			n = n<<4 | int64(d)
		}
		if i == first {
			return false
		}
	} else {
		if s[i] == '0' && isDigit(s[i+1]) {
			return false
		}
		first := i
		for ; isDigit(s[i]) && i-first <= 17; i++ {
			n = n*10 + int64(s[i]-'0')
		}
	}
	switch s[i] {
	case ',', '\n', ']':
		a.i = i
		op.kind = operandConst
		op.e = expr{kind: exprConst, n: n, off: op.off}
		return true
	}
	return false
}

var hexDigit = func() (t [256]uint8) {
	for i := range t {
		t[i] = 0xff
	}
	for i := range 10 {
		t['0'+i] = uint8(i)
	}
	for i := range 6 {
		t['a'+i], t['A'+i] = uint8(10+i), uint8(10+i)
	}
	return t
}()

// Bits of the list of enter_s and leave_s.
const (
	listFP    = isa.ListFP
	listBlink = isa.ListBlink
	listPCL   = isa.ListPCL
)

// parseList reads "[r13-r15,fp,blink,pcl]", the same in braces, or a number.
func (a *assembler) parseList(ops *operands) bool {
	ops.n, ops.open, ops.close = 1, -1, -1
	op := &ops.list[0]
	a.skipBlanks()
	op.kind, op.off = operandList, int32(a.i)
	var end byte
	switch a.s[a.i] {
	case '[':
		end = ']'
	case '{':
		end = '}'
	default:
		n, ok := a.absolute("the register list")
		if ok && (n < 0 || n > 127) {
			a.errorAt(int(op.off), "register list %d is out of range 0 to 127", n)
			return false
		}
		op.list = int32(n)
		return ok
	}
	a.i++
	list := int32(0)
	if a.skipBlanks(); a.s[a.i] == end { // empty: only the stack pointer moves
		a.i++
		op.list = 0
		return true
	}
	for {
		a.skipBlanks()
		at := a.i
		if a.s[a.i] == '%' {
			a.i++
		}
		reg, ok := a.register()
		if !ok {
			a.errorAt(at, "%s is not a register", a.word())
			return false
		}
		bit := int32(0)
		switch reg {
		case 27:
			bit = listFP
		case 31:
			bit = listBlink
		case 63:
			bit = listPCL
		case 13:
			last, ok := a.rangeEnd(reg)
			if !ok {
				return false
			}
			if list != 0 {
				a.errorAt(at, "r13 and up must come first in the list")
				return false
			}
			list = int32(last) - 12
		default:
			a.errorAt(at, "the list can hold r13 and up, fp, blink and pcl")
			return false
		}
		if bit != 0 {
			if list >= bit {
				a.errorAt(at, "the order in the list is r13 and up, fp, blink, pcl")
				return false
			}
			list |= bit
		}
		a.skipBlanks()
		switch a.s[a.i] {
		case ',':
			a.i++
			continue
		case end:
			a.i++
			op.list = list
			return true
		}
		a.errorAt(a.i, "expected a comma or %c", end)
		return false
	}
}

// rangeEnd reads "-r20" after r13.
func (a *assembler) rangeEnd(first uint8) (uint8, bool) {
	a.skipBlanks()
	if a.s[a.i] != '-' {
		return first, true
	}
	a.i++
	a.skipBlanks()
	at := a.i
	if a.s[a.i] == '%' {
		a.i++
	}
	last, ok := a.register()
	if !ok || last < first || last > 26 {
		a.errorAt(at, "the range must end with r13 to r26")
		return 0, false
	}
	return last, true
}
