package cpu

import (
	"fmt"

	"arcv2dsp/memory"
)

// SecureShield divides a core into two worlds, secure and normal. STATUS32.S says which one executes. The MPU says of each
// address to which it belongs, by a bit of its regions. Secure code goes on in normal mode where it jumps to normal code;
// normal code enters the secure world by sjli alone, at an address of the table that secure code has set up.
//
// What is known is what public software does: Zephyr's secure start-up, its gate and handlers, and its table of causes.
//
// DEVIATION(440): where code lies decides the world: a jump from secure to normal code changes it, at no cost. An access of
// normal mode to a secure address is a Protection Violation with parameter 0x24, also a return there.
// DEVIATION(441): when the world changes, so does the stack pointer: those that do not execute are in AUX_USER_SP, KERNEL_SP,
// SEC_U_SP and SEC_K_SP.
// DEVIATION(442): exceptions are handled in the world that raised them, violations of the border in the secure one. An
// interrupt whose priority has bit 8, as all have after a reset, is handled in the secure world, others in the normal one. ERSEC_STAT.ERM and SEC_STAT.IRM
// say to which world rtie returns; registers are saved on the stack of the interrupted world.
// DEVIATION(443): NSRT, NSRU and SUE of SEC_STAT, secure numbers of regions, and the levels of the closely coupled memories
// (iccm0_sec_lvl, dccm_sec_lvl) are kept without effect.
// DEVIATION(444): normal mode may read IRQ_CTRL and IRQ_ACT and no other register of the secure world; ERSEC_STAT reads 0 and
// ignores writes. Secure interrupts keep their settings when normal mode writes them.
// DEVIATION(445): sjli costs a jump into a table; it keeps the privilege.

// SEC_STAT bits, and that of ERSEC_STAT beside them.
const (
	secStack  = 1 << 0 // SSC: stack checking in the secure world
	secReturn = 1 << 3 // IRM: rtie of an interrupt returns to the secure world
	secNormal = 1 << 5 // NIC: normal mode may use seti, clri, sleep
	secBits   = 0x3f

	ersecReturn = 1 << 31 // ERM: as IRM, of an exception
)

// Marks of the secure world.
const (
	regionSecure  = 1 << 15  // MPU_RPER and MPU_EN
	mpuResetRight = 0x181c0  // MPU_EN of a core with SecureShield: memory is secure and the kernel's
	mpuShieldMask = 0xff81f8 // its rights, the secure bit and the secure number
	irqSecure     = 1 << 8   // IRQ_PRIORITY
	paramSecure   = 0x20     // of Protection Violation and Privilege Violation
	causeSecure   = 0x10     // of Privilege Violation: the border of the worlds
	causeNSC      = 0x12     // of Protection Violation: sjli beyond its table
	paramHalt     = 0x04     // of Privilege Violation, causeSecure: normal mode halts the core
)

// secureState holds the registers of the secure world.
type secureState struct {
	stat, ersec               uint32
	vectorBase                uint32
	kernelSP, userSP, otherSP uint32    // SEC_K_SP, SEC_U_SP, KERNEL_SP
	stack                     [4]uint32 // S_USTACK_TOP, S_USTACK_BASE, S_KSTACK_TOP, S_KSTACK_BASE
	tableTop, tableBase       uint32    // of sjli
	outer                     uint16    // SEC_STAT.IRM before the interrupt of each priority came
}

func hasSecure(c *Config) bool { return c.Secure }

func hasSecureStacks(c *Config) bool { return c.Secure && c.StackCheck }

// auxSecure are the registers of the secure world.
var auxSecure = []auxReg{
	{Addr: 0x009, Name: "SEC_STAT", Has: hasSecure, Secure: secureAll,
		Read:  func(c *CPU) uint32 { return c.sec.stat },
		Write: func(c *CPU, v uint32) { c.setSecStat(v) }},
	{Addr: 0x026, Name: "INT_VECTOR_BASE_S", Has: hasSecure, Secure: secureAll,
		Read:  func(c *CPU) uint32 { return c.sec.vectorBase },
		Write: func(c *CPU, v uint32) { c.sec.vectorBase = v &^ 0x3ff }},
	secureWord(0x038, "AUX_KERNEL_SP", hasSecure, 0, func(c *CPU) *uint32 { return &c.sec.otherSP }),
	secureWord(0x039, "AUX_SEC_U_SP", hasSecure, 0, func(c *CPU) *uint32 { return &c.sec.userSP }),
	secureWord(0x03a, "AUX_SEC_K_SP", hasSecure, 0, func(c *CPU) *uint32 { return &c.sec.kernelSP }),
	secureWord(0x262, "S_USTACK_TOP", hasSecureStacks, 3, func(c *CPU) *uint32 { return &c.sec.stack[0] }),
	secureWord(0x263, "S_USTACK_BASE", hasSecureStacks, 3, func(c *CPU) *uint32 { return &c.sec.stack[1] }),
	secureWord(0x266, "S_KSTACK_TOP", hasSecureStacks, 3, func(c *CPU) *uint32 { return &c.sec.stack[2] }),
	secureWord(0x267, "S_KSTACK_BASE", hasSecureStacks, 3, func(c *CPU) *uint32 { return &c.sec.stack[3] }),
	secureWord(0x268, "NSC_TABLE_TOP", hasSecure, 3, func(c *CPU) *uint32 { return &c.sec.tableTop }),
	secureWord(0x269, "NSC_TABLE_BASE", hasSecure, 3, func(c *CPU) *uint32 { return &c.sec.tableBase }),
	{Addr: 0x406, Name: "ERSEC_STAT", Has: hasSecure,
		Read: func(c *CPU) uint32 {
			if c.normal() {
				return 0
			}
			return c.sec.ersec
		},
		Write: func(c *CPU, v uint32) {
			if !c.normal() {
				c.sec.ersec = v & (ersecReturn | secBits)
			}
		}},
}

