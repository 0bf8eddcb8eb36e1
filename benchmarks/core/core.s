	.file	"core.c"
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
	.type	crc16, @function
crc16:
	.align 2
.L3:
	xor r3,r0,r1
	lsr_s r0,r0
	bbit0.d r3,0,@.L2
	lsr_s r1,r1
	xor r0,r0,-24575
	exth_s	r0,r0
	.align 2
.L2:
	sub_s r2,r2,1 ;4
	tst_s r2,r2
	bne_s @.L3
	j_s	[blink]
	.size	crc16, .-crc16
	.align 4
	.type	build, @function
build:
	push_s	r15
	push_s	r14
	push_s	r13
	ld_s	r2,[r0]		;15
	mov_s	r4,@pool	;13
	mov_s	r14,0	;3
	mov_s	r3,r4	;4
	mov_s	r15,0	;3
	mov_s	r13,64	;3
	mov	lp_count,r13	;5
	lp	@.L16	; lp_count:@.L12->@.L16
	.align 2
.L12:
	mpy	r2,r2,1664525
	asl	r1,r14,16
	add_s r2,r2,1013904223
	lsr r12,r2,20
	or_s	r12,r12,r1
	st_s	r12,[r3,4]		;16
	mov_s	r12,r15	;4
	mov_s	r15,r3	;4
	st.ab	r12,[r3,8]	;26
	lsr r1,r2,20
	add_s r14,r14,1 ;1
	.align 2
.L16:
	; ZOL_END, begins @.L12
	st_s	r2,[r0]		;16
	st.as	r12,[r4,126]	;26
	mov_s r2,63
	mov_s	r0,@pool+504	;13
	sth.as r1,[r4,254]
	sth r2,[@pool+510]
	pop_s	r13
	pop_s	r14
	j_s.d	[blink]
	pop_s	r15
	.size	build, .-build
	.align 4
	.type	find, @function
find:
	breq_s r0, 0, @.L21
	.align 2
.L18:
	ldh_s.x	r2,[r0,4]
	cmp_s r2,r1
	jeq_s	[blink]
	ld_s	r0,[r0]		;15
	brne_s r0, 0, @.L18
	.align 2
.L21:
	j_s.d	[blink]
	mov_s	r0,0	;3
	.size	find, .-find
	.align 4
	.type	reverse, @function
reverse:
	tst_s r0,r0
	jeq_s	[blink]
	ld_s	r2,[r0]		;15
	mov_s	r3,0	;3
	st_s	r3,[r0]		;16
	tst_s r2,r2
	jeq.d	[blink]
	mov_s	r3,r0	;4
	.align 2
.L33:
	mov_s	r0,r2	;4
	ld_s	r2,[r0]		;15
	st_s	r3,[r0]		;16
	brne.d r2, 0, @.L33
	mov_s	r3,r0	;4
	j_s	[blink]
	.size	reverse, .-reverse
	.align 4
	.type	sort, @function
sort:
	push_s	blink
	st.a	r21,[sp,-4]	;26
	st.a	r20,[sp,-4]	;26
	st.a	r19,[sp,-4]	;26
	st.a	r18,[sp,-4]	;26
	st.a	r17,[sp,-4]	;26
	st.a	r16,[sp,-4]	;26
	push_s	r15
	push_s	r14
	push_s	r13
	mov_s	r20,1	;4
	mov_s	r17,r0	;4
	breq.d r17, 0, @.L36
	mov_s	r19,r1	;4
	.align 2
.L68:
	mov_s	r18,0	;4
	mov_s	r15,0	;3
	mov_s	r21,1	;4
	.align 2
.L48:
	mov_s	r13,r17	;4
	mov_s	r14,0	;3
	mov_s	r2,r20	;4
	mov	lp_count,r2	;5
	lp	@.L69	; lp_count:@.L38->@.L69
	.align 2
.L38:
	ld_s	r13,[r13]		;15
	breq.d r13, 0, @.L37
	add_s r14,r14,1 ;1
	.align 2
.L69:
	; ZOL_END, begins @.L38
	.align 2
.L37:
	brne.d r14, 0, @.L44
	mov_s	r16,r20	;4
	.align 2
.L65:
	breq r16, 0, @.L45
	breq_s r13, 0, @.L47
	.align 2
.L46:
	mov_s	r2,r13	;4
	add_s r16,r16,-1 ;5
	breq.d r15, 0, @.L51
	ld_s	r13,[r13]		;15
	.align 2
