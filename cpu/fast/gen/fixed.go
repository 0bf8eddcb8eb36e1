package main

import (
	"fmt"
	"strings"
)

// leafHead and leafTail are the frame of the leaf. The dispatch must stay free of calls and of
// stores to the stack: a test reads the compiled code.
//
// A case ends by falling out of the switch (next micro-operation), goto next (leave the block
// through edge ex to block nb) or goto slow (the reference engine executes the instruction).
const leafHead = `package fast

import (
	"math/bits"
	"unsafe"

	"arcv2dsp/cpu"
	"arcv2dsp/dspunit"
)

var _ = bits.Len // not every version of the semantics needs it

// leaf executes micro-operations from u in blk until something needs the driver. It makes no calls.
// It returns why, the block it leaves or, by an edge, the one ahead, and the micro-operation it
// stopped at.
func leaf(e *state, c *cpu.CPU, blk *block, u *uop) (why exit, b *block, at *uop, out *edge) {
	var ex *edge
	var nb *block
	var a uint64
	for {
		switch u.op {
`

const leafTail = `default:
			return exitSlow, blk, u, nil
		}
		u = (*uop)(unsafe.Add(unsafe.Pointer(u), uopSize))
		continue
	next:
		ex.n++
		a = e.acct + ex.acct
		e.acct = a
		if uint32(a)+nb.need > e.limit {
			return exitEdge, nb, u, ex
		}
		blk = nb
		u = nb.first
		continue
	slow:
		return exitSlow, blk, u, nil
	}
}
`

