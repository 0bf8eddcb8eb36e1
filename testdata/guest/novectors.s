; Runs into a word that is no instruction, without a vector table.
	.globl	_start
_start:
	nop
	.short	0x37ff, 0xffff
