; Starts main with a timer interrupt every 509 cycles, and a kernel with ports of the address
; generation unit: its sources lie in ordinary memory, so that each access costs cycles.
	.section .vectors, "a"
	.word	_start
	.rept	15
	.word	unhandled
	.endr
	.word	tick			; 16
	.rept	8
	.word	unhandled
	.endr

	.text
	.globl	_start
	.type	_start, @function
_start:
	mov	sp, stack
	sr	509, [0x23]		; LIMIT0
	sr	0, [0x21]		; COUNT0
	sr	3, [0x22]		; CONTROL0
	seti	0x3f
	bl	main
	clri	r1
	mov	r8, 1			; exit
	swi
	.size	_start, . - _start

	.globl	tick
	.type	tick, @function
tick:
	push	blink
	sr	3, [0x22]		; acknowledge
	bl	count
	pop	blink
	rtie
	.size	tick, . - tick

	.globl	count
	.type	count, @function
count:
	push	r0
	ld	r0, [ticks]
	add	r0, r0, 1
	st	r0, [ticks]
	pop	r0
	j	[blink]
	.size	count, . - count

	.globl	mli_krn_sum
	.type	mli_krn_sum, @function
mli_krn_sum:
	sr	r0, [0x5c0]		; AGU_AP0
	sr	r1, [0x5c1]		; AGU_AP1
	mov	r3, 0x201002e0		; 16-bit pairs, step 4, pointer 0
	sr	r3, [0x5e0]		; AGU_MOD0
	mov	r3, 0x201002e1		; the same, pointer 1
	sr	r3, [0x5e1]		; AGU_MOD1
	mov	r3, 0x17
	sr	r3, [0x59f]		; DSP_CTRL
	mov	r59, 0
	mov	r58, 0
	lsr	r2, r2, 1
	mov	lp_count, r2
	lp	1f
	dmach	0, r32, r33
1:	mov	r0, r58
	j	[blink]
	.size	mli_krn_sum, . - mli_krn_sum

	.globl	unhandled
	.type	unhandled, @function
unhandled:
	lr	r0, [ecr]
	flag	1
	nop
	b	unhandled
	.size	unhandled, . - unhandled

	.bss
	.align	4
ticks:	.space	4
	.space	2048
stack:
