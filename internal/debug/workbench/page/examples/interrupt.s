; A timer interrupt every 500 cycles. The program counts, the handler writes a dot and ends the program with the tenth.
	.equ	COUNT0, 0x21
	.equ	CONTROL0, 0x22
	.equ	LIMIT0, 0x23
	.equ	VECTORS, 0x25		; where the table of handlers is

	.data
	.balign	1024
vectors:
	.long	__start			; reset
	.rept	15
	.long	failed			; exceptions
	.endr
	.long	tick			; timer 0

	.text
	.global	__start
__start:
	mov	sp, stack
	mov	r13, 0			; rounds
	mov	r14, 0			; ticks
	sr	vectors, [VECTORS]
	sr	500, [LIMIT0]
	sr	0, [COUNT0]
	sr	3, [CONTROL0]		; interrupt, count unless halted
	seti	0x3f			; interrupts of all priorities
.Lround:
	add	r13, r13, 1
	b	.Lround

tick:	sr	3, [CONTROL0]		; taken
	add	r14, r14, 1
	mov	r8, 4			; write(1, dot, 1), a host call of the GNU convention
	mov	r0, 1
	mov	r1, dot
	mov	r2, 1
	swi
	brlt	r14, 10, .Lreturn
	mov	r0, r13
	flag	1			; halt, the rounds in r0
.Lreturn:
	rtie

failed:	mov	r0, -1
	flag	1

	.data
dot:	.byte	'.'
	.section .bss
	.balign	4
	.space	256
stack:
