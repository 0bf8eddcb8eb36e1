; Copies standard input to standard output. GNU I/O.
	.include "call.inc"
	.globl	_start
_start:
1:	mov	r0, 0
	mov	r1, buffer
	mov	r2, 64
	call	3
	brle	r0, 0, 2f
	mov	r2, r0
	mov	r0, 1
	mov	r1, buffer
	call	4
	b	1b
2:	call	1

	.bss
buffer:	.space	64
