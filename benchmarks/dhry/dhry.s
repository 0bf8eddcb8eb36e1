	.file	"dhry.c"
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
	.type	copy_text, @function
copy_text:
	sub_s r0,r0,1 ;4
	.align 2
.L2:
	ldb.ab	r2,[r1,1]
	tst_s r2,r2
	jeq.d	[blink]
	stb.a r2,[r0,1]
	ldb.ab	r2,[r1,1]
	brne.d r2, 0, @.L2
	stb.a r2,[r0,1]
	j_s	[blink]
	.size	copy_text, .-copy_text
	.align 4
	.type	mix, @function
mix:
	brls r0, 3, @.L15
	mov_s	r0,2	;3
.L10:
	j_s	[blink]
	.align 4
.L15:
	ld.as	r2,[@.L11,r0]
	j_s [r2]
	.section	.rodata
	.align 4
.L11:
	.word .L10
	.word .L13
	.word .L12
	.word .L10
	.section	.text
	.align 4
.L13:
	ld	r0,[@total]	;23
	setle r0, r0, 100
	j_s.d	[blink]
	asl_s	r0,r0,2
	.align 4
.L12:
	j_s.d	[blink]
	mov_s	r0,1	;3
	.size	mix, .-mix
	.align 4
	.type	add_up, @function
add_up:
	add_s r0,r0,2 ;1
	j_s.d	[blink]
	add_s r0,r0,r1 ;1
	.size	add_up, .-add_up
	.align 4
	.type	class_of, @function
class_of:
	j_s.d	[blink]
	seteq r0, r0, r1
	.size	class_of, .-class_of
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
	breq_s r2, 0, @.L24
	sub r3,sp,1
	.align 2
.L22:
	mov_s	r12,r3	;4
	stb.a r2,[r3,1]
	ldb.a	r2,[r0,1]
	brne_s r2, 0, @.L22
	add_s r2,sp,40 ;3
	mov_s	r0,sp	;4
	rsub r14,r2,42
	add_s r14,r14,r12 ;1
	.align 2
.L21:
	add_s r13,r0,r14 ;1
	mov_s r2,32
	stb_s r2,[r13]
	mov_s	r12,28	;3
	mov_s	r3,8	;3
	mov	lp_count,r3	;5
	lp	@.L29	; lp_count:@.L23->@.L29
	.align 2
.L23:
	lsr r2,r1,r12
	bmsk_s r2,r2,3
	ldb	r2,[r2,@.LC0]
	sub r12,r12,4
	stb.a r2,[r13,1]
	.align 2
.L29:
	; ZOL_END, begins @.L23
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
.L24:
	mov_s	r14,0	;3
	b.d @.L21
	mov_s	r0,sp	;4
	.size	print, .-print
	.align 4
	.type	advance.constprop.0, @function
advance.constprop.0:
	push_s	blink
	push_s	r13
	mov_s	r2,@first	;13
	ld_s	r13,[r2]		;15
	ld_s	r3,[r2,4]		;15
	st_s	r13,[r13]		;16
	ld_s	r12,[r2,8]		;15
	st_s	r3,[r13,4]		;16
	ld_s	r3,[r2,12]		;15
	st_s	r12,[r13,8]		;16
	ld_s	r12,[r2,16]		;15
	st_s	r3,[r13,12]		;16
	ld_s	r3,[r2,20]		;15
	st_s	r12,[r13,16]		;16
	ld_s	r12,[r2,24]		;15
	st_s	r3,[r13,20]		;16
	ld_s	r3,[r2,28]		;15
	st_s	r12,[r13,24]		;16
	ld_s	r12,[r2,32]		;15
	st_s	r3,[r13,28]		;16
	ld_s	r3,[r2,36]		;15
	st_s	r12,[r13,32]		;16
	ld_s	r12,[r2,40]		;15
	st_s	r3,[r13,36]		;16
	ld_s	r3,[r2,44]		;15
	st_s	r12,[r13,40]		;16
	st_s	r3,[r13,44]		;16
	ld_s	r12,[r2]		;15
	st	5,[@first+12]	;37
	ld_s	r3,[r13,4]		;15
	st	5,[r13,12]	;37
	brne.d r3, 0, @.L31
	st_s	r12,[r13]		;16
	ld_s	r0,[r2,8]		;15
	st	6,[r13,12]	;37
	bl @mix;1
	st_s	r0,[r13,8]		;16
	mov_s	r1,10	;3
	bl.d @add_up;1
	mov_s	r0,6	;3
	st_s	r0,[r13,12]		;16
	ld	blink,[sp,4]	;23
	j_s.d	[blink]
	ld.ab	r13,[sp,8]	;23
	.align 4
