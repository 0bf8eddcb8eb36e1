; c[i] = a[i] + b[i], 1,024 words: a and c in X memory, b in Y memory, all through AGU ports. One
; instruction per word; its store waits for the port of X that its load takes.

	.equ	X, 0xc0000000
	.equ	Y, 0xe0000000
	.equ	LENGTH, 1024
	.equ	WORDS, 2 << 4 | 11 << 6 | 1 << 29 | 4 << 18	; 32-bit elements, linear, step 4

	.text
	.globl	_start, begin, finish
_start:
	mov	r0, X
	sr	r0, [0x5c0]
	mov	r0, Y
	sr	r0, [0x5c1]
	mov	r0, X + 4 * LENGTH
	sr	r0, [0x5c2]
	mov	r0, WORDS
	sr	r0, [0x5e0]
	mov	r0, WORDS | 1
	sr	r0, [0x5e1]
	mov	r0, WORDS | 2
	sr	r0, [0x5e2]
	mov	lp_count, LENGTH
	lp	finish
begin:
	add	r34, r32, r33
finish:
	flag	1
	nop
	nop
	nop
