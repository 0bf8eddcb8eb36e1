package asm

import (
	"arcv2dsp/internal/program/elfarc"
	"arcv2dsp/internal/term/spelling"
)

// operator is a relocation operator written after a symbol.
type operator uint8

const (
	opNone operator = iota
	opGotOff
	opGotPC
	opPLT
	opSDA
	opPCL
	opTLSGD
	opTLSIE
	opTPOff
	opDTPOff
	opTPOff9
	opDTPOff9
)

// operatorRow says what an operator makes of the places it can stand in.
type operatorRow struct {
	name   string
	limm   elfarc.Reloc // in a long immediate
	word   elfarc.Reloc // in a data word
	addend bool         // "+constant" may follow
	tls    bool         // the symbol is a thread-local one
}

var operators = [...]operatorRow{
	opNone:    {addend: true},
	opGotOff:  {name: "gotoff", limm: elfarc.R_ARC_GOTOFF, word: elfarc.R_ARC_GOTOFF, addend: true},
	opGotPC:   {name: "gotpc", limm: elfarc.R_ARC_GOTPC32},
	opPLT:     {name: "plt", limm: elfarc.R_ARC_PLT32},
	opSDA:     {name: "sda", limm: elfarc.R_ARC_SDA32_ME, word: elfarc.R_ARC_SDA32, addend: true},
	opPCL:     {name: "pcl", limm: elfarc.R_ARC_PC32, addend: true},
	opTLSGD:   {name: "tlsgd", limm: elfarc.R_ARC_TLS_GD_GOT, tls: true},
	opTLSIE:   {name: "tlsie", limm: elfarc.R_ARC_TLS_IE_GOT, tls: true},
	opTPOff:   {name: "tpoff", limm: elfarc.R_ARC_TLS_LE_32, word: elfarc.R_ARC_TLS_LE_32, addend: true, tls: true},
	opDTPOff:  {name: "dtpoff", limm: elfarc.R_ARC_TLS_DTPOFF, word: elfarc.R_ARC_TLS_DTPOFF, addend: true, tls: true},
	opTPOff9:  {name: "tpoff9"},
	opDTPOff9: {name: "dtpoff9"},
}

func (o operator) String() string { return operators[o].name }

// both is the operator of a sum of two terms: only one of them can have one.
func both(l, r operator) (operator, bool) {
	switch opNone {
	case l:
		return r, true
	case r:
		return l, true
	}
	return opNone, false
}

// data is the relocation of the operator in data.
func (o operator) data(size int) (elfarc.Reloc, bool) {
	r := operators[o].word
	return r, size == 4 && r != elfarc.R_ARC_NONE
}

// relocationOperator reads "@name" after a symbol.
func (a *assembler) relocationOperator(e *expr) {
	at := a.i
	a.i++
	start := a.i
	for isNameChar(a.s[a.i]) {
		a.i++
	}
	name := a.s[start:a.i]
	for o := opGotOff; int(o) < len(operators); o++ {
		if operators[o].name != name {
			continue
		}
		switch o {
		case opTPOff9, opDTPOff9:
			a.errorAt(at, "@%s is not supported: nothing links it", name)
			return
		}
		if e.kind != exprSym {
			// An absolute symbol must still be relocated by name.
			a.errorAt(at, "@%s needs a symbol that is not a constant", name)
			return
		}
		e.mod = o
		a.noteOperator(o)
		if a.s[a.i] == '@' && (o == opDTPOff || o == opTPOff) { // the base symbol of @dtpoff@base
			a.i++
			start := a.i
			for isNameChar(a.s[a.i]) {
				a.i++
			}
			if a.i == start {
				a.errorAt(start, "the base symbol is missing")
				return
			}
			e.sub = a.lookup(a.s[start:a.i])
			e.sub.used = true
		}
		return
	}
	names := make([]string, 0, len(operators))
	for _, row := range operators[1:] {
		names = append(names, row.name)
	}
	if near := spelling.Nearest(name, names); near != "" {
		a.errorAt(at, "unknown relocation operator @%s, did you mean @%s", name, near)
		return
	}
	a.errorAt(at, "unknown relocation operator @%s", name)
}
