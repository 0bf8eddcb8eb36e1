package semantics_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/dspmodel"
)

// Facts that vendor-compiled kernels prove, by their numbers. Every test starts from garbage guards
// and computes what the excluded readings would give, to show that the inputs tell them apart.

// excludes asserts the fact and that every alternative reading would be noticed.
func excludes(t *testing.T, want, got any, alternatives map[string]any) {
	t.Helper()
	require.Equal(t, want, got)
	for reading, value := range alternatives {
		require.NotEqual(t, want, value, "the test cannot tell %q apart", reading)
	}
}

type mode = dspmodel.Mode

// vendor is the mode that the library sets: to even, guard bits, doubling on read-out.
var vendor = mode{RM: dspmodel.Even, GE: 1, PA: 0}

// exec runs one semantics function.
func exec(t *testing.T, name string, in dspmodel.In) dspmodel.Out {
	t.Helper()
	f := modelled[strings.ToUpper(name)]
	require.NotNil(t, f, name)
	return call(f, signatures()[strings.ToUpper(name)], in)
}

// stale lanes, guards in use.
const (
	staleLo = int64(0x12_0badf00d)
	staleHi = int64(-0x34_13572468)
)

func in(m mode, x, y uint32) dspmodel.In {
	return dspmodel.In{Mode: m, X: uint64(x), Y: uint64(y), Lo: staleLo, Hi: staleHi, Flags: 0xf}
}

func lanesIn(m mode, x, y uint32, lo, hi int64) dspmodel.In {
	v := in(m, x, y)
	v.Lo, v.Hi = lo, hi
	return v
}

// word is a number as a register holds it.
func word(v int64) uint64 { return uint64(uint32(v)) }

func pack(h1, h0 int16) uint32 { return uint32(uint16(h1))<<16 | uint32(uint16(h0)) }

type laneValues struct{ lo, hi int64 }

func lanesOf(o dspmodel.Out) laneValues { return laneValues{o.Lo, o.Hi} }

// B1: acclo holds lane 0, acchi lane 1.
func TestFactB1Lanes(t *testing.T) {
	got := exec(t, "vmac2h", lanesIn(vendor, pack(3, 5), pack(7, 11), 1000, 2000))
	excludes(t, laneValues{1000 + 55, 2000 + 21}, lanesOf(got), map[string]any{"lanes swapped": laneValues{1000 + 21, 2000 + 55}})
}

// B4: multiplications without accumulation and SETACC 0x101 set the guard by sign extension.
func TestFactB4GuardIsSignExtended(t *testing.T) {
	got := exec(t, "vmpy2h", in(vendor, pack(-3, 5), pack(7, 11)))
	excludes(t, laneValues{55, -21}, lanesOf(got), map[string]any{
		"old guard kept": laneValues{staleLo&^0xffffffff | 55, staleHi&^0xffffffff | 0xffffffeb},
		"guard cleared":  laneValues{55, 0xffffffeb},
	})
	got = exec(t, "dmpyhf", in(vendor, pack(-3, 5), pack(7, 1)))
	excludes(t, int64(-16), got.Hi, map[string]any{"old guard kept": staleHi&^0xffffffff | 0xfffffff0})
	got = exec(t, "setacc", in(vendor, 0xfffffff0, 0x101))
	excludes(t, laneValues{-16, staleHi}, lanesOf(got), map[string]any{"guard untouched": laneValues{staleLo&^0xffffffff | 0xfffffff0, staleHi}})
}

// B5: the accumulator is 40 bits wide under GE = 1, and 32 under GE = 0.
func TestFactB5FortyBits(t *testing.T) {
	big := pack(-0x8000, -0x8000)
	acc := laneValues{staleLo, 0x7fffff00}
	for range 4 {
		got := exec(t, "dmachfr", lanesIn(vendor, big, big, acc.lo, acc.hi))
		acc = lanesOf(got)
	}
	want := int64(0x7fffff00) + 4*2*0x40000000
	excludes(t, laneValues{staleLo, want}, acc, map[string]any{
		"clamped at 32 bits": laneValues{staleLo, 0x7fffffff},
		"GE forced to 0":     laneValues{staleLo, 0x7fffffff},
	})
	noGuard := mode{RM: dspmodel.Even}
	got := exec(t, "dmachfr", lanesIn(noGuard, big, big, staleLo, 0x7fffff00))
	require.Equal(t, int64(0x7fffffff), got.Hi)
	require.Equal(t, uint32(dspmodel.SAT|dspmodel.HiV), got.Events)
}

// B6: the integer VMAC2H does not clamp at 40 bits: a stale guard must not disturb the low words.
func TestFactB6VMAC2HWraps(t *testing.T) {
	lo := int64(0x7f)<<32 | 0xfffffff0 // the guard is stale, r58 was written by a move
	got := exec(t, "vmac2h", lanesIn(vendor, pack(1, 0x20), pack(5, 1), lo, 10))
	excludes(t, uint32(0x10), uint32(got.Lo), map[string]any{"clamped at 40 bits": uint32(0xffffffff)})
	require.Equal(t, uint64(0x10)|15<<32, got.Z)
}

// B7, B8: the fractional dot products accumulate both products in ACCH; ACCL is left alone.
func TestFactB7DotProductsUseACCH(t *testing.T) {
	for _, name := range []string{"dmpyhf", "dmpyhfr", "dmachf", "dmachfr", "dmpyhwf"} {
		base := int64(0)
		if strings.HasPrefix(name, "dmac") {
			base = 100000
		}
		hi := base
		if base == 0 {
			hi = staleHi
		}
		got := exec(t, name, lanesIn(vendor, pack(3, 5), pack(7, 11), staleLo, hi))
		excludes(t, laneValues{staleLo, base + 76}, lanesOf(got), map[string]any{
			"in acclo":      laneValues{base + 76, hi},
			"crossed lanes": laneValues{staleLo, base + 3*11 + 5*7},
			"lane 0 only":   laneValues{staleLo, base + 55},
			"acclo trashed": laneValues{0, base + 76},
		})
	}
}

// B9: the R suffix rounds the result, never the accumulator.
func TestFactB9RoundingLeavesTheAccumulator(t *testing.T) {
	got := exec(t, "dmachfr", lanesIn(vendor, pack(0, 1), pack(0, 1), staleLo, 0x6000))
	excludes(t, int64(0x6001), got.Hi, map[string]any{"accumulator rounded": int64(0x10000), "truncated": int64(0)})
	require.Equal(t, uint64(1), got.Z, "0x6001 doubled rounds up")
	got = exec(t, "vmac2hnfr", lanesIn(vendor, pack(0, 1), pack(0, 1), 0x8000, 0x18000))
	excludes(t, laneValues{0x8001, 0x18000}, lanesOf(got), map[string]any{"accumulator rounded": laneValues{0x10000, 0x20000}})
	require.Equal(t, uint64(0x00020001), got.Z)
}

// B10: with PA = 0 the accumulator holds the raw product, for fractional and "nf" forms alike; with
// PA = 1 the doubled one in fractional forms.
func TestFactB10RawProducts(t *testing.T) {
	for _, name := range []string{"vmac2hf", "vmac2hnfr"} {
		got := exec(t, name, lanesIn(vendor, pack(3, 5), pack(7, 11), 100, 200))
		excludes(t, laneValues{155, 221}, lanesOf(got), map[string]any{"doubled": laneValues{210, 242}})
	}
	ahead := mode{RM: dspmodel.Even, GE: 1, PA: 1}
	require.Equal(t, laneValues{210, 242}, lanesOf(exec(t, "vmac2hf", lanesIn(ahead, pack(3, 5), pack(7, 11), 100, 200))))
	require.Equal(t, laneValues{155, 221}, lanesOf(exec(t, "vmac2hnfr", lanesIn(ahead, pack(3, 5), pack(7, 11), 100, 200))))
}

// wideOf is the low 64 bits of the wide accumulator.
func wideOf(o dspmodel.Out) int64 { return o.Hi<<32 | int64(uint32(o.Lo)) }

// B11: MPYDF with PA = 0 leaves the raw product.
func TestFactB11MPYDF(t *testing.T) {
	got := exec(t, "mpydf", in(vendor, 0x12345678, 0xffffff00))
	p := int64(0x12345678) * -256
	excludes(t, p, wideOf(got), map[string]any{"doubled": 2 * p})
	require.Equal(t, staleLo>>32, got.Lo>>32, "GLO's guard is no part of the wide accumulator")
	require.Equal(t, int64(-1), got.Hi>>32)
}