.L66:
	st_s	r2,[r15]		;16
	mov_s	r15,r2	;4
	.align 2
.L67:
	breq_s r14, 0, @.L65
	.align 2
.L44:
	breq r16, 0, @.L42
	breq_s r13, 0, @.L42
	mov_s	r1,r13	;4
	jl.d [r19]
	mov_s	r0,r17	;4
	breq_s r0, 0, @.L46
	.align 2
.L42:
	mov_s	r2,r17	;4
	sub_s r14,r14,1 ;4
	brne.d r15, 0, @.L66
	ld	r17,[r17]	;23
	.align 2
.L51:
	mov_s	r18,r2	;4
	b.d @.L67
	mov_s	r15,r2	;4
	.align 4
.L45:
	breq_s r13, 0, @.L47
	add_s r21,r21,1 ;5
	b.d @.L48
	mov_s	r17,r13	;4
	.align 4
.L47:
	st	0,[r15]	;37
	breq r21, 1, @.L62
	mov_s	r17,r18	;4
	brne.d r17, 0, @.L68
	asl	r20,r20,1
	.align 2
.L36:
	st	0,[0]	;37
	trap_s	5
	.align 4
.L62:
	mov_s	r0,r18	;4
	ld	blink,[sp,36]	;23
	pop_s	r13
	pop_s	r14
	pop_s	r15
	ld.ab	r16,[sp,4]	;23
	ld.ab	r17,[sp,4]	;23
	ld.ab	r18,[sp,4]	;23
	ld.ab	r19,[sp,4]	;23
	ld.ab	r20,[sp,4]	;23
	j_s.d	[blink]
	ld.ab	r21,[sp,8]	;23
	.size	sort, .-sort
	.align 4
	.type	by_key, @function
by_key:
	ldh_s.x	r0,[r0,4]
	ldh_s.x	r2,[r1,4]
	j_s.d	[blink]
	setle r0, r0, r2
	.size	by_key, .-by_key
	.align 4
	.type	by_value, @function
by_value:
	ldh_s.x	r0,[r0,6]
	ldh_s.x	r2,[r1,6]
	j_s.d	[blink]
	setle r0, r0, r2
	.size	by_value, .-by_value
	.align 4
	.type	lists, @function
lists:
	push_s	blink
	st.a	r18,[sp,-4]	;26
	st.a	r17,[sp,-4]	;26
	st.a	r16,[sp,-4]	;26
	push_s	r15
	push_s	r14
	push_s	r13
	mov_s	r14,@pool+4	;13
	mov_s	r16,@pool+516	;13
	bl.d @build;1
	mov_s	r18,r1	;4
	mov_s	r15,0	;3
	mov_s	r13,r0	;4
	b.d @.L76
	mov	r17,1000	;6
	.align 4
.L87:
	ldh_s.x	r2,[r0,6]
	.align 2
.L75:
	mov_s	r0,r13	;4
	bl.d @reverse;1
	add_s r15,r15,r2 ;1
	add_s r14,r14,32 ;1
	breq.d r16, r14, @.L86
	mov_s	r13,r0	;4
	.align 2
.L76:
	ldh_s.x	r1,[r14]
	bl.d @find;1
	mov_s	r0,r13	;4
	brne_s r0, 0, @.L87
	b.d @.L75
	mov_s	r2,r17	;4
	.align 4
.L86:
	mov_s	r1,r15	;4
	mov_s	r2,16	;3
	bl.d @crc16;1
	mov_s	r0,r18	;4
	mov_s	r1,@by_key	;13
	mov_s	r14,r0	;4
	bl.d @sort;1
	mov_s	r0,r13	;4
	mov.f	r15,r0
	beq_s @.L77
	mov_s	r13,r15	;4
	.align 2
.L78:
	ldh_s	r1,[r13,4]
	mov_s	r0,r14	;4
	bl.d @crc16;1
	mov_s	r2,16	;3
	ld_s	r13,[r13]		;15
	brne.d r13, 0, @.L78
	mov_s	r14,r0	;4
	.align 2
.L77:
	mov_s	r1,@by_value	;13
	bl.d @sort;1
	mov_s	r0,r15	;4
	ldh_s	r1,[r0,4]
	mov_s	r2,16	;3
	mov_s	r0,r14	;4
	ld	blink,[sp,24]	;23
	pop_s	r13
	pop_s	r14
	pop_s	r15
	ld.ab	r16,[sp,4]	;23
	ld.ab	r17,[sp,4]	;23
	b.d	@crc16
	ld.ab	r18,[sp,8]	;23
	.size	lists, .-lists
	.align 4
	.type	matrices, @function
matrices:
	push_s	r15
	push_s	r14
	push_s	r13
	mov_s	r6,@a+18	;13
	ld_s	r2,[r0]		;15
	mov_s	r4,r0	;4
	mov_s	r7,@a+218	;13
	mov_s	r0,r1	;4
	mov_s	r12,r6	;4
	mov_s	r1,@b-2	;13
	.align 2
.L89:
	sub r12,r12,20
	mov_s	r13,r1	;4
	mov_s	r3,10	;3
	mov	lp_count,r3	;5
	lp	@.L111	; lp_count:@.L90->@.L111
	.align 2
.L90:
	mpy	r2,r2,1664525
	add_s r2,r2,1013904223
	asr	r14,r2,18
	mpy	r15,r2,1664525
	sth.a r14,[r12,2]
	add r2,r15,1013904223
	asr	r14,r2,18
	sth.a r14,[r13,2]
	.align 2
.L111:
	; ZOL_END, begins @.L90
	add_s r12,r12,20 ;1
	brne.d r12, r7, @.L89
	add_s r1,r1,20 ;1
	st	r2,[r4]	;26
	mov_s	r9,@c-4	;13
	mov_s	r8,@b+20	;13
	.align 2
.L94:
	mov_s	r1,@b	;13
	mov_s	r5,r9	;4
	sub r4,r6,20
	.align 2
.L93:
	sub r3,r6,r4
	mov_s	r14,r4	;4
	sub r3,r3,2
	mov_s	r13,r1	;4
	lsr_s r3,r3
	mov_s	r12,0	;3
	add_s r3,r3,1 ;1
	mov	lp_count,r3	;5
	lp	@.L110	; lp_count:@.L92->@.L110
	.align 2
.L92:
	ldh.a	r2,[r14,2]
	ldh.ab	r15,[r13,20]
	mpyw_s r2,r2,r15
	add_s r12,r12,r2 ;1
	.align 2
.L110:
	; ZOL_END, begins @.L92
	add_s r1,r1,2 ;1
	brne.d r1, r8, @.L93
	st.a	r12,[r5,4]	;26
	add r6,r6,20
	brne.d r6, r7, @.L94
	add r9,r9,40
	mov_s	r13,@c+36	;13
	mov_s	r4,@a-2	;13
	mov_s	r5,@c+436	;13
	mov_s	r1,0	;3
	.align 2
.L95:
	sub r13,r13,40
	mov_s	r12,r4	;4
	mov_s	r3,10	;3
	mov	lp_count,r3	;5
	lp	@.L109	; lp_count:@.L97->@.L109
	.align 2
.L97:
	ld.a	r2,[r13,4]	;23
	mov_s	r14,10	;3
	mpy	r2,r2,3
	brgt r2, 4096, @.L96
	setgt r14, r2, 0
	.align 2
.L96:
	ldh.a	r15,[r12,2]
	asr_s	r2,r2,8
	bmsk_s r2,r2,6
	add_s r2,r2,r15 ;1
	sexh_s	r2,r2
	sth_s r2,[r12]
	add_s r1,r14,r1 ;1
	add_s r1,r2,r1 ;1
	.align 2
.L109:
	; ZOL_END, begins @.L97
	add_s r13,r13,40 ;1
	brne.d r5, r13, @.L95
	add r4,r4,20
	mov_s	r2,32	;3
	pop_s	r13
	pop_s	r14
	b.d	@crc16
	pop_s	r15
	.size	matrices, .-matrices
	.align 4
	.type	scan, @function
scan:
	push_s	r14
	push_s	r13
	ld_s	r12,[r0]		;15
	mov_s	r13,r0	;4
	ldb_s	r3,[r12]
	breq.d r3, 0, @.L114
	mov_s	r0,0	;3
	.align 2
.L113:
	cmp_s r3,44
	beq_s @.L138
	sub r2,r3,48
	brls.d r0, 6, @.L195
	extb_s	r2,r2
	ldb.a	r3,[r12,1]
	brne.d r3, 0, @.L113
	mov_s	r0,7	;3
	.align 2
.L114:
	st_s	r12,[r13]		;16
	.align 2
.L199:
	pop_s	r13
	j_s.d	[blink]
	pop_s	r14
	.align 4
.L195:
	ld.as	r14,[@.L117,r0]
	j_s [r14]
	.section	.rodata
	.align 4
