; options: cpu=em4
; Constructs that the end of the file cuts off.
	mov r0,3f			; ERROR "the numeric label is not defined after this"
	.cfi_startproc			; ERROR "\\.cfi_startproc is not closed"
	.if 1				; ERROR "conditional is not closed by \\.endif"
	.macro m			; ERROR "\\.endm is missing"
	nop
