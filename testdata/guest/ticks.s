; A timer interrupt every 997 cycles; main counts in r13, the handler writes a dot for every 16th
; tick and ends the program after 256 with status 33. GNU I/O.
	.include "call.inc"
	.globl	_start
	.type	_start, @function
_start:
	mov	sp, stack
	mov	r13, 0
	mov	r14, 0
	sr	997, [0x23]		; LIMIT0
	sr	0, [0x21]		; COUNT0
	sr	3, [0x22]		; CONTROL0: interrupt, count only when not halted
	seti	0x3f			; all priorities
1:	add	r13, r13, 1
	xor	r15, r15, r13
	ror	r15, r15
	b	1b
	.size	_start, . - _start

	.globl	irq_timer0
	.type	irq_timer0, @function
irq_timer0:
	sr	3, [0x22]		; acknowledge
	add	r14, r14, 1
	and.f	r16, r14, 15
	bne	1f
	mov	r0, 1
	mov	r1, dot
	mov	r2, 1
	call	4
1:	brlt	r14, 256, 2f
	mov	r0, 33
	call	1
2:	rtie
	.size	irq_timer0, . - irq_timer0

	.section .rodata
dot:	.byte	'.'
	.bss
	.align	4
	.space	256
stack:
