; Vectors and start-up: exceptions and interrupts enter FreeRTOS's port. Host calls are GNU I/O.
	.section .ivt, "a"
	.align	4
	.long	_start
	.rept	8
	.long	exc_entry_cpu
	.endr
	.long	trap			; vector 9
	.rept	6
	.long	exc_entry_cpu
	.endr
	.rept	NUM_EXC_INT
	.long	exc_entry_int
	.endr

	.section .text.start, "ax"
	.align	4
	.global	_start
	.type	_start, @function
_start:
	mov	r0, (1 << 16) | (1 << 1)	; the second bank has a stack pointer of its own
	kflag	r0
	mov	sp, __firq_top
#ifdef __ARCHS__
	mov	r0, (1 << 19) | (1 << 1)	; the HS compiler relies on unaligned accesses
#else
	mov	r0, 1 << 1		; both priorities interrupt
#endif
	kflag	r0
	mov	sp, _e_stack
	mov	fp, 0
	mov	r0, __bss_start
	mov	r1, __bss_end
	mov	r2, 0
1:	brhs	r0, r1, 2f
	st.ab	r2, [r0, 4]
	b	1b
2:	mov	r25, __tls_area		; the thread pointer of the packaged compiler
	; the core saves r0 to r11, blink and the registers of loops and code density, as the port expects
	sr	6 | (1 << 9) | (1 << 10) | (1 << 13), [0xe]
	mov	r0, 0
	mov	r1, 0
	bl	main
	b	exit
	.size	_start, .-_start

; The packaged libgcc is one for Linux and asks it to flush caches, of which there are none.
	.type	trap, @function
trap:
	brne	r8, 244, 1f
	rtie
1:	b	exc_entry_cpu
	.size	trap, .-trap

	.global	exit
	.type	exit, @function
exit:	mov	r8, 1
	swi
	nop
	b	exit
	.size	exit, .-exit

	.global	__host_write
	.type	__host_write, @function
__host_write:
	mov	r8, 4
	swi
	nop
	j	[blink]
	.size	__host_write, .-__host_write
