package cpu

import (
	"arcv2dsp/isa"
	"slices"
)

func hasCodeDensity(c *Config) bool { return c.Has(isa.CodeDensity) }
func hasInterrupts(c *Config) bool  { return c.Interrupts > 0 }
func hasICache(c *Config) bool      { return c.ICache.Size > 0 }
func hasDCache(c *Config) bool      { return c.DCache.Size > 0 }

// auxCore are the registers of the basic core.
//
// DEVIATION(106): user mode may access LP_START, LP_END, the instruction bases, BTA, the identity
// and the flags; the accumulators, DSP and AGU registers.
var auxCore = []auxReg{
	word(auxReg{Addr: 0x002, Name: "LP_START", User: true}, 1, func(c *CPU) *uint32 { return &c.LPStart }),
	word(auxReg{Addr: 0x003, Name: "LP_END", User: true}, 1, func(c *CPU) *uint32 { return &c.LPEnd }),
	{Addr: 0x004, Name: "IDENTITY", User: true,
		Read: func(c *CPU) uint32 {
			return uint32(c.Config.ARCVer) | uint32(c.Config.ARCNum)<<8 | uint32(c.Config.ChipID)<<16
		}},
	{Addr: 0x005, Name: "DEBUG",
		Read:  (*CPU).debugReg,
		Write: func(c *CPU, v uint32) { c.aux.debug = v & debugWritable }},
	{Addr: 0x006, Name: "PC", User: true,
		Read: func(c *CPU) uint32 { return c.PC }},
	{Addr: 0x00a, Name: "STATUS32", User: true,
		Read: func(c *CPU) uint32 {
			if c.User() {
				return c.F << FlagsShift
			}
			return c.Status32()
		}},
	word(auxReg{Addr: 0x00d, Name: "AUX_USER_SP"}, 0, func(c *CPU) *uint32 { return &c.aux.userSP }),
	word(auxReg{Addr: 0x025, Name: "INT_VECTOR_BASE"}, 10, func(c *CPU) *uint32 { return &c.aux.vectorBase }),
	word(auxReg{Addr: 0x290, Name: "JLI_BASE", User: true, Has: hasCodeDensity}, 2, func(c *CPU) *uint32 { return &c.aux.jliBase }),
	word(auxReg{Addr: 0x291, Name: "LDI_BASE", User: true, Has: hasCodeDensity}, 2, func(c *CPU) *uint32 { return &c.aux.ldiBase }),
	word(auxReg{Addr: 0x292, Name: "EI_BASE", User: true, Has: hasCodeDensity}, 2, func(c *CPU) *uint32 { return &c.aux.eiBase }),
	word(auxReg{Addr: 0x400, Name: "ERET"}, 1, func(c *CPU) *uint32 { return &c.aux.eret }),
	word(auxReg{Addr: 0x401, Name: "ERBTA"}, 1, func(c *CPU) *uint32 { return &c.aux.erbta }),
	{Addr: 0x402, Name: "ERSTATUS",
		word:  func(c *CPU) *uint32 { return &c.aux.erstatus },
		Read:  func(c *CPU) uint32 { return c.aux.erstatus },
		Write: func(c *CPU, v uint32) { c.aux.erstatus = v & c.statusBits() }},
	word(auxReg{Addr: 0x403, Name: "ECR"}, 0, func(c *CPU) *uint32 { return &c.aux.ecr }),
	word(auxReg{Addr: 0x404, Name: "EFA"}, 0, func(c *CPU) *uint32 { return &c.aux.efa }),
	word(auxReg{Addr: 0x412, Name: "BTA", User: true}, 1, func(c *CPU) *uint32 { return &c.BTA }),

	// stack checking: accesses through SP must stay in [top, base)
	word(auxReg{Addr: 0x260, Name: "USTACK_TOP", Has: hasStackCheck}, 2, func(c *CPU) *uint32 { return &c.aux.stack[0] }),
	word(auxReg{Addr: 0x261, Name: "USTACK_BASE", Has: hasStackCheck}, 2, func(c *CPU) *uint32 { return &c.aux.stack[1] }),
	word(auxReg{Addr: 0x264, Name: "KSTACK_TOP", Has: hasStackCheck}, 2, func(c *CPU) *uint32 { return &c.aux.stack[2] }),
	word(auxReg{Addr: 0x265, Name: "KSTACK_BASE", Has: hasStackCheck}, 2, func(c *CPU) *uint32 { return &c.aux.stack[3] }),

	// caches: unless the data cache holds data (datacache.go), memory never differs from what a program
	// would see without them, and maintenance only empties the timing model
	{Addr: 0x010, Name: "IC_IVIC", Has: hasICache,
		Write: func(c *CPU, v uint32) { c.icache.Invalidate() }},
	{Addr: 0x011, Name: "IC_CTRL", Has: hasICache,
		Read:  func(c *CPU) uint32 { return c.aux.icCtrl },
		Write: func(c *CPU, v uint32) { c.aux.icCtrl = v & 0x3f }},
	{Addr: 0x013, Name: "IC_LIL", Has: hasICache, Write: func(*CPU, uint32) {}},
	{Addr: 0x019, Name: "IC_IVIL", Has: hasICache,
		Write: func(c *CPU, v uint32) { c.icache.Invalidate() }},
	{Addr: 0x01e, Name: "IC_PTAG", Has: hasICache, Write: func(*CPU, uint32) {}},
	{Addr: 0x047, Name: "DC_IVDC", Has: hasDCache,
		Write: func(c *CPU, v uint32) { c.invalidateAll() }},
	{Addr: 0x048, Name: "DC_CTRL", Has: hasDCache,
		Read: func(c *CPU) uint32 { return c.aux.dcCtrl },
		Write: func(c *CPU, v uint32) {
			c.aux.dcCtrl = v & 0xff
			c.switchCache()
		}},
	{Addr: 0x049, Name: "DC_LDL", Has: hasDCache, Write: (*CPU).lockLine},
	{Addr: 0x04a, Name: "DC_IVDL", Has: hasDCache, Write: (*CPU).invalidateLine},
	{Addr: 0x04b, Name: "DC_FLSH", Has: hasDCache,
		Write: func(c *CPU, v uint32) { c.flushAll() }},
	{Addr: 0x04c, Name: "DC_FLDL", Has: hasDCache, Write: (*CPU).flushLine},
	{Addr: 0x05c, Name: "DC_PTAG", Has: hasDCache, Write: func(*CPU, uint32) {}},
}

