	.include "mli.inc"
	.include "check.inc"
	.include "point.inc"

; Descriptions of parts of tensors. No element is copied.

; SKIP at, capacity, bytes: the array of tensor r2 begins r3 entries further on. Clobbers r0, r1.
	.macro	SKIP	at,capacity,bytes
	ld	r0,[r2,\at]
	ld	r1,[r2,\capacity]
	.if	\bytes == 2
	add1	r0,r0,r3
	sub	r1,r1,r3
	.else
	add	r0,r0,r3
	.endif
	sub	r1,r1,r3
	st	r0,[r2,\at]
	st	r1,[r2,\capacity]
	.endm

; mli_status mli_hlp_create_subtensor(const mli_tensor *in, const mli_sub_tensor_cfg *cfg, mli_tensor *out): out describes
; a box of in. Dimensions of one element are dropped, outermost first, until the rank is the wanted one. Scales along an
; axis begin at the box as well.
;
; r12 in, r1 configuration, r2 out; r3 wanted rank, r4 dimensions still to drop, r9 offset in elements, r11 rank
	FUNCTION mli_hlp_create_subtensor
	mov	r12,r0
	mov	r9,r1
	mov	r10,r2
	st.aw	blink,[sp,-4]
	bl	mli_prv_tensor
	ld.ab	blink,[sp,4]
	mov	r1,r9
	mov	r2,r10
	cmp	r0,0
	jne	[blink]
	mov	r0,BAD_TENSOR
	cmp	r2,0
	jeq_s	[blink]
	mov	r0,BAD_FUNC_CFG
	cmp	r1,0
	jeq_s	[blink]
	ld	r11,[r12,T_RANK]
	ld	r3,[r1,SUB_RANK]
	cmp	r3,0
	jeq_s	[blink]
	cmp	r3,r11
	jhi	[blink]
; the box lies inside, and there are enough dimensions of one element
	sub	r4,r11,r3
	mov	r5,r1
	mov	r6,r12
	mov	r9,0
	mov	lp_count,r11
	lp	1f
	ld	r7,[r5,SUB_EXTENT]
	ld.ab	r8,[r5,4]
	ld	r10,[r6,T_SHAPE]
	cmp	r7,0
	jeq	[blink]
	cmp	r8,r10
	jhs	[blink]
	sub	r10,r10,r8
	cmp	r7,r10
	jhi	[blink]
	cmp	r7,1
	sub.eq	r4,r4,1
	ld	r10,[r6,T_STRIDE]
	add	r6,r6,4
	mpy	r8,r8,r10
	add	r9,r9,r8
1:	cmp	r4,0
	jgt	[blink]

	st.aw	r13,[sp,-4]
	st.aw	r14,[sp,-4]
	st.aw	r15,[sp,-4]
	sub	r4,r11,r3
	mov	r5,r1
	mov	r6,r12
	mov	r8,r2
	ld	r13,[r12,T_DIM]
	mov	r14,-1			; the dimension of scales in out
	mov	r15,0			; dimensions kept
	mov	r0,0			; dimensions seen
2:	ld	r7,[r5,SUB_EXTENT]
	ld	r10,[r6,T_STRIDE]
	add	r5,r5,4
	add	r6,r6,4
	cmp	r7,1
	bne	3f
	cmp	r4,0
	beq	3f
	sub	r4,r4,1
	b	4f
3:	cmp	r0,r13
	mov.eq	r14,r15
	st	r7,[r8,T_SHAPE]
	st	r10,[r8,T_STRIDE]
	add	r8,r8,4
	add	r15,r15,1
4:	add	r0,r0,1
	brlo	r0,r11,2b
	ld	r5,[r12,T_TYPE]
	st	r3,[r2,T_RANK]
	st	r5,[r2,T_TYPE]
	bmsk	r4,r5,5
	lsr	r4,r4,3
	mpy	r9,r9,r4
	ld	r6,[r12,T_DATA]
	ld	r7,[r12,T_CAPACITY]
	add	r6,r6,r9
	sub	r7,r7,r9
	st	r6,[r2,T_DATA]
	st	r7,[r2,T_CAPACITY]
	mov	r3,r1
	COPY_FORMAT r2,r12
	bbit0	r5,8,5f
	cmp	r13,0
	blt	5f
	add2	r3,r3,r13
	ld	r3,[r3]
	st	r14,[r2,T_DIM]
	SKIP	T_ZERO,T_ZERO_CAPACITY,2
	SKIP	T_SCALE,T_SCALE_CAPACITY,2
	SKIP	T_SCALE_FRAC,T_SCALE_FRAC_CAPACITY,1
5:	ld.ab	r15,[sp,4]
	ld.ab	r14,[sp,4]
	ld.ab	r13,[sp,4]
	j_s.d	[blink]
	mov_s	r0,OK
	END	mli_hlp_create_subtensor

; mli_status mli_hlp_point_to_subtensor(const mli_tensor *in, const mli_point_to_subtsr_cfg *cfg, mli_tensor *out): out
; describes what starts at the given coordinates of the first dimensions of a tensor without holes. The last of these
; becomes the first dimension of out; the dimensions inside follow. Strides are not written.
;
; r12 in, r1 configuration, r2 out, r11 rank; r3 and r9 are POINT_WALK's
	FUNCTION mli_hlp_point_to_subtensor
	mov	r12,r0
	mov	r0,BAD_TENSOR
	cmp	r12,0
	jeq_s	[blink]
	cmp	r2,0
	jeq_s	[blink]
	ld	r5,[r12,T_DATA]
	ld	r11,[r12,T_RANK]
	cmp	r5,0
	jeq_s	[blink]
	sub	r5,r11,1
	cmp	r5,3
	jhi	[blink]
	mov	r0,BAD_FUNC_CFG
	cmp	r1,0
	jeq_s	[blink]
	POINT_WALK
	st	r5,[r2,T_SHAPE]
	mov	r10,r5			; elements of out
	sub	r5,r11,r3
	add	r6,r5,1
	st	r6,[r2,T_RANK]
	mov	r8,r2
	breq	r5,0,3f
2:	ld	r6,[r7,T_SHAPE]
	add	r7,r7,4
	add	r8,r8,4
	mpy	r9,r9,r6
	mpy	r10,r10,r6
	sub	r5,r5,1
	st	r6,[r8,T_SHAPE]
	brne	r5,0,2b
3:	ld	r5,[r12,T_TYPE]
	ld	r6,[r12,T_DATA]
	st	r5,[r2,T_TYPE]
	bmsk	r4,r5,5
	lsr	r4,r4,3
	mpy	r9,r9,r4
	mpy	r10,r10,r4
	add	r6,r6,r9
	st	r6,[r2,T_DATA]
	st	r10,[r2,T_CAPACITY]
	COPY_FORMAT r2,r12
	j_s.d	[blink]
	mov_s	r0,OK
	END	mli_hlp_point_to_subtensor
