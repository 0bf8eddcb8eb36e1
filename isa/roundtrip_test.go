package isa

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// everyFeature are the sets that together have every form.
var everyFeature = []Feature{
	GNUEM, GNUEM | FPUSingle | FPUDoubleAssist, GNUEM&^DSP | FPXSingle | FPXDouble,
	GNUEM&^FastMath | QuarkSE, GNUHS, GNUHS&^DSP | FPUSingle | FPUDouble,
}

// operand draws an operand that the position takes.
func (fd *Field) operand(random *rand.Rand) Operand {
	switch fd.Kind {
	case FieldNull:
		return Operand{Kind: OpNull}
	case FieldZero:
		return Operand{Kind: OpImm}
	case FieldLimm:
		return Operand{Kind: OpImm, Long: true, Val: int32(random.Uint32())}
	case FieldReg, FieldReg3, FieldRegH, FieldRegG, FieldFixed:
		for {
			if r := uint8(random.IntN(64)); fd.FitsReg(r) {
				return Operand{Kind: OpReg, Reg: r}
			}
		}
	}
	lo, hi, step := fd.Range()
	op := Operand{Kind: OpImm, Val: int32(lo + random.Int64N((hi-lo)/step+1)*step)}
	switch fd.Kind {
	case FieldTarget:
		op.Kind = OpTarget
	case FieldList:
		op.Kind, op.Reg = OpRegList, 13
	}
	return op
}

// drawMods draws modifiers that the form takes.
func (f *Form) drawMods(random *rand.Rand) Mods {
	m := Mods{
		Cond:       Cond(random.IntN(16)),
		SetFlags:   random.IntN(2) == 0,
		Delay:      random.IntN(2) == 0,
		Hint:       random.IntN(2) == 0,
		Addr:       AddrMode(random.IntN(4)),
		Size:       MemSize(random.IntN(3)),
		SignExtend: random.IntN(2) == 0,
		Uncached:   random.IntN(2) == 0,
	}
	return m.without(^f.Allow).or(f.Fix)
}

// TestEncodeDecode encodes every form with random operands. Decoding gives the same instruction
// back, or that of a form which takes a part of its encodings.
func TestEncodeDecode(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for _, r := range Rows() {
		for _, form := range r.Forms() {
			d := decoderWith(t, form)
			for range 8 {
				checkForm(t, d, form, random)
			}
		}
	}
}

func checkForm(t *testing.T, d *Decoder, form *Form, random *rand.Rand) {
	var ops []Operand
	for i := range form.Args {
		if same := form.Args[i].Same; same >= 0 {
			ops = append(ops, ops[same])
		} else {
			ops = append(ops, form.Args[i].operand(random))
		}
	}
	mods := form.drawMods(random)
	w, err := Encode(form, ops, mods)
	require.NoError(t, err)
	for _, big := range []bool{false, true} {
		in, err := d.DecodeBytes(w.Append(nil, big), big)
		require.NoError(t, err)
		require.NotEqual(t, Invalid, in.Op, "%s %s", form.Row.Name, form.Bits)
		require.Equal(t, w.Len(), int(in.Len))
		require.True(t, in.Canonical(), "%s %s decodes as %s %s", form.Row.Name, form.Bits, in.Row().Name, in.FormOf().Bits)
		got := in.FormOf()
		if got == form {
			require.Equal(t, append(ops, form.Implied...), append([]Operand(nil), in.Args[:in.N]...))
			require.Equal(t, mods, in.Mods)
			continue
		}
		require.True(t, got.Row == form.Row || got.Row.Over == form.Row.Op || form.Alias,
			"%s %s decodes as %s %s", form.Row.Name, form.Bits, got.Row.Name, got.Bits)
	}
}

func decoderWith(t *testing.T, form *Form) *Decoder {
	for _, f := range everyFeature {
		if f.Has(form.Needs) {
			return NewDecoder(f)
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
		d := NewDecoder(f)
		valid := 0
		for range 30_000 {
			if checkCode(t, d, Code(random.Uint64())) {
				valid++
			}
		}
		require.Greater(t, valid, 20_000)
	}
}

// checkCode decodes c and encodes what it is; it reports whether c is an instruction.
func checkCode(t *testing.T, d *Decoder, c Code) bool {
	in := d.Decode(c)
	if in.Op == Invalid {
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
		if op := in.Args[i]; op.Kind == OpReg && !form.Args[i].FitsReg(op.Reg) {
			// An odd register pair or lp_count as a destination: no assembler writes it.
			return true
		}
	}
	w, err := Encode(form, in.Args[:len(form.Args)], in.Mods)
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
			checkCode(t, NewDecoder(features), Code(code))
		}
	})
}

func TestDecodeBytesTruncated(t *testing.T) {
	d := NewDecoder(GNUEM)
	code := []byte{0x0a, 0x20, 0x80, 0x0f, 0x34, 0x12, 0x78, 0x56} // mov r0,0x12345678
	for n := range len(code) {
		_, err := d.DecodeBytes(code[:n], false)
		require.ErrorIs(t, err, ErrTruncated, "%d bytes", n)
	}
	in, err := d.DecodeBytes(code, false)
	require.NoError(t, err)
	require.Equal(t, uint32(0x12345678), in.Limm)
	in, err = d.DecodeBytes([]byte{0xe0, 0x78}, false)
	require.NoError(t, err)
	require.Equal(t, NOP_S, in.Op)
}

func TestEncodeErrors(t *testing.T) {
	reg := func(r uint8) Operand { return Operand{Kind: OpReg, Reg: r} }
	imm := func(v int32) Operand { return Operand{Kind: OpImm, Val: v} }
	for _, test := range []struct {
		op   Op
		form int
		ops  []Operand
		mods Mods
		want string
	}{
		{ADD, 0, []Operand{reg(0), reg(1)}, Mods{}, "add: 2 operands, want 3"},
		{ADD, 0, []Operand{reg(0), reg(1), reg(61)}, Mods{}, "add: operand 3 must be a core register"},
		{ADD, 3, []Operand{reg(0), reg(1), imm(64)}, Mods{}, "add: operand 3 must be 0 to 63"},
		{ADD, 2, []Operand{reg(0), reg(1), reg(2)}, Mods{}, "add: operand 2 must be the same as operand 1"},
		{ADD, 0, []Operand{reg(0), reg(1), reg(2)}, Mods{Cond: CondEQ}, "add a,b,c: suffix not allowed"},
		{ADD_S, 0, []Operand{reg(0), reg(4), reg(2)}, Mods{}, "add_s: operand 2 must be r0-r3 or r12-r15"},
		{MPY, 0, []Operand{reg(60), reg(4), reg(2)}, Mods{}, "mpy: operand 1 must be a core register other than lp_count"},
		{VMAC2H, 0, []Operand{reg(1), reg(4), reg(2)}, Mods{}, "vmac2h: operand 1 must be an even register"},
		{B, 0, []Operand{{Kind: OpTarget, Val: 1}}, Mods{}, "b: operand 1 must be -16777216 to 16777214 in steps of 2"},
		{LD, 0, []Operand{reg(0), reg(1)}, Mods{Size: SizeDouble}, "ld: 64-bit access has an instruction of its own"},
		{LD, 0, []Operand{reg(0), reg(1)}, Mods{SetFlags: true}, "ld a,[b]: suffix not allowed"},
	} {
		_, err := Encode(RowOf(test.op).Forms()[test.form], test.ops, test.mods)
		require.EqualError(t, err, test.want)
	}
}
