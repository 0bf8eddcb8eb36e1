; FIR filter: every second output of 8 taps over 80 samples, 32 of them. The result in r0 is the sum of the outputs.
	.text
	.global	__start
__start:
	mov	r1, samples
	mov	r2, out
	mov	r6, 32			; outputs
	mov	r0, 0
.Loutput:
	mov	r3, r1
	mov	r4, taps
	mov	r58, 0			; clear the accumulator
	mov	r59, 0
	mov	lp_count, 4		; two taps a round
	lp	.Ldone
	ld.ab	r7, [r3, 4]
	ld.ab	r8, [r4, 4]
	dmach	r5, r7, r8
.Ldone:	asr	r5, r5, 6		; the taps have the sum 64
	sth.ab	r5, [r2, 2]
	add	r0, r0, r5
	add	r1, r1, 4
	dbnz	r6, .Loutput
	flag	1			; halt, the result in r0

	.data
	.balign	4
taps:	.short	1, 4, 11, 16, 16, 11, 4, 1
samples:
	.rept	10
	.short	0, 12, 20, 12, 5, -10, -20, -8
	.endr
	.section .bss
out:	.space	64
