package elfarc

import "fmt"

// Machine numbers of ARC files.
const (
	MachineARCompact = 93  // EM_ARC_COMPACT: ARC 600 and 700
	MachineARCv2     = 195 // EM_ARC_COMPACT2: EM and HS
)

// e_flags: the low byte is the processor, bits 8 to 11 the version of the operating-system ABI.
const (
	FlagCPUMask   = 0xff
	FlagCPUNone   = 0 // not said; the machine number says ARCv2
	FlagCPUARC600 = 2
	FlagCPUARC700 = 3
	FlagCPUARC601 = 4
	FlagCPUEM     = 5
	FlagCPUHS     = 6
	FlagABIMask   = 0xf00
	FlagABIv4     = 0x400 // what the GNU tools write at present
	FlagPIC       = 0x100
)

// CPUName names the processor family of e_flags.
func CPUName(flags uint32) string {
	switch flags & FlagCPUMask {
	case FlagCPUARC600:
		return "ARC 600"
	case FlagCPUARC700:
		return "ARC 700"
	case FlagCPUARC601:
		return "ARC 601"
	case FlagCPUEM:
		return "ARC EM"
	case FlagCPUHS:
		return "ARC HS"
	}
	return fmt.Sprintf("ARC processor %d", flags&FlagCPUMask)
}

// SectionAttributes is the name and SectionTypeAttributes the type of the attribute section.
const (
	SectionAttributes     = ".ARC.attributes"
	SectionTypeAttributes = 0x70000001
)

// Symbols that relocation formulas refer to.
const (
	SymbolSDA = "__SDATA_BEGIN__"       // small-data base, held in gp
	SymbolJLI = "__JLI_TABLE__"         // base of the jli_s table, held in JLI_BASE
	SymbolGOT = "_GLOBAL_OFFSET_TABLE_" // base of the global offset table
)
