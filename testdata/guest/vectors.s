; The vector table: reset, then one word per exception and interrupt. A program that defines one of
; the weak names below handles it; the others halt with the cause in r0.
	.section .vectors, "a"
	.word	_start
	.rept	7
	.word	unhandled
	.endr
	.word	ev_swi			; 8
	.rept	7
	.word	unhandled
	.endr
	.word	irq_timer0		; 16
	.rept	7
	.word	unhandled
	.endr
	.word	irq_uart		; 24
	.weak	ev_swi
	.set	ev_swi, unhandled
	.weak	irq_timer0
	.set	irq_timer0, unhandled
	.weak	irq_uart
	.set	irq_uart, unhandled

	.text
	.globl	unhandled
	.type	unhandled, @function
unhandled:
	lr	r0, [ecr]
	flag	1
	nop
	b	unhandled
	.size	unhandled, . - unhandled
