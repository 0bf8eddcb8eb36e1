; A pre-emptive kernel with five tasks and an idle task, by priority: timer 0 ticks at level 1, timer 1
; interrupts everything at level 0 in the second register bank, and tasks are switched by an interrupt
; that software raises at level 2. Stack checking is on; the idle task sleeps. After `limit` ticks the
; program ends with status 0, or with the number of the check that failed.
;
; The counts at `counts` tell what happened: ticks, fast interrupts, those that interrupted a handler,
; switches, runs of the tasks.

	.equ	SOFT, 20		; the interrupt that switches tasks
	.equ	TASKS, 6
	.equ	STACK, 1024		; bytes per task
	; a task: sp, tick to wake at, lowest and highest address of its stack
	.equ	T_SP, 0
	.equ	T_WAKE, 4
	.equ	T_TOP, 8
	.equ	T_BASE, 12

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

	.section .vectors, "a"
	.word	_start
	.rept	15
	.word	unhandled
	.endr
	.word	irq_timer0, irq_timer1, unhandled, unhandled, irq_soft

	.text
	.globl	_start
	.type	_start, @function
_start:
	clri
	mov	sp, boot
	; the second bank has a stack pointer of its own
	lr	r1, [0xa]
	or	r2, r1, 1 << 16
	kflag	r2
	mov	sp, fast
	kflag	r1
	sr	0x260d, [0xe]		; AUX_IRQ_CTRL: r0 to r25, blink, loops, bases
	mov	r1, 16
	sr	r1, [0x40b]
	sr	1, [0x206]		; ticks at level 1
	mov	r1, 17
	sr	r1, [0x40b]
	sr	0, [0x206]		; level 0 is fast
	mov	r1, SOFT
	sr	r1, [0x40b]
	sr	2, [0x206]		; switches last

	; a frame for each task, as if it had been switched away before its first instruction
	mov	r13, tasks
	mov	r14, stacks
	mov	r15, entries
	mov	lp_count, TASKS
	lp	1f
	st	r14, [r13, T_TOP]
	add	r14, r14, STACK
	st	r14, [r13, T_BASE]
	sub	r1, r14, (35 + 5) * 4	; the frame of the core, and five words of the switch
	st	r1, [r13, T_SP]
	ld.ab	r2, [r15, 4]
	st	r2, [r14, -8]		; PC
	mov	r3, 0x80000000 | 1 << 14 | 3 << 1 | 1 << 12	; IE, SC, E, L
	st	r3, [r14, -4]		; STATUS32
	add	r13, r13, 16
1:	mov	r1, (1 << TASKS) - 1
	st	r1, [ready]
	sr	3996, [0x23]		; LIMIT0
	sr	0, [0x21]
	sr	3, [0x22]
	sr	1336, [0x102]		; LIMIT1
	sr	0, [0x100]
	sr	3, [0x101]
	mov	r1, 1 << 2
	sr	r1, [0x43]		; return to the first task from level 2
	mov	r1, 0
	st	r1, [current]
	b	resume
	.size	_start, . - _start

; The switch: a regular interrupt at level 2, the frame of the core is on the stack of the task.
	.globl	irq_soft
	.type	irq_soft, @function
irq_soft:
	sr	0, [0x201]
	lr	r0, [0x580]
	push	r0
	lr	r0, [0x582]
	push	r0
	push	fp
	push	gp
	push	r30
	count	switches
	clri				; nothing may see half a switch
	ld	r1, [current]
	asl	r2, r1, 4
	add	r2, r2, tasks
	st	sp, [r2, T_SP]
	ld	r3, [ready]
	ffs	r1, r3
	st	r1, [current]
resume:
	asl	r2, r1, 4
	add	r2, r2, tasks
	lr	r4, [0xa]
	bclr	r5, r4, 14
	kflag	r5			; the bounds and sp change together
	ld	r3, [r2, T_TOP]
	sr	r3, [0x264]
	ld	r3, [r2, T_BASE]
	sr	r3, [0x265]
	ld	sp, [r2, T_SP]
	bset	r4, r4, 14
	kflag	r4
	seti
	pop	r30
	pop	gp
	pop	fp
	pop	r0
	sr	r0, [0x582]
	pop	r0
	sr	r0, [0x580]
	rtie
	.size	irq_soft, . - irq_soft

