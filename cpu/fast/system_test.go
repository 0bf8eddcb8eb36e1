package fast_test

import (
	"arcv2dsp/cpu"
	"arcv2dsp/isa"
)

// The parts of a stream that concern the state of the core beside its registers.

// Traps that the handler knows by their number; it returns behind all of them.
const (
	trapNothing = iota // runs a loop and a delayed branch
	trapUser           // goes to user mode, or back
	trapRights         // gives the default rights of protected memory back and turns protection off
	traps
)

// trapHandler adds the handler of traps: the number of the trap is in ECR. It works in registers that
// nothing else uses and in a loop of its own, whose registers it saves.
func (s *stream) trapHandler() {
	loop, user, out := s.newLabel(), s.newLabel(), s.newLabel()
	to := isa.Operand{Kind: isa.OpTarget}
	s.emit(isa.LR, isa.Mods{}, reg(23), imm(0x403)) // ECR
	s.emit(isa.AND, isa.Mods{}, reg(23), reg(23), imm(63))
	s.emitLabel(isa.BREQ, user, isa.Mods{}, reg(23), imm(trapUser), to)
	s.emitLabel(isa.BREQ, loop, isa.Mods{}, reg(23), imm(trapNothing), to)
	s.emit(isa.SR, isa.Mods{}, imm(0x1f8), imm(0x409)) // MPU_EN, which a core without one refuses
	s.emitLabel(isa.B, out, isa.Mods{}, to)
	s.place(user)
	s.emit(isa.LR, isa.Mods{}, reg(23), imm(0x402)) // ERSTATUS
	s.emit(isa.BXOR, isa.Mods{}, reg(23), reg(23), imm(7))
	s.emitLabel(isa.B, out, isa.Mods{Delay: true}, to)
	s.emit(isa.SR, isa.Mods{}, reg(23), imm(0x402))
	s.place(loop)
	s.emit(isa.LR, isa.Mods{}, reg(21), imm(2))
	s.emit(isa.LR, isa.Mods{}, reg(22), imm(3))
	s.emit(isa.MOV, isa.Mods{}, reg(20), reg(60))
	s.emit(isa.MOV, isa.Mods{}, reg(60), imm(3))
	end := s.newLabel()
	s.emitLabel(isa.LP, end, isa.Mods{}, to)
	s.emit(isa.ADD, isa.Mods{}, reg(24), reg(24), imm(1))
	s.emit(isa.ADD, isa.Mods{}, reg(24), reg(24), imm(2))
	s.place(end)
	s.emit(isa.MOV, isa.Mods{}, reg(60), reg(20))
	s.emit(isa.SR, isa.Mods{}, reg(21), imm(2))
	s.emit(isa.SR, isa.Mods{}, reg(22), imm(3))
	s.place(out)
	s.emit(isa.RTIE, isa.Mods{})
}

// trap adds a trap that returns.
func (s *stream) trap() { s.emit(isa.TRAP_S, isa.Mods{}, imm(uint32(s.n(traps)))) }

// fault adds an instruction that ends in an exception, or could.
func (s *stream) fault() {
	word := isa.Mods{Size: isa.SizeWord, Addr: isa.AddrOffset}
	switch s.n(5) {
	case 0:
		s.trap()
	case 1:
		s.emit(isa.LD, word, reg(s.anyReg()), reg(16), imm(0))
	case 2:
		s.emit(isa.ST, word, reg(s.anyReg()), reg(13), imm(uint32(s.n(8))))
	case 3:
		s.emit(isa.LD, word, reg(s.anyReg()), reg(cpu.RegSP), imm(uint32(s.n(8))*4))
	case 4:
		s.emit(isa.SWI, isa.Mods{})
	}
}

