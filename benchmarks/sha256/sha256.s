	.file	"sha256.c"
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
	.type	block, @function
block:
	st.a	fp,[sp,-4]	;26
	st.a	r24,[sp,-4]	;26
	st.a	r23,[sp,-4]	;26
	st.a	r22,[sp,-4]	;26
	st.a	r21,[sp,-4]	;26
	st.a	r20,[sp,-4]	;26
	st.a	r19,[sp,-4]	;26
	st.a	r18,[sp,-4]	;26
	st.a	r17,[sp,-4]	;26
	st.a	r16,[sp,-4]	;26
	push_s	r15
	push_s	r14
	push_s	r13
	sub sp,sp,288
	mov_s	r13,16	;3
	add r6,sp,28
	add_s r14,sp,32 ;3
	mov_s	r15,r6	;4
	mov	lp_count,r13	;5
	lp	@.L21	; lp_count:@.L2->@.L21
	.align 2
.L2:
	ldb	r4,[r1]
	ldb_s	r12,[r1,1]
	ldb_s	r3,[r1,2]
	ldb_s	r2,[r1,3]
	asl_s	r12,r12,8
	asl_s	r3,r3,16
	or	r12,r12,r4
	asl_s	r2,r2,24
	or_s	r3,r3,r12
	or_s	r2,r2,r3
	swape r2, r2
	st.a	r2,[r15,4]	;26
	add_s r1,r1,4 ;1
	.align 2
.L21:
	; ZOL_END, begins @.L2
	ld	r8,[sp,68]	;23
	ld	r7,[sp,72]	;23
	ld	r5,[sp,76]	;23
	ld	r4,[sp,80]	;23
	ld_s	r1,[sp,84]		;15
	ld_s	r13,[sp,88]		;15
	ld_s	r2,[sp,92]		;15
	ld_s	r12,[sp,32]		;15
	mov_s	r15,48	;3
	mov	lp_count,r15	;5
	lp	@.L20	; lp_count:@.L3->@.L20
	.align 2
.L3:
	mov_s	r10,r12	;4
	ld.a	r12,[r14,4]	;23
	mov_s	r9,r2	;4
	ror	r3,r13,17
	ror	r17,r13,19
	lsr r11,r13,10
	ror	r2,r12,7
	ror	r18,r12,18
	lsr r16,r12,3
	xor r2,r2,r18
	xor r3,r3,r17
	xor r2,r2,r16
	xor r3,r3,r11
	add_s r2,r2,r3 ;1
	add_s r2,r2,r10 ;1
	add_s r2,r2,r8 ;1
	st_s	r2,[r14,60]		;16
	mov_s	r8,r7	;4
	mov_s	r7,r5	;4
	mov_s	r5,r4	;4
	mov_s	r4,r1	;4
	mov_s	r1,r13	;4
	mov_s	r13,r9	;4
	.align 2
.L20:
	; ZOL_END, begins @.L3
	sub r10,r0,4
	mov_s	r11,sp	;4
	add_s r0,r0,28 ;1
	mov_s	r12,r11	;4
	mov_s	r3,r10	;4
	mov_s	r2,8	;3
	mov	lp_count,r2	;5
	lp	@.L19	; lp_count:@.L4->@.L19
	.align 2
.L4:
	ld.a	r13,[r3,4]	;23
	st.ab	r13,[r12,4]	;26
	.align 2
.L19:
	; ZOL_END, begins @.L4
	ld_s	r13,[sp,16]		;15
	ld_s	r14,[sp]		;15
	ld	r8,[sp,28]	;23
	ld	r7,[sp,20]	;23
	ld	r4,[sp,24]	;23
	ld_s	r1,[sp,4]		;15
	ld_s	r15,[sp,8]		;15
	mov_s	r5,@K-4	;13
	mov_s	r9,@K+252	;13
	b.d @.L5
	ld	r16,[sp,12]	;23
	.align 4
