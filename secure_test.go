package arcv2dsp_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp"
)

// shieldStart is the common part of the programs for SecureShield: the vectors of both worlds, start-up of the secure one as
// kernels do it, and a console. Code and data of the secure world are at CODE and DATA, those of the normal world 64 KB behind.
const shieldStart = `
	.equ	CONSOLE, 0xf0000000
	.equ	NORMAL, 0x10000
	.equ	NDATA, DATA + 0x10000
	.macro	say char
	mov	r11, \char
	st	r11, [CONSOLE]
	.endm
	.macro	region index, first, last, rights
	sr	\index, [0x448]
	sr	\first, [0x449]
	sr	\last, [0x44a]
	sr	\rights, [0x44b]
	.endm
	.section .vectors, "a"
	.word	__start, fault, fault, fault, fault, fault, fault, fault, fault, trap
	.rept	6
	.word	fault
	.endr
	.rept	VECTORS
	.word	fault
	.endr
	.word	secure_irq
	.rept	16
	.word	fault
	.endr
	.text
	.global __start
__start:
	kflag	0
	sflag	0
	sr	0, [0x43]		; no interrupt is active
	sr	0, [0x0e]		; none saves registers
	sr	0, [0x201]
	sr	0, [0x26]		; vectors of the secure world
	mov	sp, DATA + 0x8000
	sr	NDATA + 0x8000, [0x38]	; stack of the normal kernel
	sr	DATA + 0x9000, [0x39]	; of secure user mode
	sr	gate, [0x269]
	sr	gate + 8, [0x268]
	region	0, NORMAL, NORMAL + 0xffe0, 0x1f9	; all rights, normal world
	region	1, NDATA, NDATA + 0xffe0, 0x1f9
	region	2, CONSOLE, CONSOLE + 0xfe0, 0x1f9
	bl	test
	mov	r0, 0
	b	done
fault:	say	'!'
	lr	r0, [0x403]		; ECR ends the program
done:	sr	0, [0x26]
	flag	1
	nop
	b	fault
	.align	4
gate:	.word	call
	.word	done
trap:	say	't'
	rtie
`

// shieldNormal begins the part of a program in the normal world, with vectors of its own.
const shieldNormal = `
	.section .normal, "ax"
nvectors:
	.rept	9
	.word	nfault
	.endr
	.word	ntrap
	.rept	6 + VECTORS
	.word	nfault
	.endr
	.word	normal_irq, normal_irq
	.rept	15
	.word	nfault
	.endr
nfault:	say	'?'
	lr	r0, [0x403]
	sjli	1
ntrap:	say	'T'
	lr	r1, [0x403]
	bmsk	r1, r1, 5
	brne	r1, 3, 1f
	sjli	1			; the end
1:	rtie
`

// shieldPrograms are programs for SecureShield, with what each prints and returns by hand.
var shieldPrograms = []struct {
	name, source, out string
	status            uint32
}{
	{name: "start-up, normal mode, the gate and back", out: "snSnd", status: 42, source: `
test:	say	's'
	lr	r13, [0x0a]
	bbit0	r13, 21, fault		; STATUS32.S
	sflag	0x20			; normal mode may use seti
	mov	r14, sp
	j	normal
call:	say	'S'			; the gate: on the stack of the secure world
	sub	r1, sp, r14
	brne	r1, 0, fault
	push	blink
	add	r0, r0, 2
	pop	blink
	j	[blink]
secure_irq:
	rtie
` + shieldNormal + `
normal:	say	'n'
	lr	r1, [0x0a]
	bbit1	r1, 21, nfault
	sub	r1, sp, NDATA + 0x8000
	brne	r1, 0, nfault
	mov	r0, 40
	sjli	0
	say	'n'
	lr	r1, [0x0a]
	bbit1	r1, 21, nfault
	lr	r1, [0x406]		; ERSEC_STAT reads 0
	brne	r1, 0, nfault
	say	'd'
	sjli	1
normal_irq:
	rtie
`},
	{name: "the border", out: "rwxhpgo", status: 0, source: `
	.equ	SECRET, DATA + 0x100
test:	mov	r12, table
	sr	handlers, [0x26]
	j	normal
call:	mov	r12, table		; not called
	b	fault
secure_irq:
	rtie
	.align	1024
handlers:
	.word	__start, fault, fault, fault, fault, fault, border, border
	.rept	8 + VECTORS
	.word	fault
	.endr
	.word	fault
border:	lr	r0, [0x403]		; ECR: what was expected?
	lr	r1, [0x406]
	bbit1	r1, 31, 1f		; it came from the normal world
	ld.ab	r1, [r12, 4]
	brne	r0, r1, 1f
	ld.ab	r1, [r12, 4]
	st	r1, [CONSOLE]
	ld.ab	r1, [r12, 4]
	breq	r1, 0, 2f
	sr	r1, [0x400]		; ERET: goes on there
	rtie
1:	b	fault
2:	sr	finish, [0x400]
	lr	r1, [0x406]
	bset	r1, r1, 31		; ERM: to the secure world
	sr	r1, [0x406]
	rtie
finish:	mov	r0, 0
	b	done
	.align	4
table:	.word	0x060124, 'r', next1	; Protection Violation, read, secure MPU
	.word	0x060224, 'w', next2
	.word	0x060024, 'x', next3
	.word	0x071004, 'h', next4	; Privilege Violation, normal mode halts
	.word	0x071020, 'p', next5	; a register of the secure world
	.word	0x061200, 'g', next6	; sjli beyond its table
	.word	0x071020, 'o', 0	; seti without leave
` + shieldNormal + `
normal:	sr	nvectors, [0x25]
	ld	r0, [SECRET]
	b	nfault
next1:	st	r0, [SECRET]
	b	nfault
next2:	j	__start
next3:	flag	1
	b	nfault
next4:	lr	r0, [0x26]
	b	nfault
next5:	sjli	2
	b	nfault
next6:	seti
	b	nfault
normal_irq:
	rtie
`},
	{name: "interrupts of both worlds", out: "niNsnd", status: 7, source: `
test:	sflag	0x20
	sr	20, [0x40b]
	sr	0x101, [0x206]		; secure, priority 1
	sr	21, [0x40b]
	sr	1, [0x206]		; normal, priority 1
	j	normal
call:	seti	0x3f			; a normal interrupt comes while the secure world executes
	sr	21, [0x201]
	nop
	nop
	say	's'
	j	[blink]
secure_irq:
	lr	r1, [0x09]		; SEC_STAT.IRM: it came in normal mode
	bbit1	r1, 3, fault
	sr	0, [0x201]
	say	'i'
	rtie
` + shieldNormal + `
normal:	sr	nvectors, [0x25]
	say	'n'
	sr	20, [0x40b]
	sr	0, [0x40c]		; ignored: the interrupt is secure
	seti	0x3f
	sr	20, [0x201]
	nop
	nop
	sjli	0
	say	'n'
	say	'd'
	mov	r0, 7
	sjli	1
normal_irq:
	lr	r1, [0x0a]
	bbit1	r1, 21, nfault		; in the normal world
	sr	0, [0x201]
	say	'N'
	rtie
`},
	{name: "user mode of both worlds", out: "utUTUT", status: 3, source: `
test:	sr	nvectors, [0x25]
	region	3, CODE, CODE + 0x7fe0, 0x81f9	; user mode may execute secure code
	lr	r1, [0x0a]
	bset	r1, r1, 7
	sr	r1, [0x402]
	sr	user, [0x400]
	lr	r1, [0x09]
	bset	r1, r1, 31
	sr	r1, [0x406]		; ERM: to the secure world
	lr	r1, [0x0a]
	bset	r1, r1, 5
	kflag	r1			; as a handler
	rtie
user:	say	'u'
	sub	r1, sp, DATA + 0x9000
	brne	r1, 0, fault
	trap_s	1
	j	nuser			; normal user mode
call:	j	[blink]
secure_irq:
	rtie
` + shieldNormal + `
nuser:	say	'U'
	sub	r1, sp, 0		; no stack was set up
	brne	r1, 0, nfault2
	trap_s	2
	say	'U'
	mov	r0, 3
	trap_s	3
nfault2:
	mov	r0, 99
	trap_s	3
normal_irq:
	rtie
`},
}

// TestSecureShield: programs of both worlds, as kernels set them up, print and return what they should on the boards that
// have the option, on all engines in the same cycles.
func TestSecureShield(t *testing.T) {
	for _, p := range shieldPrograms {
		t.Run(p.name, func(t *testing.T) {
			for _, core := range []string{"nsim_sem", "em_starterkit_em7d"} {
				irqs := int64(4) // vectors before 20
				image := linkedGuest(t, shieldStart+p.source, map[string]int64{"CODE": 0, "DATA": 0x80000000, "VECTORS": irqs})
				var cycles uint64
				for _, engine := range engines {
					var out bytes.Buffer
					cfg := arcv2dsp.Config{Core: core, Engine: engine, Stdout: &out}
					if core != "nsim_sem" {
						cfg.Settings = []arcv2dsp.Setting{{Property: "nsim_mem-dev=mux,kind=dwuart,base=0xf0000000"}, {Property: "nsim_mem-dev=uart1,kind=dwuart,base=0xf0009000,line=none"}}
					}
					m := board(t, cfg)
					require.NoError(t, m.Load(image))
					stop := run(t, m, arcv2dsp.Limits{Cycles: 100_000})
					require.Equal(t, p.out, out.String(), "%s, %s: %s", core, engine, stop)
					require.Equal(t, arcv2dsp.StopExited, stop.Reason, "%s, %s: %s", core, engine, stop)
					require.Equal(t, p.status, stop.Status)
					if cycles == 0 {
						cycles = m.Stats().Cycles
					}
					require.Equal(t, cycles, m.Stats().Cycles, "%s, %s", core, engine)
				}
			}
		})
	}
}