// secureWord is a register of the secure world that keeps a word but for some bits. KERNEL_SP is the normal world's.
func secureWord(addr uint32, name string, has func(*Config) bool, without uint32, at func(*CPU) *uint32) auxReg {
	r := auxReg{Addr: addr, Name: name, Has: has, Secure: secureAll,
		Read: func(c *CPU) uint32 { return *at(c) }, Write: func(c *CPU, v uint32) { *at(c) = v &^ without }}
	if addr == 0x038 {
		r.Secure = secureNone
	}
	return r
}

// secureAccess says what normal mode may not do with a register.
type secureAccess uint8

const (
	secureNone  secureAccess = iota
	secureWrite              // it may read it
	secureAll
)

// secureOnly are the registers of other parts that a core with SecureShield keeps from normal mode.
var secureOnly = map[uint32]secureAccess{
	0x00e: secureWrite, 0x043: secureWrite, // AUX_IRQ_CTRL, AUX_IRQ_ACT
	0x106: secureAll, 0x107: secureAll, 0x108: secureAll, // secure timer 0
	0x409: secureAll, 0x420: secureAll, // MPU_EN, MPU_ECR
	0x448: secureAll, 0x449: secureAll, 0x44a: secureAll, 0x44b: secureAll, 0x44c: secureAll, // regions
}

// shield keeps registers of the secure world from normal mode.
func (c *CPU) shield() {
	if !c.Config.Secure {
		return
	}
	for addr, access := range secureOnly {
		if r := c.auxIndex[addr]; r != nil {
			own := *r
			own.Secure = access
			c.auxIndex[addr] = &own
		}
	}
}

// normal reports whether normal mode executes on a core that has both worlds.
func (c *CPU) normal() bool { return c.Config.Secure && c.Status&StatusS == 0 }

// secret reports whether normal mode may not access a register, which raises an exception.
func (c *CPU) secret(r *auxReg, write bool) bool {
	if r.Secure == secureNone || !c.normal() || r.Secure == secureWrite && !write {
		return false
	}
	c.raise(VecPrivilege, causeSecure, paramSecure, fmt.Sprintf("aux register %s in normal mode", r.Name))
	return true
}

// setWorld changes the world, and the stack pointer with it.
func (c *CPU) setWorld(secure bool) {
	if secure == (c.Status&StatusS != 0) {
		return
	}
	user := c.User()
	if user {
		c.exchangeSP()
	}
	sp, s := &c.R[RegSP], &c.sec
	if secure {
		s.otherSP, *sp = *sp, s.kernelSP
	} else {
		s.kernelSP, *sp = *sp, s.otherSP
	}
	c.Status ^= StatusS
	if user {
		c.exchangeSP()
	}
	c.protect(written{what: mpuWorld, v: b2u(secure)})
	c.Attention()
}

// leaves reports whether secure code has reached normal code that it may execute, and goes on there in normal mode.
func (c *CPU) leaves(f *memory.Fault) bool {
	if f.Access != memory.Exec || c.Status&StatusS == 0 || f.Cause != memory.CauseGuard {
		return false
	}
	perm := c.permissions(c.regionOf(f.Addr))
	if perm&regionSecure != 0 || perm>>(6-3*c.level())&1 == 0 {
		return false
	}
	c.setWorld(false)
	return true
}

// permissions are those of a region, of the default rights for -1.
func (c *CPU) permissions(region int) uint32 {
	if region < 0 {
		return c.mpu.rights
	}
	return c.mpu.perm[region]
}

// world takes from the rights of a part of memory what the world that executes does not have.
func (c *CPU) world(perm uint32, rights *[2]memory.Access) {
	secure := perm&regionSecure != 0
	switch {
	case !c.Config.Secure:
	case c.Status&StatusS == 0 && secure:
		*rights = [2]memory.Access{}
	case c.Status&StatusS != 0 && !secure: // executing there would change the world
		rights[0] &^= memory.Exec
		rights[1] &^= memory.Exec
	}
}

