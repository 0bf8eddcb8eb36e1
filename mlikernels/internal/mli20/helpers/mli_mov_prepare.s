	.include "mli.inc"
	.include "check.inc"
	.include "rows.inc"
	.include "mov_rows.inc"

; mli_status mli_mov_prepare(mli_mov_handle_t *h, const mli_tensor *src, const mli_mov_cfg_t *cfg, mli_tensor *dst): describes
; dst and, as there is no DMA, moves the elements at once. dst[j + dst_offset] is src[j * step + offset - padding], of
; the dimension that perm names, and 0 outside of src.
;
; DEVIATION(386): a step of 0 and an axis that does not exist or comes twice are BAD_FUNC_CFG for every type; nothing is
; written, not even the description, when a check fails.
;
; r13 src with its strides spelled out, r14 configuration, r15 dst as it will be, r12 rank, r25 handle

	.equ	F_HANDLE,4
	.equ	F_DST,8			; the caller's dst
	.equ	F_MOVE,12
	.equ	F_OUT,F_MOVE+MOVE_SIZE
	.equ	F_IN,F_OUT+T_SIZE
	.equ	F_SIZE,F_IN+T_SIZE

; COPY_TENSOR at, t: the structure of a tensor into the frame. Clobbers r0 to r2, lp_count.
	.macro	COPY_TENSOR at,t
	add	r0,sp,\at
	mov	r1,\t
	mov	lp_count,T_SIZE/4
	lp	1f
	ld.ab	r2,[r1,4]
	nop
	st.ab	r2,[r0,4]
1:
	.endm

	FUNCTION mli_mov_prepare
	ENTER	F_SIZE
	st	r0,[sp,F_HANDLE]
	st	r3,[sp,F_DST]
	mov	r14,r2
	mov	r15,r3
	mov	r13,r1
	STATUS	BAD_TENSOR
	CHECK_POINTER r13
	CHECK_POINTER r15
	ld	r12,[r13,T_RANK]
	sub	r1,r12,1
	cmp	r1,3
	bhi	.Lfail
	COPY_TENSOR F_IN,r13
	COPY_TENSOR F_OUT,r15
	add	r13,sp,F_IN
	add	r15,sp,F_OUT
; strides of src that are 0 are those without holes
	add2	r1,r13,r12
	mov	r2,1
	mov	lp_count,r12
	lp	1f
	ld	r3,[r1,T_STRIDE-4]
	ld	r4,[r1,T_SHAPE-4]
	cmp	r3,0
	mov.eq	r3,r2
	st	r3,[r1,T_STRIDE-4]
	sub	r1,r1,4
	mpy	r2,r2,r4
1:	CHECK_TENSOR r13
	STATUS	BAD_FUNC_CFG
	CHECK_POINTER r14

; the dimensions
	MOVE_ABSENT r12
	ELEMENT_BYTES r24,r13
	mov	r16,0			; dimension of dst
	mov	r17,0			; axes that came
	mov	r18,-1			; dimension of scales in dst
	mov	r19,1			; no padding, no permutation, no step: a copy
	ld	r20,[r13,T_DIM]
.Ldimension:
	add	r1,r14,r16
	ldb	r2,[r1,MOV_PERM]
	cmp	r2,r12
	bhs	.Lfail
	mov	r3,1
	asl	r3,r3,r2
	and.f	r1,r17,r3
	bne	.Lfail
	or	r17,r17,r3
	cmp	r2,r20
	mov.eq	r18,r16
	cmp	r2,r16
	mov.ne	r19,0
	add2	r3,r14,r2
	add	r4,r14,r2
	add2	r5,r13,r2
	ld	r6,[r3,MOV_STEP]
	ld	r7,[r3,MOV_OFFSET]
	ld	r8,[r3,MOV_EXTENT]
	ldb	r9,[r4,MOV_PAD_PRE]
	ldb	r11,[r4,MOV_PAD_POST]
	cmp	r6,0
	beq	.Lfail
	cmp	r6,1
	mov.ne	r19,0
	or.f	r1,r9,r11
	mov.ne	r19,0
	ld	r1,[r5,T_SHAPE]
	ld	r5,[r5,T_STRIDE]
	mpy	r5,r5,r24
	st	r6,[r10,M_STEP]
	st	r1,[r10,M_LIMIT]
	st	r5,[r10,M_SRC]
	sub	r2,r7,r9
	st	r2,[r10,M_START]
	brne	r8,0,4f
	add	r8,r1,r11
	sub	r8,r8,r2
