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
	asKernel bool // the core itself accesses memory: vectors, interrupt frames

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
				c.mpu.rights = v & mpuRights
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
				Write: func(c *CPU, v uint32) { c.mpu.base[i] = v & (0xfffff800 | regionValid) }},
			auxReg{Addr: 0x423 + 2*i, Name: fmt.Sprintf("MPU_RDP%d", i), Has: has,
				Read:  func(c *CPU) uint32 { return c.mpu.perm[i] },
				Write: func(c *CPU, v uint32) { c.mpu.perm[i] = v & 0xffb }})
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
	if on {
		c.Mem.SetGuard(c)
	} else {
		c.Mem.SetGuard(nil)
	}
	c.updateChecks()
}

// regionOf returns the region that decides about addr, -1 for the default rights.
//
// DEVIATION(111): of overlapping regions the one with the lowest number decides.
func (c *CPU) regionOf(addr uint32) int {
	for i := range int(c.Config.MPURegions) {
		if c.Config.indexedMPU() {
			if c.mpu.spans(i, addr) {
				return i
			}
			continue
		}
		if c.mpu.base[i]&regionValid == 0 {
			continue
		}
		perm := c.mpu.perm[i]
		size := uint(perm&3|perm>>7&0x1c) + 1 // log2
		mask := uint32(uint64(1)<<size - 1)
		if (addr^c.mpu.base[i])&^mask&^0x7ff == 0 {
			return i
		}
	}
	return -1
}

// Allow reports whether the MPU lets an access pass; it is the guard of the memory.
func (c *CPU) Allow(addr, size uint32, a memory.Access) bool {
	ok, _ := c.allows(addr, size, a)
	return ok
}

// allows is Allow; with a refusal comes what MPU_ECR shows of it once it is an exception. Looking
// ahead, as decoding does, leaves the register alone.
func (c *CPU) allows(addr, size uint32, a memory.Access) (ok bool, ecr uint32) {
	if !c.mpu.enabled || c.mpu.otherMaster {
		return true, 0
	}
	for _, at := range [2]uint32{addr, addr + size - 1} {
		region := c.regionOf(at)
		rights := c.mpu.rights
		if region >= 0 {
			rights = c.mpu.perm[region]
		}
		bit := map[memory.Access]uint{memory.Exec: 3, memory.Write: 4, memory.Read: 5}[a]
		if !c.User() || c.mpu.asKernel {
			bit += 3
		}
		if rights>>bit&1 == 0 {
			violation := map[memory.Access]uint32{memory.Exec: 0, memory.Read: 1, memory.Write: 2}[a]
			return false, violation<<16 | uint32(region)&0xff
		}
	}
	return true, 0
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
	return VecProtection, cause, paramMPU
}

// mayExecute checks the instruction that is about to execute, which may have been decoded when
// other rights were in force.
func (c *CPU) mayExecute(d *decoded) bool {
	if c.Allow(d.pc, uint32(d.in.Len), memory.Exec) {
		return true
	}
	c.raiseFault(&memory.Fault{Addr: d.pc, Size: uint32(d.in.Len), Access: memory.Exec, Cause: memory.CauseGuard})
	return false
}
