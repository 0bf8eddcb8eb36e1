package isa

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// regSet builds a set of registers.
func regSet(regs ...uint8) RegSet {
	var s RegSet
	for _, r := range regs {
		s |= 1 << r
	}
	return s
}

func TestEffects(t *testing.T) {
	em, hs := NewDecoder(GNUEM), NewDecoder(GNUHS)
	for _, test := range []struct {
		name          string
		d             *Decoder
		code          Code
		reads, writes RegSet
		readF, writeF FlagSet
		memory        Memory
		control       bool
	}{
		{name: "add r0,r1,r2", d: em, code: 0x21000080 << 32, reads: regSet(1, 2), writes: regSet(0)},
		{name: "add.f 0,r1,r2", d: em, code: 0x210080be << 32, reads: regSet(1, 2), writeF: FlagsZNCV},
		{name: "adc.gt r3,r3,5", d: em, code: 0x23c10169 << 32, reads: regSet(3), writes: regSet(3), readF: FlagsZNCV},
		{name: "cmp r0,r1", d: em, code: 0x200c8040 << 32, reads: regSet(0, 1), writeF: FlagsZNCV},
		{name: "add r0,pcl,8", d: em, code: 0x27407200 << 32, writes: regSet(0)},
		{name: "ld.ab r2,[r3,4]", d: em, code: 0x13040402 << 32, reads: regSet(3), writes: regSet(2, 3), memory: MemoryRead},
		{name: "ld.as r0,[r1,r2]", d: em, code: 0x21f00080 << 32, reads: regSet(1, 2), writes: regSet(0), memory: MemoryRead},
		{name: "st.aw r4,[r5,-4]", d: em, code: 0x1dfc8108 << 32, reads: regSet(4, 5), writes: regSet(5), memory: MemoryWrite},
		{name: "push_s blink", d: em, code: 0xc0f1 << 48, reads: regSet(28, 31), writes: regSet(28), memory: MemoryWrite},
		{name: "mpyd r4,r0,r1", d: em, code: 0x28180044 << 32, reads: regSet(0, 1), writes: regSet(4, 5, 58, 59)},
		{name: "mac 0,r0,r1", d: em, code: 0x280e007e << 32, reads: regSet(0, 1, 58, 59), writes: regSet(58, 59)},
		{name: "dmpyhf 0,r0,r1", d: em, code: 0x282a007e << 32, reads: regSet(0, 1), writes: regSet(59)},
		{name: "satf r0,r1", d: em, code: 0x282f005a << 32, reads: regSet(1), writes: regSet(0), readF: FlagN | FlagV},
		{name: "lp 16", d: em, code: 0x20a80200 << 32, reads: regSet(60), control: true},
		{name: "bl 0", d: em, code: 0x08020000 << 32, writes: regSet(31), control: true},
		{name: "beq_s", d: em, code: 0xf201 << 48, readF: FlagZ, control: true},
		{name: "dbnz r7", d: em, code: 0x278c0000 << 32, reads: regSet(7), writes: regSet(7), control: true},
		{name: "j_s [blink]", d: em, code: 0x7ee0 << 48, reads: regSet(31), control: true},
		{name: "lr r0,[0xa]", d: em, code: 0x206a0280 << 32, writes: regSet(0)},
		{name: "sr r2,[r3]", d: em, code: 0x222b00c0 << 32, reads: regSet(2, 3)},
		{name: "ex r0,[r1]", d: em, code: 0x202f004c << 32, reads: regSet(0, 1), writes: regSet(0), memory: MemoryRead | MemoryWrite},
		{name: "llock r0,[r1]", d: em, code: 0x202f0050 << 32, reads: regSet(1), writes: regSet(0), memory: MemoryRead},
		{name: "scond r0,[r1]", d: em, code: 0x202f0051 << 32, reads: regSet(0, 1), writeF: FlagZ, memory: MemoryWrite},
		{name: "clri r0", d: em, code: 0x272f003f << 32, writes: regSet(0)},
		{name: "seti r0", d: em, code: 0x262f003f << 32, reads: regSet(0)},
		{name: "enter_s [r13-r14,fp,blink]", d: em, code: 0xc3e4 << 48, reads: regSet(13, 14, 27, 28, 31), writes: regSet(27, 28), memory: MemoryWrite},
		{name: "leave_s [r13,blink,pcl]", d: em, code: 0xc6c2 << 48, reads: regSet(28, 31), writes: regSet(13, 28, 31), memory: MemoryRead, control: true},
		{name: "asl_s r0,r1", d: em, code: 0x783b << 48, reads: regSet(1), writes: regSet(0)},
		{name: "ldd r4,[r1]", d: hs, code: 0x11000184 << 32, reads: regSet(1), writes: regSet(4, 5), memory: MemoryRead},
		{name: "vadd2 r0,r2,r4", d: hs, code: 0x2a3c0100 << 32, reads: regSet(2, 3, 4, 5), writes: regSet(0, 1)},
	} {
		in := test.d.Decode(test.code)
		require.NotEqual(t, Invalid, in.Op, test.name)
		require.Equal(t, test.reads, in.Reads(), "%s: reads", test.name)
		require.Equal(t, test.writes, in.Writes(), "%s: writes", test.name)
		require.Equal(t, test.readF, in.ReadsFlags(), "%s: reads flags", test.name)
		require.Equal(t, test.writeF, in.WritesFlags(), "%s: writes flags", test.name)
		require.Equal(t, test.memory, in.Memory(), "%s: memory", test.name)
		require.Equal(t, test.control, in.Control(), "%s: control", test.name)
	}
	var none Inst
	require.Zero(t, none.Reads()|none.Writes())
	require.Equal(t, ClassNone, none.Class())
}