4:	cmp	r8,0
	ble	.Lfail
	DIVIDE_UP r8,r8,r6
	st	r8,[r10,M_COUNT]
	add2	r3,r14,r16
	add2	r4,r15,r16
	ld	r1,[r3,MOV_DST_OFFSET]
	ld	r2,[r3,MOV_DST_STRIDE]
	add	r8,r8,r1
	st	r8,[r4,T_SHAPE]
	cmp	r2,0
	beq	5f
	st	r2,[r4,T_STRIDE]
5:	add	r10,r10,M_SIZE
	add	r16,r16,1
	cmp	r16,r12
	blo	.Ldimension
; strides of dst that neither the configuration nor dst has are those without holes
	add2	r1,r15,r12
	add	r2,sp,F_MOVE+4*M_SIZE
	mov	r3,1
	mov	r9,1			; dst has no holes
	mov	lp_count,r12
	lp	7f
	sub	r2,r2,M_SIZE
	ld	r4,[r1,T_STRIDE-4]
	ld	r5,[r1,T_SHAPE-4]
	cmp	r4,0
	mov.eq	r4,r3
	st	r4,[r1,T_STRIDE-4]
	cmp	r4,r3
	mov.ne	r9,0
	mpy	r4,r4,r24
	sub	r1,r1,4
	st	r4,[r2,M_DST]
	mpy	r3,r3,r5
7:	ld	r1,[r13,T_TYPE]
	st	r12,[r15,T_RANK]
	st	r1,[r15,T_TYPE]
; what lies behind the rank is 1, and 0
	add2	r1,r15,r12
	rsub.f	lp_count,r12,4
	mov	r2,1
	mov	r3,0
	lpnz	8f
	st	r2,[r1,T_SHAPE]
	st	r3,[r1,T_STRIDE]
	add	r1,r1,4
8:
; a copy between tensors of one shape without holes is all of src, whatever the offsets are
	mov	r22,0			; bytes before the first element of dst
	breq	r19,0,.Lfirst
	breq	r9,0,.Lfirst
	mov	r0,r13
	bl	.Ldense
	breq	r0,0,.Lfirst
	mov	r1,r13
	mov	r2,r15
	mov	lp_count,r12
	lp	9f
	ld	r3,[r1,T_SHAPE]
	ld	r4,[r2,T_SHAPE]
	add	r1,r1,4
	add	r2,r2,4
	cmp	r3,r4
	bne	.Lfirst
9:	add	r1,sp,F_MOVE
	mov	lp_count,4
	mov	r3,0
	lp	10f
	ld	r2,[r1,M_LIMIT]
	st	r3,[r1,M_START]
	st	r2,[r1,M_COUNT]
	add	r1,r1,M_SIZE
10:	b	.Lformat
.Lfirst:
	mov	r1,r14
	mov	r2,r15
	mov	lp_count,r12
	lp	11f
	ld	r3,[r1,MOV_DST_OFFSET]
	ld	r4,[r2,T_STRIDE]
	add	r1,r1,4
	add	r2,r2,4
	mpy	r3,r3,r4
	mpy	r3,r3,r24
	add	r22,r22,r3
11:

; the format; scales along an axis go the way of the elements, to arrays of dst or shared with src
.Lformat:
	ld	r1,[r13,T_TYPE]
	mov	r23,0			; arrays are copied
	bbit0	r1,8,13f
	brlt	r20,0,13f
	ld	r1,[r15,T_SCALE]
	ld	r2,[r13,T_SCALE]
	st	r18,[r15,T_DIM]
	breq	r1,0,12f
	breq	r1,r2,12f
	STATUS	SPEC_PARAM_MISMATCH
	ld	r1,[r15,T_ZERO]
	CHECK_POINTER r1
	ld	r1,[r15,T_SCALE_FRAC]
	CHECK_POINTER r1
	add2	r1,r15,r18
	ld	r1,[r1,T_SHAPE]
	asl	r2,r1,1
	ld	r3,[r15,T_SCALE_CAPACITY]
	cmp	r3,r2
	blo	.Lfail
	ld	r3,[r15,T_ZERO_CAPACITY]
	cmp	r3,r2
	blo	.Lfail
	ld	r3,[r15,T_SCALE_FRAC_CAPACITY]
	cmp	r3,r1
	blo	.Lfail
	mov	r23,1
	b	14f