.L31:
	st_s	r12,[r2]		;16
	ld_s	r12,[r13,8]		;15
	st_s	r3,[r2,4]		;16
	ld_s	r3,[r13,12]		;15
	st_s	r12,[r2,8]		;16
	ld_s	r12,[r13,16]		;15
	st_s	r3,[r2,12]		;16
	ld_s	r3,[r13,20]		;15
	st_s	r12,[r2,16]		;16
	ld_s	r12,[r13,24]		;15
	st_s	r3,[r2,20]		;16
	ld_s	r3,[r13,28]		;15
	st_s	r12,[r2,24]		;16
	ld_s	r12,[r13,32]		;15
	st_s	r3,[r2,28]		;16
	ld_s	r3,[r13,36]		;15
	st_s	r12,[r2,32]		;16
	ld_s	r12,[r13,40]		;15
	st_s	r3,[r2,36]		;16
	ld_s	r3,[r13,44]		;15
	st_s	r12,[r2,40]		;16
	st_s	r3,[r2,44]		;16
	ld	blink,[sp,4]	;23
	j_s.d	[blink]
	ld.ab	r13,[sp,8]	;23
	.size	advance.constprop.0, .-advance.constprop.0
	.align 4
	.type	tally.constprop.0, @function
tally.constprop.0:
	mov_s	r2,@grid+2048	;13
	ld.as	r3,[r2,-105]	;23
	mov_s	r12,@counts	;13
	add_s r3,r3,1 ;1
	st_s	r0,[r12,32]		;16
	st_s	r0,[r12,36]		;16
	st	8,[r12,152]	;37
	st.as	8,[r2,-104]	;37
	st.as	8,[r2,-103]	;37
	st.as	r3,[r2,-105]	;26
	st	r0,[@grid+5632]	;26
	st	5,[@total]	;37
	j_s	[blink]
	.size	tally.constprop.0, .-tally.constprop.0
	.align 4
	.type	compare_text.constprop.0, @function
compare_text.constprop.0:
	mov_s	r3,@text1	;13
	ldb_s	r0,[r3]
	breq_s r0, 0, @.L45
	push_s	r13
	mov_s	r2,@text2	;13
	b.d @.L47
	mov_s	r13,r2	;4
	.align 4
.L40:
	ldb.a	r0,[r3,1]
	breq_s r0, 0, @.L46
	mov_s	r13,r2	;4
	.align 2
.L47:
	ldb.ab	r12,[r2,1]
	breq r12, r0, @.L40
	sub_s r0,r0,r12
	j_s.d	[blink]
	pop_s	r13
	.align 4
.L46:
	ldb_s	r12,[r13,1]
	sub_s r0,r0,r12
	j_s.d	[blink]
	pop_s	r13
	.align 4
.L45:
	ldb	r12,[@text2]
	j_s.d	[blink]
	sub_s r0,r0,r12
	.size	compare_text.constprop.0, .-compare_text.constprop.0
	.align 4
	.type	same_text.constprop.0, @function
same_text.constprop.0:
	push_s	blink
	push_s	r13
	ldb	r1,[@text2+3]
	ldb	r0,[@text1+2]
	bl @class_of;1
	mov_s	r2,3	;3
	tst_s r0,r0
	mov.ne r2,2
	bl.d @compare_text.constprop.0;1
	mov_s	r13,r2	;4
	cmp_s r0,0
	ble.d @.L48
	mov.le r0,0
	add_s r2,r13,7 ;1
	st	r2,[@total]	;26
	mov_s	r0,1	;3
.L48:
	ld	blink,[sp,4]	;23
	j_s.d	[blink]
	ld.ab	r13,[sp,8]	;23
	.size	same_text.constprop.0, .-same_text.constprop.0
	.section	.rodata.str1.4
	.align 4
.LC1:
	.string	"THE PROGRAM, ITS OWN RECORD"
	.align 4
.LC2:
	.string	"THE PROGRAM, ITS FIRST STRING"
	.align 4
.LC3:
	.string	"THE PROGRAM, ITS SECOND STRING"
	.align 4
.LC4:
	.string	"one"
	.align 4
.LC5:
	.string	"two"
	.align 4
.LC6:
	.string	"three"
	.align 4
.LC7:
	.string	"total"
	.align 4
.LC8:
	.string	"value"
	.align 4
.LC9:
	.string	"grid"
	.align 4
