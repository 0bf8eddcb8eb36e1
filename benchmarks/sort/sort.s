	.file	"sort.c"
	.cpu EM
	.arc_attribute Tag_ARC_PCS_config, 3
	.arc_attribute Tag_ARC_ABI_rf16, 0
	.arc_attribute Tag_ARC_ABI_pic, 0
	.arc_attribute Tag_ARC_ABI_tls, 1
	.arc_attribute Tag_ARC_ABI_sda, 0
	.arc_attribute Tag_ARC_ABI_exceptions, 0
	.arc_attribute Tag_ARC_CPU_variation, 2
	.section	.text
	.align 4
	.type	fill, @function
fill:
	mov	r2,2024	;6
	sub r0,r0,4
	mov	r3,1000	;6
	mov	lp_count,r3	;5
	lp	@.L7	; lp_count:@.L2->@.L7
	.align 2
.L2:
	mpy	r2,r2,1664525
	add_s r2,r2,1013904223
	lsr r12,r2,8
	st.a	r12,[r0,4]	;26
	.align 2
.L7:
	; ZOL_END, begins @.L2
	j_s	[blink]
	.size	fill, .-fill
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
	breq_s r2, 0, @.L12
	sub r3,sp,1
	.align 2
.L10:
	mov_s	r12,r3	;4
	stb.a r2,[r3,1]
	ldb.a	r2,[r0,1]
	brne_s r2, 0, @.L10
	add_s r2,sp,40 ;3
	mov_s	r0,sp	;4
	rsub r14,r2,42
	add_s r14,r14,r12 ;1
	.align 2
.L9:
	add_s r13,r0,r14 ;1
	mov_s r2,32
	stb_s r2,[r13]
	mov_s	r12,28	;3
	mov_s	r3,8	;3
	mov	lp_count,r3	;5
	lp	@.L17	; lp_count:@.L11->@.L17
	.align 2
.L11:
	lsr r2,r1,r12
	bmsk_s r2,r2,3
	ldb	r2,[r2,@.LC0]
	sub r12,r12,4
	stb.a r2,[r13,1]
	.align 2
.L17:
	; ZOL_END, begins @.L11
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
.L12:
	mov_s	r14,0	;3
	b.d @.L9
	mov_s	r0,sp	;4
	.size	print, .-print
	.align 4
	.type	sift.constprop.0, @function
sift.constprop.0:
	add2	r12,@b,r0
	add1	r2,1,r0
	brle.d r1, r2, @.L29
	ld	r5,[r12]	;23
	push_s	r15
	push_s	r14
	push_s	r13
	asl_s	r15,r0,2
	b.d @.L21
	asl_s	r13,r0,1
	.align 4
.L31:
	ld.a r4,[r12,@b]
	brls.d r4, r3, @.L23
	add_s r0,r13,2 ;1
	mov_s	r3,r4	;4
	mov_s	r14,r12	;4
	add r12,r15,@b
	brhs r5, r3, @.L19
	.align 2
.L32:
	st_s	r3,[r12]		;16
	add1	r2,1,r0
	brge.d r2, r1, @.L30
	asl_s	r13,r0,1
	asl_s	r15,r0,2
	.align 2
.L21:
	add2	r14,@b,r2
	add1	r0,2,r0
	add2	r12,8,r13
	brgt.d r1, r0, @.L31
	ld_s	r3,[r14]		;15
	.align 2
.L23:
	add r12,r15,@b
	brlo.d r5, r3, @.L32
	mov_s	r0,r2	;4
	.align 2
.L19:
	st	r5,[r12]	;26
	pop_s	r13
	pop_s	r14
	j_s.d	[blink]
	pop_s	r15
	.align 4
.L30:
	mov_s	r12,r14	;4
	st	r5,[r12]	;26
	pop_s	r13
	pop_s	r14
	j_s.d	[blink]
	pop_s	r15
	.align 4
.L29:
	j_s.d	[blink]
	st	r5,[r12]	;26
	.size	sift.constprop.0, .-sift.constprop.0
	.align 4
	.type	quick.constprop.0, @function
