package cpu

import (
	"fmt"

	"arcv2dsp/memory"
)

const mpuMaxRegions = 16

// MPU_EN and region descriptor fields.
const (
	mpuEnable = 1 << 30
	mpuRights = 0x1f8 // user X W R in bits 3, 4, 5, kernel X W R in bits 6, 7, 8

	regionValid = 1 << 0 // MPU_RDB
)

// mpuState is the memory protection unit. Versions 2 and 3 give a region a base and a size; version 4,
// which is in mpu4.go, a start and an end.
type mpuState struct {
	enabled  bool
	asKernel bool // the core itself accesses memory in user mode, see there

	otherMaster bool   // somebody beside the core accesses memory
	rights      uint32 // where no region matches
	base        [mpuMaxRegions]uint32
	end         [mpuMaxRegions]uint32 // version 4: last 32 bytes of the region
	perm        [mpuMaxRegions]uint32
	index       uint32 // version 4: MPU_INDEX
	ecr         uint32
}

// auxMPU are the registers of the MPU.
var auxMPU = func() []auxReg {
	regs := []auxReg{
		{Addr: 0x409, Name: "MPU_EN", Has: hasMPU,
			Read: func(c *CPU) uint32 { return c.mpu.rights | b2u(c.mpu.enabled)*mpuEnable },
			Write: func(c *CPU, v uint32) {
				if c.Config.Secure { // it is always on
					c.setRights(v & mpuShieldMask)
					return
				}
				c.setRights(v & mpuRights)
				c.setMPU(v&mpuEnable != 0)
			}},
		{Addr: 0x420, Name: "MPU_ECR", Has: hasMPU,
			Read: func(c *CPU) uint32 { return c.mpu.ecr }},
	}
	for i := range uint32(mpuMaxRegions) {
		has := func(cfg *Config) bool { return i < uint32(cfg.MPURegions) && !cfg.indexedMPU() }
		regs = append(regs,
			auxReg{Addr: 0x422 + 2*i, Name: fmt.Sprintf("MPU_RDB%d", i), Has: has,
				Read:  func(c *CPU) uint32 { return c.mpu.base[i] },
				Write: func(c *CPU, v uint32) { c.setRegion(i, v&(0xfffff800|regionValid), &c.mpu.base) }},
			auxReg{Addr: 0x423 + 2*i, Name: fmt.Sprintf("MPU_RDP%d", i), Has: has,
				Read:  func(c *CPU) uint32 { return c.mpu.perm[i] },
				Write: func(c *CPU, v uint32) { c.setRegion(i, v&0xffb, &c.mpu.perm) }})
	}
	return regs
}()

func hasMPU(c *Config) bool { return c.MPURegions > 0 }

// setMPU switches the protection. While it is on, every access is checked.
func (c *CPU) setMPU(on bool) {
	if c.mpu.enabled == on {
		return
	}
	c.mpu.enabled = on
	c.guardMemory()
	c.updateChecks()
}

// guardMemory has the memory checked as the MPU is set.
func (c *CPU) guardMemory() {
	if c.mpu.enabled {
		c.Mem.SetGuard(c)
	} else {
		c.Mem.SetGuard(nil)
	}
	c.protect(written{})
}

// setRights writes the rights where no region matches.
func (c *CPU) setRights(v uint32) {
	if c.mpu.rights == v {
		return
	}
	if c.mpu.rights = v; c.mpu.enabled {
		c.protect(written{what: mpuDefault, v: v})
	}
}

// setRegion writes a word of the descriptor of region i.
func (c *CPU) setRegion(i, v uint32, words *[mpuMaxRegions]uint32) {
	if words[i] == v {
		return
	}
	if words[i] = v; !c.mpu.enabled {
		return
	}
	what := uint8(mpuBase)
	switch words {
	case &c.mpu.end:
		what = mpuEnd
	case &c.mpu.perm:
		what = mpuPerm
	}
	c.protect(written{what: what + uint8(i), v: v})
}

// regionOf returns the region that decides about addr, -1 for the default rights.
//
// DEVIATION(111): of overlapping regions the one with the lowest number decides.
func (c *CPU) regionOf(addr uint32) int {
	for i := range int(c.Config.MPURegions) {
		if first, last, ok := c.regionBounds(i); ok && addr >= first && addr <= last {
			return i
		}
	}
	return -1
}

// regionBounds returns the first and the last address of region i, and whether the region is valid.
func (c *CPU) regionBounds(i int) (first, last uint32, valid bool) {
	m := &c.mpu
	if c.Config.indexedMPU() {
		first, last = m.base[i], m.end[i]|(mpuGranule-1)
		return first, last, m.perm[i]&regionValid != 0 && first <= last
	}
	size := uint(m.perm[i]&3|m.perm[i]>>7&0x1c) + 1 // log2
	within := uint32(uint64(1)<<size-1) | 0x7ff
	return m.base[i] &^ within, m.base[i] | within, m.base[i]&regionValid != 0
}

// guardCause translates a refused access into an exception.
func (c *CPU) guardCause(f *memory.Fault) (vector, cause, param uint8) {
	switch f.Access {
	case memory.Exec:
		cause = causeFetch
	case memory.Read:
		cause = causeRead
	case memory.Write:
		cause = causeWrite
	}
	_, c.mpu.ecr = c.allows(f.Addr, f.Size, f.Access)
	param = paramMPU
	if c.crosses(f.Addr) {
		param |= paramSecure
	}
	return VecProtection, cause, param
}
