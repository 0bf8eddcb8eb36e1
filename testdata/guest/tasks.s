; A pre-emptive kernel with the names and the layout of FreeRTOS's public data, for the tools that know
; tasks. The timer interrupt changes stacks, counts ticks and switches tasks; a switch pushes what the
; next one needs to go on, the address last, and jumps through a register, as the ARC port does. Two
; tasks of one priority compute, one waits for 3 ticks 20 times and ends the program with status 20,
; one is suspended before it ever ran.
	.equ	TICK, 3000		; cycles
	.equ	PRIORITIES, 4
	.equ	STACK, 512
; List_t, ListItem_t
	.equ	LIST, 20
	.equ	COUNT, 0
	.equ	INDEX, 4
	.equ	END, 8			; the list's own item: the first three words of one
	.equ	VALUE, 0
	.equ	NEXT, 4
	.equ	PREVIOUS, 8
	.equ	OWNER, 12
	.equ	CONTAINER, 16
; TCB_t
	.equ	TOP, 0
	.equ	STATE, 4
	.equ	EVENT, 24
	.equ	PRIORITY, 44
	.equ	LOW, 48
	.equ	NAME, 52
	.equ	TCB, 68

	.macro	function name
	.align	4
	.globl	\name
	.type	\name, @function
\name:
	.endm

	.text
	function _start
	mov	sp, main_stack
	bl	main
	.size	_start, . - _start

	function main
	push_s	blink
	mov	r13, pxReadyTasksLists
	mov	r14, pxReadyTasksLists + PRIORITIES * LIST + 4 * LIST
1:	bl.d	vListInitialise
	mov	r0, r13
	add	r13, r13, LIST
	brlo	r13, r14, 1b
	mov	r0, xDelayedTaskList1
	st	r0, [pxDelayedTaskList]
	mov	r13, tasks
2:	bl.d	xTaskCreate
	mov	r0, r13
	add	r13, r13, 20
	brlo	r13, tasks_end, 2b
	bl	vTaskStartScheduler
	pop_s	blink
	j_s	[blink]
	.size	main, . - main

; A row for each task: TCB, function, priority, stack, name.
	.section .rodata
	.align	4
tasks:	.word	tcb_sum, vSumTask, 1, stack_sum, name_sum
	.word	tcb_mix, vMixTask, 1, stack_mix, name_mix
	.word	tcb_blink, vBlinkTask, 2, stack_blink, name_blink
	.word	tcb_idle, vIdleTask, 0, stack_idle, name_idle
tasks_end:
	.word	tcb_late, vLateTask, 3, stack_late, name_late
name_sum: .asciz "Sum"
name_mix: .asciz "Mix"
name_blink: .asciz "Blink"
name_idle: .asciz "IDLE"
name_late: .asciz "Late"
	.align	4

	.text
	function vTaskStartScheduler
	push_s	blink
	mov	r0, tasks_end
	bl	prvInitialiseTask
	mov_s	r1, r0			; never ready: suspended from the start
	mov	r0, xSuspendedTaskList
	bl.d	vListInsertEnd
	add	r1, r1, STATE
	bl	vTaskSwitchContext	; the first task
	sr	16, [0x40b]		; IRQ_SELECT: timer 0
	sr	1, [0x206]		; IRQ_PRIORITY
	sr	TICK, [0x23]
	sr	0, [0x21]
	sr	3, [0x22]
	b	dispatcher_0
	.size	vTaskStartScheduler, . - vTaskStartScheduler

	function xTaskCreate		; r0: its row
	push_s	blink
	bl	prvInitialiseTask
	ld	r2, [r0, PRIORITY]
	mpy	r2, r2, LIST
	add	r1, r0, STATE
	add	r0, r2, pxReadyTasksLists
	bl	vListInsertEnd
	ld	r0, [uxCurrentNumberOfTasks]
	add	r0, r0, 1
	st	r0, [uxCurrentNumberOfTasks]
	pop_s	blink
	j_s	[blink]
	.size	xTaskCreate, . - xTaskCreate

	function prvInitialiseTask	; r0: its row; returns the TCB
	ld	r1, [r0, 0]
	ld	r2, [r0, 8]
	st	r2, [r1, PRIORITY]
	st	r1, [r1, STATE + OWNER]
	st	r1, [r1, EVENT + OWNER]
	ld	r2, [r0, 12]
	st	r2, [r1, LOW]
	add	r2, r2, STACK
	ld	r3, [r0, 4]
	st.aw	r1, [r2, -4]		; its parameter
	st.aw	r3, [r2, -4]
	mov	r3, start_r
	st.aw	r3, [r2, -4]
	mov	r3, 0
	st.aw	r3, [r2, -4]		; no critical section
	st	r2, [r1, TOP]
	ld	r2, [r0, 16]
	add	r3, r1, NAME
1:	ldb.ab	r4, [r2, 1]
	stb.ab	r4, [r3, 1]
	brne	r4, 0, 1b
	j_s.d	[blink]
	mov_s	r0, r1
	.size	prvInitialiseTask, . - prvInitialiseTask

	function vListInitialise	; r0: the list
	mov	r2, 0
	st	r2, [r0, COUNT]
	add	r1, r0, END
	st	r1, [r0, INDEX]
	mov	r2, -1
	st	r2, [r1, VALUE]
	st	r1, [r1, NEXT]
	j_s.d	[blink]
	st	r1, [r1, PREVIOUS]
	.size	vListInitialise, . - vListInitialise

	function vListInsertEnd		; r0: the list, r1: the item
	ld	r2, [r0, INDEX]
	ld	r3, [r2, PREVIOUS]
	b	link
	.size	vListInsertEnd, . - vListInsertEnd

	function vListInsert		; r0: the list, r1: the item, by its value
	ld	r4, [r1, VALUE]
	add	r3, r0, END
1:	ld	r2, [r3, NEXT]
	ld	r5, [r2, VALUE]
	brlo	r4, r5, link
	b.d	1b
	mov	r3, r2
link:	st	r2, [r1, NEXT]		; between r3 and r2
	st	r3, [r1, PREVIOUS]
	st	r1, [r3, NEXT]
	st	r1, [r2, PREVIOUS]
	st	r0, [r1, CONTAINER]
	ld	r2, [r0, COUNT]
	add	r2, r2, 1
	j_s.d	[blink]
	st	r2, [r0, COUNT]
	.size	vListInsert, . - vListInsert

	function uxListRemove		; r0: the item
	ld	r1, [r0, NEXT]
	ld	r2, [r0, PREVIOUS]
	ld	r3, [r0, CONTAINER]
	st	r1, [r2, NEXT]
	st	r2, [r1, PREVIOUS]
	ld	r1, [r3, INDEX]
	brne	r1, r0, 1f
	st	r2, [r3, INDEX]
1:	ld	r1, [r3, COUNT]
	sub	r1, r1, 1
	j_s.d	[blink]
	st	r1, [r3, COUNT]
	.size	uxListRemove, . - uxListRemove

	function vTaskSwitchContext	; the next ready task of the highest priority
	mov	r0, pxReadyTasksLists + PRIORITIES * LIST
1:	sub	r0, r0, LIST
	ld	r1, [r0, COUNT]
	breq	r1, 0, 1b
	ld	r1, [r0, INDEX]
	add	r2, r0, END
	ld	r1, [r1, NEXT]
	brne	r1, r2, 2f
	ld	r1, [r1, NEXT]
2:	st	r1, [r0, INDEX]
	ld	r1, [r1, OWNER]
	st	r1, [pxCurrentTCB]
	j_s	[blink]
	.size	vTaskSwitchContext, . - vTaskSwitchContext

	function xTaskIncrementTick
	push_s	blink
	push_s	r13
	ld	r0, [xTickCount]
	add	r0, r0, 1
	st	r0, [xTickCount]
1:	mov	r1, xDelayedTaskList1
	ld	r2, [r1, COUNT]
	breq	r2, 0, 2f
	ld	r13, [r1, END + NEXT]
	ld	r2, [r13, VALUE]
	ld	r0, [xTickCount]
	brlo	r0, r2, 2f
	bl.d	uxListRemove
	mov_s	r0, r13
	ld	r0, [r13, PRIORITY - STATE]
	mpy	r0, r0, LIST
	add	r0, r0, pxReadyTasksLists
	bl.d	vListInsertEnd
	mov_s	r1, r13
	b	1b
2:	pop_s	r13
	pop_s	blink
	j_s	[blink]
	.size	xTaskIncrementTick, . - xTaskIncrementTick

	function vTaskDelay		; r0: ticks
	clri
	push_s	blink
	push_s	r13
	ld	r1, [xTickCount]
	add	r13, r0, r1
	ld	r0, [pxCurrentTCB]
	bl.d	uxListRemove
	add	r0, r0, STATE
	ld	r1, [pxCurrentTCB]
	st	r13, [r1, STATE + VALUE]
	add	r1, r1, STATE
	ld	r0, [pxDelayedTaskList]
	bl	vListInsert
	bl	dispatch
	pop_s	r13
	pop_s	blink
	seti	0x3f
	j_s	[blink]
	.size	vTaskDelay, . - vTaskDelay

	.macro	save_callee
	.irp	r, r13,r14,r15,r16,r17,r18,r19,r20,r21,r22,r23,r24,r25,gp,fp
	st.aw	\r, [sp, -4]
	.endr
	.endm
	.macro	restore_callee
	.irp	r, fp,gp,r25,r24,r23,r22,r21,r20,r19,r18,r17,r16,r15,r14,r13
	ld.ab	\r, [sp, 4]
	.endr
	.endm

	function dispatch		; from a task, interrupts off
	push_s	blink
	save_callee
	mov	r1, dispatch_r
	push_s	r1
	ld	r0, [pxCurrentTCB]
	bl	dispatcher
dispatch_r:
	restore_callee
	pop_s	blink
	j_s	[blink]
	.size	dispatch, . - dispatch

	function dispatcher		; r0: the current TCB, what goes on pushed
	mov	r1, 0
	push_s	r1			; no critical section
	st	sp, [r0, TOP]
	bl	vTaskSwitchContext