// faultAtLoopEnd adds a loop whose last instruction can end in an exception, be a branch, or a slot.
func (s *stream) faultAtLoopEnd() {
	end := s.newLabel()
	to := isa.Operand{Kind: isa.OpTarget}
	s.emit(isa.MOV, isa.Mods{}, reg(60), imm(uint32(1+s.n(5))))
	s.emitLabel(isa.LP, end, isa.Mods{}, to)
	s.straight(1 + s.n(4))
	switch s.n(4) {
	case 0, 1:
		s.fault()
	case 2: // a branch to the end, from the last place
		s.emitLabel(isa.BRNE, end, isa.Mods{}, reg(s.anyReg()), imm(uint32(s.n(4))), to)
	case 3:
		s.emitLabel(isa.B, end, isa.Mods{Delay: true, Cond: isa.Cond(s.n(16))}, to)
		s.slot()
	}
	s.place(end)
}

// faultInSlot adds a branch whose delay slot can end in an exception, or traps where that is allowed.
func (s *stream) faultInSlot() {
	target := s.newLabel()
	m := isa.Mods{Delay: true}
	if s.chance(60) {
		m.Cond = isa.Cond(s.n(16))
	}
	s.emitLabel(isa.B, target, m, isa.Operand{Kind: isa.OpTarget})
	s.fault()
	s.straight(1 + s.n(3))
	s.place(target)
}

// nest adds loops inside each other as software must write them: the inner one restores the registers
// of the outer one.
func (s *stream) nest() {
	outer, inner := s.newLabel(), s.newLabel()
	to := isa.Operand{Kind: isa.OpTarget}
	s.emit(isa.MOV, isa.Mods{}, reg(60), imm(uint32(1+s.n(4))))
	s.emitLabel(isa.LP, outer, isa.Mods{}, to)
	s.straight(s.n(3))
	s.emit(isa.MOV, isa.Mods{}, reg(17), reg(60))
	s.emit(isa.LR, isa.Mods{}, reg(18), imm(2))
	s.emit(isa.LR, isa.Mods{}, reg(19), imm(3))
	s.emit(isa.MOV, isa.Mods{}, reg(60), imm(uint32(s.n(5))))
	s.emitLabel(isa.LP, inner, isa.Mods{Cond: isa.Cond(s.n(16))}, to)
	s.straight(1 + s.n(4))
	s.place(inner)
	s.emit(isa.MOV, isa.Mods{}, reg(60), reg(17))
	s.emit(isa.SR, isa.Mods{}, reg(18), imm(2))
	s.emit(isa.SR, isa.Mods{}, reg(19), imm(3))
	s.straight(s.n(2))
	s.emit(isa.ADD, isa.Mods{}, reg(3), reg(3), imm(1))
	s.place(outer)
}

// stack adds accesses through sp, which stay inside the stack nearly always.
func (s *stream) stack() {
	s.emit(isa.MOV, isa.Mods{}, reg(cpu.RegSP), imm(stackTop-uint32(s.n(8))*4))
	if s.cfg.StackCheck && s.chance(60) {
		s.emit(isa.SR, isa.Mods{}, imm(stackTop-8<<s.n(4)), imm(0x264)) // KSTACK_TOP
		s.emit(isa.SR, isa.Mods{}, imm(stackTop), imm(0x265))           // KSTACK_BASE
		s.emit(isa.SR, isa.Mods{}, imm(stackTop-128), imm(0x260))
		s.emit(isa.SR, isa.Mods{}, imm(stackTop), imm(0x261))
	}
	for range 1 + s.n(6) {
		off := uint32(s.n(10)) * 4
		switch s.n(6) {
		case 0:
			s.emit(isa.ST, isa.Mods{Addr: isa.AddrPre}, reg(s.anyReg()), reg(cpu.RegSP), isa.Operand{Kind: isa.OpImm, Val: -4})
		case 1:
			s.emit(isa.LD, isa.Mods{Addr: isa.AddrPost}, reg(s.anyReg()), reg(cpu.RegSP), imm(4))
		case 2:
			s.emit(isa.ST, isa.Mods{Addr: isa.AddrOffset}, reg(s.anyReg()), reg(cpu.RegSP), imm(off))
		case 3:
			s.emit(isa.LD, isa.Mods{Addr: isa.AddrScaled}, reg(s.anyReg()), reg(cpu.RegSP), imm(off/4))
		case 4:
			s.emit(isa.LD, isa.Mods{Addr: isa.AddrOffset, Size: isa.SizeHalf, SignExtend: true}, reg(s.anyReg()), reg(cpu.RegSP), imm(off))
		default:
			s.straight(1)
		}
	}
}

