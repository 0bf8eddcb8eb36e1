; A watchdog at 0xf0005000 with interrupt before the reset. The program restarts it three times, then
; hangs; the interrupt counts, the reset starts the program again, which finds its count in memory that
; the reset has kept, and ends with 0x10 * resets + interrupts.
	.equ	WDT, 0xf0005000
	.section .vectors, "a"
	.word	_start
	.rept	24
	.word	_start
	.endr
	.word	irq_watchdog		; 25

	.text
	.globl	_start
	.type	_start, @function
_start:
	mov	sp, stack
	ld	r0, [boots]
	add	r1, r0, 1
	st	r1, [boots]
	brne	r0, 0, again
	mov	r13, WDT
	mov	r0, 0
	st	r0, [r13, 4]		; 65,536 cycles
	mov	r0, 3
	st	r0, [r13, 0]
	seti	0x3f
	mov	r14, 3
1:	mov	r15, 15000		; 60,000 cycles or less
2:	sub.f	r15, r15, 1
	bne	2b
	mov	r0, 0x76
	st	r0, [r13, 12]
	sub.f	r14, r14, 1
	bne	1b
3:	b	3b			; hangs
again:
	ld	r1, [interrupts]
	asl	r0, r0, 4
	or	r0, r0, r1
	mov	r13, WDT		; the reset has turned it off
	ld	r1, [r13, 0]
	brne	r1, 0, 3b
	flag	1
	nop
	b	3b
	.size	_start, . - _start

	.type	irq_watchdog, @function
irq_watchdog:
	ld	r0, [interrupts]	; it is not acknowledged
	add	r0, r0, 1
	st	r0, [interrupts]
1:	b	1b
	.size	irq_watchdog, . - irq_watchdog

	.bss
	.align	4
boots:	.space	4
interrupts: .space 4
	.space	256
stack:
