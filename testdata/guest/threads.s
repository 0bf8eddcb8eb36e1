; Threads as Zephyr's port to these cores switches them. A switch has three causes: a call, a regular
; interrupt, whose frame the core has pushed, and a fast interrupt, which goes back to the bank of the
; thread and builds the frame of a regular one from ILINK and STATUS32_P0. Whoever goes on is resumed by
; the cause that stopped it, whatever stops the other: by a jump, by rtie over a frame with a priority set
; in AUX_IRQ_ACT for it, by rtie from ILINK, or by rtie over a false frame around the address of a call.
;
; Timer 0 ticks at level 0, in the second bank. Timer 1, at level 1, puts numbers into queue a. A software
; interrupt at level 2, which every tick raises, takes numbers from queue b. By priority: a thread that
; watches that none of the others starves, the reader of queue a, the writer of queue b, two that compute
; and take turns, and the idle thread, which sleeps. Stack checking is on in threads. Ends with status 0
; after `limit` ticks, or with the number of the check that failed.

	.equ	SOFT, 20
	.equ	THREADS, 6
	.equ	STACK, 1024
	; a thread
	.equ	T_SP, 0
	.equ	T_CAUSE, 4
	.equ	T_TOP, 8
	.equ	T_BASE, 12
	.equ	T_WAKE, 16
	.equ	T_BIT, 20
	.equ	T_SIZE, 32
	.equ	CALL, 0
	.equ	REGULAR, 1
	.equ	FAST, 2
	; the frame of a regular interrupt: r0 to r13, blink, the registers of loops, PC, STATUS32
	.equ	CTRL, 7 | 1 << 9 | 1 << 10
	.equ	F_R13, 52
	.equ	F_BLINK, 56
	.equ	F_LP_END, 60
	.equ	F_LP_START, 64
	.equ	F_LP_COUNT, 68
	.equ	F_PC, 72
	.equ	F_STATUS, 76
	.equ	F_SIZE, 80
	; a queue of eight words
	.equ	Q_FILL, 0
	.equ	Q_HEAD, 4
	.equ	Q_TAIL, 8
	.equ	Q_WORDS, 12
	.equ	Q_SIZE, 44

	.macro	fail code
	mov	r0, \code
	flag	1
	nop
	.endm
	.macro	count name
	ld	r0, [\name]
	add	r0, r0, 1
	st	r0, [\name]
	.endm
	.macro	uncheckedstack reg
	lr	\reg, [0xa]
	bclr	\reg, \reg, 14
	kflag	\reg
	.endm
	; the registers that a call keeps, for the thread r2
	.macro	savecallee
	.irp	r, r13,r14,r15,r16,r17,r18,r19,r20,r21,r22,r23,r24,r25,gp,fp,r30
	push	\r
	.endr
	st	sp, [r2, T_SP]
	.endm
	.macro	loadcallee
	ld	r3, [r2, T_TOP]
	sr	r3, [0x264]
	ld	r3, [r2, T_BASE]
	sr	r3, [0x265]
	ld	sp, [r2, T_SP]
	.irp	r, r30,fp,gp,r25,r24,r23,r22,r21,r20,r19,r18,r17,r16,r15,r14,r13
	pop	\r
	.endr
	ld	r3, [r2, T_CAUSE]
	.endm

	.section .vectors, "a"
	.word	_start
	.rept	15
	.word	unhandled
	.endr
	.word	irq_tick, irq_feed, unhandled, unhandled, irq_drain

	.text
	.globl	_start
	.type	_start, @function
_start:
	clri
	lr	r1, [0xa]
	or	r2, r1, 1 << 16
	kflag	r2
	mov	sp, fast		; the stack of the second bank
	lr	r1, [0xa]
	bclr	r1, r1, 16
	kflag	r1
	sr	CTRL, [0xe]
	mov	r0, 0
	.irp	vector, 16, 17, SOFT
	mov	r1, \vector
	sr	r1, [0x40b]
	sr	r0, [0x206]
	add	r0, r0, 1
	.endr
	; each thread has been stopped by a call before its first instruction
	mov	r13, threads
	mov	r14, stacks
	mov	r15, entries
	mov	r16, 1
	mov	lp_count, THREADS
	lp	1f
	st	r14, [r13, T_TOP]
	add	r14, r14, STACK
	st	r14, [r13, T_BASE]
	mov	r1, 1 << 14 | 2 << 1	; STATUS32: SC, E
	st	r1, [r14, -4]
	ld.ab	r1, [r15, 4]
	st	r1, [r14, -8]
	sub	r1, r14, (2 + 16) * 4
	st	r1, [r13, T_SP]
	st	r16, [r13, T_BIT]
	asl	r16, r16, 1
	add	r13, r13, T_SIZE
