; Dot product of two vectors of 16-bit numbers: two multiply-accumulates per instruction.
	.text
	.global	__start
__start:
	mov	r0, x
	mov	r1, h
	mov	r58, 0			; clear the accumulator
	mov	r59, 0
	mov	lp_count, 4
	lp	done
	ld.ab	r3, [r0, 4]
	ld.ab	r4, [r1, 4]
	dmach	r5, r3, r4
done:	mov	r0, r5
	flag	1			; halt, the result in r0

	.data
x:	.short	1, 2, 3, 4, 5, 6, 7, 8
h:	.short	1, 1, 1, 1, 1, 1, 1, 2