// DEBUG fields.
const (
	debugUB = 1 << 28 // user mode may execute brk
	debugZZ = 1 << 23 // asleep

	debugWritable = debugUB | debugAH | debugASRField
)

func (c *CPU) debugReg() uint32 {
	v := c.aux.debug
	if c.asleep {
		v |= debugZZ
	}
	return v
}

// timerRegs are the registers of timer n, at the addresses from first on.
func timerRegs(n int, first uint32, has func(*Config) bool, count, control, limit string) []auxReg {
	return []auxReg{
		{Addr: first, Name: count, Has: has,
			Read:  func(c *CPU) uint32 { return c.timers[n].read(c.Cycles) },
			Write: func(c *CPU, v uint32) { c.writeTimerCount(n, v) }},
		{Addr: first + 1, Name: control, Has: has,
			Read:  func(c *CPU) uint32 { return c.timers[n].control },
			Write: func(c *CPU, v uint32) { c.writeTimerControl(n, v) }},
		{Addr: first + 2, Name: limit, Has: has,
			Read:  func(c *CPU) uint32 { return c.timers[n].limit },
			Write: func(c *CPU, v uint32) { c.writeTimerLimit(n, v) }},
	}
}

// auxTimers are the timers and the real-time counter.
var auxTimers = slices.Concat(timerRegs(0, 0x021, hasTimer0, "COUNT0", "CONTROL0", "LIMIT0"),
	timerRegs(1, 0x100, hasTimer1, "COUNT1", "CONTROL1", "LIMIT1"),
	timerRegs(2, 0x106, hasSecureTimer0, "S_TMR0_COUNT", "S_TMR0_CONTROL", "S_TMR0_LIMIT"), auxRTC)

// auxRTC are the registers of the real-time counter.
var auxRTC = []auxReg{
	{Addr: 0x103, Name: "AUX_RTC_CTRL", Has: hasRTC,
		Read:  func(c *CPU) uint32 { return c.rtc.readControl() },
		Write: func(c *CPU, v uint32) { c.rtc.writeControl(v, c.Cycles) }},
	{Addr: 0x104, Name: "AUX_RTC_LOW", Has: hasRTC,
		Read: func(c *CPU) uint32 {
			c.rtc.ok = true
			return uint32(c.rtc.read(c.Cycles))
		}},
	{Addr: 0x105, Name: "AUX_RTC_HIGH", Has: hasRTC,
		Read: func(c *CPU) uint32 { return uint32(c.rtc.read(c.Cycles) >> 32) }},
}

func hasTimer0(c *Config) bool       { return c.Timer0 }
func hasTimer1(c *Config) bool       { return c.Timer1 }
func hasSecureTimer0(c *Config) bool { return c.SecureTimer0 }
func hasRTC(c *Config) bool          { return c.RTC }
func hasStackCheck(c *Config) bool   { return c.StackCheck }