// B12: MPYD sets the wide accumulator and the pair, low word in the even register; VMPY2H and VMAC2H
// put lane 0 there.
func TestFactB12Pairs(t *testing.T) {
	got := exec(t, "mpyd", in(vendor, 0x40000003, 0x10))
	p := uint64(0x40000003) * 0x10
	excludes(t, p, got.Z, map[string]any{"pair swapped": p>>32 | p<<32})
	require.Equal(t, int64(p), wideOf(got))
	after := exec(t, "mac", lanesIn(vendor, 5, 6, got.Lo, got.Hi))
	excludes(t, int64(p)+30, wideOf(after), map[string]any{"accumulator not set": int64(30)})
	got = exec(t, "vmpy2h", in(vendor, pack(3, 5), pack(7, 11)))
	excludes(t, uint64(55)|21<<32, got.Z, map[string]any{"lanes swapped": uint64(21) | 55<<32})
}

// B13: the plain multiplications do not write the accumulator.
func TestFactB13PlainMultiply(t *testing.T) {
	for _, name := range []string{"mpy", "mpyu", "mpym", "mpymu", "mpyw", "mpyuw"} {
		got := exec(t, name, in(vendor, 0x12345678, 0x9abcdef0))
		require.Equal(t, laneValues{staleLo, staleHi}, lanesOf(got), name)
	}
}

// The SETACC table.
func TestFactSETACC(t *testing.T) {
	const b = 0x80c3a5f7 // sign bit set, byte 0 0xf7
	value := int64(-0x7f3c5a09)
	for name, c := range map[string]struct {
		control      uint32
		want         laneValues
		alternatives map[string]any
	}{
		"0x001 wide": {control: 0x001, want: laneValues{staleLo&^0xffffffff | 0x80c3a5f7, -1}},
		"0x101 lo with guard": {control: 0x101, want: laneValues{value, staleHi}, alternatives: map[string]any{
			"guard untouched": laneValues{staleLo&^0xffffffff | 0x80c3a5f7, staleHi}}},
		"0x201 hi with guard": {control: 0x201, want: laneValues{staleLo, value}},
		"0x301 both lanes the whole word": {control: 0x301, want: laneValues{value, value}, alternatives: map[string]any{
			"split into halves": laneValues{-0x5a09, -0x7f3d}}},
		"0x200 guard of lo is byte 0": {control: 0x200, want: laneValues{-9<<32 | staleLo&0xffffffff, staleHi}, alternatives: map[string]any{
			"byte 3":      laneValues{-0x80<<32 | staleLo&0xffffffff, staleHi},
			"cleared":     laneValues{staleLo & 0xffffffff, staleHi},
			"sign of r58": laneValues{int64(int32(staleLo & 0xffffffff)), staleHi},
			"GHI instead": laneValues{staleLo, -9<<32 | staleHi&0xffffffff},
		}},
		"0x300 guard of hi is byte 0": {control: 0x300, want: laneValues{staleLo, -9<<32 | staleHi&0xffffffff}, alternatives: map[string]any{
			"GLO instead": laneValues{-9<<32 | staleLo&0xffffffff, staleHi}}},
		"0x000 r58 alone": {control: 0x000, want: laneValues{staleLo&^0xffffffff | 0x80c3a5f7, staleHi}},
		"0x100 r59 alone": {control: 0x100, want: laneValues{staleLo, staleHi&^0xffffffff | 0x80c3a5f7}},
	} {
		t.Run(name, func(t *testing.T) {
			got := exec(t, "setacc", in(vendor, b, c.control))
			excludes(t, c.want, lanesOf(got), c.alternatives)
			excludes(t, uint64(b), got.Z, map[string]any{"destination zero": uint64(0)})
		})
	}
}

// The GETACC table. lo is a lane with the guard in use, the bits below the field are a tie or more.
func TestFactGETACC(t *testing.T) {
	const (
		sat, signed, round, right, s16, s8, double = 0x400, 0x800, 0x1000, 0x2000, 0x8000, 0xc000, 0x10000
		wide, lo, hi, both                         = 0x000, 0x100, 0x200, 0x300
	)
	for _, c := range []struct {
		name         string
		control      uint32
		lo, hi       int64
		want         uint32
		alternatives map[string]any
	}{
		{"shift to the left", lo | signed | 4, 0x01234567, staleHi, 0x12345670, map[string]any{"not shifted": uint32(0x01234567)}},
		{"shift to the right", lo | signed | 0xfc, 0x01234567, staleHi, 0x00123456, nil},
		{"wide point is bit 64", wide | signed, 0x0_9abcdef0, 0x12345678, 0x12345678, map[string]any{"low word": uint32(0x9abcdef0)}},
		{"high lane", hi | signed, staleLo, 0x12345678, 0x12345678, nil},
		{"both lanes, 16 bits each", both | signed, 0x12345678, -0x6789abcd, 0x98761234, map[string]any{"swapped": uint32(0x12349876)}},
		{"saturate", lo | sat | signed, 0x1_00000000, staleHi, 0x7fffffff, map[string]any{"ignored": uint32(0)}},
		{"saturate negative", lo | sat | signed, -0x1_00000000, staleHi, 0x80000000, map[string]any{"ignored": uint32(0)}},
		{"round", lo | signed | round | s16, 0x12348001, staleHi, 0x12350000, map[string]any{"ignored": uint32(0x12340000)}},
		{"no round", lo | signed | s16, 0x12348001, staleHi, 0x12340000, map[string]any{"forced": uint32(0x12350000)}},
		{"tie to even", lo | signed | round | s16, 0x12348000, staleHi, 0x12340000, map[string]any{"up": uint32(0x12350000)}},
		{"all dropped bits count", lo | signed | round | s16 | 0xfc, 0x1_23480001, staleHi, 0x12350000, map[string]any{"two steps or sticky bits ignored": uint32(0x12340000)}},
		{"round first, clamp after", lo | sat | signed | round | s16, 0x7fff8000, staleHi, 0x7fff0000, map[string]any{"wrapped": uint32(0x80000000)}},
		{"left-aligned 16", lo | signed | s16, 0x7abc1234, staleHi, 0x7abc0000, map[string]any{"right-aligned": uint32(0x7abc)}},
		{"right-aligned 16", lo | signed | right | s16, -0x7abc1234, staleHi, 0xffff8543, map[string]any{"left-aligned": uint32(0x85430000), "not extended": uint32(0x8543)}},
		{"left-aligned 8", lo | signed | s8, 0x7abc1234, staleHi, 0x7a000000, map[string]any{"16 bits": uint32(0x7abc0000)}},
		{"right-aligned 8", lo | signed | right | s8, -0x7abc1234, staleHi, 0xffffff85, nil},
		{"both lanes, 8 bits in the upper byte", both | signed | s8, 0x12345678, 0x6789abcd, 0x67001200, map[string]any{"lower byte": uint32(0x00670012)}},
		{"double at PA = 0", lo | signed | double | s16, 0x12345678, staleHi, 0x24680000, map[string]any{"ignored": uint32(0x12340000)}},
		{"0xE9F8 guard of lo", 0xe9f8, staleLo, staleHi, 0x12, nil},
		{"0xEAF8 guard of hi", 0xeaf8, staleLo, staleHi, 0xffffffcb, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := exec(t, "getacc", lanesIn(vendor, 0, c.control, c.lo, c.hi))
			excludes(t, c.want, uint32(got.Z), c.alternatives)
		})
	}
	doubled := lanesIn(mode{RM: dspmodel.Even, GE: 1, PA: 1}, 0, lo|signed|double|s16, 0x12345678, 0)
	require.Equal(t, uint64(0x12340000), exec(t, "getacc", doubled).Z, "PA = 1 has doubled already")
}

// The ASLSACC table: amount byte 0, selector byte 1, saturation at 40 bits with GE = 1.
func TestFactASLSACC(t *testing.T) {
	got := exec(t, "aslsacc", lanesIn(vendor, 0, 0x104, 0x01234567, 0x07654321))
	excludes(t, laneValues{0x12345670, 0x07654321}, lanesOf(got), map[string]any{"selector swapped": laneValues{0x01234567, 0x76543210}})
	got = exec(t, "aslsacc", lanesIn(vendor, 0, 0x204, 0x01234567, 0x07654321))
	require.Equal(t, laneValues{0x01234567, 0x76543210}, lanesOf(got))
	got = exec(t, "aslsacc", lanesIn(vendor, 0, 0x080308, 0x01234567, 0x07654321))
	excludes(t, laneValues{0x1_23456700, 0x7_65432100}, lanesOf(got), map[string]any{"clamped at 32 bits": laneValues{0x7fffffff, 0x7fffffff}})
	got = exec(t, "aslsacc", lanesIn(vendor, 0, 0x114, 0x01234567, 0))
	require.Equal(t, int64(1)<<39-1, got.Lo, "clamped at 40 bits")
	got = exec(t, "aslsacc", lanesIn(mode{}, 0, 0x108, 0x01234567, 0))
	require.Equal(t, int64(0x7fffffff), got.Lo, "clamped at 32 bits when GE = 0")
}

// NORMACC: redundant sign bits of the word, less one, negative when the guard is in use.
func TestFactNORMACC(t *testing.T) {
	got := exec(t, "normacc", lanesIn(vendor, 0, 0x200, staleLo, 1))
	excludes(t, uint64(29), got.Z, map[string]any{"without the -1": uint64(30)})
	for hi, want := range map[int64]int8{0x40000000: -1, -0x80000000: -1, 0x3fffffff: 0, 0x80000000: -2, 1 << 38: -9, 0: 30, -1: 30} {
		require.Equal(t, want, int8(exec(t, "normacc", lanesIn(vendor, 0, 0x200, staleLo, hi)).Z), "%#x", hi)
	}
	// the outcome that the softmax code relies on: shifted by result + 1 into [2^30, 2^31)
	draw := dspmodel.NewOperands(3)
	for range 1000 {
		hi := int64(draw.Uint32()>>1)>>draw.IntN(20) + 1
		k := int8(exec(t, "normacc", lanesIn(vendor, 0, 0x200, staleLo, hi)).Z) + 1
		require.GreaterOrEqual(t, hi<<k, int64(1)<<30)
		require.Less(t, hi<<k, int64(1)<<31)
	}
}

// 1.3, dmachbl and dmachbm: signed bytes 1:0 or 3:2 of the second source.
func TestFactDMACHBytes(t *testing.T) {
	x, y := pack(100, 1000), uint32(0x84_03_82_05) // bytes 3..0: -124, 3, -126, 5
	base := lanesIn(vendor, x, y, 0x12_00000007, 0)
	bl := exec(t, "dmachbl", base)
	excludes(t, word(7+5000-12600), bl.Z, map[string]any{
		"bytes 3:2":        word(7 + 3000 - 12400),
		"byte order":       word(7 + 500 - 126000),
		"unsigned bytes":   word(7 + 5000 + 13000),
		"not accumulating": word(5000 - 12600),
	})
	bm := exec(t, "dmachbm", base)
	require.Equal(t, word(7+3000-12400), bm.Z)
	require.Equal(t, int64(-9393), wideOf(bm))
	require.Equal(t, int64(0x12), bm.Lo>>32, "GLO's guard stays")
}

// 1.3: integer accumulation and the 32 x 16 forms.
func TestFactIntegerMAC(t *testing.T) {
	got := exec(t, "mac", lanesIn(vendor, 0xfffffffd, 5, 100, 0))
	excludes(t, uint64(85), got.Z, map[string]any{"not accumulating": uint64(0xfffffff1)})
	got = exec(t, "mpywhl", in(vendor, 0x10001, 0x7fff_fffe))
	excludes(t, uint64(0xfffdfffe), got.Z, map[string]any{"upper half of c": uint64(0x7fff7fff)})
	got = exec(t, "macwhl", lanesIn(vendor, 0x10001, 0x7fff_fffe, 5, 0))
	excludes(t, uint64(0xfffe0003), got.Z, map[string]any{"not accumulating": uint64(0xfffdfffe)})
}

// 1.3: vector arithmetic.
func TestFactVectors(t *testing.T) {
	x, y := pack(-2, 0x7000), pack(1, 0x2000)
	excludes(t, uint64(pack(1, 0x7000)), exec(t, "vmax2h", in(vendor, x, y)).Z, map[string]any{"unsigned": uint64(pack(-2, 0x7000))})
	excludes(t, uint64(pack(-2, 0x2000)), exec(t, "vmin2h", in(vendor, x, y)).Z, map[string]any{"unsigned": uint64(pack(1, 0x2000))})
	excludes(t, uint64(pack(-1, 0x7fff)), exec(t, "vadds2h", in(vendor, x, y)).Z, map[string]any{"not saturated": uint64(0xffff9000)})
	excludes(t, uint64(pack(-3, 0x5000)), exec(t, "vsubs2h", in(vendor, x, y)).Z, map[string]any{"operands reversed": uint64(pack(3, -0x5000))})
	excludes(t, uint64(pack(-0x8000, 0x7fff)), exec(t, "vsubs2h", in(vendor, pack(-0x7000, 0x7000), pack(0x2000, -0x2000))).Z, map[string]any{"not saturated": uint64(0x70009000)})
	require.Equal(t, uint64(pack(0x2000, 0x2000)), exec(t, "vrep2hl", in(vendor, x, y)).Z)
	excludes(t, uint64(0x70002000), exec(t, "vpack2hl", in(vendor, x, y)).Z, map[string]any{"operands swapped": uint64(0x20007000)})
	excludes(t, uint64(0xfffe0001), exec(t, "vpack2hm", in(vendor, x, y)).Z, map[string]any{"operands swapped": uint64(0x0001fffe)})
}