.LC10:
	.string	"counts"
	.section	.text.startup,"ax",@progbits
	.align 4
	.global	main
	.type	main, @function
main:
	push_s	blink
	st.a	r20,[sp,-4]	;26
	st.a	r19,[sp,-4]	;26
	st.a	r18,[sp,-4]	;26
	st.a	r17,[sp,-4]	;26
	st.a	r16,[sp,-4]	;26
	push_s	r15
	push_s	r14
	push_s	r13
	mov_s	r2,@first	;13
	mov_s	r3,40	;3
	add_s r0,r2,16 ;6
	st_s	r3,[r2,12]		;16
	mov_s	r1,@.LC1	;13
	st	0,[@first+4]	;37
	st	2,[@first+8]	;37
	mov_s	r17,@second	;13
	bl.d @copy_text
	st	r17,[r2]	;26
	mov_s	r0,@text1	;13
	mov_s	r1,@.LC2	;13
	bl.d @copy_text
	mov_s	r13,1	;3
	st	10,[@counts+32]	;37
	mov_s	r19,@.LC3	;13
	bl.d @bench_begin
	mov r20,65
	mov_s	r18,@text2	;13
	.align 2
.L57:
	mov_s	r1,r19	;4
	stb r20,[@mark]
	bl.d @copy_text
	mov_s	r0,r18	;4
	bl @same_text.constprop.0;1
	mov_s	r1,3	;3
	mov_s	r15,r0	;4
	bl.d @add_up;1
	mov_s	r0,2	;3
	bl.d @tally.constprop.0
	mov_s	r16,r0	;4
	bl @advance.constprop.0
	mov_s	r1,67	;3
	bl.d @class_of;1
	mov_s	r0,65	;3
	tst_s r0,r0
	beq.d @.L55
	mov.eq r14,1
	bl.d @mix;1
	mov_s	r0,0	;3
	mov_s	r14,r0	;4
	.align 2
.L55:
	mov_s	r1,67	;3
	bl.d @class_of;1
	mov_s	r0,66	;3
	breq_s r0, 0, @.L56
	bl.d @mix;1
	mov_s	r0,0	;3
	mov_s	r14,r0	;4
	.align 2
.L56:
	ld	r2,[@total]	;23
	and r3,r13,3
	add_s r2,r2,r3 ;1
	st	r2,[@total]	;26
	add_s r13,r13,1 ;1
	brne r13, 501, @.L57
	add r13,r14,r16
	seteq r15, r15, 0
	add_s r13,r13,3 ;1
	add r14,r15,9
	bl.d @bench_end
	div r13, r14, r13
	mov_s	r0,@.LC4	;13
	bl.d @print
	mov_s	r1,r13	;4
	sub r14,r14,r16
	mpy	r1,r14,7
	mov_s	r0,@.LC5	;13
	bl.d @print
	sub_s r1,r1,r13
	mov_s	r0,@.LC6	;13
	bl.d @print
	mov_s	r1,r16	;4
	ld	r1,[@total]	;23
	mov_s	r0,@.LC7	;13
	bl @print
	mov_s	r0,@.LC8	;13
	bl.d @print
	ld	r1,[r17,12]		;22
	ld	r1,[@grid+1628]	;23
	mov_s	r0,@.LC9	;13
	bl @print
	ld	r1,[@counts+152]	;23
	mov_s	r0,@.LC10	;13
	bl @print
	mov_s	r0,0	;3
	ld	blink,[sp,32]	;23
	pop_s	r13
	pop_s	r14
	pop_s	r15
	ld.ab	r16,[sp,4]	;23
	ld.ab	r17,[sp,4]	;23
	ld.ab	r18,[sp,4]	;23
	ld.ab	r19,[sp,4]	;23
	j_s.d	[blink]
	ld.ab	r20,[sp,8]	;23
	.size	main, .-main
	.section	.bss
	.align 4
	.type	text2, @object
	.size	text2, 31
text2:
	.zero	31
	.align 4
	.type	text1, @object
	.size	text1, 31
text1:
	.zero	31
	.type	mark, @object
	.size	mark, 1
mark:
	.zero	1
	.align 4
	.type	total, @object
	.size	total, 4
total:
	.zero	4
	.align 4
	.type	grid, @object
	.size	grid, 10000
grid:
	.zero	10000
	.align 8
	.type	counts, @object
	.size	counts, 200
counts:
	.zero	200
	.align 4
	.type	second, @object
	.size	second, 48
second:
	.zero	48
	.align 4
	.type	first, @object
	.size	first, 48
first:
	.zero	48
	.section	.note.GNU-stack,"",@progbits