12:	COPY_FORMAT r15,r13
	st	r18,[r15,T_DIM]
	b	14f
13:	COPY_FORMAT r15,r13
14:	mov	r21,1			; a tensor that lies where it is moved to stays
	ld	r1,[r13,T_DATA]
	ld	r2,[r15,T_DATA]
	brne	r1,r2,17f
	brne	r22,0,17f
	breq	r19,0,17f
	add	r1,sp,F_MOVE
	mov	r0,4
18:	ld	r2,[r1,M_START]
	ld	r3,[r1,M_COUNT]
	ld	r4,[r1,M_LIMIT]
	ld	r5,[r1,M_SRC]
	ld	r6,[r1,M_DST]
	brne	r2,0,17f
	brne	r3,r4,17f
	brne	r5,r6,17f
	add	r1,r1,M_SIZE
	sub.f	r0,r0,1
	bne	18b
	mov	r21,0
	b	19f
17:	CHECK_APART r13,r15
19:
	CALL_CHECK mli_prv_extents,r15
	breq	r23,0,15f
	bl	.Lscales

; nothing can fail any more: dst is described
15:	ld	r0,[sp,F_DST]
	mov	r1,r15
	mov	lp_count,T_SIZE/4
	lp	16f
	ld.ab	r2,[r1,4]
	nop
	st.ab	r2,[r0,4]
16:
	ld	r13,[r13,T_DATA]
	ld	r15,[r15,T_DATA]
	add	r15,r15,r22
	cmp	r21,0
	beq	.Lmoved
	MOVE_ROWS
.Lmoved:
	ld	r0,[sp,F_HANDLE]
	mov	r1,MOV_PREPARED
	breq	r0,0,5f
	st	r1,[r0,HANDLE_STATE]
5:	LEAVE	F_SIZE
	FAIL	F_SIZE

	MOVE_PARTS

; r0 = 1 when tensor r0 of rank r12 has no holes. Clobbers r1 to r4.
	.align	4
.Ldense:
	add2	r1,r0,r12
	mov	r2,1
	mov	r0,0
	mov	lp_count,r12
	lp	1f
	ld	r3,[r1,T_STRIDE-4]
	ld	r4,[r1,T_SHAPE-4]
	sub	r1,r1,4
	cmp	r3,r2
	jne	[blink]
	mpy	r2,r2,r4
1:	j_s.d	[blink]
	mov_s	r0,1

; The arrays of dst along dimension r18: scales, zero points, fractional bits; 1, 0 and 0 in the padding. Clobbers r0 to
; r9, r11.
	.align	4
.Lscales:
	rsub	r1,r12,4
	add	r1,r1,r18
	mpy	r1,r1,M_SIZE
	add	r1,r1,F_MOVE
	add	r1,r1,sp
	ld	r2,[r1,M_START]
	ld	r3,[r1,M_STEP]
	ld	r4,[r1,M_LIMIT]
	ld	r5,[r1,M_COUNT]
	add2	r6,r14,r18
	ld	r6,[r6,MOV_DST_OFFSET]	; place in dst
	brne	r22,0,1f
	breq	r19,0,1f
	add2	r7,r15,r18
	ld	r7,[r7,T_SHAPE]
	cmp	r7,r5
	mov.eq	r6,0			; all of src
1:	mov	r7,1
	mov	r8,0
	mov	r9,0
	cmp	r2,r4
	bhs	2f
	ld	r7,[r13,T_SCALE]
	ld	r8,[r13,T_ZERO]
	ld	r9,[r13,T_SCALE_FRAC]
	ldh.x.as r7,[r7,r2]
	ldh.x.as r8,[r8,r2]
	ldb.x	r9,[r9,r2]
2:	ld	r0,[r15,T_SCALE]
	ld	r1,[r15,T_ZERO]
	ld	r11,[r15,T_SCALE_FRAC]
	add1	r0,r0,r6
	add1	r1,r1,r6
	add	r11,r11,r6
	sth	r7,[r0]
	sth	r8,[r1]
	stb	r9,[r11]
	add	r2,r2,r3
	add	r6,r6,1
	sub.f	r5,r5,1
	bne	1b
	j_s	[blink]
	END	mli_mov_prepare
