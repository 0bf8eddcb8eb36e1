; 100 operations of the double-precision assist, each with the result of the one before.

	.text
	.globl	_start, begin, finish
_start:
	mov	r2, 0x3ff00000
	mov	r3, 0
begin:
	.rept	25
	dmulh11	0, r2, r3
	dmulh12	0, r2, r3
	dmulh21	0, r2, r3
	dmulh22	0, r2, r3
	.endr
finish:
	flag	1
	nop
	nop
	nop
