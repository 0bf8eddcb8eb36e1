; Sleeps with nothing that could wake it.
	.globl	_start
	.type	_start, @function
_start:
	sleep	0
	b	_start
	.size	_start, . - _start
