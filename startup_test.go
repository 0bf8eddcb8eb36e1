package arcv2dsp_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp"
)

// kernelStart sets a core up as kernels do: interrupts with their priorities, the registers of the fast one, stack checking,
// memory protection, the first thread by rtie. The thread overruns its stack, is interrupted and goes to user mode, which calls
// the kernel and does what it may not.
const kernelStart = `
	.equ	CONSOLE, 0xf0000000
	.equ	THREAD, DATA + 0x4000		; the end of its stack, 4 KB
	.equ	USER, DATA + 0x8000		; 32 KB
	.macro	say char
	mov	r25, \char
	st	r25, [CONSOLE]
	.endm
	.section .vectors, "a"
	.word	__start, fault, fault, fault, fault, fault, protection, privilege, fault, trap
	.rept	10
	.word	fault
	.endr
	.word	fast, regular
	.rept	10
	.word	fault
	.endr
	.text
	.global __start
__start:
	kflag	0
	sr	0, [0x43]
	sr	7 | 1 << 9, [0x0e]		; interrupts save r0 to r13 and blink
	sr	0, [0x201]
	sr	0, [0x25]
	mov	r1, 16
1:	sr	r1, [0x40b]
	sr	1, [0x206]
	sr	0, [0x40c]
	add	r1, r1, 1
	brlo	r1, 28, 1b
	sr	20, [0x40b]
	sr	0, [0x206]			; the fast one
	sr	1, [0x40c]
	sr	21, [0x40b]
	sr	1, [0x40c]
	kflag	1 << 16				; bank 1
	mov	sp, DATA + 0x2000
	mov	r13, 0xfa57
	kflag	0
	sr	THREAD - 0x1000, [0x264]	; the thread's stack
	sr	THREAD, [0x265]
	sr	0x01, [0x422]			; code: 64 KB, user mode reads and executes
	sr	0x1e8 | 0x603, [0x423]
	sr	USER | 1, [0x424]		; data of user mode: 32 KB
	sr	0x1b0 | 0x602, [0x425]
	sr	0x40000000 | 0x180, [0x409]	; the kernel alone reads and writes all else
	mov	sp, THREAD - 68			; what an interrupt would have saved
	st	0x55, [sp, 0]			; r0
	st	0x66, [sp, 52]			; r13
	mov	r1, thread
	st	r1, [sp, 60]
	mov	r1, 0x80000000 | 1 << 14 | 15 << 1	; interrupts on, stack checking
	st	r1, [sp, 64]
	sr	2, [0x43]			; as if one of priority 1 were active
	rtie
thread:	say	'k'
	brne	r0, 0x55, 2f
	lr	r1, [0x43]
	brne	r1, 0, 2f
	sub	r1, sp, THREAD
	brne	r1, 0, 2f
	ld	r2, [sp, -0x1004]		; below the stack
	sr	20, [0x201]
	nop
	nop
	brne	r13, 0x66, 2f			; the fast interrupt has registers of its own
	sr	21, [0x201]
	nop
	nop
	sr	USER + 0x1000, [0x0d]
	clri
	lr	r1, [0x0a]
	or	r1, r1, 1 << 7
	sr	r1, [0x402]
	sr	user, [0x400]
	lr	r1, [0x0a]
	or	r1, r1, 1 << 5
	kflag	r1
	rtie
2:	b	fault
user:	mov	r6, 'u'
	trap_s	0
	mov	r1, USER
	st	sp, [r1]
	ld	r2, [r1]
	ld	r3, [THREAD]			; 8 bytes: the address is behind it
	st	r3, [r14]			; code: r14 is 0
	sr	0, [0x25]
	mov	r0, 77
	sub	r3, r2, USER + 0x1000
	breq	r3, 0, 3f
	mov	r0, 99
3:	trap_s	1

protection:
	lr	r20, [0x403]
	sub	r21, r20, 0x060102		; read, stack checking
	breq	r21, 0, 4f
	sub	r21, r20, 0x060104		; read, MPU
	breq	r21, 0, 5f
	sub	r21, r20, 0x060204		; write, MPU
	brne	r21, 0, fault
	say	'w'
	b	skip4
4:	say	's'
	b	skip8
5:	say	'r'
skip8:	lr	r20, [0x400]
	add	r20, r20, 8
	sr	r20, [0x400]
	rtie
privilege:
	say	'v'
	b	skip8
skip4:	lr	r20, [0x400]
	add	r20, r20, 4
	sr	r20, [0x400]
	rtie
trap:	lr	r20, [0x403]
	bmsk	r20, r20, 5
	brne	r20, 0, 6f
	st	r6, [CONSOLE]
	rtie
6:	flag	1
	nop
fast:	sr	0, [0x201]
	mov	r13, 'f'			; of bank 1
	st	r13, [CONSOLE]
	rtie
regular:
	sr	0, [0x201]
	say	'i'
	mov	r13, 1				; restored
	rtie
fault:	say	'!'
	lr	r0, [0x403]
	flag	1
	nop
	b	fault
`

// TestKernelStart: the program above runs on the cores of Zephyr's boards that have what it sets up, on all engines in the same
// cycles.
func TestKernelStart(t *testing.T) {
	image := linkedGuest(t, kernelStart, map[string]int64{"CODE": 0, "DATA": 0x80000000})
	for _, core := range []string{"nsim_em", "nsim_hs"} {
		t.Run(core, func(t *testing.T) {
			var cycles uint64
			for _, engine := range engines {
				var out bytes.Buffer
				m := board(t, arcv2dsp.Config{Core: core, Engine: engine, Stdout: &out})
				require.NoError(t, m.Load(image))
				stop := run(t, m, arcv2dsp.Limits{Cycles: 100_000})
				require.Equal(t, "ksfiurwv", out.String(), "%s: %s", engine, stop)
				require.Equal(t, arcv2dsp.StopExited, stop.Reason, "%s: %s", engine, stop)
				require.EqualValues(t, 77, stop.Status)
				if cycles == 0 {
					cycles = m.Stats().Cycles
				}
				require.Equal(t, cycles, m.Stats().Cycles, engine)
			}
		})
	}
}
