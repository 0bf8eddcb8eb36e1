package asm

import (
	"strconv"
	"strings"

	"arcv2dsp/internal/program/elfarc"
	"arcv2dsp/internal/term/spelling"
	"arcv2dsp/isa"
)

// opcode is a mnemonic with its suffixes as one word of the text, such as "add.f.ne": which forms it
// may mean. The text of a program has few different ones, so they are kept.
type opcode struct {
	name   string // the mnemonic without suffixes
	cands  []candidate
	absent []candidate // forms that the core lacks
	pseudo pseudo
	bare   bool   // [b] stands for [b,0]
	aux    bool   // the address may be the name of an auxiliary register
	msg    string // what is wrong with the word itself
	msgOff int    // where in the word

	mods mods // as written, for pseudo instructions
}

// candidate is one form with the suffixes worked in.
type candidate struct {
	form *isa.Form
	mods isa.Mods
	hint int8 // .t or .nt, see hintTaken
	row  *isa.Row
	slot slotKind

	limmReloc elfarc.Reloc
}

// slotKind classifies an instruction for the delay-slot rules.
type slotKind uint8

const (
	slotPlain  slotKind = iota
	slotBranch          // may not stand in a delay slot
	slotDelay           // a branch that has a delay slot
)

// mods are the suffixes as written.
type mods struct {
	isa.Mods
	given isa.ModSet
	hint  int8
}

// Prediction hints.
const (
	hintNone     int8 = 0
	hintTaken    int8 = 1 // .t
	hintNotTaken int8 = 2 // .nt
	hintBit      int8 = 4 // bbit: the sense of Y is the other way round
)

// lookupOpcode finds what a word of the text means.
func (a *assembler) lookupOpcode(word string) *opcode {
	if op := a.opcodes[word]; op != nil {
		return op
	}
	op := a.newOpcode(word)
	a.opcodes[word] = op
	return op
}

// newOpcode works out a word.
func (a *assembler) newOpcode(word string) *opcode {
	lower := strings.ToLower(word)
	name, suffixes, dot := strings.Cut(lower, ".")
	op := &opcode{name: name}
	if dot && suffixes == "" {
		op.msg, op.msgOff = "a suffix is missing after the dot", len(name)
		return op
	}
	if x := a.ext.instructions[name]; x != nil {
		op.name = x.name
		if op.suffixes(a, suffixes, len(name)+1) {
			op.extend(a, x)
		}
		return op
	}
	rows := isa.ByName(name)
	if rows == nil {
		if op.pseudo = pseudos[name]; op.pseudo == pseudoNone {
			var base string
			if base, op.mods = fused(name); base == "" {
				op.msg = a.unknownMnemonic(word, name)
				return op
			}
			op.name = base
			rows = isa.ByName(base)
		}
	}
	if !op.suffixes(a, suffixes, len(name)+1) {
		return op
	}
	if op.pseudo != pseudoNone {
		return op
	}
	switch rows[0].Op {
	case isa.LR, isa.SR, isa.AEX:
		op.aux = true
	case isa.LD_S, isa.LDB_S, isa.LDH_S, isa.ST_S, isa.STB_S, isa.STH_S,
		isa.PREFETCH, isa.PREALLOC, isa.PREFETCHW:
		op.bare = true
	}
	lacking := isa.Feature(0)
	for _, row := range rows {
		for _, form := range row.Forms() {
			c, ok := op.candidate(a, row, form)
			if !ok {
				continue
			}
			if form.Needs&^a.cpu.legal != 0 {
				lacking = form.Needs
				op.absent = append(op.absent, c)
				continue
			}
			op.cands = append(op.cands, c)
		}
	}
	switch {
	case len(op.cands) > 0:
	case lacking != 0:
		op.msg = a.cpu.absence(op.name, lacking)
	default:
		op.msg = "these suffixes are not possible with " + op.name + suffixHelp(rows)
		op.msgOff = len(name)
	}
	return op
}

// suffixHelp lists the suffixes that the forms of a mnemonic take.
func suffixHelp(rows []*isa.Row) string {
	var set isa.ModSet
	for _, row := range rows {
		for _, form := range row.Forms() {
			set |= form.Allow | form.Require
		}
	}
	if set == 0 {
		return ": it takes none"
	}
	var names []string
	for _, k := range []struct {
		kind isa.ModSet
		text string
	}{
		{isa.ModF, ".f"}, {isa.ModCC, ".cc"}, {isa.ModD, ".d"}, {isa.ModT, ".t .nt"}, {isa.ModAA, ".aw .ab .as"},
		{isa.ModSize, "b h"}, {isa.ModX, ".x"}, {isa.ModDI, ".di"},
	} {
		if set&k.kind != 0 {
			names = append(names, k.text)
		}
	}
	return ": it takes " + strings.Join(names, " ")
}

// fused takes a mnemonic apart that has a condition or size in it: beq, stb.
func fused(name string) (base string, m mods) {
	for _, b := range [...]string{"bl", "b", "jl", "j", "lp"} {
		rest, ok := strings.CutPrefix(name, b)
		if !ok || rest == "" {
			continue
		}
		if cc, ok := isa.CondByName(rest); ok {
			m.Cond, m.given = cc, isa.ModCC
			return b, m
		}
	}
	if len(name) == 3 && (name[:2] == "ld" || name[:2] == "st") {
		if size, ok := sizes[name[2:]]; ok {
			m.Size, m.given = size, isa.ModSize
			return name[:2], m
		}
	}
	return "", m
}

var sizes = map[string]isa.MemSize{"b": isa.SizeByte, "h": isa.SizeHalf, "w": isa.SizeHalf}

// suffixes reads ".f.ne" without the first dot; at is its offset in the word.
func (op *opcode) suffixes(a *assembler, text string, at int) bool {
	for text != "" {
		suffix, rest, more := strings.Cut(text, ".")
		if !op.suffix(a, suffix) {
			op.msg, op.msgOff = op.suffixError(suffix), at-1
			return false
		}
		if more && rest == "" {
			op.msg, op.msgOff = "a suffix is missing after the dot", at+len(suffix)
			return false
		}
		at += len(suffix) + 1
		text = rest
	}
	return true
}

func (op *opcode) suffixError(suffix string) string {
	if suffix == "" {
		return "a suffix is missing after the dot"
	}
	return "suffix ." + suffix + " is unknown, or contradicts one before it"
}

// suffix works one suffix in; false when it is unknown or of a kind that is there already.
func (op *opcode) suffix(a *assembler, s string) bool {
	m := &op.mods
	set := func(kind isa.ModSet) bool {
		fresh := m.given&kind == 0
		m.given |= kind
		return fresh
	}
	switch s {
	case "f":
		m.SetFlags = true
		return set(isa.ModF)
	case "d":
		m.Delay = true
		return set(isa.ModD)
	case "nd":
		return set(isa.ModD)
	case "aw", "a":
		m.Addr = isa.AddrPre
		return set(isa.ModAA)
	case "ab":
		m.Addr = isa.AddrPost
		return set(isa.ModAA)
	case "as":
		m.Addr = isa.AddrScaled
		return set(isa.ModAA)
	case "di":
		m.Uncached = true
		return set(isa.ModDI)
	case "x":
		m.SignExtend = true
		return set(isa.ModX)
	case "t":
		m.hint = hintTaken
		return set(isa.ModT)
	case "nt":
		if op.takesHint() {
			m.hint = hintNotTaken
			return set(isa.ModT)
		}
	}
	if size, ok := sizes[s]; ok && (op.name == "ld" || op.name == "st") {
		m.Size = size
		return set(isa.ModSize)
	}
	if cc, ok := a.ext.conds[s]; ok {
		m.Cond = cc
		return set(isa.ModCC)
	}
	if cc, ok := isa.CondByName(s); ok {
		m.Cond = cc
		return set(isa.ModCC)
	}
	return false
}

// takesHint tells whether .nt is a prediction hint for the mnemonic and not a condition.
func (op *opcode) takesHint() bool {
	if op.pseudo != pseudoNone {
		return true
	}
	for _, row := range isa.ByName(op.name) {
		for _, form := range row.Forms() {
			if form.Allow&isa.ModT != 0 {
				return true
			}
		}
	}
	return false
}

// candidate tries the suffixes on a form.
func (op *opcode) candidate(a *assembler, row *isa.Row, form *isa.Form) (candidate, bool) {
	m := &op.mods
	if m.given&^(form.Allow|form.Require) != 0 || form.Require&^m.given != 0 {
		return candidate{}, false
	}
	w := form.Fix
	if m.given&isa.ModF != 0 {
		w.SetFlags = m.SetFlags
	}
	if m.given&isa.ModCC != 0 {
		w.Cond = m.Cond
	}
	if m.given&isa.ModD != 0 {
		w.Delay = m.Delay
	}
	if m.given&isa.ModAA != 0 {
		w.Addr = m.Addr
	}
	if m.given&isa.ModSize != 0 {
		w.Size = m.Size
	}
	if m.given&isa.ModX != 0 {
		w.SignExtend = m.SignExtend
	}
	if m.given&isa.ModDI != 0 {
		w.Uncached = m.Uncached
	}
	// DEVIATION(150): mov_s.nz is taken for mov_s.ne; GNU as wants the spelling ne here alone.
	req := form.Require
	if req&isa.ModCC != 0 && w.Cond != form.Fix.Cond || req&isa.ModAA != 0 && w.Addr != form.Fix.Addr ||
		req&isa.ModD != 0 && w.Delay != form.Fix.Delay || req&isa.ModX != 0 && w.SignExtend != form.Fix.SignExtend {
		return candidate{}, false
	}
	c := candidate{form: form, mods: w, row: row, hint: m.hint, limmReloc: elfarc.R_ARC_32_ME}
	if c.hint != hintNone && (row.Op == isa.BBIT0 || row.Op == isa.BBIT1) {
		c.hint |= hintBit
	}
	switch row.Class {
	case isa.ClassBranch, isa.ClassCmpBranch, isa.ClassJump, isa.ClassTableJump, isa.ClassTableEntry,
		isa.ClassLoop, isa.ClassFrame:
		c.slot = slotBranch
		if w.Delay {
			c.slot = slotDelay
		}
	}
	return c, true
}

// unknownMnemonic says what a word that is no instruction may have meant.
func (a *assembler) unknownMnemonic(word, name string) string {
	names := Mnemonics()
	for n := range a.ext.instructions {
		names = append(names, n)
	}
	for n := range a.macros {
		names = append(names, n)
	}
	text := "unknown instruction " + quoteWord(word)
	switch name {
	case "extw", "sexw", "extw_s", "sexw_s", "ldw_s", "stw_s":
		return text + " of older cores, now " + strings.Replace(name, "w", "h", 1)
	}
	if near := spelling.Nearest(name, names); near != "" {
		return text + ", did you mean " + near
	}
	return text
}

func quoteWord(s string) string {
	if len(s) > 60 {
		s = s[:60] + "..."
	}
	return strconv.Quote(s)
}
