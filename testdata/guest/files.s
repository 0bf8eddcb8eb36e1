; Appends a line to the file named by its first argument and prints the whole file. The exit status
; is 0, or the error number of the first call that failed. GNU I/O.
	.include "call.inc"
	.globl	_start
_start:
	ld	r13, [r1, 4]
	mov	r0, r13
	mov	r1, 0x442		; read and write, create, append
	mov	r2, 0x1b6		; 0666
	call	5
	brlt	r0, 0, fail
	mov	r14, r0
	mov	r1, line
	mov	r2, lineend - line
	call	4
	brlt	r0, 0, fail
	mov	r0, r14
	mov	r1, 0
	mov	r2, 0
	call	19
	brlt	r0, 0, fail
1:	mov	r0, r14
	mov	r1, buffer
	mov	r2, 16
	call	3
	brlt	r0, 0, fail
	breq	r0, 0, 2f
	mov	r2, r0
	mov	r0, 1
	mov	r1, buffer
	call	4
	b	1b
2:	mov	r0, r14
	call	6
	call	1
fail:	neg	r0, r0
	call	1

	.section .rodata
line:	.ascii	"one more line\n"
lineend:
	.bss
buffer:	.space	16
