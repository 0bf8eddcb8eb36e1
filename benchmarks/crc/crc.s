	.file	"crc.c"
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
	.type	by_table, @function
by_table:
	push_s	r13
	mov_s	r3,-1	;4
	mov_s	r13,@table	;13
	mov	lp_count,r1	;5
	lp	@.L7	; lp_count:@.L2->@.L7
	.align 2
.L2:
	ldb.ab	r2,[r0,1]
	lsr r12,r3,8
	xor_s r2,r2,r3
	bmsk_s r2,r2,7
	add2	r2,r13,r2
	ld_s	r3,[r2]		;15
	xor_s r3,r3,r12
	.align 2
.L7:
	; ZOL_END, begins @.L2
	not_s r0,r3
	j_s.d	[blink]
	pop_s	r13
	.size	by_table, .-by_table
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
	.section	.rodata.str1.4
	.align 4
.LC1:
	.string	"123456789"
	.align 4
.LC2:
	.string	"check"
	.align 4
.LC3:
	.string	"bits"
	.align 4
.LC4:
	.string	"table"
	.section	.text.startup,"ax",@progbits
	.align 4
	.global	main
	.type	main, @function
main:
	push_s	blink
	push_s	r15
	push_s	r14
	push_s	r13
	mov_s	r12,@data-1	;13
	mov_s	r2,32	;3
	mov_s	r3,4096	;13
	mov	lp_count,r3	;5
	lp	@.L43	; lp_count:@.L19->@.L43
	.align 2
.L19:
	mpy	r2,r2,1664525
	add_s r2,r2,1013904223
	lsr r13,r2,24
	stb.a r13,[r12,1]
	.align 2
.L43:
	; ZOL_END, begins @.L19
	bl @bench_begin
	mov_s	r2,-1	;4
	mov_s	r14,@data	;13
	.align 2
.L22:
	ldb.ab	r3,[r14,1]
	mov_s	r13,8	;3
	xor_s r2,r2,r3
	mov_s	r12,8	;3
	mov	lp_count,r12	;5
	lp	@.L42	; lp_count:@.L21->@.L42
	.align 2
.L21:
	and r3,r2,1
	sub_s r13,r13,1 ;4
	tst_s r3,r3
	lsr_s r2,r2
	xor.ne r2,r2,-306674912
	.align 2
.L42:
	; ZOL_END, begins @.L21
	brne r14, @data+4096, @.L22
	not_s r15,r2
	mov_s	r14,@table-4	;13
	mov_s	r1,@table+1020	;13
	.align 2
.L25:
	mov_s	r2,r13	;4
	mov_s	r12,8	;3
	mov	lp_count,r12	;5
	lp	@.L41	; lp_count:@.L24->@.L41
	.align 2
.L24:
	and r3,r2,1
	lsr_s r2,r2
	tst_s r3,r3
	xor.ne r2,r2,-306674912
	.align 2
.L41:
	; ZOL_END, begins @.L24
	st.a	r2,[r14,4]	;26
	brne.d r1, r14, @.L25
	add_s r13,r13,1 ;1
	mov_s	r1,4096	;13
	mov_s	r0,@data	;13
	bl @by_table;1
	bl.d @bench_end
	mov_s	r13,r0	;4
	mov_s	r0,@.LC1	;13
	bl.d @by_table;1
	mov_s	r1,9	;3
	mov_s	r1,r0	;4
	mov_s	r0,@.LC2	;13
	bl @print
	mov_s	r0,@.LC3	;13
	bl.d @print
	mov_s	r1,r15	;4
	mov_s	r0,@.LC4	;13
	bl.d @print
	mov_s	r1,r13	;4
	mov_s	r0,0	;3
	ld	blink,[sp,12]	;23
	pop_s	r13
	pop_s	r14
	j_s.d	[blink]
	ld.ab	r15,[sp,8]	;23
	.size	main, .-main
	.section	.bss
	.align 4
	.type	table, @object
	.size	table, 1024
table:
	.zero	1024
	.align 4
	.type	data, @object
	.size	data, 4096
data:
	.zero	4096
	.section	.note.GNU-stack,"",@progbits
