package arcv2dsp_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp"
	"arcv2dsp/asm"
	"arcv2dsp/asm/link"
	"arcv2dsp/loader"
)

// startup does at start-up what software of the boards does, with addresses in symbols: it waits until the clock is locked,
// sets pins up, prints by polling, and echoes what it receives by interrupt out of sleep; a line feed ends it with the data
// of a GPIO port.
const startup = `
	.section .vectors, "a"
	.word	__start
	.rept	IRQ - 1
	.word	unhandled
	.endr
	.word	received
	.text
	.global __start
__start:
	mov	sp, STACK
	sr	VECTORS, [0x25]
	.if	SHIELD
	sr	VECTORS, [0x26]
	.endif
	.if	CLOCK
1:	ld	r0, [CLOCK]
	bbit0	r0, 2, 1b	; until the clock is stable
	.endif
	.if	PINS
	mov	r0, 0x1ff
	put	r0, PINS + 4	; outputs
	mov	r0, 0x155
	put	r0, PINS
	get	r13, PINS
	.endif
	mov	r0, 7
	put	r0, UART + 8	; FIFO on and clear
	mov	r1, text
2:	ldb.ab	r0, [r1, 1]
	breq	r0, 0, 4f
3:	get	r2, UART + 20	; until there is room
	bbit0	r2, 5, 3b
	put	r0, UART
	b	2b
4:	mov	r0, 1
	put	r0, UART + 4	; interrupt for what is received
	sr	IRQ, [0x40b]
	sr	PRIORITY, [0x206]
	sr	1, [0x40c]
	seti	0x3f
5:	sleep
	b	5b
received:
	get	r0, UART
	put	r0, UART
	sub.f	r0, r0, 10
	mov.z	r0, r13
	flag.z	1
	nop
	rtie
unhandled:
	lr	r0, [ecr]
	flag	1
	nop
	b	unhandled
text:	.asciz "up\n"
`

// inMemory and inAux are how a device is accessed.
const (
	inMemory = "	.macro get to, from\n	ld	\\to, [\\from]\n	.endm\n	.macro put from, to\n	st	\\from, [\\to]\n	.endm\n"
	inAux    = "	.macro get to, from\n	lr	\\to, [\\from]\n	.endm\n	.macro put from, to\n	sr	\\from, [\\to]\n	.endm\n"
)

// TestConsoles: on every board of Zephyr, by Zephyr's name, start-up code finds console, pins and a locked clock at the
// addresses and interrupts of the public device trees, on all engines in the same cycles.
func TestConsoles(t *testing.T) {
	kit := map[string]int64{"UART": 0xf0009000, "IRQ": 30, "PINS": 0xf000200c, "DATA": 0x80000000}
	kit22 := map[string]int64{"UART": 0xf0009000, "IRQ": 28, "PINS": 0xf000200c, "DATA": 0x80000000}
	sdp107 := map[string]int64{"UART": 0xf0004000, "IRQ": 107, "PINS": 0xf0002000, "CODE": 0x60000000, "DATA": 0x80000000}
	sdp108 := map[string]int64{"UART": 0xf0004000, "IRQ": 108, "PINS": 0xf0002000, "CODE": 0x60000000, "DATA": 0x80000000}
	nsim := map[string]int64{"UART": 0xf0000000, "IRQ": 24, "DATA": 0x80000000}
	iot := map[string]int64{"UART": 0x80014000, "IRQ": 86, "PINS": 0x80017c00, "CODE": 0x20000000, "DATA": 0x80000000, "CLOCK": 0xf000a028}
	for _, tt := range []struct {
		core   string
		access string
		at     map[string]int64
		shield bool
	}{
		{core: "nsim_em", access: inMemory, at: nsim},
		{core: "nsim_em11d", access: inMemory, at: nsim},
		{core: "nsim_em7d_v22", access: inMemory, at: nsim},
		{core: "nsim/nsim_sem", access: inMemory, at: nsim, shield: true},
		{core: "nsim_sem_mpu_stack_guard", access: inMemory, at: nsim, shield: true},
		{core: "nsim_hs", access: inMemory, at: nsim},
		{core: "em_starterkit", access: inMemory, at: kit},
		{core: "em_starterkit_em7d", access: inMemory, at: kit, shield: true},
		{core: "em_starterkit@2.2/emsk_em7d", access: inMemory, at: kit22},
		{core: "em_starterkit_em11d", access: inMemory, at: kit},
		{core: "emsdp", access: inMemory, at: sdp107},
		{core: "emsdp_em4", access: inMemory, at: sdp108},
		{core: "emsdp_em5d", access: inMemory, at: sdp107},
		{core: "emsdp_em6", access: inMemory, at: sdp108},
		{core: "emsdp_em7d", access: inMemory, at: sdp107},
		{core: "emsdp_em7d_esp", access: inMemory, at: sdp108, shield: true},
		{core: "emsdp_em9d", access: inMemory, at: sdp107},
		{core: "iotdk", access: inAux, at: iot},
	} {
		t.Run(strings.ReplaceAll(tt.core, "/", " "), func(t *testing.T) {
			symbols := map[string]int64{"PINS": 0, "CLOCK": 0, "CODE": 0, "SHIELD": 0, "PRIORITY": 1, "VECTORS": tt.at["CODE"], "STACK": tt.at["DATA"] + 0x8000}
			for name, v := range tt.at {
				symbols[name] = v
			}
			if tt.shield {
				symbols["SHIELD"], symbols["PRIORITY"] = 1, 0x101 // of the secure world
			}
			file := linkedGuest(t, tt.access+startup, symbols)
			want := uint32(0)
			if symbols["PINS"] != 0 {
				want = 0x155
			}
			var cycles uint64
			for _, engine := range engines {
				var out bytes.Buffer
				m := board(t, arcv2dsp.Config{Core: tt.core, Engine: engine, Stdin: strings.NewReader("echo\n"), Stdout: &out})
				require.NoError(t, m.Load(file))
				stop := run(t, m, arcv2dsp.Limits{Cycles: 10_000_000})
				require.Equal(t, arcv2dsp.StopExited, stop.Reason, "%s %s", stop, out.String())
				require.Equal(t, want, stop.Status)
				require.Equal(t, "up\necho\n", out.String())
				if cycles == 0 {
					cycles = m.Stats().Cycles
				}
				require.Equal(t, cycles, m.Stats().Cycles, "engine %s", engine)
			}
		})
	}
}

// linkedGuest assembles and links a program: vectors at CODE, code behind them, data at DATA.
func linkedGuest(t *testing.T, source string, symbols map[string]int64) *loader.Image {
	t.Helper()
	object, err := asm.Assemble(asm.Options{CPU: "em4", Defsym: symbols}, asm.Source{Name: "guest.s", Text: source})
	require.NoError(t, err)
	data, err := object.Bytes()
	require.NoError(t, err)
	code := uint32(symbols["CODE"])
	linked, err := link.Link(link.Options{Entry: "__start", Defines: []link.Define{{Name: "__HEAP_SIZE", Expr: "0"}, {Name: "__STACK_SIZE", Expr: "0"}}, SectionStart: map[string]uint32{
		".vectors": code, ".text": code + 0x400, ".normal": code + 0x10000, ".data": uint32(symbols["DATA"]),
	}}, []link.Input{{Name: "guest.o", Data: data}})
	require.NoError(t, err)
	data, err = linked.Bytes()
	require.NoError(t, err)
	im, err := loader.Read("guest.elf", data)
	require.NoError(t, err)
	return im
}