.L7:
	mov_s	r15,r1	;4
	mov_s	r4,r7	;4
	mov_s	r1,r14	;4
	mov_s	r7,r13	;4
	mov_s	r14,r2	;4
	mov_s	r13,r17	;4
	.align 2
.L5:
	ld.a	r21,[r5,4]	;23
	ld.a	r24,[r6,4]	;23
	and r17,r1,r15
	bic r18,r4,r13    ;;constraint 4
	and r22,r7,r13
	xor r12,r1,r15
	ror	r2,r13,6
	ror	fp,r13,11
	ror	r23,r13,25
	ror	r3,r14,13
	ror	r20,r14,2
	ror	r19,r14,22
	and_s r12,r12,r14
	xor r2,r2,fp
	xor r12,r12,r17
	add r21,r21,r24
	xor r2,r2,r23
	xor r18,r18,r22
	add_s r2,r2,r21 ;1
	xor r3,r3,r20
	add_s r2,r2,r18 ;1
	xor r3,r3,r19
	add_s r2,r2,r8 ;1
	add_s r3,r3,r12 ;1
	add r17,r16,r2
	mov_s	r8,r4	;4
	add_s r2,r2,r3 ;1
	brne.d r9, r5, @.L7
	mov_s	r16,r15	;4
	st	r4,[sp,28]	;26
	st	r7,[sp,24]	;26
	st_s	r13,[sp,20]		;16
	st	r17,[sp,16]	;26
	st_s	r15,[sp,12]		;16
	st_s	r1,[sp,8]		;16
	st_s	r14,[sp,4]		;16
	st_s	r2,[sp]		;16
	sub r2,r0,r10
	sub r2,r2,4
	lsr_s r2,r2,2
	add_s r2,r2,1 ;1
	mov	lp_count,r2	;5
	lp	@.L18	; lp_count:@.L6->@.L18
	.align 2
.L6:
	ld.a	r3,[r10,4]	;23
	ld.ab	r12,[r11,4]	;23
	add_s r3,r3,r12 ;1
	st	r3,[r10]	;26
	.align 2
.L18:
	; ZOL_END, begins @.L6
	add sp,sp,288
	pop_s	r13
	pop_s	r14
	pop_s	r15
	ld.ab	r16,[sp,4]	;23
	ld.ab	r17,[sp,4]	;23
	ld.ab	r18,[sp,4]	;23
	ld.ab	r19,[sp,4]	;23
	ld.ab	r20,[sp,4]	;23
	ld.ab	r21,[sp,4]	;23
	ld.ab	r22,[sp,4]	;23
	ld.ab	r23,[sp,4]	;23
	ld.ab	r24,[sp,4]	;23
	j_s.d	[blink]
	ld.ab	fp,[sp,4]	;23
	.size	block, .-block
	.align 4
	.type	sha256, @function
sha256:
	push_s	blink
	st.a	r19,[sp,-4]	;26
	st.a	r18,[sp,-4]	;26
	st.a	r17,[sp,-4]	;26
	st.a	r16,[sp,-4]	;26
	push_s	r15
	push_s	r14
	push_s	r13
	sub sp,sp,128
	mov_s	r12,@start.0	;13
	mov_s	r14,r2	;4
	and r15,r2,63
	mov_s	r16,r0	;4
	mov_s	r17,r1	;4
	sub r2,r0,4
	mov_s	r3,8	;3
	mov	lp_count,r3	;5
	lp	@.L35	; lp_count:@.L23->@.L35
	.align 2
.L23:
	ld.ab	r13,[r12,4]	;23
	st.a	r13,[r2,4]	;26
	.align 2
.L35:
	; ZOL_END, begins @.L23
	brls r14, 63, @.L24
	mov_s	r13,64	;3
	sub3 r19,r17,8
	mov	r18,64	;6
	.align 2
.L25:
	add r1,r19,r13
	bl.d @block
	mov_s	r0,r16	;4
	add_s r13,r13,r18 ;1
	brls r13, r14, @.L25
	.align 2
