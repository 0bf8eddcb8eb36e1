package asm

import "math/bits"

// number reads an integer, or a reference 1f 2b to a numeric label.
func (a *assembler) number() expr {
	start := a.i
	c := a.s[a.i]
	base := uint64(10)
	if c == '0' {
		switch a.s[a.i+1] {
		case 'x', 'X':
			base = 16
			a.i += 2
		case 'b', 'B':
			if next := a.s[a.i+2]; next == '0' || next == '1' {
				base = 2
				a.i += 2
			}
		case 'f', 'F':
		default:
			base = 8
		}
	}
	digits := a.i
	var n, hi uint64
	for ; ; a.i++ {
		d := uint64(0xff)
		switch c := a.s[a.i]; {
		case '0' <= c && c <= '9':
			d = uint64(c - '0')
		case base == 16 && 'a' <= c|0x20 && c|0x20 <= 'f':
			d = uint64(c|0x20-'a') + 10
		}
		if d >= base {
			break
		}
		if hi == 0 {
			var carry uint64
			hi, n = bits.Mul64(n, base)
			n, carry = bits.Add64(n, d, 0)
			hi += carry
		}
	}
	if hi != 0 {
		a.errorAt(start, "the number does not fit in 64 bits")
	}
	switch c := a.s[a.i]; {
	case a.i == digits:
		a.errorAt(a.i, "digits are missing in the number")
	case base != 16 && base != 2 && (c == 'f' || c == 'b') && !isNameChar(a.s[a.i+1]):
		label := n
		if base == 8 { // 010f is label 10
			label = 0
			for _, d := range a.s[digits:a.i] {
				label = label*10 + uint64(d-'0')
			}
		}
		a.i++
		return a.numericLabel(label, c == 'f', start)
	case c == '$' && !isNameChar(a.s[a.i+1]):
		a.i++
		s := a.dollarLabel(n)
		a.index.number(a, s, start, false)
		return expr{kind: exprSym, sym: s}
	case isNameChar(c):
		a.errorAt(a.i, "unexpected %q in the number", c)
		for isNameChar(a.s[a.i]) {
			a.i++
		}
	}
	return constant(int64(n))
}

// charConstant reads 'x, 'x' or an escape.
func (a *assembler) charConstant() expr {
	off := int32(a.i)
	a.i++
	c := a.s[a.i]
	switch c {
	case '\n':
		a.errorAt(int(off), "a character is missing after the quote")
		return constant(0)
	case '\\':
		c = a.escape()
	default:
		a.i++
	}
	if a.s[a.i] == '\'' {
		a.i++
	}
	return expr{kind: exprConst, n: int64(c), off: off}
}

func truth(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// arith computes a binary operator on constants. Comparisons give -1 for true, as in the GNU
// assembler, && and || give 1; >> is logical.
func arith(op byte, l, r int64) (n int64, msg string) {
	compare := func(b bool) (int64, string) { return -truth(b), "" }
	switch op {
	case '+':
		return l + r, ""
	case '-':
		return l - r, ""
	case '*':
		return l * r, ""
	case '/':
		switch r {
		case 0:
			return 0, "division by zero"
		case -1:
			return -l, ""
		}
		return l / r, ""
	case '%':
		switch r {
		case 0:
			return 0, "division by zero"
		case -1:
			return 0, ""
		}
		return l % r, ""
	case opShl:
		if uint64(r) >= 64 {
			return 0, ""
		}
		return l << uint(r), ""
	case opShr:
		if uint64(r) >= 64 {
			return 0, ""
		}
		return int64(uint64(l) >> uint(r)), ""
	case '|':
		return l | r, ""
	case '&':
		return l & r, ""
	case '^':
		return l ^ r, ""
	case opOrNot:
		return l | ^r, ""
	case opEQ:
		return compare(l == r)
	case opNE:
		return compare(l != r)
	case '<':
		return compare(l < r)
	case '>':
		return compare(l > r)
	case opLE:
		return compare(l <= r)
	case opGE:
		return compare(l >= r)
	case opAndAnd:
		return truth(l != 0 && r != 0), ""
	case opOrOr:
		return truth(l != 0 || r != 0), ""
	}
	return 0, "unknown operator"
}
