; Dot products with both operands on AGU ports in X and Y memory: two MACs in one instruction, which
; is the whole body of a zero-overhead loop.
;
;	dot16 = sum x[n] * y[n]		256 products of 16 x 16 bits
;	dot8  = sum x[n] * b[n]		256 products of 16 x 8 bits
;
; Results: dot16 and dot8 (64 bits each).

	.include "dsp.inc"

	.equ	X, 0xc0000000
	.equ	Y, 0xe0000000
	.equ	BYTES, Y + 0x1000
	.equ	LENGTH, 256

	.text
	.globl	_start
_start:
	mov	r0, EVEN_GUARD
	sr	r0, [DSP_CTRL]
	mov	r20, 12345
	mov	r0, X
	mov	r1, LENGTH
	mov	r2, 16
	bl	fill
	mov	r0, Y
	mov	r1, LENGTH
	bl	fill
	mov	r0, BYTES
	mov	r1, LENGTH / 2		; two bytes in a halfword
	bl	fill

	mov	r10, 0
	mov	r0, X
	sr	r0, [AGU_AP0]
	mov	r1, Y
	sr	r1, [AGU_AP1]
	mov	r2, PLAIN32 | 4 * STEP
	sr	r2, [AGU_MOD0]
	mov	r2, PLAIN32 | 4 * STEP | 1
	sr	r2, [AGU_MOD1]
	setacc	0, r10, 1
	mov	lp_count, LENGTH / 2
	lp	.Ldot16
	dmach	0, r32, r33
.Ldot16:
	mov	r3, dot16
	st	r58, [r3, 0]
	st	r59, [r3, 4]

	sr	r0, [AGU_AP0]
	mov	r1, BYTES
	sr	r1, [AGU_AP1]
	mov	r2, U16 | 2 * STEP | 1
	sr	r2, [AGU_MOD1]
	setacc	0, r10, 1
	mov	lp_count, LENGTH / 2
	lp	.Ldot8
	dmachbl	0, r32, r33
.Ldot8:
	mov	r3, dot8
	st	r58, [r3, 0]
	st	r59, [r3, 4]
	finish

	noise

	.bss
	.align	4
	.globl	dot16, dot8
dot16:	.skip	8
dot8:	.skip	8
