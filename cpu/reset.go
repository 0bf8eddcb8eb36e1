package cpu

import (
	"arcv2dsp/cpu/internal/fpunit"
	"arcv2dsp/dspunit"
	"arcv2dsp/memory"
)

// Reset puts the core into its reset state: registers 0, interrupts off, execution to begin at the
// address in vector 0. Memory, the counters and the engine stay.
//
// DEVIATION(33): everything that has no documented reset value is 0.
func (c *CPU) Reset() {
	c.calm = false
	c.R = [256]uint32{}
	c.F, c.LPStart, c.LPEnd, c.BTA = 0, 0, 0, 0
	c.banks = [8]bank{}
	c.aux = auxState{vectorBase: c.Config.VectorBase}
	old := c.irq.lines
	c.irq, c.Due = irqState{}, 0
	for n := VecFirstIRQ; n < c.lastIRQ(); n++ {
		c.irq.lines[n].enabled, c.irq.lines[n].secure = true, c.Config.Secure // after a reset all are of the secure world
		if !c.Config.timerLine(n) && !c.Config.dmaLine(n) {                   // devices go on driving their lines
			c.irq.lines[n].level = old[n].level
		}
	}
	levels := max(c.Config.Levels, 1) - 1
	for i, level := range [...]uint8{c.Config.Timer0Level, c.Config.Timer1Level, c.Config.SecureLevel} {
		if c.Config.timerLine(timerLines[i]) {
			c.irq.lines[timerLines[i]].priority = min(level, levels)
		}
	}
	c.timers = [len(timerLines)]timer{}
	for i := range c.timers {
		c.timers[i].since, c.timers[i].next = c.Cycles, NoLimit
	}
	c.rtc = rtcState{}
	c.lock, c.port, c.exc, c.last, c.asleep = lockState{}, portPlan{}, Exception{}, Exception{}, false
	c.handling = c.handling[:0]
	c.setMPU(false)
	c.mpu = mpuState{}
	c.points = [maxActionPoints]actionPoint{}
	c.smart, c.counters, c.dma = smart{}, counters{}, dmaState{}
	c.AGU = dspunit.NewAGU(c.Config.AGU)
	c.Mode, c.Sticky = dspunit.DecodeMode(0), 0
	c.FPU = FPU{Round: fpunit.RoundNearest}
	c.resetMemory()
	if c.data != nil {
		c.data.forget(c)
	}
	c.Status, c.sec = 0, secureState{}
	if c.Config.Secure {
		c.Status = StatusS
		c.sec.vectorBase = c.Config.SecureVectorBase
		c.mpu.rights = mpuResetRight
		c.setMPU(true)
	}
	c.setAlignment()
	c.updateIRQ()
	if v, f := c.Mem.LoadAny(c.vectors(), 4); f == nil {
		c.PC = uint32(v) &^ 1
	} else {
		c.PC = 0
	}
	c.switchCache()
	c.Mem.Stall = 0 // time begins behind it
	c.updateChecks()
}

var _ memory.Guard = (*CPU)(nil)
