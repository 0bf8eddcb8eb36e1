package semantics_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/cpu/internal/semantics"
	"arcv2dsp/dspunit"
	"arcv2dsp/internal/dev/testkit/dspmodel"
)

// The basic operators of the ETSI and ITU-T speech codecs, by their mathematical definitions, in the
// mode that the codecs set: round half up, no guard bits, doubling before accumulation.

var itu = dspunit.DecodeMode(dspunit.RoundUp | dspunit.CtrlPA)

func clamp(v int64, width uint) int64 {
	limit := int64(1) << (width - 1)
	return max(min(v, limit-1), -limit)
}

// The operators. Each returns the value and whether it overflowed.

func lMult(a, b int64) (int64, bool) { return clamp(2*a*b, 32), clamp(2*a*b, 32) != 2*a*b }
func lAdd(a, b int64) (int64, bool)  { return clamp(a+b, 32), clamp(a+b, 32) != a+b }
func lSub(a, b int64) (int64, bool)  { return clamp(a-b, 32), clamp(a-b, 32) != a-b }
func round16(v int64) (int64, bool)  { r, over := lAdd(v, 0x8000); return r >> 16, over }
func mult(a, b int64) (int64, bool)  { return clamp(a*b>>15, 16), a*b>>15 > 0x7fff }
func multR(a, b int64) (int64, bool) { v := (a*b + 0x4000) >> 15; return clamp(v, 16), v > 0x7fff }
func add16(a, b int64) (int64, bool) { return clamp(a+b, 16), clamp(a+b, 16) != a+b }
func sub16(a, b int64) (int64, bool) { return clamp(a-b, 16), clamp(a-b, 16) != a-b }
func lMac(acc, a, b int64) (int64, bool) {
	p, o1 := lMult(a, b)
	v, o2 := lAdd(acc, p)
	return v, o1 || o2
}
func lMsu(acc, a, b int64) (int64, bool) {
	p, o1 := lMult(a, b)
	v, o2 := lSub(acc, p)
	return v, o1 || o2
}
func lShl(v int64, n int64) (int64, bool) {
	if n <= 0 {
		return v >> min(-n, 40), false
	}
	for range min(n, 40) {
		v *= 2
		if w := clamp(v, 32); w != v {
			return w, true
		}
	}
	return v, false
}

// interesting16 are the values where operators change their mind, with neighbours, and a spread.
func interesting16() []int64 {
	var all []int64
	for k := range 16 {
		for d := int64(-2); d <= 2; d++ {
			all = append(all, int64(int16(1<<k+d)), int64(int16(-1<<k+d)))
		}
	}
	for v := int64(-0x8000); v < 0x8000; v += 331 {
		all = append(all, v)
	}
	return all
}

func sat(over bool) uint32 {
	if over {
		return dspunit.StickySAT
	}
	return 0
}

// same fails when an operator and an instruction disagree; it avoids the cost of require in the
// loops over all pairs.
func same(t *testing.T, what string, want int64, over bool, got int64, q uint32, operands ...int64) {
	if want != got || sat(over) != q&dspunit.StickySAT {
		t.Fatalf("%s%v = %#x overflow %v, instruction gives %#x, sticky %d", what, operands, want, over, got, q)
	}
}

func TestITUMultiply(t *testing.T) {
	m := itu
	for _, a := range interesting16() {
		for _, b := range interesting16() {
			x, y := pack(int16(b), int16(a)), pack(int16(a), int16(b)) // a*b in lane 0, b*a in lane 1

			want, over := lMult(a, b)
			pair, q, lo, hi := semantics.VMPY2HWF(x, y, m.PreMask, m.PostMask, m.LimLane)
			same(t, "L_mult vmpy2hwf", want, over, int64(int32(pair)), q, a, b)
			same(t, "L_mult acclo", want, over, lo, q, a, b)
			same(t, "L_mult acchi", want, over, hi, q, a, b)
			z, _, q, _ := semantics.DMPYHWF(pack(0, int16(a)), pack(0, int16(b)), 0, m.PreMask, m.PostMask, m.LimLane)
			same(t, "L_mult dmpyhwf", want, over, int64(int32(z)), q, a, b)

			want, over = mult(a, b)
			z, q, _, _ = semantics.VMPY2HF(x, y, m.PreMask, m.PostMask, m.LimLane)
			same(t, "mult vmpy2hf", want, over, int64(int16(z)), q, a, b)

			want, over = multR(a, b)
			z, q, _, _ = semantics.VMPY2HFR(x, y, m.PreMask, m.PostMask, m.LimLane, m.Rnd15, m.RndEven)
			// the product of -1 and -1 is clamped first, and rounding it clamps again
			same(t, "mult_r vmpy2hfr", want, over || q != 0 && a*b == 1<<30, int64(int16(z)), q, a, b)

			want, over = add16(a, b)
			z, q = semantics.VADDS2H(x, y)
			same(t, "add vadds2h", want, over, int64(int16(z)), q, a, b)
			want, over = sub16(a, b)
			z, _ = semantics.VSUBS2H(x, y)
			_, q = semantics.VSUBS2H(pack(0, int16(a)), pack(0, int16(b)))
			same(t, "sub vsubs2h", want, over, int64(int16(z)), q, a, b)
		}
	}
}

func TestITUMultiplyAccumulate(t *testing.T) {
	m := itu
	accs := []int64{0, 1, -1, 0x7fffffff, -0x80000000, 0x7fff0000, -0x7fff0000, 0x12345678, -0x40000000}
	values := interesting16()
	draw := dspmodel.NewOperands(9)
	for _, acc := range accs {
		for range 40000 {
			a, b := values[draw.IntN(len(values))], values[draw.IntN(len(values))]
			x, y := pack(0, int16(a)), pack(0, int16(b))
			other := pack(int16(a), 0)

			want, over := lMac(acc, a, b)
			_, q, lo, _ := semantics.VMAC2HF(x, y, acc, 0, m.PreMask, m.PostMask, m.LimLane, m.SignLane, m.MaskLane)
			same(t, "L_mac vmac2hf", want, over, lo, q, acc, a, b)
			_, _, q, hi := semantics.DMACHF(other, pack(int16(b), 0), 0, acc, m.PreMask, m.PostMask, m.LimLane, m.SignLane, m.MaskLane)
			same(t, "L_mac dmachf", want, over, hi, q, acc, a, b)
			rounded, roundOver := round16(want)
			z, q, _, _ := semantics.VMAC2HFR(x, y, acc, 0, m.PreMask, m.PostMask, m.LimLane, m.SignLane, m.MaskLane, m.Rnd15, m.RndEven)
			same(t, "mac_r vmac2hfr", rounded, over || roundOver, int64(int16(z)), q, acc, a, b)

			want, over = lMsu(acc, a, b)
			_, q, lo, _ = semantics.VMSUB2HF(x, y, acc, 0, m.PreMask, m.PostMask, m.LimLane, m.SignLane, m.MaskLane)
			same(t, "L_msu vmsub2hf", want, over, lo, q, acc, a, b)
			rounded, roundOver = round16(want)
			z, q, _, _ = semantics.VMSUB2HFR(x, y, acc, 0, m.PreMask, m.PostMask, m.LimLane, m.SignLane, m.MaskLane, m.Rnd15, m.RndEven)
			same(t, "msu_r vmsub2hfr", rounded, over || roundOver, int64(int16(z)), q, acc, a, b)
		}
	}
}

func TestITUScalar(t *testing.T) {
	draw := dspmodel.NewOperands(10)
	m := itu
	for range 200000 {
		x, y := draw.Word(), draw.Word()
		a, b := int64(int32(x)), int64(int32(y))
		want, over := lAdd(a, b)
		z, _, q := semantics.ADDS(x, y, 0)
		same(t, "L_add adds", want, over, int64(int32(z)), q, a, b)
		want, over = lSub(a, b)
		z, _, q = semantics.SUBS(x, y, 0)
		same(t, "L_sub subs", want, over, int64(int32(z)), q, a, b)
		want, over = lSub(0, b)
		z, _, q = semantics.NEGS(y, 0)
		same(t, "L_negate negs", want, over, int64(int32(z)), q, b)
		want = clamp(max(b, -b), 32)
		z, _, q = semantics.ABSS(y, 0)
		same(t, "L_abs abss", want, b == -0x80000000, int64(int32(z)), q, b)
		want, over = round16(b)
		z, _, q = semantics.RNDH(y, 0, m.Rnd15, m.RndEven)
		same(t, "round rndh", want, over, int64(int32(z)), q, b)
		want = clamp(b, 16)
		z, _, q = semantics.SATH(y, 0)
		same(t, "saturate sath", want, want != b, int64(int32(z)), q, b)

		n := int64(draw.IntN(80) - 40)
		want, over = lShl(a, n)
		z, _, q = semantics.ASLS(x, uint32(n), 0)
		same(t, "L_shl asls", want, over, int64(int32(z)), q, a, n)
		want, over = lShl(a, -n)
		z, _, q = semantics.ASRS(x, uint32(n), 0)
		same(t, "L_shr asrs", want, over, int64(int32(z)), q, a, n)
		if n >= 0 { // L_shr_r: a half goes up
			want, over = lShl(a, -n)
			if n > 0 && n <= 31 && a>>(n-1)&1 != 0 {
				want++
			}
			if n > 31 {
				want = 0
			}
			z, _, q = semantics.ASRSR(x, uint32(n), 0, m.RndMask, m.RndEven)
			same(t, "L_shr_r asrsr", want, over, int64(int32(z)), q, a, n)
		}
	}
}

// norm_l and norm_s by their use: shifting by the norm brings a value into the upper half.
func TestITUNorm(t *testing.T) {
	for v := int64(-0x8000); v < 0x8000; v++ {
		z := int64(semantics.VNORM2H(pack(0, int16(v))) & 0xffff)
		require.Less(t, z, int64(16))
		if v == 0 || v == -1 {
			require.Equal(t, int64(15), z)
			continue
		}
		w := v << z
		if !(w >= 0x4000 && w < 0x8000 || w >= -0x8000 && w < -0x4000) {
			t.Fatalf("vnorm2h %#x = %d", v, z)
		}
	}
}
