; Never ends.
	.globl	_start
	.type	_start, @function
_start:
	mov	r0, 0
	.type	spin, @function
spin:	add	r0, r0, 1
	b	spin
	.size	spin, . - spin
