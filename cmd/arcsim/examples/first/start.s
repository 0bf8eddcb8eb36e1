; Start code: vectors, stack, cleared .bss, main, the end. The stack is as large as link.ld says.
	.section .vectors, "a", @progbits
	.word	_start			; 0 reset
	.rept	15
	.word	fault			; exceptions
	.endr
	.word	timer0			; 16, the first interrupt: timer 0, or fault where main.c has no timer0

	.text
	.align	4			; bl reaches words
	.global	_start
	.type	_start, @function
_start:
	mov	sp, _stack_top
	mov	fp, 0
	mov	r0, _bss_start
	mov	r1, _bss_end
1:	brhs	r0, r1, 2f
	st.ab	0, [r0, 4]
	b	1b
2:	bl	main			; its result is the exit status
	.global	_exit
_exit:
	mov	r8, 1			; exit of the GNU host calls
	swi
	b	_exit
	.size	_start, . - _start

; Nothing here handles exceptions: a line and the status say that there was one.
	.align	4
	.weak	timer0
	.type	fault, @function
timer0:
fault:
	mov	r0, 2
	mov	r1, message
	mov	r2, message_end - message
	bl	host_write
	mov	r0, 99
	b	_exit
	.size	fault, . - fault
message:
	.ascii	"an exception; in arcsim debug, after break fault, info symbol $eret says where and p/x $ecr why\n"
message_end:

; host_write(descriptor, text, size) returns how many bytes the host has written.
	.align	4
	.global	host_write
	.type	host_write, @function
host_write:
	mov	r8, 4			; write
	swi
	j_s	[blink]
	.size	host_write, . - host_write