dispatcher_0:
	ld	r1, [pxCurrentTCB]
	ld	sp, [r1, TOP]
	pop_s	r0
	pop_s	r0
	j_s	[r0]
	.size	dispatcher, . - dispatcher

	function start_r		; a task begins
	mov	blink, vPortEndTask
	pop_s	r1
	pop_s	r0
	seti	0x3f
	j_s	[r1]
	.size	start_r, . - start_r

; Before a task's return address: a frame that an unwinder could repeat for ever.
	function vNeverEnds
	.cfi_startproc
	sub_s	sp, sp, 16
	.cfi_def_cfa_offset 16
1:	b	1b
	.cfi_endproc
	.size	vNeverEnds, . - vNeverEnds

	function vPortEndTask
	flag	1
	nop
	b	vPortEndTask
	.size	vPortEndTask, . - vPortEndTask

	function irq_timer0
	.irp	r, r0,r1,r2,r3,r4,r5,r6,r7,r8,r9,r10,r11,r12,r30,blink
	st.aw	\r, [sp, -4]
	.endr
	mov	r1, sp
	ld	r0, [ulNesting]
	add	r2, r0, 1
	st	r2, [ulNesting]
	brne	r0, 0, 1f
	mov	sp, irq_stack
1:	push_s	r1
	sr	3, [0x22]		; acknowledge
	mov	r2, xTaskIncrementTick
	jl	[r2]
	clri
	ld.ab	sp, [sp, 4]
	ld	r0, [ulNesting]
	sub	r0, r0, 1
	st	r0, [ulNesting]
	brne	r0, 0, leave_irq
	lr	r1, [0x43]		; AUX_IRQ_ACT: the switch is outside the interrupt
	push_s	r1
	bclr	r1, r1, 1
	sr	r1, [0x43]
	save_callee
	mov	r1, irq_r
	push_s	r1
	ld	r0, [pxCurrentTCB]
	bl	dispatcher
irq_r:
	restore_callee
	pop_s	r1
	sr	r1, [0x43]
leave_irq:
	.irp	r, blink,r30,r12,r11,r10,r9,r8,r7,r6,r5,r4,r3,r2,r1,r0
	ld.ab	\r, [sp, 4]
	.endr
	rtie
	.size	irq_timer0, . - irq_timer0

; The tasks.
	function vSumTask
	sub_s	sp, sp, 8
	mov	r13, 0
1:	bl.d	sum
	mov	r0, 100
	add	r13, r13, r0
	st	r13, [sp, 4]
	b	1b
	.size	vSumTask, . - vSumTask

	function sum			; 1 + 2 + ... + r0
	push_s	blink
	mov	r1, 0
1:	bl	add_up
	sub.f	r0, r0, 1
	bne	1b
	pop_s	blink
	j_s.d	[blink]
	mov_s	r0, r1
	.size	sum, . - sum

	function add_up
	j_s.d	[blink]
	add	r1, r1, r0
	.size	add_up, . - add_up

	function vMixTask
	.cfi_startproc
	sub_s	sp, sp, 16
	.cfi_def_cfa_offset 16
	mov	r14, 1
1:	bl	mix
	b.d	1b
	st	r14, [sp, 8]
	.cfi_endproc
	.size	vMixTask, . - vMixTask

	function mix
	mov	lp_count, 50
	lp	1f
	ror	r14, r14
	xor	r14, r14, 0x5a5a
1:	j_s	[blink]
	.size	mix, . - mix

	function vBlinkTask
	mov	r13, 0
1:	bl.d	vTaskDelay
	mov	r0, 3
	add	r13, r13, 1
	brlt	r13, 20, 1b
	mov	r0, r13
	flag	1
	nop
	b	1b
	.size	vBlinkTask, . - vBlinkTask

	function vIdleTask
1:	b	1b
	.size	vIdleTask, . - vIdleTask

	function vLateTask
1:	b	1b
	.size	vLateTask, . - vLateTask

	.macro	object name, size
	.globl	\name
	.type	\name, @object
	.align	4
\name:	.space	\size
	.size	\name, \size
	.endm
	.bss
	object	pxReadyTasksLists, PRIORITIES * LIST
	object	xDelayedTaskList1, LIST	; these four follow the ready lists
	object	xDelayedTaskList2, LIST
	object	xPendingReadyList, LIST
	object	xSuspendedTaskList, LIST
	object	pxDelayedTaskList, 4
	object	pxCurrentTCB, 4
	object	xTickCount, 4
	object	uxCurrentNumberOfTasks, 4
	object	ulNesting, 4
	object	tcb_sum, TCB
	object	tcb_mix, TCB
	object	tcb_blink, TCB
	object	tcb_idle, TCB
	object	tcb_late, TCB
	object	stack_sum, STACK
	object	stack_mix, STACK
	object	stack_blink, STACK
	object	stack_idle, STACK
	object	stack_late, STACK
	.space	256
irq_stack:
	.space	256
main_stack:
