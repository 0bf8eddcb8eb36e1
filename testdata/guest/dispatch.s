; Context switches as the ports of embARC OSP and FreeRTOS to these cores make them. A task gives
; the core away by a call (dispatch), or a tick takes it away (preempt). Software saves all registers
; (AUX_IRQ_CTRL is 0) and each task keeps on its stack the address that resumes it. The tick's handler
; runs on a stack of its own, counts how deep it is nested, and when it switches it takes itself out of
; AUX_IRQ_ACT: who gave the core away by a call goes on without rtie, in a core that an interrupt has
; left with loops disabled; who was preempted sets AUX_IRQ_ACT again and returns by rtie. BTA is not saved.
; Start-up switches the caches and sets the vector base as the boards' start-up code does. A more urgent
; interrupt nests on the handler's stack. Ends with status 0 after `limit` ticks.

	.equ	STACK, 1024

	.macro	count name
	ld	r0, [\name]
	add	r0, r0, 1
	st	r0, [\name]
	.endm
	.macro	pusha reg
	lr	r0, [\reg]
	push	r0
	.endm
	.macro	popa reg
	pop	r0
	sr	r0, [\reg]
	.endm
	.macro	save			; what a call may change
	push	r0
	push	r1
	push	r2
	push	r3
	push	r4
	push	r5
	push	r6
	push	r7
	push	r8
	push	r9
	push	r10
	push	r11
	push	r12
	push	blink
	push	r30
	mov	r0, lp_count
	push	r0
	pusha	2
	pusha	3
	pusha	0x580
	pusha	0x582
	.endm
	.macro	restore
	popa	0x582
	popa	0x580
	popa	3
	popa	2
	pop	r0
	mov	lp_count, r0
	pop	r30
	pop	blink
	pop	r12
	pop	r11
	pop	r10
	pop	r9
	pop	r8
	pop	r7
	pop	r6
	pop	r5
	pop	r4
	pop	r3
	pop	r2
	pop	r1
	pop	r0
	.endm
	.macro	savecallee		; what it must keep
	push	r13
	push	r14
	push	r15
	push	r16
	push	r17
	push	r18
	push	gp
	push	fp
	.endm
	.macro	restorecallee
	pop	fp
	pop	gp
	pop	r18
	pop	r17
	pop	r16
	pop	r15
	pop	r14
	pop	r13
	.endm

	.section .vectors, "a"
	.word	_start
	.rept	8
	.word	unhandled
	.endr
	.word	trap			; 9
	.rept	6
	.word	unhandled
	.endr
	.word	tick, urgent

	.text
	.globl	_start
	.type	_start, @function
_start:
	kflag	0
	mov	r1, 0
	sr	r1, [0x25]		; INT_VECTOR_BASE
	lr	r1, [0x77]		; caches, where there are any
	breq	r1, 0, 1f
	sr	1, [0x10]
	nop
	nop
	nop
	sr	0, [0x11]
1:	lr	r1, [0x72]
	breq	r1, 0, 2f
	sr	1, [0x47]
	sr	0xc2, [0x48]
2:	mov	sp, handlers
	sr	0, [0xe]		; AUX_IRQ_CTRL
	mov	r1, 16
	sr	r1, [0x40b]
	sr	2, [0x206]
	mov	r1, 17
	sr	r1, [0x40b]
	sr	1, [0x206]		; timer 1 nests
	mov	r13, tasks
	mov	r14, stacks
	mov	r15, entries
	mov	lp_count, 3
	lp	3f
	st	r14, [r13, 4]		; KSTACK_TOP
	add	r14, r14, STACK
	st	r14, [r13, 8]		; KSTACK_BASE
	ld.ab	r2, [r15, 4]
	st	r2, [r14, -4]
	sub	r1, r14, 4
	st	r1, [r13]
	add	r13, r13, 12
3:	sr	4999, [0x23]
	sr	0, [0x21]
	sr	3, [0x22]
	sr	1712, [0x102]
	sr	0, [0x100]
	sr	3, [0x101]
	mov	r1, tasks
	b	dispatcher
	.size	_start, . - _start

; dispatcher: the task with the address r1 goes on, at the address on top of its stack.
	.type	dispatcher, @function
	.balign	4
dispatcher:
	st	r1, [current]
	lr	r2, [0xa]
	bclr	r3, r2, 14
	kflag	r3
	ld	r3, [r1, 4]
	sr	r3, [0x264]
	ld	r3, [r1, 8]
	sr	r3, [0x265]
	ld	sp, [r1]
	bset	r2, r2, 14
	kflag	r2
	pop	r0
	j	[r0]
	.size	dispatcher, . - dispatcher

; next: r1 = the task whose turn it is.
	.type	next, @function
	.balign	4
next:
	ld	r1, [current]
	add	r1, r1, 12
	brne	r1, tasks + 36, 1f
	mov	r1, tasks
1:	j_s	[blink]
	.size	next, . - next

; dispatch: a task gives the core away.
	.type	dispatch, @function
	.balign	4
dispatch:
	clri	r0
	push	r0
	push	blink
	savecallee
	count	calls
	mov	r0, dispatched
	push	r0
	ld	r1, [current]
	st	sp, [r1]
	bl	next
	b	dispatcher
	.balign	4
dispatched:
	restorecallee
	pop	blink
	pop	r0
	j_s.d	[blink]
	seti	r0
	.size	dispatch, . - dispatch

; A task that has not run yet begins with interrupts on.
	.type	begin, @function
	.balign	4
begin:
	seti	0x33
	j_s	[blink]
	.size	begin, . - begin

	.type	tick, @function
	.balign	4
tick:
	clri				; the core has put PC and STATUS32 on the stack, nothing else
	save
	ld	r2, [nested]
	add	r3, r2, 1
	st	r3, [nested]
	mov	r1, sp
	lr	r4, [0xa]
	bclr	r5, r4, 14
	kflag	r5			; this stack has other bounds
	brne	r2, 0, 1f
	mov	sp, handlers
1:	push	r1
	push	r4
	seti	0x33			; what is more urgent may come
	sr	3, [0x22]
	count	ticks
	ld	r1, [limit]
	brlo	r0, r1, 2f
	mov	r0, 0
	flag	1
	nop
2:	mov	r2, 0			; loops in a handler
	mov	lp_count, 6
	lp	3f
	nop
	add	r2, r2, 1
3:	cmp	r2, 6
	bne	wrong
	clri
	pop	r4
	pop	sp
	ld	r2, [nested]
	sub	r2, r2, 1
	st	r2, [nested]
	kflag	r4
	cmp	r2, 0
	bne	resume
	ld	r0, [ticks]
	btst	r0, 0			; every other tick switches
	beq	resume
	savecallee
	count	preempted
	mov	r0, taken
	push	r0
	ld	r1, [current]
	st	sp, [r1]
	lr	r0, [0x43]		; no interrupt is active any more
	bclr	r0, r0, 2
	sr	r0, [0x43]
	bl	next
	b	dispatcher
	.balign	4
taken:	lr	r0, [0x43]
	bset	r0, r0, 2
	sr	r0, [0x43]
	restorecallee
resume:	restore
	rtie
wrong:	mov	r0, 7
	flag	1
	nop
	.size	tick, . - tick

	.type	urgent, @function
	.balign	4
urgent:
	save
	sr	3, [0x101]
	count	urgents
	lr	r1, [0x43]
	bbit0	r1, 2, 1f
	count	inside
1:	mov	r2, 0
	mov	lp_count, 4
	lp	2f
	nop
	add	r2, r2, 1
2:	cmp	r2, 4
	bne	wrong
	restore
	rtie
	.size	urgent, . - urgent

; A call of the kernel by an exception.
	.type	trap, @function
	.balign	4
trap:
	push	r1
	ld	r1, [traps]
	add	r1, r1, 1
	st	r1, [traps]
	pop	r1
	rtie
	.size	trap, . - trap

	.type	unhandled, @function
	.balign	4
unhandled:
	lr	r0, [0x403]
	flag	1
	nop
	.size	unhandled, . - unhandled

; The tasks compute the same again and again; the first gives the core away by itself.
	.type	polite, @function
	.balign	4
polite:
	bl	begin
1:	bl	work
	trap_s	1
	bl	dispatch
	mov	r0, 0			; a loop right behind a switch
	mov	lp_count, 10
	lp	2f
	nop
	add	r0, r0, 1
2:	brne	r0, 10, bad
	count	runs
	b	1b
bad:	mov	r0, 8
	flag	1
	nop
	.size	polite, . - polite
	.type	busy, @function
	.balign	4
busy:
	bl	begin
1:	bl	work
	count	runs+4
	b	1b
	.size	busy, . - busy
	.type	sleeper, @function
	.balign	4
sleeper:
	bl	begin
1:	sleep	0x13
	bl	work
	count	runs+8
	b	1b
	.size	sleeper, . - sleeper

	.type	work, @function
	.balign	4
work:
	enter_s	{r13-r16, blink}
	mov	r0, 3
	mov	r13, 4
1:	mov	lp_count, 7
	lp	2f
	add	r0, r0, lp_count
	mpy	r1, r0, r13
	xor	r0, r0, r1
2:	bl.d	3f
	add	r0, r0, 1
	divu	r14, r0, r13
	dbnz.d	r13, 1b
	add	r0, r0, r14
	ld	r1, [expected]
	breq	r1, 0, 4f
	cmp	r0, r1
	bne	bad
4:	st	r0, [expected]
	leave_s	{r13-r16, blink, pcl}
	.balign	4
3:	j_s.d	[blink]
	ror	r0, r0
	.size	work, . - work

	.section .rodata
	.align	4
entries:
	.word	polite, busy, sleeper

	.data
	.globl	limit, counts
	.align	4
limit:	.word	100
counts:
ticks:	.word	0
urgents: .word	0
inside:	.word	0
calls:	.word	0
preempted: .word 0
traps:	.word	0
runs:	.word	0, 0, 0
nested:	.word	0
current: .word	0
expected: .word	0
tasks:	.space	36
	.bss
	.align	8
stacks:	.space	3 * STACK
	.space	1024
handlers:
