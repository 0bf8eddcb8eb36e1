; Start-up of a freestanding test program: vector table at 0, stack, cleared .bss, main, exit.
; Host calls are GNU I/O: swi with the number in r8, arguments from r0 on.
; An exception ends the program with status 99, but for the trap of one call of Linux.
	.section .ivt, "a"
	.align	4
	.long	_start
	.rept	8
	.long	_fault
	.endr
	.long	_trap			; vector 9
	.rept	54
	.long	_fault
	.endr

	.section .text.start, "ax"
	.align	4
	.global	_start
	.type	_start, @function
_start:
#ifdef __ARCHS__
	lr	r0, [status32]		; the HS compiler relies on unaligned access (STATUS32.AD)
	bset	r0, r0, 19
	kflag	r0
#endif
	mov	sp, __stack_top
	mov	fp, 0
	mov	r0, __bss_start
	mov	r1, __bss_end
	mov	r2, 0
1:	brhs	r0, r1, 2f
	st.ab	r2, [r0, 4]
	b	1b
2:	mov	r25, __tls_area		; the thread pointer of the packaged compiler
	mov	r0, 0
	mov	r1, 0
	bl	main
	b	exit
	.size	_start, .-_start

; The packaged libgcc is one for Linux and asks it to flush caches, of which there are none.
	.type	_trap, @function
_trap:
	brne	r8, 244, _fault
	rtie
	.size	_trap, .-_trap

	.type	_fault, @function
_fault:
	mov	r0, 99
	b	exit
	.size	_fault, .-_fault

	.global	exit
	.global	_exit
	.type	exit, @function
exit:
_exit:
	mov	r8, 1
	swi
	nop
	nop
1:	b	1b
	.size	exit, .-exit

	.global	__host_write		; (fd, buffer, length)
	.type	__host_write, @function
__host_write:
	mov	r8, 4
	swi
	nop
	nop
	j	[blink]
	.size	__host_write, .-__host_write

	.global	setjmp
	.type	setjmp, @function
setjmp:
	st	r13, [r0, 0]
	st	r14, [r0, 4]
	st	r15, [r0, 8]
	st	r16, [r0, 12]
	st	r17, [r0, 16]
	st	r18, [r0, 20]
	st	r19, [r0, 24]
	st	r20, [r0, 28]
	st	r21, [r0, 32]
	st	r22, [r0, 36]
	st	r23, [r0, 40]
	st	r24, [r0, 44]
	st	r25, [r0, 48]
	st	gp, [r0, 52]
	st	fp, [r0, 56]
	st	sp, [r0, 60]
	st	blink, [r0, 64]
	mov	r0, 0
	j	[blink]
	.size	setjmp, .-setjmp

	.global	longjmp
	.type	longjmp, @function
longjmp:
	ld	r13, [r0, 0]
	ld	r14, [r0, 4]
	ld	r15, [r0, 8]
	ld	r16, [r0, 12]
	ld	r17, [r0, 16]
	ld	r18, [r0, 20]
	ld	r19, [r0, 24]
	ld	r20, [r0, 28]
	ld	r21, [r0, 32]
	ld	r22, [r0, 36]
	ld	r23, [r0, 40]
	ld	r24, [r0, 44]
	ld	r25, [r0, 48]
	ld	gp, [r0, 52]
	ld	fp, [r0, 56]
	ld	sp, [r0, 60]
	ld	blink, [r0, 64]
	mov.f	r0, r1
	mov.z	r0, 1
	j	[blink]
	.size	longjmp, .-longjmp
