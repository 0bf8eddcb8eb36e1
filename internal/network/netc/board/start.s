; Entry: a stack, the functions of .init_array, main, and its result as the exit status. A board without a host puts its own write_text
; here, to a serial port.
	.equ	CALL_EXIT, 1
	.equ	CALL_WRITE, 4

	.weak	__init_array_start
	.weak	__init_array_end

	.section .text
	.globl	_start
	.type	_start, @function
_start:
	mov	sp, __stack_top
	mov	fp, 0
	mov	r13, __init_array_start	; both 0 where a linker script has no such section
	mov	r14, __init_array_end
1:	brhs	r13, r14, 2f
	ld.ab	r0, [r13, 4]
	jl	[r0]
	b	1b
2:	bl	main
	mov	r8, CALL_EXIT
	swi
	nop
	.size	_start, . - _start

; write_text(text, size): to standard output
	.globl	write_text
	.type	write_text, @function
write_text:
	mov	r2, r1
	mov	r1, r0
	mov	r0, 1
	mov	r8, CALL_WRITE
	swi
	nop
	j	[blink]
	.size	write_text, . - write_text

	.section .bss
	.align	8
	.skip	0x4000
	.globl	__stack_top
__stack_top:			; a linker script may say otherwise
