	.file	"matrix.c"
	.cpu EM
	.arc_attribute Tag_ARC_PCS_config, 3
	.arc_attribute Tag_ARC_ABI_rf16, 0
	.arc_attribute Tag_ARC_ABI_pic, 0
	.arc_attribute Tag_ARC_ABI_tls, 1
	.arc_attribute Tag_ARC_ABI_sda, 0
	.arc_attribute Tag_ARC_ABI_exceptions, 0
	.arc_attribute Tag_ARC_CPU_variation, 2
	.section	.text
	.section	.rodata.str1.4,"aMS",@progbits,1
	.align 4
.LC0:
	.string	"0123456789abcdef"
	.section	.text
	.align 4
	.type	print, @function
print:
	push_s	blink
	push_s	r14
	push_s	r13
	sub_s sp,sp,40 ;4
	ldb_s	r2,[r0]
	breq_s r2, 0, @.L5
	sub r3,sp,1
	.align 2
.L3:
	mov_s	r12,r3	;4
	stb.a r2,[r3,1]
	ldb.a	r2,[r0,1]
	brne_s r2, 0, @.L3
	add_s r2,sp,40 ;3
	mov_s	r0,sp	;4
	rsub r14,r2,42
	add_s r14,r14,r12 ;1
	.align 2
.L2:
	add_s r13,r0,r14 ;1
	mov_s r2,32
	stb_s r2,[r13]
	mov_s	r12,28	;3
	mov_s	r3,8	;3
	mov	lp_count,r3	;5
	lp	@.L11	; lp_count:@.L4->@.L11
	.align 2
.L4:
	lsr r2,r1,r12
	bmsk_s r2,r2,3
	ldb	r2,[r2,@.LC0]
	sub r12,r12,4
	stb.a r2,[r13,1]
	.align 2
.L11:
	; ZOL_END, begins @.L4
	add_s r1,r14,40 ;6
	add r2,r1,sp
	stb 10,[r2,-31]
	bl.d @write_text
	add_s r1,r14,10 ;6
	add_s sp,sp,40 ;3
	ld	blink,[sp,8]	;23
	pop_s	r13
	j_s.d	[blink]
	ld.ab	r14,[sp,8]	;23
	.align 4
.L5:
	mov_s	r14,0	;3
	b.d @.L2
	mov_s	r0,sp	;4
	.size	print, .-print
	.section	.rodata.str1.4
	.align 4
.LC1:
	.string	"words"
	.align 4
.LC2:
	.string	"halfwords"
	.section	.text.startup,"ax",@progbits
	.align 4
	.global	main
	.type	main, @function
main:
	push_s	blink
	st.a	r18,[sp,-4]	;26
	st.a	r17,[sp,-4]	;26
	st.a	r16,[sp,-4]	;26
	push_s	r15
	push_s	r14
	push_s	r13
	mov_s	r17,@a+124	;13
	mov_s	r5,@b-4	;13
	mov_s	r8,@p-2	;13
	mov_s	r7,@q	;13
	add r18,r5,4
	mov_s	r10,@b+4092	;13
	mov_s	r6,r17	;4
	mov_s	r2,7	;3
	mov	r4,64	;6
	mov	r9,128	;6
	.align 2
.L13:
	sub3 r0,r6,16
	mov_s	r12,r7	;4
	mov_s	r1,r8	;4
	mov_s	r15,r5	;4
	mov_s	r3,32	;3
	mov	lp_count,r3	;5
	lp	@.L43	; lp_count:@.L14->@.L43
	.align 2
.L14:
	mpy	r2,r2,1664525
	add_s r2,r2,1013904223
	mpy	r13,r2,1664525
	asr	r14,r2,12
	add r2,r13,1013904223
	st.a	r14,[r0,4]	;26
	asr	r13,r2,12
	sth.a r14,[r1,2]
	sth_s r13,[r12]
	st.a	r13,[r15,4]	;26
	add_s r12,r12,r4 ;1
	.align 2
.L43:
	; ZOL_END, begins @.L14
	add r5,r5,r9
	add r8,r8,r4
	add_s r7,r7,2 ;5
	brne.d r5, r10, @.L13
	add r6,r6,r9
	bl @bench_begin
	mov_s	r16,@c-4	;13
	mov_s	r7,@a+4220	;13
	mov_s	r0,r16	;4
	mov_s	r1,128	;3
	.align 2
.L16:
	mov_s	r4,r18	;4
	add3 r6,r0,16
	sub3 r5,r17,16
	.align 2
.L20:
	sub r3,r17,r5
	mov_s	r14,r5	;4
	sub r3,r3,4
	mov_s	r12,r4	;4
	lsr_s r3,r3,2
	mov_s	r13,0	;3
	add_s r3,r3,1 ;1
	mov	lp_count,r3	;5
	lp	@.L42	; lp_count:@.L17->@.L42
	.align 2
.L17:
	ld_s	r15,[r12]		;15
	ld.a	r2,[r14,4]	;23
	add_s r12,r12,r1 ;1
	mpy_s	r2,r2,r15
	add_s r13,r13,r2 ;1
	.align 2
.L42:
	; ZOL_END, begins @.L17
	st.a	r13,[r0,4]	;26
	brne.d r0, r6, @.L20
	add_s r4,r4,4 ;5
	add r17,r14,r1
	brne r17, r7, @.L16
	mov_s	r17,@r-4	;13
	mov_s	r5,@p+62	;13
	mov_s	r8,@p+2110	;13
	mov_s	r1,r17	;4
	mov	r6,64	;6
	.align 2
.L19:
	mov_s	r0,@q-2	;13
	add3 r7,r1,16
	sub3 r4,r5,8
	.align 2
.L24:
	sub r3,r5,r4
	mov_s	r14,r4	;4
	sub r3,r3,2
	mov_s	r13,r0	;4
	lsr_s r3,r3
	mov_s	r12,0	;3
	add_s r3,r3,1 ;1
	mov	lp_count,r3	;5
	lp	@.L41	; lp_count:@.L21->@.L41
	.align 2
.L21:
	ldh.a	r2,[r14,2]
	ldh.a	r15,[r13,2]
	mpyw_s r2,r2,r15
	add_s r12,r12,r2 ;1
	.align 2
.L41:
	; ZOL_END, begins @.L21
	st.a	r12,[r1,4]	;26
	brne.d r1, r7, @.L24
	add_s r0,r0,r6 ;1
	add r5,r5,r6
	brne r5, r8, @.L19
	bl @bench_end
	rsub r2,r16,@c+4088
	mov_s	r1,-2128831035	;13
	lsr_s r2,r2,2
	add_s r2,r2,1 ;1
	mov	lp_count,r2	;5
	lp	@.L40	; lp_count:@.L25->@.L40
	.align 2
.L25:
	ld.a	r3,[r16,4]	;23
	xor_s r1,r1,r3
	mpy	r1,r1,16777619
	.align 2
.L40:
	; ZOL_END, begins @.L25
	mov_s	r0,@.LC1	;13
	bl @print
	rsub r2,r17,@r+4088
	mov_s	r1,-2128831035	;13
	lsr_s r2,r2,2
	add_s r2,r2,1 ;1
	mov	lp_count,r2	;5
	lp	@.L39	; lp_count:@.L26->@.L39
	.align 2
.L26:
	ld.a	r3,[r17,4]	;23
	xor_s r1,r1,r3
	mpy	r1,r1,16777619
	.align 2
.L39:
	; ZOL_END, begins @.L26
	mov_s	r0,@.LC2	;13
	bl @print
	mov_s	r0,0	;3
	ld	blink,[sp,24]	;23
	pop_s	r13
	pop_s	r14
	pop_s	r15
	ld.ab	r16,[sp,4]	;23
	ld.ab	r17,[sp,4]	;23
	j_s.d	[blink]
	ld.ab	r18,[sp,8]	;23
	.size	main, .-main
	.section	.bss
	.align 4
	.type	r, @object
	.size	r, 4096
r:
	.zero	4096
	.align 2
	.type	q, @object
	.size	q, 2048
q:
	.zero	2048
	.align 2
	.type	p, @object
	.size	p, 2048
p:
	.zero	2048
	.align 4
	.type	c, @object
	.size	c, 4096
c:
	.zero	4096
	.align 4
	.type	b, @object
	.size	b, 4096
b:
	.zero	4096
	.align 4
	.type	a, @object
	.size	a, 4096
a:
	.zero	4096
	.section	.note.GNU-stack,"",@progbits