// fixedCases are the micro-operations that are not value functions: memory, control flow, ports.
func fixedCases() []leafCase {
	var list []leafCase
	add := func(name, doc, body string) {
		list = append(list, leafCase{name: name, doc: doc, body: strings.TrimSpace(body) + "\n"})
	}

	add("LI", "a = imm", "c.R[u.a] = u.imm")
	add("COND", "a = condition", "c.R[u.a] = u.x >> (c.F & 31) & 1")
	add("BIT", "a = bit y of x", "c.R[u.a] = c.R[u.b] >> ((c.R[u.c] + u.imm) & 31) & 1")
	add("SKIP", "skip imm bytes of micro-operations unless the condition holds", `
if u.x>>(c.F&31)&1 == 0 { u = (*uop)(unsafe.Add(unsafe.Pointer(u), u.imm)) }`)

	sizes := []struct{ name, typ, mask string }{
		{"W", "uint32", "3"}, {"H", "uint16", "1"}, {"HX", "int16", "1"}, {"B", "uint8", ""}, {"BX", "int8", ""}, {"D", "uint64", "3"},
	}
	modes := []struct{ name, doc, addr, after string }{
		{"", "[b+imm]", "addr := c.R[u.b] + u.imm", ""},
		{"R", "[b+c<<d+imm]", "addr := c.R[u.b] + c.R[u.c]<<(u.d&31) + u.imm", ""},
		{"AB", "[b], b += c+imm", "addr := c.R[u.b]; back := addr + c.R[u.c] + u.imm", "c.R[u.b] = back"},
		{"AW", "b += c+imm, [b]", "addr := c.R[u.b] + c.R[u.c] + u.imm; back := addr", "c.R[u.b] = back"},
	}
	check := func(table, mask string, double bool) string {
		text := fmt.Sprintf("h := *(*unsafe.Pointer)(unsafe.Pointer(&c.Mem.%s[addr>>12]))\n", table)
		cond := "h == nil"
		if mask != "" {
			cond += " || addr&" + mask + " != 0"
		}
		if double {
			cond += " || addr&0xfff > 0xff8"
		}
		return text + "if " + cond + " { goto slow }\n"
	}
	for _, s := range sizes {
		for _, m := range modes {
			body := m.addr + "\n" + check("Read", s.mask, s.name == "D")
			value := fmt.Sprintf("*(*%s)(unsafe.Add(h, addr&0xfff))", s.typ)
			body += "v := " + value + "\n" + m.after + "\n"
			switch {
			case s.name == "D":
				body += "*(*uint64)(unsafe.Pointer(&c.R[u.a])) = v"
			case s.typ[0] == 'i':
				body += "c.R[u.a] = uint32(int32(v))"
			default:
				body += "c.R[u.a] = uint32(v)"
			}
			add("LD"+s.name+m.name, "load "+s.typ+" "+m.doc, body)
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
			body := m.addr + "\n" + check("Write", s.mask, s.name == "D")
			value := fmt.Sprintf("%s(c.R[u.a] + u.x)", s.typ)
			if s.name == "D" {
				value = "*(*uint64)(unsafe.Pointer(&c.R[u.a]))"
			}
			body += fmt.Sprintf("*(*%s)(unsafe.Add(h, addr&0xfff)) = %s\n%s", s.typ, value, m.after)
			add("ST"+s.name+m.name, "store "+s.typ+" "+m.doc, body)
		}
	}

	const (
		branch  = "if %s { ex = &blk.exits[1] } else { ex = &blk.exits[0] }\nnb = ex.to\ngoto next"
		dynamic = `
j := &e.jumps[target>>1&jumpMask]
if j.pc != target { return exitJump, blk, u, ex }
nb = j.to
goto next`
	)
	add("END", "leave through exit d", "ex = (*edge)(unsafe.Add(unsafe.Pointer(&blk.exits), uintptr(u.d)))\nnb = ex.to\ngoto next")
	add("BCC", "leave through exit 1 when the condition holds, else 0", fmt.Sprintf(branch, "u.x>>(c.F&31)&1 != 0"))
	for _, b := range []struct{ name, cond string }{
		{"EQ", "c.R[u.b] == c.R[u.c]+u.imm"}, {"NE", "c.R[u.b] != c.R[u.c]+u.imm"},
		{"LT", "int32(c.R[u.b]) < int32(c.R[u.c]+u.imm)"}, {"GE", "int32(c.R[u.b]) >= int32(c.R[u.c]+u.imm)"},
		{"LO", "c.R[u.b] < c.R[u.c]+u.imm"}, {"HS", "c.R[u.b] >= c.R[u.c]+u.imm"},
		{"BIT0", "c.R[u.b]>>((c.R[u.c]+u.imm)&31)&1 == 0"}, {"BIT1", "c.R[u.b]>>((c.R[u.c]+u.imm)&31)&1 != 0"},
	} {
		add("BR"+b.name, "compare and branch", fmt.Sprintf(branch, b.cond))
	}
	add("DBNZ", "decrement a, branch unless zero", "v := c.R[u.a] - 1\nc.R[u.a] = v\n"+fmt.Sprintf(branch, "v != 0"))
	add("JUMP", "leave through exit d to the address x+imm", `
ex = (*edge)(unsafe.Add(unsafe.Pointer(&blk.exits), uintptr(u.d)))
target := (c.R[u.b] + u.imm) &^ 1`+dynamic)
	add("SLOT", "the delay slot of a branch to imm follows", "c.BTA = u.imm")
	add("BRSLOT", "behind the delay slot: leave through exit 1 to imm when b is not 0, else 0", `
if c.R[u.b] != 0 { c.BTA = u.imm; ex = &blk.exits[1] } else { ex = &blk.exits[0] }
nb = ex.to
goto next`)
	add("JUMPSLOT", "behind the delay slot: as jump", `
ex = (*edge)(unsafe.Add(unsafe.Pointer(&blk.exits), uintptr(u.d)))
target := c.R[u.b] &^ 1
c.BTA = target`+dynamic)
	add("LP", "zero-overhead loop from imm to x", "c.LPStart = u.imm\nc.LPEnd = u.x")
	add("ENDLP", "the address imm may be the loop end: loop through exit 1 to x, or fall through exit 0", `
ex = &blk.exits[0]
nb = ex.to
if c.LPEnd == u.imm && c.Status&cpu.StatusL == 0 {
	n := c.R[cpu.SlotLPCount]
	if n > 1 {
		ex = &blk.exits[1]
		nb = ex.to
		c.R[cpu.SlotLPCount] = n - 1
		if c.LPStart != u.x { return exitLoop, blk, u, ex }
	} else {
		c.R[cpu.SlotLPCount] = 0
	}
}
goto next`)
	add("SKIPZ", "skip imm bytes of micro-operations when b is 0", `
if c.R[u.b] == 0 { u = (*uop)(unsafe.Add(unsafe.Pointer(u), u.imm)) }`)
	add("JUMPX", "leave to the address x+imm, the pipeline being busy; x is 1 behind a delay slot", `
if u.x != 0 { c.BTA = (c.R[u.b] + u.imm) &^ 1 }
ex = (*edge)(unsafe.Add(unsafe.Pointer(&blk.exits), uintptr(u.d)))
return exitJump, blk, u, ex`)
	add("AUXLOAD", "a = the auxiliary register kept at offset x of the processor", "c.R[u.a] = *(*uint32)(unsafe.Add(unsafe.Pointer(c), u.x))")
	add("AUXSTORE", "the auxiliary register kept at offset x of the processor = y", "*(*uint32)(unsafe.Add(unsafe.Pointer(c), u.x)) = c.R[u.c] + u.imm")
	add("LR", "leave for the driver to read auxiliary register x into a", "return exitAuxRead, blk, u, nil")
	add("SR", "leave for the driver to write y to auxiliary register x", "return exitAuxWrite, blk, u, nil")
	add("FUSE", "leave for the driver to run iterations when more than imm are left", `
if c.R[cpu.SlotLPCount] > u.imm { return exitFuse, blk, u, nil }`)
	add("SLOW", "leave the instruction to the reference engine", "goto slow")
	add("HAND", "leave the next instruction to the reference engine", "return exitHand, blk, u, nil")

	// AGU ports as micro-operations of their own. The pointer before the instruction is kept in slot
	// c, because a later micro-operation of it may leave; tmpBanks counts reads for the stalls.
	port := func(n, table string, write bool) string {
		x := expander{}
		x.findPort(n, "uint16(u.x)", table)
		return x.out.String()
	}
	load := func() string {
		x := expander{}
		x.line("c.R[u.c] = pa")
		x.step("p")
		x.convert("p")
		x.line("c.R[u.a] = pw")
		return x.out.String()
	}
	add("PLOAD", "a = first port of the instruction", port("p", "Read", false)+`
t := e.missCost[pk]
c.R[tmpBanks] = 1 << (pk * 4)
c.R[tmpStalls] = t
if t != 0 { e.acct += uint64(t); e.missed[pk]++ }
`+load())
	add("PLOAD2", "a = second port of the instruction, after one that read", port("p", "Read", false)+`
t := e.missCost[pk]
n := c.R[tmpBanks]
if t != 0 { e.missed[pk]++ } else if n>>(pk*4)&15 != 0 { t = e.conflict; e.conflicts++ }
c.R[tmpBanks] = n + 1<<(pk*4)
c.R[tmpStalls] += t
e.acct += uint64(t)
`+load())
	add("PCHECK", "leave unless port x can store; b and c are the ports read before, or 255", port("p", "Write", true)+`
c.R[tmpBanks] = 0
c.R[tmpStalls] = 0
if u.b != 255 && (*dspunit.Port)(unsafe.Add(unsafe.Pointer(&c.AGU.Port), uintptr(u.b)*unsafe.Sizeof(dspunit.Port{}))).AP == po.AP { goto slow }
if u.c != 255 && (*dspunit.Port)(unsafe.Add(unsafe.Pointer(&c.AGU.Port), uintptr(u.c)*unsafe.Sizeof(dspunit.Port{}))).AP == po.AP { goto slow }
_ = pk`)
	add("PSTORE", "store a through port x, which has been checked; imm is when the instruction issued", port("p", "Write", true)+`
v := c.R[u.a]
w := v>>(po.D1&31)&po.N1 | v>>(po.D2&31)&po.N2
to := unsafe.Add(ph, pa&0xfff)
switch po.Size {
case 1:
	*(*uint8)(to) = uint8(w)
case 2:
	*(*uint16)(to) = uint16(w)
default:
	*(*uint32)(to) = w
}
*pp = pa + po.Step
if t := e.missCost[pk]; t != 0 {
	e.acct += uint64(t)
	e.missed[pk]++
	break
}
now := e.base + uint64(int64(int32(uint32(e.acct)-c.R[tmpStalls]))) + uint64(u.imm)
reads := c.R[tmpBanks]>>(pk*4) & 15
pend := (*uint8)(unsafe.Add(unsafe.Pointer(&e.buffers.Pending), bankOf(pk)))
last := (*uint64)(unsafe.Add(unsafe.Pointer(&e.buffers.Last), bankOf(pk)*8))
n := uint64(*pend)
n -= min(n, now-min(now, *last))
wait := uint64(0)
if n >= e.depth { n--; wait = 1; e.acct++; e.full++ }
*pend = uint8(n + 1)
*last = now + uint64(reads) + wait`)
	add("PSTEP", "move the pointer of port x", `
po := (*dspunit.Port)(unsafe.Add(unsafe.Pointer(&c.AGU.Port), uint16(u.x)))
if !po.Simple { goto slow }
*(*uint32)(unsafe.Add(unsafe.Pointer(&c.AGU.AP), uintptr(po.AP)*4)) += po.Step`)
	return list
}