.L117:
	.word .L123
	.word .L122
	.word .L121
	.word .L120
	.word .L119
	.word .L118
	.word .L116
	.section	.text
	.align 4
.L123:
	cmp_s r2,9
	bls @.L124
	breq r3, 45, @.L125
	breq r3, 46, @.L126
	breq r3, 43, @.L125
	.align 2
.L130:
	add2	r3,r1,r0
	ld_s	r2,[r3]		;15
	mov_s	r0,7	;3
	add_s r2,r2,1 ;1
	st_s	r2,[r3]		;16
	.align 2
.L196:
	ldb.a	r3,[r12,1]
	brne_s r3, 0, @.L113
	b.d @.L199
	st_s	r12,[r13]		;16
	.align 4
.L125:
	ld_s	r2,[r1]		;15
	add_s r2,r2,1 ;1
	st_s	r2,[r1]		;16
	ldb.a	r3,[r12,1]
	tst_s r3,r3
	beq_s @.L149
	cmp_s r3,44
	beq_s @.L150
	sub r2,r3,48
	extb_s	r2,r2
	.align 2
.L122:
	brls r2, 9, @.L128
	cmp_s r3,46
	beq_s @.L129
	mov_s	r0,1	;3
	add2	r3,r1,r0
	ld_s	r2,[r3]		;15
	mov_s	r0,7	;3
	add_s r2,r2,1 ;1
	b.d @.L196
	st_s	r2,[r3]		;16
	.align 4
.L126:
	ld_s	r2,[r1]		;15
	add_s r2,r2,1 ;1
	st_s	r2,[r1]		;16
	ldb.a	r2,[r12,1]
	tst_s r2,r2
	beq_s @.L159
	.align 2
.L183:
	cmp_s r2,44
	beq_s @.L160
	sub r2,r2,48
	extb_s	r2,r2
	.align 2
.L120:
	cmp_s r2,9
	bhi.d @.L130
	mov.hi r0,3
	ld_s	r2,[r1,12]		;15
	add_s r2,r2,1 ;1
	st_s	r2,[r1,12]		;16
	ldb.a	r3,[r12,1]
	tst_s r3,r3
	beq_s @.L167
	.align 2
.L191:
	cmp_s r3,44
	beq_s @.L168
	sub r2,r3,48
	extb_s	r2,r2
	.align 2
.L119:
	brls r2, 9, @.L143
	brne r3, 101, @.L197
	ld_s	r2,[r1,16]		;15
	add_s r2,r2,1 ;1
	st_s	r2,[r1,16]		;16
	ldb.a	r3,[r12,1]
	tst_s r3,r3
	beq_s @.L163
	.align 2
.L187:
	cmp_s r3,44
	beq_s @.L164
	sub r2,r3,48
	extb_s	r2,r2
	.align 2
.L118:
	brls r2, 9, @.L135
	breq r3, 45, @.L135
	mov_s	r0,5	;3
	add2	r3,r1,r0
	ld_s	r2,[r3]		;15
	mov_s	r0,7	;3
	add_s r2,r2,1 ;1
	b.d @.L196
	st_s	r2,[r3]		;16
	.align 4
.L135:
	ld_s	r2,[r1,20]		;15
	add_s r2,r2,1 ;1
	st_s	r2,[r1,20]		;16
	ldb.a	r2,[r12,1]
	breq r2, 0, @.L161
	breq r2, 44, @.L162
	sub r2,r2,48
	extb_s	r2,r2
	.align 2
.L116:
	brhi.d r2, 9, @.L130
	mov_s	r0,6	;3
	ldb.a	r3,[r12,1]
	tst_s r3,r3
	bne_s @.L113
	b.d @.L199
	st_s	r12,[r13]		;16
	.align 4
.L128:
	ld_s	r2,[r1,4]		;15
	add_s r2,r2,1 ;1
	st_s	r2,[r1,4]		;16
	ldb.a	r3,[r12,1]
	breq_s r3, 0, @.L165
	.align 2
.L189:
	breq r3, 44, @.L166
	sub r2,r3,48
	extb_s	r2,r2
	.align 2
.L121:
	brls r2, 9, @.L142
	breq r3, 46, @.L131
	breq r3, 101, @.L132
	mov_s	r0,2	;3
	add2	r3,r1,r0
	ld_s	r2,[r3]		;15
	mov_s	r0,7	;3
	add_s r2,r2,1 ;1
	b.d @.L196
	st_s	r2,[r3]		;16
	.align 4