// 1.3: vector and scalar shifts.
func TestFactShifts(t *testing.T) {
	x := pack(-0x4321, 0x1234)
	excludes(t, uint64(pack(-0x0433, 0x7fff)), exec(t, "vasrs2h", in(vendor, x, pack(4, -4))).Z, map[string]any{
		"low 4 bits unsigned": uint64(pack(-0x0433, 0x0001)),
		"negative as 0":       uint64(pack(-0x0433, 0x1234)),
		"not saturated":       uint64(pack(-0x0433, 0x2340)),
	})
	require.Equal(t, uint64(pack(-0x8000, 0x7fff)), exec(t, "vasls2h", in(vendor, x, pack(8, 8))).Z)
	require.Equal(t, uint64(x), exec(t, "vasls2h", in(vendor, x, 0)).Z)
	excludes(t, uint64(pack(-0x43, 0x13)), exec(t, "vasrsr2h", in(vendor, pack(-0x4321, 0x1281), pack(8, 8))).Z, map[string]any{"truncated": uint64(pack(-0x44, 0x12))})
	require.Equal(t, uint64(0x00bc0012), exec(t, "vlsr2h", in(vendor, pack(-0x4321, 0x1234), pack(8, 8))).Z)
	for _, c := range []struct {
		rm   int
		x, y uint32
		want uint32
	}{
		{dspmodel.Even, 0x18, 4, 2}, {dspmodel.Even, 0x28, 4, 2}, {dspmodel.Up, 0x28, 4, 3}, {dspmodel.Up, 0x29, 4, 3},
		{dspmodel.Truncate, 0x2f, 4, 2}, {dspmodel.Even, 3, 0xfffffffc, 48},
		{dspmodel.Even, 0x40000000, 0xfffffffe, 0x7fffffff}, {dspmodel.Even, 0xffffffff, 0xffffffe0, 0x80000000},
	} {
		require.Equal(t, c.want, uint32(exec(t, "asrsr", in(mode{RM: c.rm, GE: 1}, c.x, c.y)).Z), "%+v", c)
	}
	excludes(t, uint64(0x7fff), exec(t, "sath", in(vendor, 0, 0x8000)).Z, map[string]any{"not clamped": uint64(0xffff8000)})
}

// 1.3, DSP_CTRL.RM: 3 is half to even, 2 half up, 0 truncates.
func TestFactRoundingModes(t *testing.T) {
	for _, c := range []struct {
		v                  uint32
		truncate, up, even int32
	}{
		{0xfffe8000, -2, -1, -2}, {0xffff8000, -1, 0, 0}, {0x00008000, 0, 1, 0},
		{0x00018000, 1, 2, 2}, {0x00028000, 2, 3, 2}, {0x00028001, 2, 3, 3}, {0x7fff8000, 0x7fff, 0x7fff, 0x7fff},
	} {
		require.Equal(t, c.truncate, int32(exec(t, "rndh", in(mode{RM: dspmodel.Truncate}, 0, c.v)).Z), "%#x", c.v)
		require.Equal(t, c.truncate, int32(exec(t, "rndh", in(mode{RM: 1}, 0, c.v)).Z), "%#x: the reserved mode truncates", c.v)
		require.Equal(t, c.up, int32(exec(t, "rndh", in(mode{RM: dspmodel.Up}, 0, c.v)).Z), "%#x", c.v)
		require.Equal(t, c.even, int32(exec(t, "rndh", in(mode{RM: dspmodel.Even}, 0, c.v)).Z), "%#x", c.v)
	}
}
