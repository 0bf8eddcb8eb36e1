package cpu

import (
	"arcv2dsp/cpu/internal/timing"
	"arcv2dsp/isa"
)

// privileged raises a Privilege Violation in user mode.
func (c *CPU) privileged(what string) bool {
	if !c.User() {
		return true
	}
	c.raise(VecPrivilege, 0, 0, what+" in user mode")
	return false
}

// execNothing is nop, and the synchronisation instructions: every access is complete when its
// instruction is.
func (r *Ref) execNothing(*CPU, *decoded) {}

// execFlag is flag and kflag. In user mode both write Z N C V only. Bit 0 halts, and then changes
// nothing else.
func (r *Ref) execFlag(c *CPU, d *decoded) {
	v := c.source(&d.dst)
	if c.exc.raised {
		return
	}
	if c.User() {
		c.F = v & flagsMask >> FlagsShift
		return
	}
	if v&StatusH != 0 && c.normal() {
		c.raise(VecPrivilege, causeSecure, paramHalt, "normal mode halts the core")
		return
	}
	if v&StatusH != 0 {
		c.halt()
		return
	}
	mask := flagsMask | c.StatusWritable(d.op)
	if (v^c.Status)&mask&StatusSC != 0 && !c.StackAlways() && !c.Config.Secure {
		if c.turns++; c.StackAlways() {
			c.FlushCode() // blocks rely on the mode
		}
	}
	c.SetStatus32(c.Status32()&^mask | v&mask)
	c.noticeIRQ()
}

// StatusWritable are the bits of STATUS32 beside Z N C V that flag or kflag writes in kernel mode.
func (c *CPU) StatusWritable(op isa.Op) uint32 {
	mask := uint32(StatusE | StatusDZ | StatusSC | StatusAD | StatusUS)
	if op == isa.KFLAG {
		mask |= StatusAE | StatusRB | StatusIE
	}
	return mask & c.statusBits()
}

func (c *CPU) halt() {
	c.Status |= StatusH
	c.stop = Stop{Reason: StopExited}
}

// Resume clears the halt and sleep states, as a debugger does before it lets the core run on.
func (c *CPU) Resume() {
	c.Status &^= StatusH
	c.asleep = false
}

// interruptState is the word that clri delivers and seti accepts: E in bits 3:0, IE in bit 4, bit 5 set.
func (c *CPU) interruptState() uint32 {
	v := c.Status&StatusE>>StatusEShift | 1<<5
	if c.Status&StatusIE != 0 {
		v |= 1 << 4
	}
	return v
}

// setInterruptState is the effect of the operand of seti and sleep. With bit 5 set it is the word that clri
// delivered and replaces both fields; without, bit 4 says that bits 3:0 are a new E, and interrupts go on.
func (c *CPU) setInterruptState(v uint32) {
	level := v & 0xf << StatusEShift
	switch {
	case v&(1<<5) != 0:
		c.Status = c.Status&^(StatusIE|StatusE) | level | v>>4&1*StatusIE
	case v&(1<<4) != 0:
		c.Status = c.Status&^StatusE | level | StatusIE
	default:
		c.Status |= StatusIE
	}
}

func (r *Ref) execSetInterrupts(c *CPU, d *decoded) {
	if !c.privileged("seti") || !c.mayChangeInterrupts("seti") {
		return
	}
	if v := c.source(&d.dst); !c.exc.raised {
		c.setInterruptState(v)
		c.noticeIRQ()
	}
}

func (r *Ref) execClearInterrupts(c *CPU, d *decoded) {
	if !c.privileged("clri") || !c.mayChangeInterrupts("clri") {
		return
	}
	if d.dst.kind != opImm {
		if c.setDest(&d.dst, c.interruptState()); c.exc.raised {
			return
		}
	}
	c.Status &^= StatusIE
}

// execSleep is sleep. Bit 4 of the operand enables interrupts with the threshold in bits 3:0.
func (r *Ref) execSleep(c *CPU, d *decoded) {
	if c.Status&StatusUS == 0 && !c.privileged("sleep") || !c.mayChangeInterrupts("sleep") {
		return
	}
	v := c.source(&d.dst)
	if c.exc.raised {
		return
	}
	if v&(1<<4) != 0 && !c.User() {
		c.Status = c.Status&^StatusE | v&0xf<<StatusEShift | StatusIE
	}
	c.asleep, c.slept = true, c.PC
	c.noticeIRQ()
	c.Attention()
}

// execEvent is wevt and wlfc.
//
// DEVIATION(110): they do not wait: the events come from other agents, of which there are
// none.
func (r *Ref) execEvent(*CPU, *decoded) {}

// execBreak is brk: the core stops before it. It does not count as executed.
func (r *Ref) execBreak(c *CPU, d *decoded) {
	if c.User() && c.aux.debug&debugUB == 0 {
		c.privileged("brk")
		return
	}
	c.stop = Stop{Reason: StopBreakpoint}
}

// execSWI is swi and swi_s. The host is asked first.
func (r *Ref) execSWI(c *CPU, d *decoded) {
	if c.Host != nil {
		handled, stop := c.Host.SWI(c)
		if stop {
			c.stop = Stop{Reason: StopExited}
		}
		if handled {
			return
		}
	}
	var param uint8
	if d.in.N > 0 {
		param = uint8(d.dst.imm)
	}
	c.raise(VecSWI, 0, param, "")
}

func (r *Ref) execTrap(c *CPU, d *decoded) { c.raise(VecTrap, 0, uint8(d.dst.imm), "") }

func (r *Ref) execUnimplemented(c *CPU, d *decoded) {
	c.raise(VecInstruction, causeIllegal, 0, "unimp_s")
}

// execReturn is rtie.
func (r *Ref) execReturn(c *CPU, d *decoded) {
	if !c.privileged("rtie") {
		return
	}
	var restored uint32
	if c.Status&StatusAE != 0 || c.irq.act&0xffff == 0 {
		c.returnFromException()
	} else if restored = c.returnFromInterrupt(); c.exc.raised {
		return
	}
	c.lock.until = 0
	c.branched = true
	c.lose(timing.Exception, c.Timing.Return(&c.Pipe, restored))
	c.noticeIRQ()
	if c.Status&StatusH != 0 { // the status restored is that of a halted core
		c.halt()
	}
}

// execLoadAux is lr b,[c].
func (r *Ref) execLoadAux(c *CPU, d *decoded) {
	addr := c.source(&d.x)
	if c.exc.raised {
		return
	}
	if v := c.loadAux(addr); !c.exc.raised {
		c.setDest(&d.dst, v)
	}
}

// execStoreAux is sr b,[c].
func (r *Ref) execStoreAux(c *CPU, d *decoded) {
	v, addr := c.source(&d.dst), c.source(&d.x)
	if !c.exc.raised {
		c.storeAux(addr, v)
	}
}

// execExchangeAux is aex b,[c].
func (r *Ref) execExchangeAux(c *CPU, d *decoded) {
	v, addr := c.source(&d.dst), c.source(&d.x)
	if c.exc.raised {
		return
	}
	old := c.loadAux(addr)
	if c.exc.raised {
		return
	}
	if c.storeAux(addr, v); !c.exc.raised {
		c.setDest(&d.dst, old)
	}
}
