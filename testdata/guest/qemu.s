; Prints by the console address of the QEMU boards and switches the power off with status 1.
	.globl	_start
_start:
	mov	r1, 0x90000000
	mov	r2, text
1:	ldb.ab	r0, [r2, 1]
	breq	r0, 0, 2f
	stb	r0, [r1]
	b	1b
2:	mov	r1, 0xf0000008
	mov	r0, 1
3:	st	r0, [r1]
	b	3b
text:	.asciz	"from the console\n1"
