package asm

import (
	"fmt"
	"strings"

	"arcv2dsp/internal/program/elfarc"
	"arcv2dsp/internal/term/spelling"
	"arcv2dsp/isa"
)

// DefaultCPU is the core assembled for when none is named.
//
// DEVIATION(156): the default core of the simulator, not hs38_linux as in GNU as.
const DefaultCPU = "em9d"

// cpu is a name that -mcpu and .cpu take.
type cpu struct {
	name     string
	hs       bool
	own      bool        // ours: the core's options are enforced as with Strict
	gnu      isa.Feature // options that the GNU assembler checks
	features isa.Feature // what the core has, for strict checks
}

// checked are the options that the GNU assembler looks at; it takes every multiply, divide, DSP and
// floating-point instruction for any core of the family.
const checked = isa.EM | isa.HS | isa.CodeDensity | isa.FPXSingle | isa.FPXDouble | isa.FPUDoubleAssist

// Option sets that the cores share.
const (
	baseEM   = isa.EM | isa.BarrelShift | isa.ShiftAssist | isa.BitScan | isa.Swap | isa.DivRem | isa.MPY1 | isa.MPY6
	density  = isa.CodeDensity
	dspEM    = baseEM | density | isa.MPY7 | isa.MPY8 | isa.DSP | isa.DSPComplex | isa.DSPDivSqrt | isa.DSPAccShift | isa.DSPITU | isa.Bitstream
	baseHS   = isa.HS | density | isa.BarrelShift | isa.ShiftAssist | isa.BitScan | isa.Swap | isa.DivRem | isa.MPY1 | isa.MPY6 | isa.LL64 | isa.Atomic
	fullHS   = baseHS | isa.MPY7 | isa.MPY8 | isa.MPY9
	quarkFPX = isa.FPXSingle | isa.FPXDouble | isa.QuarkSE
)

var cpus = []cpu{
	{name: "em", gnu: isa.EM, features: baseEM},
	{name: "arcem", gnu: isa.EM, features: baseEM},
	{name: "em_mini", gnu: isa.EM, features: isa.EM},
	{name: "em4", gnu: isa.EM | density, features: baseEM | density},
	{name: "em4_dmips", gnu: isa.EM | density, features: baseEM | density},
	{name: "em4_fpus", gnu: isa.EM | density, features: baseEM | density | isa.AllFPUSingle},
	{name: "em4_fpuda", gnu: isa.EM | density | isa.FPUDoubleAssist, features: baseEM | density | isa.AllFPUSingle | isa.FPUDoubleAssist},
	{name: "quarkse_em", gnu: isa.EM | density | isa.FPXSingle | isa.FPXDouble, features: baseEM | density | quarkFPX},
	{name: "hs", hs: true, gnu: isa.HS | density, features: baseHS},
	{name: "archs", hs: true, gnu: isa.HS | density, features: baseHS},
	{name: "hs34", hs: true, gnu: isa.HS | density, features: baseHS},
	{name: "hs38", hs: true, gnu: isa.HS | density, features: fullHS},
	{name: "hs38_linux", hs: true, gnu: isa.HS | density, features: fullHS | isa.AllFPUSingle | isa.AllFPUDouble},
	{name: "hs4x", hs: true, gnu: isa.HS | density, features: fullHS},
	{name: "hs4xd", hs: true, gnu: isa.HS | density, features: fullHS | isa.DSP},
	{name: "hs4x_rel31", hs: true, gnu: isa.HS | density, features: fullHS},

	{name: "em6", own: true, gnu: isa.EM | density, features: baseEM | density},
	{name: "em5d", own: true, gnu: isa.EM | density, features: dspEM},
	{name: "em7d", own: true, gnu: isa.EM | density, features: dspEM},
	{name: "em9d", own: true, gnu: isa.EM | density, features: dspEM | isa.AGU},
	{name: "em11d", own: true, gnu: isa.EM | density, features: dspEM | isa.AGU},
}

// CPUs returns the accepted core names.
func CPUs() []string {
	names := make([]string, len(cpus))
	for i, c := range cpus {
		names[i] = c.name
	}
	return names
}

func findCPU(name string) *cpu {
	for i := range cpus {
		if strings.EqualFold(cpus[i].name, name) {
			return &cpus[i]
		}
	}
	return nil
}

// cpuError names the cores, or says why one of an older generation is not among them.
func cpuError(name string) error {
	lower := strings.ToLower(name)
	if strings.HasPrefix(lower, "arc6") || strings.HasPrefix(lower, "arc7") || lower == "nps400" {
		return fmt.Errorf("core %s is no ARCv2 core: only EM and HS are supported", name)
	}
	if near := spelling.Nearest(lower, CPUs()); near != "" {
		return fmt.Errorf("unknown core %q, did you mean %s", name, near)
	}
	return fmt.Errorf("unknown core %q, expected one of %s", name, strings.Join(CPUs(), " "))
}