func TestRegisters(t *testing.T) {
	for name, number := range map[string]uint8{
		"r0": 0, "r26": 26, "gp": 26, "fp": 27, "sp": 28, "ilink": 29, "ilink2": 30, "blink": 31,
		"x0_u0": 32, "x0_u1": 33, "x3_u1": 39, "y0_u0": 40, "y3_u1": 47, "x0_nu": 48, "y3_nu": 55,
		"acc1": 56, "mhi": 59, "lp_count": 60, "r63": 63, "pcl": 63,
	} {
		r, ok := RegByName(name)
		require.True(t, ok, name)
		require.Equal(t, number, r, name)
	}
	for _, name := range []string{"r64", "r00", "r", "R1", "x4_u0", "rx", "r256", ""} {
		_, ok := RegByName(name)
		require.False(t, ok, name)
	}
	for r := range uint8(64) {
		if r == 61 || r == RegLimm {
			continue
		}
		got, ok := RegByName(RegName(r))
		require.True(t, ok)
		require.Equal(t, r, got)
	}
}

func TestAuxRegisters(t *testing.T) {
	for _, test := range []struct {
		name string
		f    Feature
		addr uint32
		ok   bool
	}{
		{"STATUS32", EM, AuxStatus32, true},
		{"status32", HS, 0xa, true},
		{"dsp_ctrl", EM, 0x59f, true},
		{"AGU_MOD23", EM, 0x5f7, true},
		{"agu_ap11", EM, 0x5cb, true},
		{"agu_ap12", EM, 0, false},
		{"mpurdp15", HS, 0x441, true},
		{"ap_ac7", EM, 0x237, true},
		{"memseg", EM, 0, false},
		{"memseg", HS, 7, true},
		{"d1l", EM | FPXDouble, 0x301, true},
		{"d1l", EM | FPUDoubleAssist, 0x302, true},
		{"xyzzy", EM, 0, false},
	} {
		r, ok := AuxByName(test.name, test.f)
		require.Equal(t, test.ok, ok, test.name)
		if ok {
			require.Equal(t, test.addr, r.Addr, test.name)
		}
	}
	r, ok := AuxByAddr(0x7a, EM, false)
	require.True(t, ok)
	require.Equal(t, "dsp_build", r.Name)
	r, ok = AuxByAddr(0x7a, EM, true)
	require.True(t, ok)
	require.Equal(t, "mac_build", r.Name)
	require.Equal(t, ReadOnly, r.Access)
	_, ok = AuxByAddr(0x59f, EM, true)
	require.False(t, ok)
}

func TestConditions(t *testing.T) {
	for name, c := range map[string]Cond{"al": CondAL, "z": CondEQ, "lo": CondC, "hs": CondNC, "pl": CondP, "pnz": CondPNZ, "nt": CondNT} {
		got, ok := CondByName(name)
		require.True(t, ok, name)
		require.Equal(t, c, got, name)
	}
	_, ok := CondByName("xx")
	require.False(t, ok)
	for c := range Cond(32) {
		if c.Known() {
			got, ok := CondByName(c.String())
			require.True(t, ok)
			require.Equal(t, c, got)
		}
	}
	require.Equal(t, FlagsZNV, CondLE.Reads())
	require.Equal(t, FlagSet(0), CondAL.Reads())
}