1:	sub	r16, r16, 1
	st	r16, [ready]
	sr	4410, [0x23]		; LIMIT0
	sr	0, [0x21]
	sr	3, [0x22]
	sr	1486, [0x102]		; LIMIT1
	sr	0, [0x100]
	sr	3, [0x101]
	mov	sp, boot
	bl	pick
	mov	r2, r0
	st	r2, [current]
	b	resume
	.size	_start, . - _start

; pick: r0 and next = the ready thread of the highest priority. Interrupts are off.
	.type	pick, @function
	.balign	4
pick:
	ld	r1, [ready]
	ffs	r0, r1
	brne	r0, 3, 1f
	bbit0	r1, 4, 1f
	ld	r0, [turn]
1:	asl	r0, r0, 5
	add	r0, r0, threads
	st	r0, [next]
	j_s	[blink]
	.size	pick, . - pick

; block: the current thread is not ready any more. yield: another may go on. Interrupts are off, r3 is the
; result of clri.
	.type	block, @function
	.balign	4
block:
	ld	r2, [current]
	ld	r1, [ready]
	ld	r2, [r2, T_BIT]
	bic	r1, r1, r2
	st	r1, [ready]
yield:	push	blink
	push	r3
	bl	pick
	ld	r2, [current]
	breq	r0, r2, 2f
	bl	1f
2:	pop	r3
	pop	blink
	j_s.d	[blink]
	seti	r3
	.balign	4
1:	count	calls
	ld	r0, [next]
	lr	r3, [0xa]
	push	r3
	push	blink
	st	CALL, [r2, T_CAUSE]
	savecallee
	uncheckedstack r3
	st	r0, [current]
	mov	r2, r0
	b	resume
	.size	block, . - block

; resume: the thread r2 goes on, called by a thread.
	.type	resume, @function
	.balign	4
resume:
	loadcallee
	brne	r3, CALL, 1f
	pop	blink
	pop	r3
	kflag	r3
	j_s	[blink]
1:	lr	r3, [0x43]		; the frame is popped as that of the lowest priority
	bset	r3, r3, 2
	sr	r3, [0x43]
	rtie
	.size	resume, . - resume

; The tick, a fast interrupt.
	.globl	irq_tick
	.type	irq_tick, @function
irq_tick:
	uncheckedstack r2
	mov	r1, lp_count		; the loop of whatever was interrupted
	st	r1, [loop]
	lr	r1, [2]
	st	r1, [loop+4]
	lr	r1, [3]
	st	r1, [loop+8]
	sr	3, [0x22]
	count	ticks
	mov	r5, r0
	ld	r1, [limit]
	brlo	r5, r1, 1f
	mov	r0, 0
	flag	1
	nop
1:	mov	r2, threads
	ld	r3, [ready]
	mov	lp_count, THREADS
	lp	2f
	ld	r4, [r2, T_WAKE]
	ld	r6, [r2, T_BIT]
	add	r2, r2, T_SIZE
	cmp	r4, r5
	or.eq	r3, r3, r6
2:	st	r3, [ready]
	ld	r1, [turn]
	xor	r1, r1, 7		; 3 or 4
	st	r1, [turn]
	mov	r1, SOFT
	sr	r1, [0x201]
	bl	pick
	ld	r1, [loop]
	mov	lp_count, r1
	ld	r1, [loop+4]
	sr	r1, [2]
	ld	r1, [loop+8]
	sr	r1, [3]
	lr	r1, [0x43]
	brne	r1, 1, 3f		; who was interrupted looks at `next`
	ld	r2, [current]
	brne	r0, r2, 4f
	rtie
	.balign	4
3:	count	inside
	rtie
	.balign	4
4:	count	fasts
	lr	r0, [0xa]
	bclr	r0, r0, 16
	kflag	r0			; registers and stack of the thread
	sub	sp, sp, F_SIZE
	.irp	n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13
	st	r\n, [sp, 4 * \n]
	.endr
	st	blink, [sp, F_BLINK]
	mov	r0, lp_count
	st	r0, [sp, F_LP_COUNT]
	lr	r0, [2]
	st	r0, [sp, F_LP_START]
	lr	r0, [3]
	st	r0, [sp, F_LP_END]
	lr	r0, [0xb]		; STATUS32_P0
	st	r0, [sp, F_STATUS]
	st	ilink, [sp, F_PC]
	ld	r2, [current]
	st	FAST, [r2, T_CAUSE]
	savecallee
	ld	r2, [next]
	st	r2, [current]
	loadcallee
	breq	r3, CALL, 5f
	.irp	n, 13,12,11,10,9,8,7,6,5,4,3,2,1
	ld	r\n, [sp, 4 * \n]
	.endr
	ld	blink, [sp, F_BLINK]
	ld	r0, [sp, F_LP_COUNT]
	mov	lp_count, r0
	ld	r0, [sp, F_LP_START]
	sr	r0, [2]
	ld	r0, [sp, F_LP_END]
	sr	r0, [3]
	ld	r0, [sp]
	add	sp, sp, F_SIZE
	ld	ilink, [sp, F_STATUS - F_SIZE]
	sr	ilink, [0xb]
	ld	ilink, [sp, F_PC - F_SIZE]
	rtie
	.balign	4
