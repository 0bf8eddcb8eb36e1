; Autocorrelation of a frame of 160 samples at lags 0 to 10, as speech codecs begin their linear
; prediction: exact sums, then all sums scaled by the headroom of lag 0.
;
;	r[k] = sum x[n] * x[n+k]	(the samples beyond the frame are zero)
;	out[k] = round(r[k] * 2^s / 2^32), s from normacc of r[0]
;
; Both operands come through AGU ports, 2 taps per instruction in a loop of one instruction; odd lags
; read unaligned words. Results: sums (64 bits each), out (32 bits each), shift.

	.include "dsp.inc"

	.equ	FRAME, 160
	.equ	LAGS, 11
	.equ	READ, 0x1c00		; upper word of wide: rounded, signed, saturated

	.text
	.globl	_start
_start:
	mov	r0, EVEN_GUARD
	sr	r0, [DSP_CTRL]
	mov	r20, 99
	mov	r0, frame
	mov	r1, FRAME
	mov	r2, 17
	bl	fill
	mov	r0, PLAIN32 | 4 * STEP
	sr	r0, [AGU_MOD0]
	mov	r0, PLAIN32 | 4 * STEP | 1
	sr	r0, [AGU_MOD1]
	mov	r10, 0
	mov	r12, frame		; shifted frame
	mov	r13, sums
	mov	r15, LAGS
.Llag:
	mov	r0, frame
	sr	r0, [AGU_AP0]
	sr	r12, [AGU_AP1]
	setacc	0, r10, 1
	mov	lp_count, FRAME / 2
	lp	.Lsummed
	dmach	0, r32, r33
.Lsummed:
	st.ab	r58, [r13, 4]
	st.ab	r59, [r13, 4]
	add	r12, r12, 2
	sub.f	r15, r15, 1
	bne	.Llag

	mov	r13, sums
	ld	r58, [r13, 0]
	ld	r59, [r13, 4]
	setacc	0, r10, 0x300		; the guard of a positive sum
	normacc	r8, 0			; wide
	st	r8, [shift]
	mov	r14, out
	mov	r15, LAGS
.Lscale:
	ld.ab	r58, [r13, 4]
	ld.ab	r59, [r13, 4]
	asr	r9, r59, 31
	setacc	0, r9, 0x300
	aslacc	r8
	getacc	r7, READ
	st.ab	r7, [r14, 4]
	sub.f	r15, r15, 1
	bne	.Lscale
	finish

	noise

	.bss
	.align	4
frame:		.skip	2 * (FRAME + LAGS + 1)
	.globl	sums, out, shift
sums:		.skip	8 * LAGS
out:		.skip	4 * LAGS
shift:		.skip	4
