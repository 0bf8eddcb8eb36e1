; Frames made by enter_s, without frame information. Built by
;   arc-linux-gnu-as -mcpu=em4_dmips enter.s -o enter.o
;   arc-linux-gnu-ld -m arcelf -Ttext 0x100 -e _start enter.o -o enter.elf
	.text
	.globl	_start
	.type	_start, @function
_start:
	mov	sp, 0x80010000
	mov	r13, 13
	mov	r14, 14
	bl	outer
	mov	r0, 0
	flag	1
	.size	_start, . - _start

	.type	outer, @function
outer:
	enter_s	[r13-r16, fp, blink]
	sub_s	sp, sp, 16
	mov	r13, 113
	mov	r14, 114
	bl.d	middle
	mov	r0, 1			; in the delay slot
	st	r0, [sp, 4]
	bl	leaf
	add_s	sp, sp, 16
	leave_s	[r13-r16, fp, blink, pcl]
	.size	outer, . - outer

	.type	middle, @function
middle:
	breq	r0, 0, 1f		; an early return before anything is saved
	push_s	blink
	st.aw	r13, [sp, -8]
	mov	r13, 213
	bl	leaf
	ld.ab	r13, [sp, 8]
	pop_s	blink
1:	j_s.d	[blink]
	add_s	r0, r0, r0
	.size	middle, . - middle

	.type	leaf, @function
leaf:
	add	r1, r0, 1
	j_s.d	[blink]
	add_s	r0, r1, 1
	.size	leaf, . - leaf
