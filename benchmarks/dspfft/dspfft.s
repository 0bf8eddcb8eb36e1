; Complex radix-2 FFT, decimation in time, 64 points of 16 + 16 bits (real part in the low half),
; scaled by 1/2 in each stage, followed by the power of each bin.
;
;	t = b * w		cmpyhfr: fractional, rounded
;	a = a/2 + t/2		vasrsr2h: rounded; vadds2h, vsubs2h: saturated
;	b = a/2 - t/2
;	power = X * conj X	cmpychfr: the real part
;
; The input is reordered by a loop of one instruction whose two operands are AGU ports, the
; destination stepping in bit-reversed order. Results: spectrum (64 words), power (64 halves).

	.include "dsp.inc"

	.equ	POINTS, 64
	.equ	REVERSED32, 2 << 4 | 11 << 6 | 3 << 29

	.text
	.globl	_start
_start:
	mov	r0, EVEN_GUARD
	sr	r0, [DSP_CTRL]
	mov	r20, 4711
	mov	r0, input
	mov	r1, 2 * POINTS
	mov	r2, 17
	bl	fill

	mov	r0, spectrum
	sr	r0, [AGU_AP0]
	mov	r0, input
	sr	r0, [AGU_AP1]
	mov	r0, REVERSED32 | 2 * POINTS * STEP	; half of the table, in bytes
	sr	r0, [AGU_MOD0]
	mov	r0, PLAIN32 | 4 * STEP | 1
	sr	r0, [AGU_MOD1]
	mov	lp_count, POINTS
	lp	.Lreordered
	mov	r32, r33
.Lreordered:

; r10 distance of a and b in bytes, r11 step of the twiddles in bytes
	mov	r10, 4
	mov	r11, 4 * POINTS / 2
.Lstage:
	mov	r12, 0			; offset of the butterfly within its group
	mov	r13, twiddles
.Lcolumn:
	ld	r3, [r13, 0]		; w
	add	r14, spectrum, r12	; a
.Lrow:
	add	r15, r14, r10		; b
	ld	r1, [r15, 0]
	ld	r0, [r14, 0]
	cmpyhfr	r1, r1, r3
	vasrsr2h r0, r0, 1
	vasrsr2h r1, r1, 1
	vadds2h	r2, r0, r1
	vsubs2h	r1, r0, r1
	st	r2, [r14, 0]
	st	r1, [r15, 0]
	add1	r14, r14, r10
	brlo	r14, spectrum + 4 * POINTS, .Lrow
	add	r13, r13, r11
	add	r12, r12, 4
	brlo	r12, r10, .Lcolumn
	lsr	r11, r11, 1
	asl	r10, r10, 1
	brlo	r10, 4 * POINTS, .Lstage

	mov	r14, spectrum
	mov	r15, power
	mov	lp_count, POINTS
	lp	.Lpower
	ld.ab	r0, [r14, 4]
	cmpychfr r1, r0, r0
	sth.ab	r1, [r15, 2]
.Lpower:
	finish

	noise

	.data
	.align	4
	.globl	twiddles
twiddles:				; cos, -sin of 2 pi k / 64 in Q15
	.short	32767, 0, 32610, -3212, 32138, -6393, 31357, -9512
	.short	30274, -12540, 28899, -15447, 27246, -18205, 25330, -20788
	.short	23170, -23170, 20788, -25330, 18205, -27246, 15447, -28899
	.short	12540, -30274, 9512, -31357, 6393, -32138, 3212, -32610
	.short	0, -32768, -3212, -32610, -6393, -32138, -9512, -31357
	.short	-12540, -30274, -15447, -28899, -18205, -27246, -20788, -25330
	.short	-23170, -23170, -25330, -20788, -27246, -18205, -28899, -15447
	.short	-30274, -12540, -31357, -9512, -32138, -6393, -32610, -3212
	.bss
	.align	256			; bit-reversed stepping needs the alignment of the table
	.globl	spectrum, power
spectrum:	.skip	4 * POINTS
power:		.skip	2 * POINTS
	.align	4
input:		.skip	4 * POINTS
