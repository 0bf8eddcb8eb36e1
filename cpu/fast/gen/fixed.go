package main

import (
	"fmt"
	"strings"

	"arcv2dsp/isa"
)

// fixedCases are the micro-operations that are not value functions.
func (p *program) fixedCases() ([]leafCase, error) {
	var list caseList
	list.moves()
	list.memory()
	list.branches()
	if err := list.comparisons(p.sources); err != nil {
		return nil, err
	}
	list.loops()
	list.ports()
	list.exits()
	list.divisions(p)
	return list, nil
}

type caseList []leafCase

func (l *caseList) add(name, doc, body string) {
	*l = append(*l, leafCase{name: name, doc: doc, body: strings.TrimSpace(body) + "\n"})
}

// addBig adds a case that needs many registers; unparkHere marks where it no longer does.
func (l *caseList) addBig(name, doc, body string) {
	l.add(name, doc, body)
	(*l)[len(*l)-1].big = true
}

// moves put values where others find them.
func (l *caseList) moves() {
	l.add("LI", "a = imm", "c.R[u.A] = u.Imm")
	l.add("COND", "a = condition", "c.R[u.A] = u.X >> (c.F & 31) & 1")
	l.add("AUXLOAD", "a = the auxiliary register kept at offset x of the processor",
		"c.R[u.A] = *(*uint32)(unsafe.Add(unsafe.Pointer(c), u.X))")
	l.add("AUXSTORE", "the auxiliary register kept at offset x of the processor = y",
		"*(*uint32)(unsafe.Add(unsafe.Pointer(c), u.X)) = c.R[u.C] + u.Imm")
}

// memory loads and stores: first those of a core without data cache, then in the same order those that
// a data cache serves.
func (l *caseList) memory() {
	l.accesses("", "")
	// A line in front needs no attention, nor do addresses that the cache does not serve.
	l.accesses("C", `line := addr >> (e.DataShift & 31)
if *(*uint32)(unsafe.Add(e.DataTags, uintptr(line&e.DataMask)*4)) != line+1 && c.Mem.Kinds[addr>>12] == memory.RAM {
	e.Touched = addr
	return uop.ExitData, blk, u, nil
}
`)
	l.add("STACK", "leave the instruction unless [b+c<<d+imm] of x bytes lies in the stack", `
addr := c.R[u.B] + c.R[u.C]<<(u.D&31) + u.Imm
if addr < e.StackTop || uint64(addr)+uint64(u.X) > e.StackBase { goto slow }`)
	l.add("FETCH", "the instruction is in the cache line with tag imm, x bytes into the tags in front", `
if *(*uint32)(unsafe.Add(e.FetchTags, u.X)) != u.Imm { return uop.ExitFetch, blk, u, nil }`)
}

// accesses adds the loads and stores of one kind, cache being what they do before they access. An
// access that the page tables do not serve at once, or that is not aligned, is left to the reference
// engine, and so is a double word in two lines of a cache.
func (l *caseList) accesses(suffix, cache string) {
	sizes := []struct{ name, typ, mask string }{
		{"W", "uint32", "3"}, {"H", "uint16", "1"}, {"HX", "int16", "1"},
		{"B", "uint8", ""}, {"BX", "int8", ""}, {"D", "uint64", "3"},
	}
	modes := []struct{ name, doc, addr, after string }{
		{"", "[b+imm]", "addr := c.R[u.B] + u.Imm", ""},
		{"R", "[b+c<<d+imm]", "addr := c.R[u.B] + c.R[u.C]<<(u.D&31) + u.Imm", ""},
		{"AB", "[b], b += c+imm", "addr := c.R[u.B]; back := addr + c.R[u.C] + u.Imm", "c.R[u.B] = back"},
		{"AW", "b += c+imm, [b]", "addr := c.R[u.B] + c.R[u.C] + u.Imm; back := addr", "c.R[u.B] = back"},
	}
	check := func(table, mask string, double bool) string {
		text := fmt.Sprintf("h := *(*unsafe.Pointer)(unsafe.Pointer(&c.Mem.%s[addr>>12]))\n", table)
		cond := "h == nil"
		if mask != "" {
			cond += " || addr&" + mask + " != 0"
		}
		if double {
			cond += " || addr&0xfff > 0xff8"
			if cache != "" {
				cond += " || (addr+4)>>(e.DataShift&31) != addr>>(e.DataShift&31)"
			}
		}
		return text + "if " + cond + " { goto slow }\n" + cache
	}
	for _, s := range sizes {
		for _, m := range modes {
			body := m.addr + "\n" + check("Read", s.mask, s.name == "D")
			body += fmt.Sprintf("v := *(*%s)(unsafe.Add(h, addr&0xfff))\n%s\n", s.typ, m.after)
			switch {
			case s.name == "D":
				body += "*(*uint64)(unsafe.Pointer(&c.R[u.A])) = v"
			case s.typ[0] == 'i':
				body += "c.R[u.A] = uint32(int32(v))"
			default:
				body += "c.R[u.A] = uint32(v)"
			}
			l.add("LD"+s.name+m.name+suffix, "load "+s.typ+" "+m.doc, body)
		}
	}
	for _, s := range sizes {
		if s.typ[0] == 'i' {
			continue
		}
		for _, m := range modes {
			if m.name == "R" {
				continue
			}
			value := fmt.Sprintf("%s(c.R[u.A] + u.X)", s.typ)
			if s.name == "D" {
				value = "*(*uint64)(unsafe.Pointer(&c.R[u.A]))"
			}
			body := m.addr + "\n" + check("Write", s.mask, s.name == "D")
			body += fmt.Sprintf("*(*%s)(unsafe.Add(h, addr&0xfff)) = %s\n%s", s.typ, value, m.after)
			l.add("ST"+s.name+m.name+suffix, "store "+s.typ+" "+m.doc, body)
		}
	}
}

// choose leaves the block by a condition.
const choose = "if %s { ex = &blk.Exits[1] } else { ex = &blk.Exits[0] }\nnb = ex.To\ngoto next"

// caseOf is how the cases of a comparison are named.
func caseOf(kind isa.Comparison) string { return strings.ToUpper(kind.String()) }

// comparisons are the branches that compare, and what leaves the decision in a register, from the functions
// that decide. It is an error when a comparison has no function or a row names none.
func (l *caseList) comparisons(s *sources) error {
	for _, r := range isa.Rows() {
		executed := r.Op
		if r.Exec != isa.Invalid {
			executed = r.Exec
		}
		if (isa.RowOf(executed).Shape == isa.ShapeCmpBr) != (r.Compare != isa.CompareNone) {
			return fmt.Errorf("isa: row %s: Shape and Compare do not agree", r.Name)
		}
	}
	for kind := isa.CompareNone + 1; kind < isa.NumComparisons; kind++ {
		f := s.comparisons[kind.String()]
		if f == nil {
			return fmt.Errorf("cpu/semantics has no function Compare%s", kind)
		}
		x := &expander{sources: s}
		taken := x.body(f, nil)["taken"]
		x.line("v := uint32(0)\nif %s {\nv = 1\n}\nc.R[u.A] = v", taken)
		set, err := prune(x.out.String())
		if err != nil {
			return err
		}
		x = &expander{sources: s}
		taken = x.body(f, nil)["taken"]
		x.line(choose, taken)
		branch, err := prune(x.out.String())
		if err != nil {
			return err
		}
		l.add("BR"+caseOf(kind), "compare and branch", branch)
		l.add("TEST"+caseOf(kind), "a = 1 when the comparison holds, else 0", set)
	}
	return nil
}