// auxInterrupts are the registers of the interrupt unit.
var auxInterrupts = []auxReg{
	{Addr: 0x00b, Name: "STATUS32_P0", Has: hasInterrupts,
		word:  func(c *CPU) *uint32 { return &c.irq.p0 },
		Read:  func(c *CPU) uint32 { return c.irq.p0 },
		Write: func(c *CPU, v uint32) { c.irq.p0 = v & c.statusBits() }},
	{Addr: 0x00e, Name: "AUX_IRQ_CTRL", Has: hasInterrupts,
		word: func(c *CPU) *uint32 { return &c.irq.ctrl },
		Read: func(c *CPU) uint32 { return c.irq.ctrl },
		Write: func(c *CPU, v uint32) {
			c.irq.ctrl = v & (irqCtrlNR | irqCtrlB | irqCtrlL | irqCtrlU | irqCtrlLP)
		}},
	{Addr: 0x043, Name: "AUX_IRQ_ACT", Has: hasInterrupts,
		word: func(c *CPU) *uint32 { return &c.irq.act },
		Read: func(c *CPU) uint32 { return c.irq.act },
		Write: func(c *CPU, v uint32) {
			c.irq.act = v & (irqActU | 0xffff)
			c.noticeIRQ()
		}},
	{Addr: 0x200, Name: "IRQ_PRIORITY_PENDING", Has: hasInterrupts, Read: (*CPU).priorityPending},
	{Addr: 0x201, Name: "AUX_IRQ_HINT", Has: hasInterrupts,
		Read: func(c *CPU) uint32 { return c.irq.hint },
		Write: func(c *CPU, v uint32) {
			if v == 0 || v >= VecFirstIRQ && int64(v) < int64(c.lastIRQ()) {
				old := c.irq.hint
				c.irq.hint = v
				c.updateLine(int(old))
				c.updateLine(int(v))
			}
		}},
	{Addr: 0x206, Name: "IRQ_PRIORITY", Has: hasInterrupts,
		Read: func(c *CPU) uint32 {
			l := &c.irq.lines[c.irq.sel]
			return uint32(l.priority) | b2u(l.secure)*irqSecure
		},
		Write: func(c *CPU, v uint32) {
			c.setPriority(&c.irq.lines[c.irq.sel], v)
			c.updateLine(int(c.irq.sel))
		}},
	{Addr: 0x40a, Name: "ICAUSE", Has: hasInterrupts,
		Read: func(c *CPU) uint32 {
			for level := range c.irq.icause {
				if c.irq.act>>level&1 != 0 {
					return uint32(c.irq.icause[level])
				}
			}
			return 0
		}},
	{Addr: 0x40b, Name: "IRQ_SELECT", Has: hasInterrupts,
		word: func(c *CPU) *uint32 { return &c.irq.sel },
		Read: func(c *CPU) uint32 { return c.irq.sel },
		Write: func(c *CPU, v uint32) {
			if int64(v) < int64(c.lastIRQ()) {
				c.irq.sel = v
			}
		}},
	{Addr: 0x40c, Name: "IRQ_ENABLE", Has: hasInterrupts,
		Read: func(c *CPU) uint32 { return b2u(c.irq.lines[c.irq.sel].enabled) },
		Write: func(c *CPU, v uint32) {
			if l := &c.irq.lines[c.irq.sel]; c.mayChange(l) {
				l.enabled = v&1 != 0
			}
			c.updateLine(int(c.irq.sel))
		}},
	{Addr: 0x40d, Name: "IRQ_TRIGGER", Has: hasInterrupts,
		Read: func(c *CPU) uint32 { return b2u(c.irq.lines[c.irq.sel].pulse) },
		Write: func(c *CPU, v uint32) {
			if l := &c.irq.lines[c.irq.sel]; c.mayChange(l) {
				l.pulse = v&1 != 0
			}
			c.updateLine(int(c.irq.sel))
		}},
	{Addr: 0x40f, Name: "IRQ_STATUS", Has: hasInterrupts, Read: (*CPU).irqStatus},
	{Addr: 0x415, Name: "IRQ_PULSE_CANCEL", Has: hasInterrupts,
		Write: func(c *CPU, v uint32) {
			if v&1 != 0 {
				c.irq.lines[c.irq.sel].latched = false
				c.updateLine(int(c.irq.sel))
			}
		}},
	{Addr: 0x416, Name: "IRQ_PENDING", Has: hasInterrupts,
		Read: func(c *CPU) uint32 { return b2u(c.pending(int(c.irq.sel))) }},
}

func b2u(b bool) uint32 {
	if b {
		return 1
	}
	return 0
}
