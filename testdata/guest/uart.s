; Prints a prompt on the UART at 0xf0000000, then sleeps and echoes each byte in upper case from the
; interrupt handler; ends with status 7 at a line feed.
	.equ	UART, 0xf0000000
	.globl	_start
	.type	_start, @function
_start:
	mov	r13, UART
	mov	r0, 7
	st	r0, [r13, 8]		; FCR: FIFO on and clear
	mov	r14, prompt
1:	ldb.ab	r0, [r14, 1]
	breq	r0, 0, 3f
2:	ld	r1, [r13, 20]		; LSR
	bbit0	r1, 5, 2b
	st	r0, [r13, 0]
	b	1b
3:	mov	r0, 1
	st	r0, [r13, 4]		; IER: received data
	mov	sp, stack
	seti	0x3f			; all priorities
4:	sleep	0
	b	4b
	.size	_start, . - _start

	.globl	irq_uart
	.type	irq_uart, @function
irq_uart:				; level 0: a fast interrupt, with registers of its own
	mov	r13, UART
1:	ld	r1, [r13, 20]
	bbit0	r1, 0, 3f
	ld	r0, [r13, 0]
	breq	r0, 10, 4f
	brlo	r0, 'a', 2f
	brhi	r0, 'z', 2f
	sub	r0, r0, 32
2:	st	r0, [r13, 0]
	b	1b
3:	rtie
4:	st	r0, [r13, 0]
	mov	r0, 7
	flag	1
	nop
	b	4b
	.size	irq_uart, . - irq_uart

	.section .rodata
prompt:	.asciz	"ready> "
	.bss
	.align	4
	.space	256
stack:
