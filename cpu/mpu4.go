package cpu

// The MPU of version 4 has one set of region registers, and MPU_INDEX says for which region they stand.
// A region begins and ends at any multiple of 32 bytes.
const (
	mpuGranule = 32 // bytes

	probeNone     = 1 << 31 // MPU_INDEX after a probe: the default rights hold there
	probeMultiple = 1 << 30 // several regions match
)

// indexedMPU reports whether the MPU is of version 4.
func (c *Config) indexedMPU() bool { return c.MPUVersion >= 4 }

func hasIndexedMPU(c *Config) bool { return hasMPU(c) && c.indexedMPU() }

// auxMPU4 are the registers that only version 4 has.
//
// DEVIATION(222): granule, ends and probe bits are those of Zephyr's driver. It says that regions never
// overlap in hardware; where they do here, the one with the lowest number decides. Secure numbers and the
// secure bit are stored without effect.
var auxMPU4 = []auxReg{
	{Addr: 0x448, Name: "MPU_INDEX", Has: hasIndexedMPU,
		Read: func(c *CPU) uint32 { return c.mpu.index },
		Write: func(c *CPU, v uint32) {
			if v < uint32(c.Config.MPURegions) {
				c.mpu.index = v
			}
		}},
	{Addr: 0x449, Name: "MPU_RSTART", Has: hasIndexedMPU,
		Read:  func(c *CPU) uint32 { return c.mpu.base[c.mpuSelected()] },
		Write: func(c *CPU, v uint32) { c.setRegion(c.mpuSelected(), v&^(mpuGranule-1), &c.mpu.base) }},
	{Addr: 0x44a, Name: "MPU_REND", Has: hasIndexedMPU,
		Read:  func(c *CPU) uint32 { return c.mpu.end[c.mpuSelected()] },
		Write: func(c *CPU, v uint32) { c.setRegion(c.mpuSelected(), v&^(mpuGranule-1), &c.mpu.end) }},
	{Addr: 0x44b, Name: "MPU_RPER", Has: hasIndexedMPU,
		Read:  func(c *CPU) uint32 { return c.mpu.perm[c.mpuSelected()] },
		Write: func(c *CPU, v uint32) { c.setRegion(c.mpuSelected(), v&0xff81f9, &c.mpu.perm) }},
	{Addr: 0x44c, Name: "MPU_PROBE", Has: hasIndexedMPU,
		Write: func(c *CPU, v uint32) { c.mpu.index = c.probeMPU(v) }},
}

// mpuSelected is the region that MPU_INDEX stands for.
func (c *CPU) mpuSelected() uint32 { return c.mpu.index % mpuMaxRegions }

// probeMPU is the value of MPU_INDEX after a probe of an address.
func (c *CPU) probeMPU(addr uint32) uint32 {
	found := uint32(probeNone)
	for i := range int(c.Config.MPURegions) {
		switch first, last, valid := c.regionBounds(i); {
		case !valid || addr < first || addr > last:
		case found == probeNone:
			found = uint32(i)
		default:
			found |= probeMultiple
		}
	}
	return found
}
