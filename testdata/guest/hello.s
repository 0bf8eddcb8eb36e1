; Prints its arguments, one a line, and exits with their number. GNU I/O.
	.include "call.inc"
	.globl	_start
	.type	_start, @function
_start:
	mov	r13, r0			; argc
	mov	r14, r1			; argv
	mov	r15, r13
1:	breq	r15, 0, 2f
	ld.ab	r1, [r14, 4]
	bl	print
	sub	r15, r15, 1
	b	1b
2:	mov	r0, r13
	call	1
	.size	_start, . - _start

	.type	print, @function
print:					; the string at r1 and a line feed
	mov	r2, r1
1:	ldb.ab	r3, [r2, 1]
	brne	r3, 0, 1b
	sub	r2, r2, r1
	sub	r2, r2, 1
	mov	r0, 1
	call	4
	mov	r0, 1
	mov	r1, newline
	mov	r2, 1
	call	4
	j	[blink]
	.size	print, . - print

	.section .rodata
newline:
	.byte	10
