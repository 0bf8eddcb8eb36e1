package debug

import (
	"math/bits"

	"arcv2dsp/isa"
)

// prologue is what a function without frame information has done to its frame up to an instruction.
// Offsets are from the canonical frame address, which is sp at the entry.
type prologue struct {
	sp    int32           // sp - CFA
	fp    int32           // CFA - fp, 0 when fp is not a frame pointer
	saved map[uint8]int32 // where registers are stored
}

// maxPrologue bounds the instructions looked at.
const maxPrologue = 128

// prologue follows the stack pointer from the entry of the function to the frame's instruction.
// Branches are not taken: compilers move the stack pointer in straight lines at the start and the
// end of a function, so what was saved before a branch is still where it was.
func (d *Debugger) prologue(f *Frame) prologue {
	p := prologue{saved: map[uint8]int32{}}
	s, _, ok := d.m.Symbols().At(f.lookup())
	if !ok || f.lookup()-s.Addr > 1<<20 {
		return p
	}
	pc := s.Addr
	var body *prologue // as it is when the straight line from the entry ends
	for range maxPrologue {
		if pc >= f.PC {
			return p
		}
		in, err := d.m.Decode(pc)
		if err != nil {
			return p
		}
		if in.Control() {
			if body == nil {
				body = p.clone()
			}
			// Behind a return in the middle of a function the frame is that of its body.
			if w := d.flow(pc); w.kind == flowReturn && f.PC >= w.after(pc) {
				return *body
			}
		}
		p.follow(&in)
		pc += uint32(in.Len)
	}
	return p
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
		delete(p.saved, a[0].Reg)
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
				delete(p.saved, a[0].Reg)
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
		if isReg(0, regFP) && isReg(1, regSP) {
			p.fp = -p.sp
		}
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
