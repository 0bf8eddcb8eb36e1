; int32_t dot(const int16_t *x, const int16_t *y, int pairs): the dot product of 2 * pairs numbers by dual
; multiply-accumulate, one cycle for two products when both words come from memory of their own.
	.text
	.align	4			; bl reaches words
	.global	dot
	.type	dot, @function
dot:
	mov	r58, 0			; clear the accumulator
	mov	r59, 0
	mov	r3, 0
	mov.f	lp_count, r2
	jeq	[blink]
	lp	.Lend
	ld.ab	r4, [r0, 4]
	ld.ab	r5, [r1, 4]
	dmach	r3, r4, r5
.Lend:
	mov	r0, r3
	j	[blink]
	.size	dot, . - dot
