; A source with a bit of everything that listings show.
	.global	main, ext
	.macro	twice x
	add	\x,\x,1
	add	\x,\x,0x1000
	.endm
main:	mov	r0,5
	twice	r0
	.if	0
	nop
	.endif
	b	1f
	.align	8
1:	bl	ext
	.rept	2
	nop_s
	.endr
	.data
buf:	.word	main, 1f-buf
	.byte	1,2,3,4,5,6,7
	.comm	pool,64
	.set	size, 7
	.section .rodata
1:	.asciz	"text of some length"