.L124:
	ld_s	r2,[r1]		;15
	add_s r2,r2,1 ;1
	st_s	r2,[r1]		;16
	ldb.a	r3,[r12,1]
	brne_s r3, 0, @.L189
	.align 2
.L165:
	b.d @.L114
	mov_s	r0,2	;3
	.align 4
.L143:
	ldb.a	r3,[r12,1]
	tst_s r3,r3
	bne.d @.L113
	mov_s	r0,4	;3
	b.d @.L199
	st_s	r12,[r13]		;16
	.align 4
.L142:
	ldb.a	r3,[r12,1]
	tst_s r3,r3
	bne.d @.L113
	mov_s	r0,2	;3
	b.d @.L199
	st_s	r12,[r13]		;16
	.align 4
.L166:
	mov_s	r0,2	;3
	.align 2
.L138:
	add_s r12,r12,1 ;1
	.align 2
.L198:
	st_s	r12,[r13]		;16
	pop_s	r13
	j_s.d	[blink]
	pop_s	r14
	.align 4
.L197:
	mov_s	r0,4	;3
	add2	r3,r1,r0
	ld_s	r2,[r3]		;15
	mov_s	r0,7	;3
	add_s r2,r2,1 ;1
	b.d @.L196
	st_s	r2,[r3]		;16
	.align 4
.L129:
	ld_s	r2,[r1,4]		;15
	add_s r2,r2,1 ;1
	st_s	r2,[r1,4]		;16
	ldb.a	r2,[r12,1]
	tst_s r2,r2
	bne_s @.L183
	.align 2
.L159:
	b.d @.L114
	mov_s	r0,3	;3
	.align 4
.L131:
	ld_s	r2,[r1,8]		;15
	add_s r2,r2,1 ;1
	st_s	r2,[r1,8]		;16
	ldb.a	r3,[r12,1]
	tst_s r3,r3
	bne_s @.L191
	.align 2
.L167:
	b.d @.L114
	mov_s	r0,4	;3
	.align 4
.L132:
	ld_s	r2,[r1,8]		;15
	add_s r2,r2,1 ;1
	st_s	r2,[r1,8]		;16
	ldb.a	r3,[r12,1]
	tst_s r3,r3
	bne_s @.L187
	.align 2
.L163:
	b.d @.L114
	mov_s	r0,5	;3
	.align 4
.L161:
	b.d @.L114
	mov_s	r0,6	;3
	.align 4
.L162:
	mov_s	r0,6	;3
	b.d @.L198
	add_s r12,r12,1 ;1
	.align 4
.L168:
	mov_s	r0,4	;3
	b.d @.L198
	add_s r12,r12,1 ;1
	.align 4
.L160:
	mov_s	r0,3	;3
	b.d @.L198
	add_s r12,r12,1 ;1
	.align 4
.L164:
	mov_s	r0,5	;3
	b.d @.L198
	add_s r12,r12,1 ;1
	.align 4
.L150:
	mov_s	r0,1	;3
	b.d @.L198
	add_s r12,r12,1 ;1
	.align 4
.L149:
	b.d @.L114
	mov_s	r0,1	;3
	.size	scan, .-scan
	.align 4
	.type	machine, @function
machine:
	push_s	blink
	st.a	r16,[sp,-4]	;26
	push_s	r15
	push_s	r14
	push_s	r13
	sub_s sp,sp,68 ;4
	mov_s	r14,@text-1	;13
	mov_s	r13,r0	;4
	mov_s	r15,r1	;4
	mov_s	r12,159	;3
	mov	lp_count,r12	;5
	lp	@.L217	; lp_count:@.L201->@.L217
	.align 2
.L201:
	ld_s	r2,[r13]		;15
	mpy	r2,r2,1664525
	add_s r2,r2,1013904223
	lsr r3,r2,16
	remu r3, r3, 19
	st_s	r2,[r13]		;16
	ldb	r2,[r3,@letters.0]
	stb.a r2,[r14,1]
	.align 2
.L217:
	; ZOL_END, begins @.L201
	stb 0,[@text+159]
	add r16,sp,36
	add_s r13,sp,4 ;3
	mov_s	r3,r16	;4
	mov_s	r12,r13	;4
	mov_s	r2,8	;3
	mov	lp_count,r2	;5
	lp	@.L216	; lp_count:@.L202->@.L216
	.align 2
.L202:
	st.ab	0,[r3,4]	;37
	st.ab	0,[r12,4]	;37
	.align 2
