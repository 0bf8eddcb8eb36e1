; Debian's compiler has no crti and crtn for a program without an operating system, which newlib's start code calls:
; nothing is to be done before main and after it.
	.text
	.align 4
	.global	_init
	.global	_fini
_init:
_fini:
	j	[blink]