5:	pop	r0
	mov	ilink, r0
	pop	r0
	sr	r0, [0xb]
	rtie
	.size	irq_tick, . - irq_tick

; Regular interrupts: on a stack of their own from the first on, with interrupts of higher priority.
	.macro	enter_irq
	uncheckedstack r2
	clri
	ld	r1, [nested]
	add	r2, r1, 1
	st	r2, [nested]
	brne.d	r1, 0, 1f
	mov	r0, sp
	mov	sp, handlers
1:	push	r0
	seti
	.endm

	.globl	irq_feed
	.type	irq_feed, @function
irq_feed:
	enter_irq
	sr	3, [0x101]
	lr	r1, [0x43]
	bbit0	r1, 2, 1f
	count	onto
1:	clri	r12
	mov	r4, queue_a
	ld	r1, [r4, Q_FILL]
	brhs	r1, 8, leave_irq	; full, the number waits
	count	fed
	bl	put
	ld	r1, [ready]
	bset	r1, r1, 1
	b	wake
	.size	irq_feed, . - irq_feed

	.globl	irq_drain
	.type	irq_drain, @function
irq_drain:
	enter_irq
	sr	0, [0x201]
	mov	r5, 0			; a loop that others interrupt
	mov	lp_count, 20
	lp	1f
	add	r5, r5, lp_count
	nop
1:	brne	r5, 210, 3f
	count	drains
2:	clri	r12
	mov	r4, queue_b
	ld	r1, [r4, Q_FILL]
	breq	r1, 0, 4f
	bl	get
	ld	r1, [drained]
	add	r1, r1, 1
	st	r1, [drained]
	brne	r0, r1, 3f
	seti	r12
	b	2b
3:	fail	2
4:	ld	r1, [ready]
	bset	r1, r1, 2
wake:	st	r1, [ready]
	bl	pick
leave_irq:
	clri
	pop	sp
	ld	r1, [nested]
	sub	r1, r1, 1
	st	r1, [nested]
	lr	r0, [0x43]
	ffs	r1, r0
	fls	r0, r0
	brne	r0, r1, 5f		; another handler goes on
	ld	r0, [next]
	ld	r2, [current]
	breq	r0, r2, 5f
	st	REGULAR, [r2, T_CAUSE]
	savecallee
	count	regulars
	ld	r2, [next]
	st	r2, [current]
	loadcallee
	brne	r3, CALL, 5f
	sub	sp, sp, F_PC		; as if there were a frame around the address
	st	0, [sp, F_LP_END]
	st	r13, [sp, F_R13]
5:	rtie
	.size	irq_drain, . - irq_drain

; put: r0 into the queue r4. get: r0 from it.
	.type	put, @function
	.balign	4
put:
	ld	r1, [r4, Q_HEAD]
	add	r2, r1, 1
	and	r2, r2, 7
	st	r2, [r4, Q_HEAD]
	add2	r1, r4, r1
	st	r0, [r1, Q_WORDS]
	ld	r1, [r4, Q_FILL]
	add	r1, r1, 1
	j_s.d	[blink]
	st	r1, [r4, Q_FILL]
	.size	put, . - put
	.type	get, @function
	.balign	4
get:
	ld	r1, [r4, Q_TAIL]
	add	r2, r1, 1
	and	r2, r2, 7
	st	r2, [r4, Q_TAIL]
	add2	r1, r4, r1
	ld	r0, [r1, Q_WORDS]
	ld	r1, [r4, Q_FILL]
	sub	r1, r1, 1
	j_s.d	[blink]
	st	r1, [r4, Q_FILL]
	.size	get, . - get

; delay: sleep for r0 ticks.
	.type	delay, @function
	.balign	4
delay:
	clri	r3
	ld	r1, [ticks]
	add	r1, r1, r0
	ld	r2, [current]
	b.d	block
	st	r1, [r2, T_WAKE]
	.size	delay, . - delay

; Thread 0 looks every 16 ticks whether each of the others has got on.
	.type	watch, @function
	.balign	4
watch:
	seti
1:	bl.d	delay
	mov	r0, 16
	mov	r13, runs + 4
	mov	r14, seen
	mov	r15, THREADS - 1
