package isa_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/isagen"
	"arcv2dsp/isa"
)

// everyFeature are the sets that together have every form.
var everyFeature = []isa.Feature{
	isa.GNUEM, isa.GNUEM | isa.AllFPUSingle | isa.FPUDoubleAssist, isa.GNUEM&^isa.DSP | isa.FPXSingle | isa.FPXDouble,
	isa.GNUEM&^isa.FastMath | isa.QuarkSE, isa.GNUHS, isa.GNUHS&^isa.DSP | isa.AllFPUSingle | isa.AllFPUDouble,
}

// TestEncodeDecode encodes every form with random operands. Decoding gives the same instruction
// back, or that of a form which takes a part of its encodings.
func TestEncodeDecode(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for _, r := range isa.Rows() {
		for _, form := range r.Forms() {
			d := decoderWith(t, form)
			for range 8 {
				checkForm(t, d, form, random)
			}
		}
	}
}

func checkForm(t *testing.T, d *isa.Decoder, form *isa.Form, random *rand.Rand) {
	ops, mods, w, err := isagen.Inst(form, random, false)
	require.NoError(t, err)
	for _, big := range []bool{false, true} {
		in, err := d.DecodeBytes(w.Append(nil, big), big)
		require.NoError(t, err)
		require.NotEqual(t, isa.Invalid, in.Op, "%s %s", form.Row.Name, form.Bits)
		require.Equal(t, w.Len(), int(in.Len))
		require.True(t, in.Canonical(), "%s %s decodes as %s %s", form.Row.Name, form.Bits, in.Row().Name, in.FormOf().Bits)
		got := in.FormOf()
		if got == form {
			require.Equal(t, append(ops, form.Implied...), append([]isa.Operand(nil), in.Args[:in.N]...))
			require.Equal(t, mods, in.Mods)
			continue
		}
		require.True(t, got.Row == form.Row || got.Row.Over == form.Row.Op || form.Alias,
			"%s %s decodes as %s %s", form.Row.Name, form.Bits, got.Row.Name, got.Bits)
	}
}

func decoderWith(t *testing.T, form *isa.Form) *isa.Decoder {
	for _, f := range everyFeature {
		if f.Has(form.Needs) {
			return isa.NewDecoder(f)
		}
	}
	require.Fail(t, "no feature set has "+form.Row.Name)
	return nil
}

// TestDecodeRandom decodes random bytes: nothing panics, and what decodes encodes to the same bytes
// again unless reserved bits are set.
func TestDecodeRandom(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, f := range everyFeature {
		d := isa.NewDecoder(f)
		valid := 0
		for range 30_000 {
			if checkCode(t, d, isa.Code(random.Uint64())) {
				valid++
			}
		}
		require.Greater(t, valid, 20_000)
	}
}

// checkCode decodes c and encodes what it is; it reports whether c is an instruction.
func checkCode(t *testing.T, d *isa.Decoder, c isa.Code) bool {
	in := d.Decode(c)
	if in.Op == isa.Invalid {
		require.Equal(t, c.Size(), int(in.Len))
		require.Nil(t, in.FormOf())
		in.Reads()
		in.Writes()
		return false
	}
	form := in.FormOf()
	require.True(t, d.Features().Has(form.Needs))
	in.Reads()
	in.Writes()
	in.Memory()
	for i := range form.Args {
		if op := in.Args[i]; op.Kind == isa.OpReg && !form.Args[i].FitsReg(op.Reg) {
			// An odd register pair or lp_count as a destination: no assembler writes it.
			return true
		}
	}
	w, err := isa.Encode(form, in.Args[:len(form.Args)], in.Mods)
	require.NoError(t, err, "%016x %s", uint64(c), form.Bits)
	want := in.Word &^ form.Reserved
	if w.Bits != want && form.GNU != form.Value {
		want ^= form.GNU ^ form.Value // GNU's bytes for the form, which mean nothing else
	}
	require.Equal(t, want, w.Bits, "%016x %s", uint64(c), form.Bits)
	require.Equal(t, in.Limm, w.Limm)
	return true
}

