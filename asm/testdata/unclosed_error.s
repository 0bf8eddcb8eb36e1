; options: cpu=em4
; Constructs that the end of the file cuts off.
	mov r0,3f			; ERROR "the numeric label is not defined after this"
	.cfi_startproc			; ERROR "\\.cfi_startproc is not closed"
	.eqv e0, late
	.eqv e1, e0+e0
	.eqv e2, e1+e1+e1+e1
	.eqv e3, e2+e2+e2+e2
	.eqv e4, e3+e3+e3+e3
	.eqv e5, e4+e4+e4+e4
	.eqv e6, e5+e5+e5+e5
	.eqv e7, e6+e6+e6+e6		; ERROR "refer to each other too often"
	.word e7			; ERROR "refer to each other too often"
	.if 1				; ERROR "conditional is not closed by \\.endif"
	.macro m			; ERROR "\\.endm is missing"
	nop