// cpuState is the core assembled for.
type cpuState struct {
	*cpu
	name   string      // as written
	given  bool        // by option: .cpu then only warns
	chosen bool        // by .cpu
	extra  isa.Feature // from options such as -mspfp
	strict bool
	legal  isa.Feature // forms that need more than this are refused
}

func (s *cpuState) init(opts *Options) error {
	name := opts.CPU
	s.given = name != ""
	if !s.given {
		name = DefaultCPU
	}
	c := findCPU(name)
	if c == nil {
		return cpuError(name)
	}
	for _, o := range []struct {
		on bool
		f  isa.Feature
	}{
		{opts.CodeDensity, isa.CodeDensity}, {opts.SPFP, isa.FPXSingle}, {opts.DPFP, isa.FPXDouble}, {opts.FPUDA, isa.FPUDoubleAssist},
	} {
		if o.on {
			s.extra |= o.f
		}
	}
	if opts.DPFP && opts.FPUDA {
		return fmt.Errorf("-mdpfp and -mfpuda exclude each other: their opcodes overlap")
	}
	s.strict = opts.Strict
	s.set(c, name)
	return nil
}

// set switches to a core.
func (s *cpuState) set(c *cpu, name string) {
	s.cpu, s.name = c, name
	if c.own || s.strict {
		s.legal = c.features | s.extra
		return
	}
	s.legal = c.gnu | s.extra | ^checked
}

// auxFeatures are the options that auxiliary register names depend on.
func (s *cpuState) auxFeatures() isa.Feature { return s.gnu | s.features | s.extra }

// flags are the e_flags of the object.
func (s *cpuState) flags() uint32 {
	if s.hs {
		return elfarc.FlagCPUHS | elfarc.FlagABIv4
	}
	return elfarc.FlagCPUEM | elfarc.FlagABIv4
}

// optionNames say what enables a feature, for messages.
var optionNames = []struct {
	feature isa.Feature
	name    string
}{
	{isa.EM, "an EM core"},
	{isa.HS, "an HS core"},
	{isa.CodeDensity, "code density (-mcode-density, or -mcpu=em4 and up)"},
	{isa.BarrelShift, "the barrel shifter (barrel_shift_option)"},
	{isa.ShiftAssist, "shift assist (shift_assist_option)"},
	{isa.BitScan, "bit scan (bitscan_option)"},
	{isa.Swap, "byte swapping (swap_option)"},
	{isa.DivRem, "the divider (div_rem_option)"},
	{isa.MPY1, "multiplier option 1 (mpy_option)"},
	{isa.MPY6, "multiplier option 2 or more (mpy_option)"},
	{isa.MPY7, "multiplier option 7 (mpy_option=dmpy): cores em5d and up"},
	{isa.MPY8, "multiplier option 8 (mpy_option=macd): cores em5d and up"},
	{isa.MPY9, "multiplier option 9 (mpy_option=qmacw), HS only"},
	{isa.DSP, "the DSP option (dsp_option): cores em5d em7d em9d em11d"},
	{isa.DSPComplex, "the complex DSP option (dsp_complex_option)"},
	{isa.DSPDivSqrt, "DSP divide and square root (dsp_divsqrt_option)"},
	{isa.DSPAccShift, "accumulator shifts (dsp_accshift_option)"},
	{isa.DSPITU, "ITU arithmetic (dsp_itu_option)"},
	{isa.AGU, "the address generation unit (agu_size): cores em9d em11d"},
	{isa.Bitstream, "the bitstream option (bitstream_option)"},
	{isa.LL64, "64-bit loads and stores (ll64_option), HS only"},
	{isa.Atomic, "atomic instructions (atomic_option)"},
	{isa.Secure, "the secure shield option (sec_modes_option)"},
	{isa.FPUSingle, "the single-precision FPU (fpu_option, -mcpu=em4_fpus)"},
	{isa.FPUDouble, "the double-precision FPU (fpu_option), HS only"},
	{isa.FPUDoubleAssist, "double-precision assist (-mfpuda, -mcpu=em4_fpuda)"},
	{isa.FPXSingle, "single-precision FPX (-mspfp, -mcpu=quarkse_em)"},
	{isa.FPXDouble, "double-precision FPX (-mdpfp, -mcpu=quarkse_em)"},
	{isa.QuarkSE, "the QuarkSE extension (-mcpu=quarkse_em)"},
	{isa.FastMath, "the fast-math user extension"},
}

// absence says why the core has no instruction of a name.
func (s *cpuState) absence(name string, needs isa.Feature) string {
	return "core " + s.name + " has no " + name + ": it needs " + s.lacking(needs)
}

// lacking says which options of needs the core does not have.
func (s *cpuState) lacking(needs isa.Feature) string {
	missing := needs &^ s.legal
	var names []string
	for _, o := range optionNames {
		if missing&o.feature != 0 {
			names = append(names, o.name)
		}
	}
	return strings.Join(names, " and ")
}