func FuzzDecode(f *testing.F) {
	f.Add(uint64(0x264a7000_00000000))
	f.Add(uint64(0x781e_0000_0000_0000))
	f.Add(uint64(0x2e1e7fbe_12345678))
	f.Fuzz(func(t *testing.T, code uint64) {
		for _, features := range everyFeature {
			checkCode(t, isa.NewDecoder(features), isa.Code(code))
		}
	})
}

func TestDecodeBytesTruncated(t *testing.T) {
	d := isa.NewDecoder(isa.GNUEM)
	code := []byte{0x0a, 0x20, 0x80, 0x0f, 0x34, 0x12, 0x78, 0x56} // mov r0,0x12345678
	for n := range len(code) {
		_, err := d.DecodeBytes(code[:n], false)
		require.ErrorIs(t, err, isa.ErrTruncated, "%d bytes", n)
	}
	in, err := d.DecodeBytes(code, false)
	require.NoError(t, err)
	require.Equal(t, uint32(0x12345678), in.Limm)
	in, err = d.DecodeBytes([]byte{0xe0, 0x78}, false)
	require.NoError(t, err)
	require.Equal(t, isa.NOP_S, in.Op)
}

func TestEncodeErrors(t *testing.T) {
	reg := func(r uint8) isa.Operand { return isa.Operand{Kind: isa.OpReg, Reg: r} }
	imm := func(v int32) isa.Operand { return isa.Operand{Kind: isa.OpImm, Val: v} }
	for _, test := range []struct {
		op   isa.Op
		form int
		ops  []isa.Operand
		mods isa.Mods
		want string
	}{
		{isa.ADD, 0, []isa.Operand{reg(0), reg(1)}, isa.Mods{}, "add: 2 operands, want 3"},
		{isa.ADD, 0, []isa.Operand{reg(0), reg(1), reg(61)}, isa.Mods{}, "add: operand 3 must be a core register"},
		{isa.ADD, 3, []isa.Operand{reg(0), reg(1), imm(64)}, isa.Mods{}, "add: operand 3 must be 0 to 63"},
		{isa.ADD, 2, []isa.Operand{reg(0), reg(1), reg(2)}, isa.Mods{}, "add: operand 2 must be the same as operand 1"},
		{isa.ADD, 0, []isa.Operand{reg(0), reg(1), reg(2)}, isa.Mods{Cond: isa.CondEQ}, "add a,b,c: suffix not allowed"},
		{isa.ADD_S, 0, []isa.Operand{reg(0), reg(4), reg(2)}, isa.Mods{}, "add_s: operand 2 must be r0-r3 or r12-r15"},
		{isa.MPY, 0, []isa.Operand{reg(60), reg(4), reg(2)}, isa.Mods{}, "mpy: operand 1 must be a core register other than lp_count"},
		{isa.VMAC2H, 0, []isa.Operand{reg(1), reg(4), reg(2)}, isa.Mods{}, "vmac2h: operand 1 must be an even register below 60"},
		{isa.B, 0, []isa.Operand{{Kind: isa.OpTarget, Val: 1}}, isa.Mods{}, "b: operand 1 must be -16777216 to 16777214 in steps of 2"},
		{isa.LD, 0, []isa.Operand{reg(0), reg(1)}, isa.Mods{Size: isa.SizeDouble}, "ld: 64-bit access has an instruction of its own"},
		{isa.LD, 0, []isa.Operand{reg(0), reg(1)}, isa.Mods{SetFlags: true}, "ld a,[b]: suffix not allowed"},
	} {
		_, err := isa.Encode(isa.RowOf(test.op).Forms()[test.form], test.ops, test.mods)
		require.EqualError(t, err, test.want)
	}
}
