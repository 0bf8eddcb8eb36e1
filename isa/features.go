package isa

import "strings"

// Feature is a set of core options. A form decodes on a core only when every option it needs is
// present; major opcodes 6 and 7 mean different instructions under different options.
type Feature uint64

const (
	EM Feature = 1 << iota // EM family
	HS                     // HS family

	CodeDensity // bi, set<cc>, enter_s, jli_s, ei_s, ldi and the extra 16-bit forms
	BarrelShift // shifts by more than one position, xbfu
	ShiftAssist // fixed shifts by 8 and 16: asr8, lsl8, rol8 ...
	BitScan     // norm, normh, ffs, fls
	Swap        // swap, swape, lsl16, lsr16
	DivRem      // div, divu, rem, remu
	MPY1        // mpy_option 1 (wlh1..): mpyw, mpyuw
	MPY6        // mpy_option 2 to 6: mpy, mpyu, mpym, mpymu
	MPY7        // mpy_option 7 (dmpy): mac, dual 16x16, two-lane add and subtract
	MPY8        // mpy_option 8 (macd): 64-bit results
	MPY9        // mpy_option 9 (qmacw): quad 16x16, 64-bit vectors (HS)

	DSP         // fractional, saturating, vector and accumulator instructions
	DSPComplex  // full-rate complex unit with butterflies
	DSPDivSqrt  // divf, sqrt, sqrtf
	DSPAccShift // convergent rounding and full accumulator shifts
	DSPITU      // pre-accumulation shift (DSP_CTRL.PA)
	AGU         // address generation unit: pointer registers, modapp, modif, r32-r55 as ports
	Bitstream   // bspush, bspop, bspeek

	LL64   // ldd, std
	Atomic // llock, scond
	Secure // sflag, sjli, nexttask

	FPUSingle       // fs*: single-precision unit
	FPUDouble       // fd*: double-precision unit (HS)
	FPUDoubleAssist // daddh, dmulh ... beside the single-precision unit (EM)
	FPXSingle       // fadd, fmul, fsub: the older single-precision extension
	FPXDouble       // daddh, dmulh ... of the older double-precision extension
	QuarkSE         // dsp_fp_*
	FastMath        // fmp_*

	FPUSingleDiv // fsdiv, fssqrt
	FPUSingleMAC // fsmadd, fsmsub
	FPUDoubleDiv // fddiv, fdsqrt
	FPUDoubleMAC // fdmadd, fdmsub

	// AllFPUSingle and AllFPUDouble are complete floating-point units.
	AllFPUSingle = FPUSingle | FPUSingleDiv | FPUSingleMAC
	AllFPUDouble = FPUDouble | FPUDoubleDiv | FPUDoubleMAC

	// AllMPY is every multiplier level.
	AllMPY = MPY1 | MPY6 | MPY7 | MPY8 | MPY9
)

// featureNames are the names of the options in documentation, by bit.
var featureNames = [...]string{"EM", "HS", "code density", "barrel shifter", "shift assist",
	"bit scan", "swap", "divide", "mpy 1", "mpy 2-6", "mpy 7", "mpy 8", "mpy 9", "DSP",
	"DSP complex", "DSP divide and root", "DSP full accumulator shift", "DSP ITU shift", "AGU",
	"bitstream", "LL64", "atomic", "secure", "FPU single", "FPU double", "FPU double assist",
	"FPX single", "FPX double", "QuarkSE", "fast math",
	"FPU single divide", "FPU single MAC", "FPU double divide", "FPU double MAC"}

// String lists the options.
func (f Feature) String() string {
	var names []string
	for bit, name := range featureNames {
		if f>>bit&1 != 0 {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}

// Has reports whether every option of g is in f.
func (f Feature) Has(g Feature) bool { return f&g == g }

// Feature sets of complete cores, as GNU as and objdump see them: GNU takes every multiply,
// divide, DSP and address-generation instruction of the family for any of its cores.
const (
	coreCommon = BarrelShift | ShiftAssist | BitScan | Swap | DivRem | CodeDensity |
		DSP | DSPComplex | DSPDivSqrt | DSPAccShift | DSPITU | Atomic | FastMath

	// GNUEM has the features that objdump -M cpu=em4,dsp decodes and gas -mcpu=em4 assembles.
	GNUEM = EM | coreCommon | MPY1 | MPY6 | MPY7 | MPY8 | AGU | Bitstream | Secure
	// GNUHS has the features that objdump -M cpu=hs4xd,dsp decodes and gas -mcpu=hs4xd assembles.
	GNUHS = HS | coreCommon | AllMPY | LL64
)