2:	ld.ab	r0, [r13, 4]
	ld	r1, [r14]
	breq	r0, r1, 3f
	st.ab	r0, [r14, 4]
	dbnz	r15, 2b
	count	runs
	b	1b
3:	add	r0, r15, 10		; who starves
	flag	1
	nop
	.size	watch, . - watch

; Thread 1 gets what timer 1 puts, in order.
	.type	reader, @function
	.balign	4
reader:
	seti
	mov	r13, 0
1:	clri	r3
	mov	r4, queue_a
	ld	r1, [r4, Q_FILL]
	brne	r1, 0, 2f
	bl	block
	b	1b
2:	bl	get
	seti	r3
	add	r13, r13, 1
	brne	r0, r13, 3f
	count	runs+4
	b	1b
3:	fail	3
	.size	reader, . - reader

; Thread 2 keeps queue b full.
	.type	writer, @function
	.balign	4
writer:
	seti
	mov	r13, 1
1:	clri	r3
	mov	r4, queue_b
	ld	r1, [r4, Q_FILL]
	brlo	r1, 8, 2f
	bl	block
	b	1b
2:	bl.d	put
	mov	r0, r13
	seti	r3
	add	r13, r13, 1
	count	runs+8
	b	1b
	.size	writer, . - writer

; Threads 3 and 4 compute, each in registers full of its own values, give way and rest.
	.macro	computing name, number
	.type	\name, @function
	.balign	4
\name:
	seti
	.irp	n, 16,17,18,19,20,21,22,23,24,25
	mov	r\n, \number * 0x01010101 + \n
	.endr
	mov	gp, \number
	mov	fp, \number + 1
	mov	r30, \number + 2
1:	bl.d	work
	mov	r0, \number
	ld	r1, [expected + 4 * \number]
	breq	r1, 0, 2f
	brne	r0, r1, 3f
2:	st	r0, [expected + 4 * \number]
	.irp	n, 16,17,18,19,20,21,22,23,24,25
	cmp	r\n, \number * 0x01010101 + \n
	bne	3f
	.endr
	brne	gp, \number, 3f
	brne	fp, \number + 1, 3f
	brne	r30, \number + 2, 3f
	count	runs + 4 * \number
	and.f	0, r0, 3
	mov	blink, 1b
	bne	4f
	b.d	delay
	mov	r0, 1
4:	clri	r3
	mov	r1, 7 - \number
	st	r1, [turn]
	b	yield
3:	fail	\number
	.size	\name, . - \name
	.endm
	computing third, 3
	computing fourth, 4

; Thread 5 is always ready.
	.type	idle, @function
	.balign	4
idle:
	seti
1:	sleep	0x1f
	count	runs+20
	b	1b
	.size	idle, . - idle

; work: loops, frames, delay slots and divides, always with the same result for the same r0.
	.type	work, @function
	.balign	4
work:
	enter_s	{r13-r15, blink}
	mov	r13, 6
1:	mov	lp_count, 11
	lp	2f
	add	r0, r0, lp_count
	ror	r0, r0
	xor	r0, r0, r13
2:	mov	r14, 1000
	divu	r15, r14, r13
	bl.d	3f
	add	r0, r0, r15
	dbnz.d	r13, 1b
	add1	r0, r0, r15
	leave_s	{r13-r15, blink, pcl}
	.balign	4
3:	st.aw	r0, [sp, -4]
	asl	r0, r0, 3
	ld.ab	r1, [sp, 4]
	j_s.d	[blink]
	xor	r0, r0, r1
	.size	work, . - work

	.type	unhandled, @function
	.balign	4
unhandled:
	lr	r0, [0x403]
	flag	1
	nop
	.size	unhandled, . - unhandled

	.section .rodata
	.align	4
entries:
	.word	watch, reader, writer, third, fourth, idle

	.data
	.globl	limit, counts
	.align	4
limit:	.word	200
counts:
ticks:	.word	0
calls:	.word	0		; switches by their cause
regulars: .word	0
fasts:	.word	0
inside:	.word	0		; ticks in a handler
onto:	.word	0		; timer 1 in the handler of the software interrupt
fed:	.word	0
drained: .word	0
drains:	.word	0
runs:	.word	0, 0, 0, 0, 0, 0
seen:	.word	0, 0, 0, 0, 0
turn:	.word	3
ready:	.word	0
current: .word	0
next:	.word	0
nested:	.word	0
loop:	.word	0, 0, 0
expected: .word	0, 0, 0, 0, 0
queue_a: .space	Q_SIZE
queue_b: .space	Q_SIZE
threads: .space	THREADS * T_SIZE
	.bss
	.align	8
stacks:	.space	THREADS * STACK
	.space	256
boot:
	.space	1024
handlers:
	.space	256
fast:
