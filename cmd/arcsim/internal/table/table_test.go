package table_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp"
	"arcv2dsp/asm"
	"arcv2dsp/asm/link"
	"arcv2dsp/cmd/arcsim/internal/table"
	"arcv2dsp/loader"
)

// example is the file that docs/formats.md shows.
func example(t *testing.T) string {
	t.Helper()
	page, err := os.ReadFile("../../../../docs/formats.md")
	require.NoError(t, err)
	_, rest, found := strings.Cut(string(page), "```toml\n[devices.pll]")
	require.True(t, found)
	text, _, found := strings.Cut(rest, "```")
	require.True(t, found)
	return "[devices.pll]" + text
}

// TestExample: a program that waits for the lock of the clock in docs/formats.md sees two reads without it, the bits that may be written,
// and a fault where there is no register. It goes on from a snapshot between the reads, and after a reset everything is new.
func TestExample(t *testing.T) {
	list, err := table.Parse("pll.toml", example(t))
	require.NoError(t, err)
	object, err := asm.Assemble(asm.Options{CPU: "em4"}, asm.Source{Name: "wait.s", Text: `
	.globl __start
__start: mov r13, 0xf0001000
	mov r1, 0
	ld  r2, [r13]		; CONTROL after a reset
	mov r0, -1
	st  r0, [r13]		; only the bits of the mask change
	ld  r3, [r13]
	stb r1, [r13, 1]	; of the byte that may change
	ld  r4, [r13]
	st  r0, [r13, 8]	; ID cannot be written
	ld  r5, [r13, 8]
1:	add r1, r1, 1
	ld  r0, [r13, 4]	; STATUS
	bbit0 r0, 0, 1b
	mov r0, 0
	flag 1
`})
	require.NoError(t, err)
	data, err := object.Bytes()
	require.NoError(t, err)
	linked, err := link.Link(link.Options{}, []link.Input{{Name: "wait.o", Data: data}})
	require.NoError(t, err)
	data, err = linked.Bytes()
	require.NoError(t, err)
	image, err := loader.Read("wait.elf", data)
	require.NoError(t, err)
	m, err := arcv2dsp.New(arcv2dsp.Config{Core: "em4", Devices: list})
	require.NoError(t, err)
	defer func() { require.NoError(t, m.Close()) }()
	require.NoError(t, m.Load(image))
	finish := func() {
		stop, err := m.Run(t.Context(), arcv2dsp.Limits{Insts: 1000})
		require.NoError(t, err)
		require.Equal(t, arcv2dsp.StopExited, stop.Reason, "%v", stop)
		got := [5]uint32{}
		for i := range got {
			got[i] = m.Reg(uint8(i + 1))
		}
		require.Equal(t, [5]uint32{3, 0x11, 0xff11, 0x11, 0x1234}, got)
	}
	start := m.Snapshot()
	finish()
	for insts := range uint64(20) {
		require.NoError(t, m.Restore(start))
		_, err := m.Run(t.Context(), arcv2dsp.Limits{Insts: insts + 1})
		require.NoError(t, err)
		between := m.Snapshot()
		finish()
		require.NoError(t, m.Restore(between))
		finish()
	}
}

// TestNoRegister: an address of a device without a register does not answer.
func TestNoRegister(t *testing.T) {
	list, err := table.Parse("f", example(t))
	require.NoError(t, err)
	d := list[0].New(arcv2dsp.Board{})
	_, ok := d.ReadPort(0x0c, 4)
	require.False(t, ok)
	require.False(t, d.WritePort(0x0c, 4, 1))
	v, ok := d.ReadPort(9, 1)
	require.True(t, ok)
	require.EqualValues(t, 0x12, v)
	require.Error(t, d.Adopt([]byte{1}))
	require.NoError(t, d.Adopt(d.State()))
}

// TestRefusals: one line says what is wrong with a file, and where.
func TestRefusals(t *testing.T) {
	const register = "[[devices.d.registers]]\nname = \"R\"\n"
	for text, want := range map[string]string{
		"":                                   "f: no devices: tables [devices.NAME]",
		"[devices.d":                         "f:1: ",
		"[devices.d]\nbase = \"x\"":          "f: line 2 (last key \"devices.d.base\"): incompatible types",
		"[devices.d]\nbase = 0":              "f: device d: 0 registers, there are 1 to 4096",
		"[devices.d]\nbase = 3\n" + register: "f: device d: base 0x3 and size 0x4",
		"[devices.d]\nbase = 0xfffffffc\nsize = 8\n" + register: "a device lies at a multiple of 4 below 4 GB",
		"[devices.d]\nsize = 2\n" + register:                    "size 0x2: the registers take 0x4",
		"[devices.d]\nsize = 0x7fffffffffffffff\n" + register:   "and the most is 0x100000",
		"[devices.d]\nirq = 5\n" + register:                     "f: unknown key devices.d.irq",
		register + "offset = 2":                                 "register 1 (R): offset 0x2 is no multiple of 4",
		register + "offset = -4":                                "offset -0x4 is no multiple of 4",
		register + "reset = 0x100000000":                        "reset = 0x100000000 is no number of 32 bits",
		register + "write = -1":                                 "write = -0x1 is no number of 32 bits",
		register + "reads = [0, -1]":                            "reads = -0x1 is no number of 32 bits",
		register + register:                                     "register 2 (R): R has the offset 0x0 too",
		"[[devices.d.registers]]\noffset = 0":                   "register 1 (): it has no name",
	} {
		_, err := table.Parse("f", text)
		require.ErrorContains(t, err, want, text)
		require.NotContains(t, err.Error(), "\n")
	}
}