.L24:
	sub r2,sp,1
	mov_s	r3,0	;3
	sub_s r1,r14,r15
	.align 2
.L29:
	add_s r12,r1,r3 ;1
	add r13,r17,r12
	seteq r12, r15, r3
	brls.d r15, r3, @.L26
	asl_s	r12,r12,7
	.align 2
.L34:
	ldb_s	r12,[r13]
	add_s r3,r3,1 ;1
	stb.a r12,[r2,1]
	add_s r12,r1,r3 ;1
	add r13,r17,r12
	seteq r12, r15, r3
	brhi.d r15, r3, @.L34
	asl_s	r12,r12,7
	.align 2
.L26:
	stb.a r12,[r2,1]
	add_s r3,r3,1 ;1
	brne r3, 64, @.L29
	asl	r2,r14,11
	lsr_s r14,r14,5
	bmsk_s r14,r14,7
	or_s	r2,r2,r14
	sth 0,[sp,60]
	sth r2,[sp,62]
	mov_s	r1,sp	;4
	bl.d @block
	mov_s	r0,r16	;4
	add sp,sp,128
	ld	blink,[sp,28]	;23
	pop_s	r13
	pop_s	r14
	pop_s	r15
	ld.ab	r16,[sp,4]	;23
	ld.ab	r17,[sp,4]	;23
	ld.ab	r18,[sp,4]	;23
	j_s.d	[blink]
	ld.ab	r19,[sp,8]	;23
	.size	sha256, .-sha256
	.section	.rodata.str1.4,"aMS",@progbits,1
	.align 4
.LC0:
	.string	"abc"
	.align 4
.LC2:
	.string	"data"
	.align 4
.LC1:
	.string	"0123456789abcdef"
	.section	.text.startup,"ax",@progbits
	.align 4
	.global	main
	.type	main, @function
main:
	push_s	blink
	st.a	r16,[sp,-4]	;26
	push_s	r15
	push_s	r14
	push_s	r13
	sub_s sp,sp,104 ;4
	mov_s	r2,3	;3
	mov_s	r0,sp	;4
	mov_s	r1,@.LC0	;13
	bl.d @sha256
	mov_s	r16,sp	;4
	add r15,r16,32
	mov_s r14,32
	.align 2
.L39:
	ld.ab	r0,[r16,4]	;23
	add r13,sp,63
	mov_s	r12,@.LC0	;13
	mov_s	r3,97	;3
	mov_s	r2,0	;3
	.align 2
.L37:
	stb.a r3,[r13,1]
	ldb.a	r3,[r12,1]
	mov_s	r1,r2	;4
	brne.d r3, 0, @.L37
	add_s r2,r2,1 ;1
	add_s r3,sp,64 ;3
	add_s r2,r3,r2 ;1
	stb_s r14,[r2]
	mov_s	r13,28	;3
	mov_s	r12,8	;3
	mov	lp_count,r12	;5
	lp	@.L57	; lp_count:@.L38->@.L57
	.align 2
.L38:
	lsr r3,r0,r13
	bmsk_s r3,r3,3
	ldb	r3,[r3,@.LC1]
	sub r13,r13,4
	stb.a r3,[r2,1]
	.align 2
.L57:
	; ZOL_END, begins @.L38
	add1 r2,sp,37
	add_s r2,r2,r1 ;1
	stb 10,[r2]
	add_s r1,r1,11 ;1
	bl.d @write_text
	add_s r0,sp,64 ;3
	brne r16, r15, @.L39
	mov_s	r12,@data-1	;13
	mov	r2,256	;6
	mov_s	r3,4096	;13
	mov	lp_count,r3	;5
	lp	@.L56	; lp_count:@.L40->@.L56
	.align 2
.L40:
	mpy	r2,r2,1664525
	add_s r2,r2,1013904223
	lsr r13,r2,24
	stb.a r13,[r12,1]
	.align 2
