; FIR filter, 32 taps, 256 outputs of 16 bits, twice: with integer dual MACs on the wide accumulator
; (dmach) and with fractional ones on the high lane (dmachf).
;
;	y[n] = sat16(round(sum x[n+k] * h[k] / 2^15)), k = 0..31
;
; Pairs of samples are loaded as aligned words. Odd outputs therefore start one sample early, with
; coefficients that are moved by one: 0, h[0] .. h[31], 0.
;
; Inner loop: 3 instructions for 2 taps. Results: out_dmach, out_dmachf.

	.include "dsp.inc"

	.equ	TAPS, 32
	.equ	OUTPUTS, 256
	.equ	READ_WIDE, 33 | 0xbc00	; wide / 2^15: saturated, signed, rounded, right-justified, 16 bits
	.equ	READ_HIGH, 0x1be00	; high lane doubled / 2^16, likewise

; r12 samples, r13 coefficients, r14 outputs, r15 outputs left, r10 zero
	.macro	filter	name, clear, mac, read
\name:
	mov	r15, OUTPUTS / 2
	mov	r12, samples
.Lpair\@:
	\clear				; even output
	mov	r13, taps
	mov	r16, r12
	mov	lp_count, TAPS / 2
	lp	.Leven\@
	ld.ab	r6, [r16, 4]
	ld.ab	r7, [r13, 4]
	\mac	0, r6, r7
.Leven\@:
	getacc	r8, \read
	sth.ab	r8, [r14, 2]

	\clear				; odd output
	mov	r13, taps_odd
	mov	r16, r12
	mov	lp_count, TAPS / 2 + 1
	lp	.Lodd\@
	ld.ab	r6, [r16, 4]
	ld.ab	r7, [r13, 4]
	\mac	0, r6, r7
.Lodd\@:
	getacc	r8, \read
	sth.ab	r8, [r14, 2]

	add	r12, r12, 4
	sub.f	r15, r15, 1
	bne	.Lpair\@
	j	[blink]
	.endm

	.macro	clear_wide
	setacc	0, r10, 1
	.endm

	.macro	clear_high
	dmpyhf	0, r10, r10
	.endm

	.text
	.globl	_start
_start:
	mov	r0, EVEN_GUARD
	sr	r0, [DSP_CTRL]
	mov	r20, 1
	mov	r0, samples
	mov	r1, OUTPUTS + TAPS
	mov	r2, 16
	bl	fill
	mov	r0, taps
	mov	r1, TAPS
	mov	r2, 18
	bl	fill
	mov	r12, taps		; taps_odd[k+1] = taps[k]
	add	r13, taps_odd, 2
	mov	lp_count, TAPS
	lp	.Lcopied
	ldh.ab	r6, [r12, 2]
	sth.ab	r6, [r13, 2]
.Lcopied:
	mov	r10, 0
	mov	r14, out_dmach
	bl	fir_dmach
	mov	r14, out_dmachf
	bl	fir_dmachf
	finish

	filter	fir_dmach, clear_wide, dmach, READ_WIDE
	filter	fir_dmachf, clear_high, dmachf, READ_HIGH
	noise

	.bss
	.align	4
samples:	.skip	2 * (OUTPUTS + TAPS)
taps:		.skip	2 * TAPS
taps_odd:	.skip	2 * (TAPS + 2)
	.globl	out_dmach, out_dmachf
out_dmach:	.skip	2 * OUTPUTS
out_dmachf:	.skip	2 * OUTPUTS
