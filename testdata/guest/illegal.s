; Runs into a word that is no instruction, in function `victim`.
	.globl	_start
	.type	_start, @function
_start:
	bl	victim
	.size	_start, . - _start
	.type	victim, @function
victim:
	nop
	.short	0x37ff, 0xffff
	j	[blink]
	.size	victim, . - victim
