; Calls itself until the stack has used up all memory.
	.globl	_start
_start:
	mov	sp, 0xf0000000
	.type	recurse, @function
recurse:
	push	blink
	sub	sp, sp, 0x1000
	bl	recurse
	.size	recurse, . - recurse
