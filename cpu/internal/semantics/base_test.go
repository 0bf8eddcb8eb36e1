package semantics_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"arcv2dsp/cpu/internal/semantics"
	"arcv2dsp/internal/dev/testkit/basemodel"
	_ "arcv2dsp/internal/dev/testkit/nofiles"
)

// noFlags and withFlags adapt functions to one signature.
func noFlags(f func(x, y uint32) (uint32, uint32)) func(x, y, fl uint32) (uint32, uint32) {
	return func(x, y, _ uint32) (uint32, uint32) { return f(x, y) }
}

// sticky drops the event of a saturating function after comparing it with V.
func sticky(t require.TestingT, z, f, q uint32) (uint32, uint32) {
	require.Equal(t, f&1, q, "a clamp sets V and SAT alike")
	return z, f
}

// TestBinaryOperations compares the instruction functions with the integer definitions.
func TestBinaryOperations(t *testing.T) {
	saturating := func(f func(x, y, fl uint32) (uint32, uint32, uint32)) func(x, y, fl uint32) (uint32, uint32) {
		return func(x, y, fl uint32) (uint32, uint32) {
			z, nf, q := f(x, y, fl)
			return sticky(t, z, nf, q)
		}
	}
	ops := map[string]func(x, y, fl uint32) (uint32, uint32){
		"add": noFlags(semantics.ADD), "adc": semantics.ADC, "sub": noFlags(semantics.SUB), "sbc": semantics.SBC,
		"rsub": noFlags(semantics.RSUB), "add1": noFlags(semantics.ADD1), "add2": noFlags(semantics.ADD2),
		"add3": noFlags(semantics.ADD3), "sub1": noFlags(semantics.SUB1), "sub2": noFlags(semantics.SUB2),
		"sub3": noFlags(semantics.SUB3), "and": semantics.AND, "or": semantics.OR, "xor": semantics.XOR,
		"bic": semantics.BIC, "bset": semantics.BSET, "bclr": semantics.BCLR, "bxor": semantics.BXOR,
		"bmsk": semantics.BMSK, "bmskn": semantics.BMSKN, "asl": semantics.ASL, "lsr": semantics.LSR,
		"asr": semantics.ASR, "ror": semantics.ROR, "max": noFlags(semantics.MAX), "min": noFlags(semantics.MIN),
		"seteq": noFlags(semantics.SETEQ), "setne": noFlags(semantics.SETNE), "setlt": noFlags(semantics.SETLT),
		"setge": noFlags(semantics.SETGE), "setle": noFlags(semantics.SETLE), "setgt": noFlags(semantics.SETGT),
		"setlo": noFlags(semantics.SETLO), "seths": noFlags(semantics.SETHS), "xbfu": semantics.XBFU,
		"adds": saturating(semantics.ADDS), "subs": saturating(semantics.SUBS), "adcs": saturating(semantics.ADCS),
		"sbcs": saturating(semantics.SBCS), "asls": saturating(semantics.ASLS), "asrs": saturating(semantics.ASRS),
	}
	require.Len(t, ops, len(basemodel.Binaries))
	for name, model := range basemodel.Binaries {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				x, y, fl := number(t, "x"), number(t, "y"), rapid.Uint32Range(0, 15).Draw(t, "flags")
				z, f := ops[name](x, y, fl)
				wz, wf := model(int64(x), int64(y), int(fl))
				require.Equal(t, uint32(wz), z)
				require.EqualValues(t, wf, f)
			})
		})
	}
}

// TestUnaryOperations does the same for operations on one source.
func TestUnaryOperations(t *testing.T) {
	plain := func(f func(y uint32) (uint32, uint32)) func(y, fl uint32) (uint32, uint32) {
		return func(y, _ uint32) (uint32, uint32) { return f(y) }
	}
	saturating := func(f func(y, fl uint32) (uint32, uint32, uint32)) func(y, fl uint32) (uint32, uint32) {
		return func(y, fl uint32) (uint32, uint32) {
			z, nf, q := f(y, fl)
			return sticky(t, z, nf, q)
		}
	}
	ops := map[string]func(y, fl uint32) (uint32, uint32){
		"mov": semantics.MOV, "not": semantics.NOT, "neg": plain(semantics.NEG), "sexb": semantics.SEXB,
		"sexh": semantics.SEXH, "extb": semantics.EXTB, "exth": semantics.EXTH, "abs": plain(semantics.ABS),
		"asl1": plain(semantics.ASL1), "lsr1": semantics.LSR1, "asr1": semantics.ASR1, "ror1": semantics.ROR1,
		"rol": semantics.ROL, "rlc": semantics.RLC, "rrc": semantics.RRC, "asr8": semantics.ASR8,
		"asr16": semantics.ASR16, "lsl8": semantics.LSL8, "lsl16": semantics.LSL16, "lsr8": semantics.LSR8,
		"lsr16": semantics.LSR16, "rol8": semantics.ROL8, "ror8": semantics.ROR8, "swap": semantics.SWAP,
		"swape": semantics.SWAPE, "norm": semantics.NORM, "normh": semantics.NORMH, "ffs": semantics.FFS,
		"fls": semantics.FLS, "abss": saturating(semantics.ABSS), "negs": saturating(semantics.NEGS),
	}
	require.Len(t, ops, len(basemodel.Unaries))
	for name, model := range basemodel.Unaries {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				y, fl := number(t, "y"), rapid.Uint32Range(0, 15).Draw(t, "flags")
				z, f := ops[name](y, fl)
				wz, wf := model(int64(y), int(fl))
				require.Equal(t, uint32(wz), z)
				require.EqualValues(t, wf, f)
			})
		})
	}
}

// number draws a 32-bit number, often near a power of two.
func number(t *rapid.T, name string) uint32 {
	if rapid.Bool().Draw(t, name+" near a power") {
		return 1<<rapid.Uint32Range(0, 31).Draw(t, name+" power") + uint32(rapid.IntRange(-2, 2).Draw(t, name+" off"))
	}
	return rapid.Uint32().Draw(t, name)
}