// status changes bits of STATUS32 that accompany what follows: stack checking, unaligned accesses,
// exceptions of division, loops by way of a trap.
func (s *stream) status() {
	s.emit(isa.LR, isa.Mods{}, reg(11), imm(isa.AuxStatus32))
	s.emit(isa.BXOR, isa.Mods{}, reg(11), reg(11), imm([]uint32{13, 14, 14, 19}[s.n(4)]))
	s.emit([]isa.Op{isa.FLAG, isa.KFLAG}[s.n(2)], isa.Mods{}, reg(11))
}

// statusInSlot adds one instruction that changes STATUS32.
func (s *stream) statusInSlot() {
	switch s.n(3) {
	case 0:
		s.emit(isa.CLRI, isa.Mods{}, reg(s.anyReg()))
	case 1:
		s.emit(isa.SETI, isa.Mods{}, imm(0x10|uint32(s.n(16))))
	default:
		s.emit(isa.FLAG, isa.Mods{}, imm(uint32(s.n(32))<<1))
	}
}

// methods adds instructions whose effect only the reference engine knows, close to each other and in the middle of
// others: auxiliary registers named by registers, with and without conditions, some that the core lacks; interrupts
// off and on, raised by software and by a timer that is set anew; frames.
func (s *stream) methods() {
	aux := []uint32{isa.AuxStatus32, 2, 4, 6, 0x412, isa.AuxERET, 0x402, 0x403, 0x404, 0x21, 0x22, 0x23, 0x43, 0x40a, 0x264, 0x7b, 0x3f0}
	words := []uint32{2, 3, isa.AuxStatus32, 0xb, 0xd, 0xe, 0x43, isa.AuxERET, 0x401, 0x402, 0x403, 0x404, 0x40b, 0x412, 0x260, 0x265}
	held := reg(18)
	for range 2 + s.n(5) {
		switch s.n(14) {
		case 0:
			s.emit(isa.MOV, isa.Mods{}, reg(12), imm(aux[s.n(len(aux))]))
			s.emit(isa.LR, isa.Mods{}, reg(s.anyReg()), reg(12))
		case 1:
			s.emit(isa.AEX, isa.Mods{Cond: isa.Cond(s.n(16))}, reg(s.anyReg()), imm([]uint32{2, 0x412, 0x404, 0x264}[s.n(4)]))
		case 2:
			s.emit(isa.CLRI, isa.Mods{}, held)
			s.straight(s.n(4))
			s.emit(isa.SETI, isa.Mods{}, held)
		case 3:
			s.emit(isa.LR, isa.Mods{}, reg(11), imm(isa.AuxStatus32))
			s.emit(isa.BXOR, isa.Mods{}, reg(11), reg(11), imm([]uint32{8, 9, 10, 11, 14, 31}[s.n(6)]))
			s.emit([]isa.Op{isa.FLAG, isa.KFLAG}[s.n(2)], isa.Mods{Cond: isa.Cond(s.n(16))}, reg(11))
		case 4:
			s.emit([]isa.Op{isa.SYNC, isa.DSYNC}[s.n(2)], isa.Mods{})
		case 5:
			s.emit(isa.SR, isa.Mods{}, imm(uint32(16+s.n(4))), imm(0x201)) // AUX_IRQ_HINT
		case 6:
			s.emit(isa.SR, isa.Mods{}, imm(uint32(60+s.n(400))), imm(0x23)) // LIMIT0
			s.emit(isa.SR, isa.Mods{}, imm(uint32(s.n(80))), imm(0x21))     // COUNT0
			s.emit(isa.SR, isa.Mods{}, imm(uint32(s.n(2))), imm(0x22))      // CONTROL0
		case 7:
			s.emit(isa.EX, isa.Mods{}, reg(s.anyReg()), reg(13+uint8(s.n(4))))
		case 8:
			if s.cfg.Features.Has(isa.CodeDensity) {
				list := uint32(isa.ListBlink*s.n(2) + isa.ListFP*s.n(2) + s.n(5))
				saved := isa.Operand{Kind: isa.OpRegList, Val: int32(list)}
				s.emit(isa.ENTER_S, isa.Mods{}, saved)
				s.straight(s.n(3))
				s.emit(isa.LEAVE_S, isa.Mods{}, saved)
			}
		case 9:
			s.emit(isa.LR, isa.Mods{}, reg(s.anyReg()), imm(words[s.n(len(words))]))
		case 10:
			s.emit(isa.SR, isa.Mods{}, reg(s.anyReg()), imm([]uint32{2, 0xd, isa.AuxERET, 0x403, 0x404, 0x412, 0x260}[s.n(7)]))
		case 11:
			s.emit(isa.SR, isa.Mods{}, imm(uint32(16+s.n(4))), imm(0x40b)) // IRQ_SELECT
			s.emit(isa.SR, isa.Mods{}, imm(uint32(s.n(4))), imm(0x206))    // IRQ_PRIORITY
			s.emit(isa.SETI, isa.Mods{}, imm(uint32(0x10+s.n(16))))        // a threshold
		case 12:
			s.sleep()
		default:
			s.straight(1)
		}
	}
}