.L216:
	; ZOL_END, begins @.L202
	mov_s	r2,@text	;13
	ldb_s	r3,[r2]
	breq.d r3, 0, @.L203
	st_s	r2,[sp]		;16
	.align 2
.L204:
	add_s r1,sp,4 ;3
	bl.d @scan;1
	mov_s	r0,sp	;4
	ld_s	r12,[sp]		;15
	add_s r2,sp,68 ;3
	add2_s	r2,r2,r0
	ld	r3,[r2,-32]	;23
	ldb_s	r12,[r12]
	add_s r3,r3,1 ;1
	brne.d r12, 0, @.L204
	st	r3,[r2,-32]	;26
	.align 2
.L203:
	add_s r14,sp,36 ;3
	.align 2
.L205:
	ld.ab	r1,[r13,4]	;23
	mov_s	r2,16	;3
	bl.d @crc16;1
	mov_s	r0,r15	;4
	ld.ab	r1,[r16,4]	;23
	bl.d @crc16;1
	mov_s	r2,16	;3
	brne.d r14, r13, @.L205
	mov_s	r15,r0	;4
	add_s sp,sp,68 ;3
	ld	blink,[sp,16]	;23
	pop_s	r13
	pop_s	r14
	pop_s	r15
	j_s.d	[blink]
	ld.ab	r16,[sp,8]	;23
	.size	machine, .-machine
	.section	.rodata.str1.4,"aMS",@progbits,1
	.align 4
.LC0:
	.string	"crc"
	.align 4
.LC1:
	.string	"0123456789abcdef"
	.section	.text.startup,"ax",@progbits
	.align 4
	.global	main
	.type	main, @function
main:
	push_s	blink
	push_s	r14
	push_s	r13
	sub_s sp,sp,44 ;4
	mov_s	r2,66	;3
	bl.d @bench_begin
	st_s	r2,[sp]		;16
	mov_s	r13,10	;3
	mov_s	r1,0	;3
	.align 2
.L219:
	bl.d @lists;1
	mov_s	r0,sp	;4
	mov_s	r1,r0	;4
	bl.d @matrices;1
	mov_s	r0,sp	;4
	mov_s	r1,r0	;4
	bl.d @machine;1
	mov_s	r0,sp	;4
	add.f	r13,r13,-1
	bne.d @.L219
	mov_s	r1,r0	;4
	bl.d @bench_end
	mov_s	r14,r0	;4
	add r12,sp,3
	mov_s	r3,@.LC0	;13
	mov_s	r2,99	;3
	mov_s	r1,r14	;4
	.align 2
.L220:
	stb.a r2,[r12,1]
	ldb.a	r2,[r3,1]
	mov_s	r14,r13	;4
	brne.d r2, 0, @.L220
	add_s r13,r13,1 ;1
	add_s r2,sp,4 ;3
	add_s r13,r2,r13 ;1
	mov_s r2,32
	stb_s r2,[r13]
	mov_s	r12,28	;3
	mov_s	r3,8	;3
	mov	lp_count,r3	;5
	lp	@.L227	; lp_count:@.L221->@.L227
	.align 2
.L221:
	lsr r2,r1,r12
	bmsk_s r2,r2,3
	ldb	r2,[r2,@.LC1]
	sub r12,r12,4
	stb.a r2,[r13,1]
	.align 2
.L227:
	; ZOL_END, begins @.L221
	add_s r1,r14,44 ;6
	add r2,r1,sp
	add_s r0,sp,4 ;3
	stb 10,[r2,-30]
	bl.d @write_text
	add_s r1,r14,11 ;6
	mov_s	r0,0	;3
	add_s sp,sp,44 ;3
	ld	blink,[sp,8]	;23
	pop_s	r13
	j_s.d	[blink]
	ld.ab	r14,[sp,8]	;23
	.size	main, .-main
	.section	.rodata
	.align 4
	.type	letters.0, @object
	.size	letters.0, 20
letters.0:
	.string	"0123456789+-.e,,,x7"
	.section	.bss
	.align 4
	.type	text, @object
	.size	text, 160
text:
	.zero	160
	.align 4
	.type	c, @object
	.size	c, 400
c:
	.zero	400
	.align 2
	.type	b, @object
	.size	b, 200
b:
	.zero	200
	.align 2
	.type	a, @object
	.size	a, 200
a:
	.zero	200
	.align 4
	.type	pool, @object
	.size	pool, 512
pool:
	.zero	512
	.section	.note.GNU-stack,"",@progbits
