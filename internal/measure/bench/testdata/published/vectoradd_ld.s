; c[i] = a[i] + b[i], 1,024 words, with loads and a store.

	.equ	X, 0xc0000000
	.equ	Y, 0xe0000000
	.equ	LENGTH, 1024

	.text
	.globl	_start, begin, finish
_start:
	mov	r0, X
	mov	r1, Y
	mov	r2, X + 4 * LENGTH
	mov	lp_count, LENGTH
	lp	finish
begin:
	ld.ab	r3, [r0, 4]
	ld.ab	r4, [r1, 4]
	add	r3, r3, r4
	st.ab	r3, [r2, 4]
finish:
	flag	1
	nop
	nop
	nop
