package config

import "arcv2dsp/cpu"

// Default is the template of an EM program when nothing else chooses one, DefaultHS that of an HS
// program.
const (
	Default   = "em9d"
	DefaultHS = "hs38"
)

// Plain names the template of a family without DSP and caches, on which single properties build.
func Plain(f Family) string {
	if f == HS {
		return DefaultHS
	}
	return "em4"
}

// template is one row of the core table: its changes to the row it builds on.
type template struct {
	Name    string
	Summary string
	From    string // row this one builds on, empty for the first of a family
	Change  func(*Core)
}

// templates is the core table. A template does not restrict memory: unless a CCM is configured the
// whole address space is RAM, so that any link address works.
func templates() []template {
	return []template{
		{
			Name:    "em4",
			Summary: "EM without DSP: multiplier 2 (one cycle), radix-2 divider, no caches",
			Change:  plainEM,
		},
		{
			Name:    "em6",
			Summary: "em4 with 16 KB instruction and data caches",
			From:    "em4",
			Change:  withCaches,
		},
		{
			Name:    "em5d",
			Summary: "EM with DSP v2: complex, divide and square root, full accumulator shifts",
			From:    "em4",
			Change:  withDSP,
		},
		{
			Name:    "em7d",
			Summary: "em5d with 16 KB instruction and data caches",
			From:    "em5d",
			Change:  withCaches,
		},
		{
			Name:    "em9d",
			Summary: "em5d with XY memory and the large AGU (the default core)",
			From:    "em5d",
			Change:  withXY,
		},
		{
			Name:    "em11d",
			Summary: "em9d with 16 KB instruction and data caches",
			From:    "em9d",
			Change:  withCaches,
		},
		{
			Name:    "hs38",
			Summary: "HS: multiplier 9 (quad MACs), 64-bit loads, floating point in both precisions; timing provisional",
			Change:  plainHS,
		},
	}
}

// TemplateInfo names a core template or a board and says what it is.
type TemplateInfo struct {
	Name, Summary string
	DSP           bool     // has the DSP instructions
	Also          []string // names that Zephyr has for it
}

// Templates lists the core templates.
func Templates() []TemplateInfo {
	var list []TemplateInfo
	for _, t := range templates() {
		list = append(list, infoOf(t.Name, t.Summary))
	}
	return list
}

// fill applies template name, and first those it builds on. It reports whether the name is known.
func fill(c *Core, name string) bool {
	for _, t := range templates() {
		if t.Name == name {
			if t.From != "" {
				fill(c, t.From)
			}
			t.Change(c)
			c.Template = t.Name
			return true
		}
	}
	return false
}

func plainEM(c *Core) {
	c.Family = EM
	c.Version = 0x43
	c.Clock = nominalClock
	c.Regs, c.Banks, c.BankRegs, c.Ports = 32, 2, 32, 2
	c.PCSize, c.LPCSize, c.AddrSize = 32, 32, 32
	c.CodeDensity, c.DivOption, c.MPYOption, c.Shift = 2, 1, 2, 3
	c.Swap, c.Bitscan, c.Bitstream = true, true, true
	c.Unaligned = true
	c.AGUKind, c.FPXSingle, c.FPXDouble = "none", "none", "none"
	c.RAM = "auto"
	c.XYLayout = "dccm_x_y"
	c.XYSize, c.XBase, c.YBase = 64<<10, 0xc0000000, 0xe0000000
	c.Interrupts, c.Levels, c.External = 20, 4, 16
	c.FastIRQ = true
	c.Timer0, c.Timer1, c.Timer0Level = true, true, 1
	c.ActionPoints, c.FullPoints, c.StackCheck = 2, true, true
	c.MPUVersion, c.MPURegions = 2, 16
	c.DMA = cpu.DMA{Channels: 2, FIFO: 2}
}

func plainHS(c *Core) {
	plainEM(c)
	c.Family = HS
	c.Version = 0x52
	c.DivOption, c.MPYOption = 2, 9
	c.Bitstream = false
	c.Atomic, c.LL64 = 1, true
	c.FPUSingle, c.FPUSingleDiv, c.FPUDouble, c.FPUDoubleDiv, c.FPUMAC = true, true, true, true, true
	c.RTC = true
	c.ActionPoints = 8
	c.MPUVersion = 3
	c.Interrupts, c.Levels, c.External = 72, 2, 70
}

func withDSP(c *Core) {
	c.MPYOption = 8
	c.DSP, c.DSPComplex, c.DSPDivSqrt, c.DSPAccShift, c.DSPITU = 2, true, 1, 2, true
}

func withXY(c *Core) {
	c.AGUKind, c.AGUWriteBuffer, c.AGUAccordion = "large", 4, true
	c.XY, c.XYInterleaved, c.DCCMInterleaved = true, true, true
}

func withCaches(c *Core) {
	c.ICache, c.ICachePolicy = cpu.CacheGeometry{Size: 16 << 10, Line: 32, Ways: 2}, "a"
	c.DCache, c.DCachePolicy = c.ICache, "a"
	c.ICacheFeatures, c.DCacheFeatures = 2, 2
}

// infoOf describes a core of the tables.
func infoOf(name, summary string) TemplateInfo {
	info := TemplateInfo{Name: name, Summary: summary}
	if c, err := New(name, "table"); err == nil {
		info.DSP = c.Core.DSP > 0
	}
	return info
}
