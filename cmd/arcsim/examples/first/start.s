; Start code: vectors, stack, cleared .bss, main, the end. The stack is as large as link.ld says.
	.section .vectors, "a", @progbits
	.word	_start			; 0 reset
	.rept	15
	.word	fault			; exceptions
	.endr
	.word	timer0			; 16, the first interrupt: timer 0

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

; Nothing here handles exceptions: the status says that there was one.
	.align	4
	.type	fault, @function
fault:
	mov	r0, 99
	b	_exit
	.size	fault, . - fault

; host_write(descriptor, text, size) returns how many bytes the host has written.
	.align	4
	.global	host_write
	.type	host_write, @function
host_write:
	mov	r8, 4			; write
	swi
	j_s	[blink]
	.size	host_write, . - host_write
