package cexpr

import (
	"errors"
	"testing"

	"arcv2dsp/internal/program/dwarf"

	"github.com/stretchr/testify/require"
)

// bare is a target that is memory and registers, without a program.
type bare struct {
	memory  map[uint32]byte
	regs    [64]uint32
	changes int
}

func (b *bare) ReadMemory(addr uint32, buf []byte) error {
	for i := range buf {
		v, ok := b.memory[addr+uint32(i)]
		if !ok {
			return errors.New("nothing there")
		}
		buf[i] = v
	}
	return nil
}

func (b *bare) WriteMemory(addr uint32, data []byte) error {
	for i, v := range data {
		b.memory[addr+uint32(i)] = v
	}
	return nil
}

func (b *bare) CString(uint32) (string, uint32, error)      { return "text", 5, nil }
func (b *bare) PC() uint32                                  { return 0x100 }
func (b *bare) Reg(n uint8) uint32                          { return b.regs[n] }
func (b *bare) SetReg(n uint8, v uint32)                    { b.regs[n] = v }
func (b *bare) Register(string) (uint64, error)             { return 0, errors.New("no such register") }
func (b *bare) SetRegister(string, uint64) error            { return errors.New("no such register") }
func (b *bare) Accumulators() (lo, hi int64)                { return -1, 1 << 38 }
func (b *bare) Held() bool                                  { return false }
func (b *bare) Changed()                                    { b.changes++ }
func (b *bare) Here() Scope                                 { return Scope{PC: 0x100} }
func (b *bare) Selected() int                               { return 0 }
func (b *bare) Frame(int) (Frame, error)                    { return nil, errors.New("no frame") }
func (b *bare) Symbol(name string, _ uint32) (uint32, bool) { return 0x200, name == "n" }
func (b *bare) IsCode(uint32) bool                          { return false }
func (b *bare) Functions(string) []uint32                   { return nil }
func (b *bare) Nearest(string) string                       { return "" }
func (b *bare) Place(uint32) string                         { return "0x200 <n>" }

func (b *bare) Call(uint32, []uint32) ([]byte, error) {
	return nil, errors.New("nothing can be called")
}

func (b *bare) Variable(*dwarf.Variable, *Type, int) (Value, error) {
	return Value{}, errors.New("no variable")
}

// TestWithoutProgram: the language needs no more of a debugger than its Target says.
func TestWithoutProgram(t *testing.T) {
	b := &bare{memory: map[uint32]byte{0x200: 0x78, 0x201: 0x56, 0x202: 0x34, 0x203: 0x12}}
	b.regs[3] = 0x4000
	l := New(b, nil, nil)
	for text, want := range map[string]string{
		"1 + 2 * 3": "7", "n": "305419896", "&n": "(unsigned int *) 0x200 <n>", "*(short*)&n": "22136", "(q15)$r3": "0.5",
		"(int*)0x210 - (int*)0x200": "4", "7 / -1": "-7", "1.5 <= 1.5": "1", "2.5 > 1": "1", "1 >= 2.5": "0", "1.5 != 1": "1", "-1 < 0u": "0", "3 >= 3": "1", "2 <= 1": "0", "-5 > -6": "1", "-7 / -1": "7", "-7 % -1": "0", "(-2147483647 - 1) / -1": "-2147483648", "-7 % 4": "-3",
		"sizeof(1 << 1LL)": "4", "sizeof(1LL << 1)": "8", "sizeof((char)1 << 1)": "4", "-8 >> 1": "-4", "0x80000000 >> 4": "134217728", "1LL << 40": "1099511627776",
		"$acclo": "-1", "$acc0.hi": "274877906944", "sizeof(long long)": "8", "$r3 > 3 ? 'a' : 'b'": "97 'a'",
	} {
		v, err := l.Eval(text)
		require.NoError(t, err, text)
		require.Equal(t, want, l.Text(v, Format{}), text)
	}
	_, err := l.Eval("n = $r3 = 5, $x = n + 1")
	require.NoError(t, err)
	require.Equal(t, 2, b.changes)
	require.Equal(t, uint32(5), b.regs[3])
	require.Equal(t, byte(5), b.memory[0x200])
	v, err := l.Eval("$x")
	require.NoError(t, err)
	require.Equal(t, int64(6), v.Num)

	x, err := l.Compile("n + $r3", b.Here())
	require.NoError(t, err)
	_, read, err := l.Follow(x)
	require.NoError(t, err)
	require.Equal(t, Trail{Loads: []Span{{Addr: 0x200, Size: 4}}, Registers: true}, read)

	for text, column := range map[string]int{"n +": 3, "n n": 2, "nothing": 0, "*(int*)0": 0, "1 / 0": 2} {
		_, err := l.Eval(text)
		e, ok := AsError(err)
		require.True(t, ok, text)
		require.Equal(t, column, e.Column, text)
	}
}
