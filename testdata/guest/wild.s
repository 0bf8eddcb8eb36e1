; Jumps to an address where nothing was ever stored.
	.globl	_start
	.type	_start, @function
_start:
	mov	r1, 0x40000000
	jl	[r1]
	.size	_start, . - _start