// crosses reports whether an access is one of normal mode to a secure address.
func (c *CPU) crosses(addr uint32) bool {
	return c.normal() && c.permissions(c.regionOf(addr))&regionSecure != 0
}

// stackChecked reports whether accesses through the stack pointer are checked.
func (c *CPU) stackChecked() bool {
	if c.Status&StatusS != 0 {
		return c.sec.stat&secStack != 0
	}
	return c.Status&StatusSC != 0
}

// handles chooses the world of an exception's handler, and notes where rtie returns to.
func (c *CPU) handles(e *Exception) {
	if !c.Config.Secure {
		return
	}
	from := c.Status & StatusS
	c.sec.ersec = c.sec.stat
	if from != 0 {
		c.sec.ersec |= ersecReturn
	}
	c.sec.stat &^= secStack
	border := e.Vector == VecProtection && (e.Param&paramSecure != 0 || e.Cause == causeNSC) || e.Vector == VecPrivilege && e.Cause == causeSecure
	c.setWorld(from != 0 || border)
}

// resumes is the return from that exception.
func (c *CPU) resumes() {
	if c.Config.Secure && !c.normal() {
		c.sec.stat = c.sec.ersec & secBits
		c.setWorld(c.sec.ersec&ersecReturn != 0)
	}
}

// attends chooses the world of the handler of an interrupt of a priority.
func (c *CPU) attends(priority uint8, secure bool) {
	if !c.Config.Secure {
		return
	}
	s := &c.sec
	s.outer = s.outer&^(1<<priority) | uint16(s.stat&secReturn/secReturn)<<priority
	s.stat &^= secReturn
	if c.Status&StatusS != 0 {
		s.stat |= secReturn
	}
	c.setWorld(secure)
}

// continues is the return from that interrupt.
func (c *CPU) continues(priority int) {
	if !c.Config.Secure {
		return
	}
	s := &c.sec
	back := s.stat&secReturn != 0
	s.stat = s.stat&^secReturn | uint32(s.outer>>(priority&15)&1)*secReturn
	c.setWorld(back)
}

// userStack is the stack pointer of user mode in the world that executes, while the kernel does.
func (c *CPU) userStack() uint32 {
	if c.Status&StatusS != 0 {
		return c.sec.userSP
	}
	return c.aux.userSP
}

// setPriority writes IRQ_PRIORITY of an interrupt.
func (c *CPU) setPriority(l *irqLine, v uint32) {
	secure := c.Config.Secure && v&irqSecure != 0
	if c.Config.Secure {
		v &^= irqSecure
	}
	if v < uint32(max(c.Config.Levels, 1)) && c.mayChange(l) {
		l.priority, l.secure = uint8(v), secure
	}
}

// mayChange reports whether the world that executes may change the settings of an interrupt.
func (c *CPU) mayChange(l *irqLine) bool { return !l.secure || !c.normal() }

// vectors is the address of the vector table of the world that executes.
func (c *CPU) vectors() uint32 {
	if c.Status&StatusS != 0 {
		return c.sec.vectorBase
	}
	return c.aux.vectorBase
}

// mayChangeInterrupts raises a Privilege Violation where secure code has not left seti, clri and sleep to normal mode.
func (c *CPU) mayChangeInterrupts(what string) bool {
	if !c.normal() || c.sec.stat&secNormal != 0 {
		return true
	}
	c.raise(VecPrivilege, causeSecure, paramSecure, what+" in normal mode")
	return false
}

// execSecureFlag is sflag: it writes SEC_STAT.
func (r *Ref) execSecureFlag(c *CPU, d *decoded) {
	v := c.source(&d.dst)
	switch {
	case c.exc.raised || !c.privileged("sflag"):
	case c.normal():
		c.raise(VecPrivilege, causeSecure, paramSecure, "sflag in normal mode")
	default:
		c.setSecStat(v)
	}
}

// setSecStat writes SEC_STAT.
func (c *CPU) setSecStat(v uint32) {
	c.sec.stat = v & secBits
	c.Attention()
}

// execSecureCall is sjli: a call into the secure world, to the address in an entry of its table.
func (r *Ref) execSecureCall(c *CPU, d *decoded) {
	at := c.sec.tableBase + d.dst.imm<<2
	if at < c.sec.tableBase || at >= c.sec.tableTop {
		c.raise(VecProtection, causeNSC, 0, fmt.Sprintf("sjli %d is beyond its table", d.dst.imm))
		return
	}
	back := c.Status&StatusS != 0
	c.setWorld(true)
	c.asKernel(true)
	target, f := c.Mem.LoadAny(at, 4)
	c.asKernel(false)
	if f != nil {
		c.setWorld(back)
		c.raiseFault(f)
		return
	}
	c.R[RegBLINK] = d.next
	c.jump(uint32(target))
}
