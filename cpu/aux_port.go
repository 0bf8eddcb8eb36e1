package cpu

import (
	"fmt"

	"arcv2dsp/memory"
)

// auxPort is a device whose registers are auxiliary registers above those of the core, as the peripherals of data fusion
// subsystems are.
type auxPort struct {
	base, size uint32
	port       memory.Port
}

// MapAux puts a device among the auxiliary registers. Each of its words is at the address that it would have in memory.
func (c *CPU) MapAux(base, size uint32, port memory.Port) error {
	if base < auxSpace || uint64(base)+uint64(size) > 1<<32 {
		return fmt.Errorf("auxiliary registers %#x to %#x: devices have addresses from %#x on", base, uint64(base)+uint64(size)-1, auxSpace)
	}
	for _, o := range c.auxPorts {
		if base < o.base+o.size && o.base < base+size {
			return fmt.Errorf("auxiliary registers %#x to %#x are those of another device", base, base+size-1)
		}
	}
	c.auxPorts = append(c.auxPorts, auxPort{base: base, size: size, port: port})
	return nil
}

// auxDevice finds the device with a register; nil when there is none. User mode must not access it, as registers of the
// kernel.
func (c *CPU) auxDevice(addr uint32) *auxPort {
	for i := range c.auxPorts {
		p := &c.auxPorts[i]
		switch {
		case addr-p.base >= p.size:
		case c.User():
			c.raise(VecPrivilege, 0, 0, fmt.Sprintf("aux register 0x%08x of a device in user mode", addr))
			return nil
		default:
			return p
		}
	}
	return nil
}

// loadDevice reads a register of a device; ok is false when no device has it.
func (c *CPU) loadDevice(addr uint32) (v uint32, ok bool) {
	if addr < auxSpace {
		return 0, false
	}
	p := c.auxDevice(addr)
	if p == nil {
		return 0, false
	}
	return p.port.ReadPort(addr-p.base, 4)
}

// storeDevice writes a register of a device; false means that no device has it.
func (c *CPU) storeDevice(addr, v uint32) bool {
	if addr < auxSpace {
		return false
	}
	p := c.auxDevice(addr)
	return p != nil && p.port.WritePort(addr-p.base, 4, v)
}