.L56:
	; ZOL_END, begins @.L40
	bl.d @bench_begin
	add r16,sp,32
	mov_s	r2,4096	;13
	mov_s	r1,@data	;13
	bl.d @sha256
	add_s r0,sp,32 ;3
	bl.d @bench_end
	mov_s r15,32
	add r14,r16,32
	.align 2
.L43:
	ld.ab	r0,[r16,4]	;23
	add r13,sp,63
	mov_s	r12,@.LC2	;13
	mov_s	r3,100	;3
	mov_s	r2,0	;3
	.align 2
.L41:
	stb.a r3,[r13,1]
	ldb.a	r3,[r12,1]
	mov_s	r1,r2	;4
	brne.d r3, 0, @.L41
	add_s r2,r2,1 ;1
	add_s r3,sp,64 ;3
	add_s r2,r3,r2 ;1
	stb_s r15,[r2]
	mov_s	r13,28	;3
	mov_s	r12,8	;3
	mov	lp_count,r12	;5
	lp	@.L55	; lp_count:@.L42->@.L55
	.align 2
.L42:
	lsr r3,r0,r13
	bmsk_s r3,r3,3
	ldb	r3,[r3,@.LC1]
	sub r13,r13,4
	stb.a r3,[r2,1]
	.align 2
.L55:
	; ZOL_END, begins @.L42
	add1 r2,sp,37
	add_s r2,r2,r1 ;1
	stb 10,[r2]
	add_s r1,r1,11 ;1
	bl.d @write_text
	add_s r0,sp,64 ;3
	brne r16, r14, @.L43
	mov_s	r0,0	;3
	add_s sp,sp,104 ;3
	ld	blink,[sp,16]	;23
	pop_s	r13
	pop_s	r14
	pop_s	r15
	j_s.d	[blink]
	ld.ab	r16,[sp,8]	;23
	.size	main, .-main
	.section	.rodata
	.align 4
	.type	start.0, @object
	.size	start.0, 32
start.0:
	.word	1779033703
	.word	-1150833019
	.word	1013904242
	.word	-1521486534
	.word	1359893119
	.word	-1694144372
	.word	528734635
	.word	1541459225
	.section	.bss
	.align 4
	.type	data, @object
	.size	data, 4096
data:
	.zero	4096
	.section	.rodata
	.align 4
	.type	K, @object
	.size	K, 256
K:
	.word	1116352408
	.word	1899447441
	.word	-1245643825
	.word	-373957723
	.word	961987163
	.word	1508970993
	.word	-1841331548
	.word	-1424204075
	.word	-670586216
	.word	310598401
	.word	607225278
	.word	1426881987
	.word	1925078388
	.word	-2132889090
	.word	-1680079193
	.word	-1046744716
	.word	-459576895
	.word	-272742522
	.word	264347078
	.word	604807628
	.word	770255983
	.word	1249150122
	.word	1555081692
	.word	1996064986
	.word	-1740746414
	.word	-1473132947
	.word	-1341970488
	.word	-1084653625
	.word	-958395405
	.word	-710438585
	.word	113926993
	.word	338241895
	.word	666307205
	.word	773529912
	.word	1294757372
	.word	1396182291
	.word	1695183700
	.word	1986661051
	.word	-2117940946
	.word	-1838011259
	.word	-1564481375
	.word	-1474664885
	.word	-1035236496
	.word	-949202525
	.word	-778901479
	.word	-694614492
	.word	-200395387
	.word	275423344
	.word	430227734
	.word	506948616
	.word	659060556
	.word	883997877
	.word	958139571
	.word	1322822218
	.word	1537002063
	.word	1747873779
	.word	1955562222
	.word	2024104815
	.word	-2067236844
	.word	-1933114872
	.word	-1866530822
	.word	-1538233109
	.word	-1090935817
	.word	-965641998
	.section	.note.GNU-stack,"",@progbits