// sleep sleeps until a timer wakes the core, or what waits already.
func (s *stream) sleep() {
	s.emit(isa.SR, isa.Mods{}, imm(uint32(1+s.n(300))), imm(0x23)) // LIMIT0
	s.emit(isa.SR, isa.Mods{}, imm(0), imm(0x21))                  // COUNT0
	s.emit(isa.SR, isa.Mods{}, imm(1), imm(0x22))                  // CONTROL0
	s.emit(isa.SLEEP, isa.Mods{}, imm(0x1f))
}

// protect turns the MPU on for a while: most memory stays allowed.
func (s *stream) protect() {
	s.emit(isa.SR, isa.Mods{}, imm(dataBase+0x2000|1), imm(0x422)) // 2 KB, read only in kernel mode
	s.emit(isa.SR, isa.Mods{}, imm(0x502), imm(0x423))
	s.emit(isa.SR, isa.Mods{}, imm(1<<30|0x1f8), imm(0x409))
	s.straight(1 + s.n(12))
	s.emit(isa.SR, isa.Mods{}, imm(0x1f8), imm(0x409))
}

// maintain invalidates caches, or turns them off and on.
func (s *stream) maintain() {
	switch s.n(6) {
	case 0, 1:
		s.emit(isa.SR, isa.Mods{}, imm(1), imm(0x10)) // IC_IVIC
	case 2:
		s.emit(isa.SR, isa.Mods{}, imm(1), imm(0x47)) // DC_IVDC
	case 3:
		s.emit(isa.SR, isa.Mods{}, imm(uint32(s.n(2))), imm(0x11)) // IC_CTRL
	case 4:
		s.emit(isa.SR, isa.Mods{}, imm(uint32(s.n(2))), imm(0x48)) // DC_CTRL
	case 5:
		s.emit(isa.SR, isa.Mods{}, imm(0), imm(0x11))
		s.emit(isa.SR, isa.Mods{}, imm(0), imm(0x48))
	}
}
