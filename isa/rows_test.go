package isa

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// mnemonics is how many mnemonics the EM and HS families have together in the GNU tools.
const mnemonics = 424

func TestRows(t *testing.T) {
	ops := map[Op]bool{}
	names := map[string]int{}
	for _, r := range Rows() {
		require.False(t, ops[r.Op], "%s: two rows for one constant", r.Name)
		ops[r.Op] = true
		if !r.Own {
			names[r.Name]++
		}
		require.Same(t, r, RowOf(r.Op))
		require.True(t, slices.Contains(ByName(r.Name), r), "%s: not found by its name", r.Name)
		require.NotEmpty(t, r.Forms(), r.Name)
		require.NotEqual(t, ClassNone, r.Class, "%s: class", r.Name)
		require.NotEmpty(t, r.Meaning, "%s: meaning", r.Name)
		require.NotEmpty(t, r.Source, "%s: source", r.Name)
		require.False(t, r.Method != "" && r.Reason != "", "%s: a method, and a reason for none", r.Name)
		require.Equal(t, r.PairNames, r.PairNames&r.Pair, "%s: PairNames names an operand that is no pair", r.Name)
		require.Equal(t, strings.ToLower(r.Name), r.Name)
		for _, f := range r.Forms() {
			require.NotNil(t, RowOf(f.Exec), r.Name)
			require.Equal(t, RowOf(f.Exec).Exec, Invalid, "%s executes as %s", r.Name, RowOf(f.Exec).Name)
			require.Zero(t, f.Value&^f.Mask, f.Bits)
			require.Zero(t, f.Mask&f.Reserved, f.Bits)
		}
	}
	require.Equal(t, mnemonics, len(names), "mnemonics of the architecture") // not Len, which prints the table
	require.Equal(t, int(NumOps)-1, len(ops), "constants with a row")
	for name, n := range names {
		if n > 1 {
			require.Contains(t, []string{"asl", "asr", "lsr", "ror"}, name)
		}
	}
}

// TestForms counts the operand forms of the regular families against the architecture.
func TestForms(t *testing.T) {
	for _, test := range []struct {
		op Op
		n  int
	}{
		{ADD, 20}, {CMP, 14}, {MOV, 14}, {ABS, 6}, {ASL1, 6}, {ASL, 20}, {FLAG, 7}, {LR, 8}, {SR, 8},
		{AEX, 14}, {BREQ, 6}, {DBNZ, 1}, {LP, 3}, {B, 2}, {EX, 6}, {ADD_S, 12}, {LD_S, 11}, {DMULH11, 40},
	} {
		require.Len(t, RowOf(test.op).Forms(), test.n, RowOf(test.op).Name)
	}
}

// TestSpaces compares the patterns of the forms with where their rows say that they begin: a decoder looks at no other row.
func TestSpaces(t *testing.T) {
	spaces := map[uint16]bool{}
	for half := range uint32(1 << 16) {
		space, rest := spaceOf(uint16(half))
		if !spaceStart(space).meets(start{0xffff, uint16(half)}) || rest >= 1<<restBits>>spaceParts[space>>6].shift {
			t.Fatalf("halfword %04x is in space %x, at %x", half, space, rest)
		}
		spaces[space] = true
	}
	for space := range spaces {
		of := spaceStart(space)
		for _, r := range Rows() {
			begins := slices.ContainsFunc(r.Forms(), func(f *Form) bool {
				return of.meets(f.start(f.Value)) || of.meets(f.start(f.GNU))
			})
			if begins && !r.Format.begins(of) {
				t.Errorf("a form of %s begins with %04x of %04x", r.Name, of.value, of.mask)
			}
		}
	}
}

func TestFormText(t *testing.T) {
	f := RowOf(LDH_S).Forms()[2]
	require.Equal(t, "c,[b,u6]", f.Text)
	require.Equal(t, ModX, f.Require)
	require.Equal(t, Mods{Size: SizeHalf, SignExtend: true}, f.Fix)
	require.Equal(t, int8(1), f.Open)
	require.Equal(t, int8(2), f.Close)
	lo, hi, step := f.Args[2].Range()
	require.Equal(t, []int64{0, 62, 2}, []int64{lo, hi, step})
	require.True(t, f.Args[2].Fits(62))
	require.False(t, f.Args[2].Fits(63))
	require.False(t, f.Args[2].Fits(64))

	f = RowOf(ADD).Forms()[6]
	require.Equal(t, "b,b,s12", f.Text)
	require.Equal(t, int8(0), f.Args[1].Same)
	lo, hi, step = f.Args[2].Range()
	require.Equal(t, []int64{-2048, 2047, 1}, []int64{lo, hi, step})

	f = RowOf(MOV_S).Forms()[2]
	require.Equal(t, "h,s3", f.Text)
	lo, hi, _ = f.Args[1].Range()
	require.Equal(t, []int64{-1, 6}, []int64{lo, hi})

	f = RowOf(BL).Forms()[0]
	lo, hi, step = f.Args[0].Range()
	require.Equal(t, []int64{-1 << 24, 1<<24 - 4, 4}, []int64{lo, hi, step})

	f = RowOf(MPY).Forms()[0]
	require.False(t, f.Args[0].FitsReg(RegLPCount))
	require.True(t, f.Args[1].FitsReg(RegLPCount))
	require.False(t, f.Args[1].FitsReg(61))
	require.False(t, f.Args[1].FitsReg(RegLimm))

	f = RowOf(VMAC2H).Forms()[0]
	require.True(t, f.Args[0].Pair)
	require.False(t, f.Args[0].FitsReg(1))
	require.False(t, f.Args[1].Pair)
}

// TestNormalised shows that 16-bit forms decode with the operands of the operation they stand for.
func TestNormalised(t *testing.T) {
	d := NewDecoder(GNUEM)
	for _, test := range []struct {
		code Code
		exec Op
		args []Operand
		mods Mods
	}{
		{0x7000 << 48, ADD, []Operand{{Kind: OpReg}, {Kind: OpReg}, {Kind: OpReg}}, Mods{}},
		{0xc0e1 << 48, ST, []Operand{{Kind: OpReg}, {Kind: OpReg, Reg: RegSP}, {Kind: OpImm, Val: -4}}, Mods{Addr: AddrPre}},
		{0xc0d1 << 48, LD, []Operand{{Kind: OpReg, Reg: RegBLINK}, {Kind: OpReg, Reg: RegSP}, {Kind: OpImm, Val: 4}}, Mods{Addr: AddrPost}},
		{0x781b << 48, ASL1, []Operand{{Kind: OpReg}, {Kind: OpReg}}, Mods{}},
		{0xf201 << 48, B, []Operand{{Kind: OpTarget, Val: 2}}, Mods{Cond: CondEQ}},
		{0xe802 << 48, BREQ, []Operand{{Kind: OpReg}, {Kind: OpImm}, {Kind: OpTarget, Val: 4}}, Mods{}},
		{0x7ee0 << 48, J, []Operand{{Kind: OpReg, Reg: RegBLINK}}, Mods{}},
		{0x7fe0 << 48, J, []Operand{{Kind: OpReg, Reg: RegBLINK}}, Mods{Delay: true}},
		{0x78c0 << 48, SUB, []Operand{{Kind: OpReg}, {Kind: OpReg}, {Kind: OpReg}}, Mods{Cond: CondNE}},
		{0x70c7_12345678 << 16, ADD, []Operand{{Kind: OpNull}, {Kind: OpImm, Long: true, Val: 0x12345678}, {Kind: OpImm}}, Mods{}},
		{0x16007000_12345678, LD, []Operand{{Kind: OpReg}, {Kind: OpImm, Long: true, Val: 0x12345678}, {Kind: OpImm}}, Mods{}},
		{0x206f103f << 32, WEVT, nil, Mods{}},
		{0x7ae0 << 48, SWI, []Operand{{Kind: OpImm}}, Mods{}},
		{0x7fff << 48, BRK, nil, Mods{}},
		{0x264a7000 << 32, NOP, nil, Mods{}},
		{0x78e0 << 48, NOP, nil, Mods{}},
	} {
		in := d.Decode(test.code)
		require.NotEqual(t, Invalid, in.Op, "%x", test.code)
		require.Equal(t, test.exec, in.Exec(), "%x", test.code)
		require.Equal(t, test.mods, in.Mods, "%x", test.code)
		if test.exec == WEVT {
			continue
		}
		require.Equal(t, len(test.args), int(in.N), "%x", test.code)
		require.Equal(t, test.args, append([]Operand(nil), in.Args[:in.N]...), "%x", test.code)
	}
}

func TestFeatures(t *testing.T) {
	em4 := EM | CodeDensity | BarrelShift
	for _, test := range []struct {
		code     Code
		needs    Feature
		mnemonic string
	}{
		{0x281e0000 << 32, MPY8, "vmac2h"},
		{0x300a0000 << 32, DSP, "mpyf"},
		{0x28040000 << 32, DivRem, "div"},
		{0x282f003e << 32, EM | AGU, "modapp"},
		{0x5800 << 48, CodeDensity, "jli_s"},
		{0x30010000 << 32, FPUSingle, "fsadd"},
	} {
		in := NewDecoder(em4 &^ test.needs).Decode(test.code)
		require.Equal(t, Invalid, in.Op, test.mnemonic)
		in = NewDecoder(em4 | test.needs).Decode(test.code)
		require.Equal(t, test.mnemonic, in.Row().Name)
	}
	require.Equal(t, "fmul", NewDecoder(em4|FPXSingle).decodeName(0x30000000))
	require.Equal(t, "cmpyhnfr", NewDecoder(em4|DSP).decodeName(0x30008000))
	require.Same(t, NewDecoder(em4), NewDecoder(em4))
}

func (d *Decoder) decodeName(word uint32) string {
	in := d.Decode(Code(word) << 32)
	return in.Row().Name
}
