package debug

import (
	"math/bits"

	"arcv2dsp/isa"
)

// prologue is the effect on its frame of a function without frame information up to an instruction.
// Offsets are from the canonical frame address, which is sp at the entry.
type prologue struct {
	sp    int32           // sp - CFA
	fp    int32           // CFA - fp, 0 when fp is not a frame pointer
	saved map[uint8]int32 // where registers are stored
}

// maxPrologue bounds the instructions looked at.
const maxPrologue = 1 << 13

// prologue follows sp, fp and saved registers from the entry of the function along its branches to
// the frame's instruction. Compilers keep the frame the same on all ways to an instruction, so the
// first way found will do.
func (d *Debugger) prologue(f *Frame) prologue {
	entry := prologue{saved: map[uint8]int32{}}
	s, _, ok := d.m.Symbols().At(f.lookup())
	if !ok || f.lookup()-s.Addr > 1<<20 {
		return entry
	}
	type way struct {
		pc uint32
		p  *prologue
	}
	queue := []way{{pc: s.Addr, p: &entry}}
	seen := map[uint32]bool{}
	deepest := &entry
	for len(queue) > 0 && len(seen) < maxPrologue {
		w := queue[0]
		queue = queue[1:]
		for pc, p := w.pc, w.p.clone(); !seen[pc]; {
			if pc == f.PC {
				return *p
			}
			seen[pc] = true
			in, err := d.m.Decode(pc)
			if err != nil {
				break
			}
			if !in.Control() {
				p.follow(&in)
				pc += uint32(in.Len)
				continue
			}
			if p.sp < deepest.sp {
				deepest = p.clone()
			}
			to := d.flow(pc)
			if in.Op == isa.LEAVE_S { // nothing but a return
				break
			}
			if to.delay {
				slot := pc + to.len
				if slot == f.PC {
					return *p
				}
				if in, err := d.m.Decode(slot); err == nil {
					p.follow(&in)
				}
			}
			if target, ok := branchTarget(&in, pc); ok && to.kind == flowJump {
				queue = append(queue, way{pc: target, p: p.clone()})
			}
			if unconditional(&in) && to.kind != flowCall {
				break
			}
			pc = to.after(pc)
		}
	}
	return *deepest // reached through a table of addresses, with the frame complete
}

// branchTarget returns where a branch goes when it is taken.
func branchTarget(in *isa.Inst, pc uint32) (uint32, bool) {
	for i := range in.N {
		if a := in.Args[i]; a.Kind == isa.OpTarget {
			return pc&^3 + uint32(a.Val), true
		}
	}
	return 0, false
}

// unconditional tells whether the instruction behind a branch is reached some other way only.
func unconditional(in *isa.Inst) bool {
	switch in.Op {
	case isa.B, isa.B_S, isa.J, isa.J_S:
		return in.Cond == isa.CondAL
	}
	return false
}

func (p *prologue) clone() *prologue {
	q := *p
	q.saved = map[uint8]int32{}
	for n, off := range p.saved {
		q.saved[n] = off
	}
	return &q
}

// follow applies what an instruction does to sp, fp and saved registers.
func (p *prologue) follow(in *isa.Inst) {
	a := in.Args
	isReg := func(i int, n uint8) bool { return a[i].Kind == isa.OpReg && a[i].Reg == n }
	switch in.Op {
	case isa.PUSH_S:
		p.sp -= 4
		p.save(a[0].Reg, p.sp)
		return
	case isa.POP_S:
		p.sp += 4
		p.restore(a[0].Reg)
		return
	case isa.ENTER_S:
		p.enter(uint32(a[0].Val))
		return
	}
	switch in.Exec() {
	case isa.ST:
		if in.N < 3 || !isReg(1, regSP) {
			return
		}
		at := p.sp
		switch off := a[2].Val; in.Addr {
		case isa.AddrPre:
			p.sp += off
			at = p.sp
		case isa.AddrPost:
			p.sp += off
		case isa.AddrScaled:
			at += off * 4
		default:
			at += off
		}
		if a[0].Kind == isa.OpReg {
			p.save(a[0].Reg, at)
		}
	case isa.LD:
		if in.N < 3 || !isReg(1, regSP) {
			return
		}
		if in.Addr == isa.AddrPost || in.Addr == isa.AddrPre {
			p.sp += a[2].Val
			if a[0].Kind == isa.OpReg {
				p.restore(a[0].Reg)
			}
		}
	case isa.SUB, isa.ADD:
		if in.N == 3 && isReg(0, regSP) && isReg(1, regSP) && a[2].Kind == isa.OpImm {
			if in.Exec() == isa.SUB {
				p.sp -= a[2].Val
			} else {
				p.sp += a[2].Val
			}
		}
	case isa.MOV:
		switch {
		case isReg(0, regFP) && isReg(1, regSP):
			p.fp = -p.sp
		case isReg(0, regSP) && isReg(1, regFP):
			p.sp = -p.fp
		}
	}
}

// restore notes that a register has its caller's value again.
func (p *prologue) restore(n uint8) {
	delete(p.saved, n)
	if n == regFP {
		p.fp = 0
	}
}

// save notes where a register is stored, the first time: later stores are of other values.
func (p *prologue) save(n uint8, at int32) {
	if _, have := p.saved[n]; !have && (n >= 13 && n <= 27 || n == regBlink) {
		p.saved[n] = at
	}
}

// enter applies enter_s: blink first, then r13 upwards, then fp, from the lowest address.
func (p *prologue) enter(list uint32) {
	count := int32(list & isa.ListCount)
	words := count + int32(bits.OnesCount32(list&(isa.ListFP|isa.ListBlink)))
	p.sp -= 4 * words
	at := p.sp
	if list&isa.ListBlink != 0 {
		p.save(regBlink, at)
		at += 4
	}
	for n := range count {
		p.save(13+uint8(n), at)
		at += 4
	}
	if list&isa.ListFP != 0 {
		p.save(regFP, at)
		p.fp = -p.sp
	}
}
