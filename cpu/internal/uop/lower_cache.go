package uop

import (
	"arcv2dsp/cpu"
	"arcv2dsp/isa"
)

// fetch emits the questions for the lines that an instruction lies in, as far as they are not those of
// the instruction before.
func (l *lowerer) fetch(in *cpu.BlockInst) {
	if !l.cpu.CachesAt(in.PC) {
		return
	}
	_, shift, mask := l.cpu.FetchCache().Front()
	first, last := in.PC>>shift, (in.Next-1)>>shift
	for line := first; ; line = last {
		if line+1 != l.line {
			l.line = line + 1
			l.emit(Uop{Op: FETCH, Imm: line + 1, X: line & mask * 4})
		}
		if line == last {
			return
		}
	}
}

// cachedAccess is the distance of the loads and stores that a data cache serves.
const cachedAccess = LDWC - LDW

// partedAccess is the distance of those that ask for parts of pages.
const partedAccess = LDWP - LDW

// access emits the load or store u of an instruction, checked against the bounds of the stack and served
// by the data cache where the mode asks for that.
func (l *lowerer) access(in *cpu.BlockInst, u Uop) {
	if l.mode&cpu.ModeStack != 0 && in.Args[1].Kind == isa.OpReg && in.Args[1].Reg == cpu.RegSP {
		check := Uop{Op: STACK, B: cpu.RegSP, C: cpu.SlotZero, X: in.Size.Bytes()}
		if in.Addr != isa.AddrPost {
			check.C, check.Imm = l.source(in, 2)
		}
		if in.Addr == isa.AddrScaled {
			check.D = in.Size.Scale()
			check.Imm <<= check.D
		}
		l.emit(check)
	}
	if l.mode&cpu.ModeData != 0 {
		u.Op += cachedAccess
	}
	l.emit(u)
}