; The tick wakes tasks and asks for a switch when one of them should run.
	.globl	irq_timer0
	.type	irq_timer0, @function
irq_timer0:
	sr	3, [0x22]
	count	ticks
	mov	r5, r0			; the tick
	ld	r1, [limit]
	brlo	r5, r1, 1f
	mov	r0, 0
	flag	1
	nop
1:	mov	r2, tasks
	mov	r3, 1			; bit of the task
	mov	r6, 0			; who wakes
	mov	lp_count, TASKS
	lp	2f
	ld	r4, [r2, T_WAKE]
	add	r2, r2, 16
	cmp	r4, r5
	or.eq	r6, r6, r3
	asl	r3, r3, 1
2:	clri	r7			; fast interrupts wake tasks, too
	ld	r3, [ready]
	or	r3, r3, r6
	st	r3, [ready]
	seti	r7
	ffs	r3, r3
	ld	r4, [current]
	brhs	r3, r4, 3f
	mov	r3, SOFT
	sr	r3, [0x201]
3:	rtie
	.size	irq_timer0, . - irq_timer0

; A fast interrupt has a register bank and a stack to itself. Every sixteenth makes work for task 1.
	.globl	irq_timer1
	.type	irq_timer1, @function
irq_timer1:
	sr	3, [0x101]
	lr	r1, [0xa]
	bclr	r1, r1, 14		; this stack has no bounds
	kflag	r1
	lr	r1, [0x43]
	and.f	r1, r1, 6		; levels 1 and 2
	beq	1f
	count	nested
1:	count	fasts
	and.f	r0, r0, 15
	bne	2f
	mov	r1, lp_count		; a loop here, whatever was interrupted
	push	r1
	lr	r1, [2]
	push	r1
	lr	r1, [3]
	push	r1
	mov	r2, 0
	mov	lp_count, 10
	lp	3f
	nop
	add	r2, r2, 1
3:	brne	r2, 10, 4f
	pop	r1
	sr	r1, [3]
	pop	r1
	sr	r1, [2]
	pop	r1
	mov	lp_count, r1
	count	events
	ld	r1, [ready]
	bset	r1, r1, 1
	st	r1, [ready]
	mov	r1, SOFT
	sr	r1, [0x201]
2:	rtie
4:	fail	10
	.size	irq_timer1, . - irq_timer1

; block: the current task leaves the ready ones and gives the core away. Interrupts are off, r1 is the
; result of clri.
	.type	block, @function
	.balign	4
block:
	ld	r2, [current]
	mov	r3, 1
	asl	r3, r3, r2
	ld	r4, [ready]
	bic	r4, r4, r3
	st	r4, [ready]
	seti	r1
	mov	r3, SOFT
	j_s.d	[blink]
	sr	r3, [0x201]
	.size	block, . - block

; delay: sleep for r0 ticks.
	.type	delay, @function
	.balign	4
delay:
	clri	r1
	ld	r2, [ticks]
	add	r2, r2, r0
	ld	r3, [current]
	asl	r3, r3, 4
	add	r3, r3, tasks
	st	r2, [r3, T_WAKE]
	b	block
	.size	delay, . - delay

; put and get: a queue of eight words. Who finds it full or empty waits for the other side.
	.type	put, @function
	.balign	4
put:
	push	blink
	push	r13
	mov	r13, r0
1:	clri	r1
	ld	r2, [filled]
	brlo	r2, 8, 2f
	bl	block
	b	1b
2:	ld	r3, [head]
	asl	r4, r3, 2
	add	r4, r4, queue
	st	r13, [r4]
	add	r3, r3, 1
	and	r3, r3, 7
	st	r3, [head]
	mov	r5, 2			; who gets
	b	moved
	.size	put, . - put
	.type	get, @function
	.balign	4
get:
	push	blink
	push	r13
1:	clri	r1
	ld	r2, [filled]
	brne	r2, 0, 2f
	bl	block
	b	1b
2:	ld	r3, [tail]
	asl	r4, r3, 2
	ld	r13, [r4, queue]
	add	r3, r3, 1
	and	r3, r3, 7
	st	r3, [tail]
	sub	r2, r2, 2
	mov	r5, 3			; who puts