// branches leave the block.
func (l *caseList) branches() {
	const (
		exitD   = "ex = (*uop.Edge)(unsafe.Add(unsafe.Pointer(&blk.Exits), uintptr(u.D)))\n"
		dynamic = `
j := &e.Jumps[target>>1&uop.JumpMask]
if j.At != uint64(u.X)<<32|uint64(target) { return uop.ExitJump, blk, u, ex }
nb = j.To
goto next`
		busy = `
j := &e.Late[target>>1&uop.JumpMask]
if j.By != ex || j.At != uint64(u.X)<<32|uint64(target) { return uop.ExitJump, blk, u, ex }
nb = j.To
goto next`
	)
	l.add("END", "leave through exit d", exitD+"nb = ex.To\ngoto next")
	l.add("SKIP", "skip imm bytes of micro-operations unless the condition holds", "if u.X>>(c.F&31)&1 == 0 { goto skip }")
	l.add("SKIPZ", "skip imm bytes of micro-operations when b is 0", "if c.R[u.B] == 0 { goto skip }")
	l.add("BCC", "leave through exit 1 when the condition holds, else 0", fmt.Sprintf(choose, "u.X>>(c.F&31)&1 != 0"))
	l.add("DBNZ", "decrement a, branch unless zero", "v := c.R[u.A] - 1\nc.R[u.A] = v\n"+fmt.Sprintf(choose, "v != 0"))
	l.add("JUMP", "leave through exit d to the address b+imm, in mode x",
		exitD+"target := (c.R[u.B] + u.Imm) &^ 1"+dynamic)
	l.add("JUMPX", "as jump, the pipeline being busy",
		exitD+"target := (c.R[u.B] + u.Imm) &^ 1"+busy)
	l.add("SLOT", "the delay slot of a branch to imm follows", "c.BTA = u.Imm")
	l.add("BRSLOT", "behind the delay slot: leave through exit 1 to imm when b is not 0, else 0", `
if c.R[u.B] != 0 { c.BTA = u.Imm; ex = &blk.Exits[1] } else { ex = &blk.Exits[0] }
nb = ex.To
goto next`)
	l.add("JUMPSLOT", "behind the delay slot: as jump", exitD+"target := c.R[u.B] &^ 1\nc.BTA = target"+dynamic)
	l.add("JUMPXSLOT", "behind the delay slot: as jumpx", exitD+"target := c.R[u.B] &^ 1\nc.BTA = target"+busy)
}

// loops are the zero-overhead loops.
func (l *caseList) loops() {
	l.add("LP", "zero-overhead loop from imm to x", "c.LPStart = u.Imm\nc.LPEnd = u.X\nc.Status &^= cpu.StatusL")
	l.add("ENDLP", "the address imm may be the loop end: loop through exit 1 to x, or fall through exit 0", `
ex = &blk.Exits[0]
nb = ex.To
if c.LPEnd == u.Imm && c.Status&cpu.StatusL == 0 {
	n := c.R[cpu.SlotLPCount]
	if n > 1 {
		ex = &blk.Exits[1]
		nb = ex.To
		c.R[cpu.SlotLPCount] = n - 1
		if c.LPStart != u.X { return uop.ExitLoop, blk, u, ex }
	} else {
		c.R[cpu.SlotLPCount] = 0
	}
}
goto next`)
	l.add("FUSE", "leave for the driver to run iterations when more than imm are left",
		"if c.R[cpu.SlotLPCount] > u.Imm { return uop.ExitFuse, blk, u, nil }")
}

// exits leave the leaf for the driver.
func (l *caseList) exits() {
	l.add("LR", "leave for the driver to read auxiliary register x into a", "return uop.ExitAuxRead, blk, u, nil")
	l.add("SR", "leave for the driver to write y to auxiliary register x", "return uop.ExitAuxWrite, blk, u, nil")
	l.add("FUNCTION", "leave for the driver to compute instruction x, a function", "return uop.ExitFunction, blk, u, nil")
	l.add("SLOW", "leave the instruction to the reference engine", "goto slow")
	l.add("HAND", "leave the next instruction to the reference engine", "return uop.ExitHand, blk, u, nil")
}

// divisions leave the leaf for the driver, since what Go does about a divisor of 0 costs the other cases
// registers. Compiled code leaves those without a quotient to the reference engine.
func (l *caseList) divisions(p *program) {
	for _, d := range [...]struct{ op, none, value string }{
		{"DIV", "NoQuotientSigned", "QuotientSigned"}, {"DIVU", "NoQuotient", "Quotient"},
		{"REM", "NoQuotientSigned", "RemainderSigned"}, {"REMU", "NoQuotient", "Remainder"},
	} {
		for _, v := range [...]variant{plain, flagged} {
			x := &expander{sources: p.sources, keep: p.keep}
			value := p.divisions[d.value]
			args := x.fetch(value, nil)
			x.line("if %s { goto slow }", x.expand(p.divisions[d.none], args[:2])[0])
			zf := x.expand(value, args)
			x.line("c.R[u.D] = %s", zf[0])
			if v == flagged {
				x.line(results["f"].text, zf[1])
			}
			x.line(results["z"].text, zf[0])
			l.add(d.op+v.suffix, strings.TrimSpace("leave for the driver to compute "+strings.ToLower(d.op)+" "+v.doc)+", the quotient also to d",
				"return uop.ExitFunction, blk, u, nil")
			(*l)[len(*l)-1].compiled = x.out.String()
		}
	}
}