quick.constprop.0:
	cmp_s r0,r1
	jge	[blink]
	push_s	blink
	st.a	r18,[sp,-4]	;26
	st.a	r17,[sp,-4]	;26
	st.a	r16,[sp,-4]	;26
	push_s	r15
	push_s	r14
	push_s	r13
	mov_s	r18,@a	;13
	mov_s	r16,r0	;4
	mov_s	r17,r1	;4
	.align 2
.L34:
	add r2,r16,r17
	div r2, r2, 2
	mov_s	r13,r17	;4
	mov_s	r14,r16	;4
	add2	r2,r18,r2
	ld_s	r1,[r2]		;15
	.align 2
.L39:
	brgt r14, r13, @.L40
	.align 2
.L59:
	add2	r12,@a,r14
	ld_s	r15,[r12]		;15
	add2	r5,@a,r13
	asl_s	r3,r14,2
	cmp_s r1,r15
	ld	r4,[r5]	;23
	add.hi r3,r3,@a+4
	bls.d @.L58
	asl_s	r2,r13,2
	.align 2
.L36:
	ld_s	r15,[r3]		;15
	mov_s	r12,r3	;4
	add_s r14,r14,1 ;1
	brhi.d r1, r15, @.L36
	add_s r3,r3,4 ;1
	brhs r1, r4, @.L37
	.align 2
.L46:
	add_s r2,r2,@a-4
	.align 2
.L38:
	mov_s	r5,r2	;4
	ld.ab	r4,[r2,-4]	;23
	brlo.d r1, r4, @.L38
	sub_s r13,r13,1 ;4
	.align 2
.L37:
	brlt r13, r14, @.L39
	st	r4,[r12]	;26
	st	r15,[r5]	;26
	add_s r14,r14,1 ;1
	sub_s r13,r13,1 ;4
	.align 2
.L60:
	brle r14, r13, @.L59
	.align 2
.L40:
	sub r2,r13,r16
	sub r3,r17,r14
	brge r2, r3, @.L43
	mov_s	r0,r16	;4
	mov_s	r1,r13	;4
	bl.d @quick.constprop.0
	mov_s	r16,r14	;4
	.align 2
.L44:
	brlt r16, r17, @.L34
	ld	blink,[sp,24]	;23
	pop_s	r13
	pop_s	r14
	pop_s	r15
	ld.ab	r16,[sp,4]	;23
	ld.ab	r17,[sp,4]	;23
	j_s.d	[blink]
	ld.ab	r18,[sp,8]	;23
	.align 4
.L58:
	brlo r1, r4, @.L46
	st	r4,[r12]	;26
	st	r15,[r5]	;26
	add_s r14,r14,1 ;1
	b.d @.L60
	sub_s r13,r13,1 ;4
	.align 4
.L43:
	mov_s	r1,r17	;4
	mov_s	r0,r14	;4
	bl.d @quick.constprop.0
	mov_s	r17,r13	;4
	b_s @.L44
	.size	quick.constprop.0, .-quick.constprop.0
	.section	.rodata.str1.4
	.align 4
.LC1:
	.string	"quick"
	.align 4
.LC2:
	.string	"heap"
	.align 4
.LC3:
	.string	"insertion"
	.section	.text.startup,"ax",@progbits
	.align 4
	.global	main
	.type	main, @function
main:
	push_s	blink
	push_s	r15
	push_s	r14
	push_s	r13
	mov_s	r0,@a	;13
	bl.d @fill
	mov	r13,499	;6
	mov_s	r0,@b	;13
	bl.d @fill
	mov	r14,1000	;6
	mov_s	r0,@c	;13
	bl @fill
	bl @bench_begin
	mov_s	r0,0	;3
	bl.d @quick.constprop.0
	mov	r1,999	;6
	.align 2
.L62:
	mov_s	r0,r13	;4
	bl.d @sift.constprop.0
	mov_s	r1,r14	;4
	sub_s r13,r13,1 ;4
	brne r13, -1, @.L62
	mov_s	r13,@b+4000	;13
	mov	r15,1000	;6
	mov_s	r14,@b	;13
	.align 2
.L63:
	ld.a	r3,[r13,-4]	;23
	ld_s	r2,[r14]		;15
	st_s	r3,[r14]		;16
	st_s	r2,[r13]		;16
	sub_s r15,r15,1 ;4
	mov_s	r0,0	;3
	bl.d @sift.constprop.0
	mov_s	r1,r15	;4
	brne r15, 1, @.L63
	mov_s	r14,@c	;13
	mov_s	r0,@c+3996	;13
	mov_s	r1,r14	;4
	.align 2
.L67:
	ld.a	r13,[r1,4]	;23
	b.d @.L64
	mov_s	r2,r1	;4
	.align 4
.L66:
	st_s	r3,[r2]		;16
	sub r2,r12,4
	breq r14, r2, @.L73
	.align 2
.L64:
	ld	r3,[r2,-4]	;23
	brlo.d r13, r3, @.L66
	mov_s	r12,r2	;4
	brne.d r1, r0, @.L67
	st_s	r13,[r12]		;16
	.align 2
.L86:
	bl @bench_end
	mov_s	r12,@a	;13
	ld_s	r2,[r12]		;15
	mov	r3,999	;6
	mov	lp_count,r3	;5
	lp	@.L90	; lp_count:@.L69->@.L90
	.align 2
.L69:
	mov_s	r13,r2	;4
	ld.a	r2,[r12,4]	;23
	brlo r2, r13, @.L61
	.align 2
.L90:
	; ZOL_END, begins @.L69
	mov_s	r3,@a-4	;13
	mov_s	r1,-2128831035	;13
	mov	r2,1000	;6
	mov	lp_count,r2	;5
	lp	@.L89	; lp_count:@.L70->@.L89
	.align 2
.L70:
	ld.a	r12,[r3,4]	;23
	xor_s r1,r1,r12
	mpy	r1,r1,16777619
	.align 2
.L89:
	; ZOL_END, begins @.L70
	mov_s	r0,@.LC1	;13
	bl @print
	mov_s	r3,@b-4	;13
	mov_s	r1,-2128831035	;13
	mov	r2,1000	;6
	mov	lp_count,r2	;5
	lp	@.L88	; lp_count:@.L71->@.L88
	.align 2
.L71:
	ld.a	r12,[r3,4]	;23
	xor_s r1,r1,r12
	mpy	r1,r1,16777619
	.align 2
.L88:
	; ZOL_END, begins @.L71
	mov_s	r0,@.LC2	;13
	bl @print
	mov_s	r3,@c-4	;13
	mov_s	r1,-2128831035	;13
	mov	r2,1000	;6
	mov	lp_count,r2	;5
	lp	@.L87	; lp_count:@.L72->@.L87
	.align 2
.L72:
	ld.a	r12,[r3,4]	;23
	xor_s r1,r1,r12
	mpy	r1,r1,16777619
	.align 2
.L87:
	; ZOL_END, begins @.L72
	mov_s	r0,@.LC3	;13
	bl.d @print
	mov_s	r15,0	;3
	.align 2
.L61:
	mov_s	r0,r15	;4
	ld	blink,[sp,12]	;23
	pop_s	r13
	pop_s	r14
	j_s.d	[blink]
	ld.ab	r15,[sp,8]	;23
	.align 4
.L73:
	mov_s	r12,r14	;4
	brne.d r1, r0, @.L67
	st_s	r13,[r12]		;16
	b_s @.L86
	.size	main, .-main
	.section	.bss
	.align 4
	.type	c, @object
	.size	c, 4000
c:
	.zero	4000
	.align 4
	.type	b, @object
	.size	b, 4000
b:
	.zero	4000
	.align 4
	.type	a, @object
	.size	a, 4000
a:
	.zero	4000
	.section	.note.GNU-stack,"",@progbits