moved:	add	r2, r2, 1
	st	r2, [filled]
	ld	r4, [ready]
	mov	r3, 1
	asl	r3, r3, r5
	or	r4, r4, r3
	st	r4, [ready]
	seti	r1
	mov	r3, SOFT
	sr	r3, [0x201]
	mov	r0, r13
	pop	r13
	pop	blink
	j_s	[blink]
	.size	get, . - get

; Task 0 wakes every third tick, and finds that no tick is missing.
	.type	periodic, @function
	.balign	4
periodic:
	ld	r13, [ticks]
1:	mov	r0, 3
	bl	delay
	add	r13, r13, 3
	ld	r0, [ticks]
	sub	r0, r0, r13
	brhs	r0, 2, 2f
	add	r13, r13, r0
	count	runs
	b	1b
2:	fail	1
	.size	periodic, . - periodic

; Task 1 works for fast interrupts.
	.type	worker, @function
	.balign	4
worker:
	clri	r1
	ld	r0, [events]
	brne	r0, 0, 1f
	bl	block
	b	worker
1:	sub	r0, r0, 1
	st	r0, [events]
	seti	r1
	count	runs+4
	bl	compute
	b	worker
	.size	worker, . - worker

; Task 2 gets what task 3 puts, in order.
	.type	consumer, @function
	.balign	4
consumer:
	mov	r14, 1
1:	bl	get
	brne	r0, r14, 2f
	add	r14, r14, 1
	count	runs+8
	b	1b
2:	fail	3
	.size	consumer, . - consumer

	.type	producer, @function
	.balign	4
producer:
	mov	r14, 1
1:	mov	r0, r14
	bl.d	put
	add	r14, r14, 1
	and.f	0, r14, 15
	bne	1b
	mov	r0, 1
	bl	delay
	count	runs+12
	b	1b
	.size	producer, . - producer

; Task 4 computes the same all the time, and rests now and then.
	.type	busy, @function
	.balign	4
busy:
	bl	compute
	count	runs+16
	and.f	0, r0, 7
	bne	busy
	mov	r0, 1
	bl	delay
	b	busy
	.size	busy, . - busy

; Task 5 is never blocked: it sleeps until something happens.
	.type	idle, @function
	.balign	4
idle:
	sleep	0x13
	count	runs+20
	b	idle
	.size	idle, . - idle

; compute: loops, frames, delay slots, divides and products. Its results must always be the same.
	.type	compute, @function
	.balign	4
compute:
	enter_s	{r13-r18, fp, blink}
	mov	r0, 1
	mov	r13, 5
1:	mov	lp_count, 9
	lp	2f
	add	r0, r0, lp_count
	ror	r0, r0
	xor	r0, r0, r13
2:	mov	r14, 1000
	divu	r15, r14, r13
	mpy	r16, r0, r15
	bl.d	3f
	add	r0, r0, r16
	rem	r17, r0, r14
	add	r0, r0, r17
	dbnz.d	r13, 1b
	add1	r0, r0, r15
	ld	r1, [expected]
	breq	r1, 0, 4f
	brne	r0, r1, 5f
4:	st	r0, [expected]
	leave_s	{r13-r18, fp, blink, pcl}
5:	fail	4
	.balign	4
3:	st.aw	r0, [sp, -4]
	asl	r0, r0, 3
	ld.ab	r1, [sp, 4]
	j_s.d	[blink]
	xor	r0, r0, r1
	.size	compute, . - compute

	.type	unhandled, @function
unhandled:
	lr	r0, [0x403]		; ECR is the status
	flag	1
	nop
	.size	unhandled, . - unhandled

	.section .rodata
	.align	4
entries:
	.word	periodic, worker, consumer, producer, busy, idle

	.data
	.globl	limit, counts
	.align	4
limit:	.word	200
counts:
ticks:	.word	0
fasts:	.word	0
nested:	.word	0
switches: .word	0
runs:	.word	0, 0, 0, 0, 0, 0
ready:	.word	0
current: .word	0
events:	.word	0
expected: .word	0
filled:	.word	0
head:	.word	0
tail:	.word	0
queue:	.space	32
tasks:	.space	TASKS * 16
	.bss
	.align	8
stacks:	.space	TASKS * STACK
	.space	256
boot:
	.space	256
fast:
