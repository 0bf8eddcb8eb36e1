; Two biquad sections in cascade, direct form 1, 32-bit samples (Q31), coefficients in Q30.
;
;	y = sat32(round((b0*x + b1*x1 + b2*x2 - a1*y1 - a2*y2) / 2^30))
;
; Per section and sample: 5 fractional 32 x 32 operations on the wide accumulator, whose guard bits
; keep the sum from overflowing. Result: out.

	.include "dsp.inc"

	.equ	SAMPLES, 128
	.equ	SECTIONS, 2
	.equ	READ, 2 | 0x1c00	; wide / 2^30: rounded, signed, saturated, 32 bits

	.text
	.globl	_start
_start:
	mov	r0, EVEN_GUARD
	sr	r0, [DSP_CTRL]
	mov	r20, 7
	mov	r0, samples
	mov	r1, 2 * SAMPLES		; two halves make a sample
	mov	r2, 16
	bl	fill
	mov	r12, samples
	mov	r14, out
	mov	r15, SAMPLES
.Lsample:
	ld.ab	r0, [r12, 4]
	asr	r0, r0, 2
	mov	r13, coefficients
	mov	r16, state
	mov	r17, SECTIONS
.Lsection:
	ld.ab	r1, [r13, 4]		; b0
	ld	r2, [r16, 0]		; x1
	ld	r3, [r16, 4]		; x2
	ld	r4, [r16, 8]		; y1
	ld	r5, [r16, 12]		; y2
	mpyf	0, r0, r1
	ld.ab	r1, [r13, 4]		; b1
	macf	0, r2, r1
	ld.ab	r1, [r13, 4]		; b2
	macf	0, r3, r1
	ld.ab	r1, [r13, 4]		; a1
	msubf	0, r4, r1
	ld.ab	r1, [r13, 4]		; a2
	msubf	0, r5, r1
	st	r0, [r16, 0]
	st	r2, [r16, 4]
	getacc	r0, READ
	st	r4, [r16, 12]
	st	r0, [r16, 8]
	add	r16, r16, 16
	sub.f	r17, r17, 1
	bne	.Lsection
	st.ab	r0, [r14, 4]
	sub.f	r15, r15, 1
	bne	.Lsample
	finish

	noise

	.data
	.align	4
coefficients:				; b0 b1 b2 a1 a2
	.word	104788131, 209576262, 104788131, -1012338852, 357877936
	.word	536870912, -322122547, 214748365, -429496730, 536870912
	.bss
	.align	4
state:		.skip	16 * SECTIONS
samples:	.skip	4 * SAMPLES
	.globl	out
out:		.skip	4 * SAMPLES
