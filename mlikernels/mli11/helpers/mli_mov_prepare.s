; mli_mov_prepare of MLI 1.1. There is no DMA engine, so a move is done when it has been prepared (moves.inc).
;
; DEVIATION(361): where both shapes are equal and neither tensor has holes MLI 1.1 copies one block, whatever offsets and
; permutation say; this does what they say. What is wrong with a call is a status, as in kernels.

	.include "hlp.inc"

	.equ	MOV_PREPARED,2

; The frame of a move: a record for each dimension of the output, the last one innermost, and the strides of the source.
	.equ	M_N,0			; elements
	.equ	M_POS,4			; position in the source of the first of them
	.equ	M_STEP,8		; positions from one to the next
	.equ	M_LIMIT,12		; positions that the source has
	.equ	M_FROM,16		; bytes from position to position
	.equ	M_TO,20			; bytes from element to element of the output
	.equ	M_RECORD,24
	.equ	M_STRIDES,4*M_RECORD
	.equ	M_FRAME,M_STRIDES+16

; mli_status mli_mov_prepare(mli_mov_handle_t *h, const mli_tensor *src, const mli_mov_cfg_t *cfg, mli_tensor *dst)
;
; r11 handle, r12 src, r1 configuration, r2 dst, r3 rank, r4 bytes of an element as a shift
	FUNCTION mli_mov_prepare
	mov	r11,r0
	mov	r12,r1
	mov	r1,r2
	mov	r2,r3
	mov	r0,ARGUMENT_ERROR
	cmp	r11,0
	jeq_s	[blink]
	STATUS	BAD_TENSOR
	CHECK_TENSORS2 r12,r2
	STATUS	BAD_FUNC_CFG
	cmp	r1,0
	jeq_s	[blink]
	STATUS	SHAPE_MISMATCH
	ld	r3,[r12,T_RANK]
	sub	r5,r3,1
	cmp	r5,3
	jhi	[blink]
	STATUS	TYPE_MISMATCH
	ld	r5,[r12,T_TYPE]
	mov	r4,0
	cmp	r5,EL_ASYM_I32
	jhi	[blink]
	mov.eq	r4,2
	cmp	r5,EL_FX_16
	mov.eq	r4,1
	enter_s	[r13-r25,blink]
	sub	sp,sp,M_FRAME

; dimensions that the tensors do not have: one element
	mov	r5,1
	mov	r6,0
	mov	r7,sp
	mov	lp_count,4
	lp	1f
	st	r5,[r7,M_N]
	st	r6,[r7,M_POS]
	st	r5,[r7,M_STEP]
	st	r5,[r7,M_LIMIT]
	st	r6,[r7,M_FROM]
	st	r6,[r7,M_TO]
	add	r7,r7,M_RECORD
1:
; strides of the source
	add2	r13,r12,r3
	add	r14,sp,M_STRIDES
	add2	r14,r14,r3
	mov	r5,1
	mov	lp_count,r3
	lp	2f
	sub	r13,r13,4
	sub	r14,r14,4
	ld	r6,[r13,T_STRIDE]
	ld	r7,[r13,T_SHAPE]
	cmp	r6,0
	mov.ne	r5,r6
	st	r5,[r14]
	mpy	r5,r5,r7
2:
; each dimension of the output: r14 its record, r15 its number, r16 the dimension of the source
	rsub	r14,r3,4
	mpy	r14,r14,M_RECORD
	add	r14,r14,sp
	mov	r15,0
.Ldimension:
	STATUS	BAD_FUNC_CFG
	add	r5,r1,r15
	ldb	r16,[r5,MOV_PERM]
	cmp	r16,r3
	bhs	.Lfail
	add2	r17,r1,r16
	add2	r18,r12,r16
	add	r19,r1,r16
	ld	r5,[r17,MOV_STEP]
	ld	r6,[r17,MOV_EXTENT]
	ld	r7,[r17,MOV_OFFSET]
	ld	r8,[r18,T_SHAPE]
	ldb	r9,[r19,MOV_PAD_PRE]
	ldb	r10,[r19,MOV_PAD_POST]
	cmp	r5,0
	beq	.Lfail
	st	r5,[r14,M_STEP]
	st	r8,[r14,M_LIMIT]
	sub	r7,r7,r9
	st	r7,[r14,M_POS]
	cmp	r6,0
	bne	3f
	add	r6,r8,r5
	sub	r6,r6,1
	divu	r6,r6,r5
	add	r6,r6,r9
	add	r6,r6,r10
3:	STATUS	SHAPE_MISMATCH
	cmp	r6,0
	beq	.Lfail
	st	r6,[r14,M_N]
	add2	r5,sp,r16
	ld	r5,[r5,M_STRIDES]
	asl	r5,r5,r4
	st	r5,[r14,M_FROM]
	add	r15,r15,1
	add	r14,r14,M_RECORD
	brne	r15,r3,.Ldimension

; strides of the output, innermost first: r5 the one without holes, r17 elements up to the last, r18 what does not fit
	STATUS	NOT_ENGH_MEM
	mov	r5,1
	mov	r17,1
	mov	r18,0
	mov	r19,0			; elements before the first
4:	sub	r15,r15,1
	sub	r14,r14,M_RECORD
	add2	r6,r1,r15
	add2	r7,r2,r15
	ld	r8,[r6,MOV_DST_STRIDE]
	ld	r9,[r6,MOV_DST_OFFSET]
	ld	r10,[r7,T_STRIDE]
	cmp	r8,0
	mov.eq	r8,r10
	cmp	r8,0
	mov.eq	r8,r5
	ld	r10,[r14,M_N]
	st	r8,[r14,M_TO]
	mpy	r20,r9,r8
	mpymu	r21,r9,r8
	add	r19,r19,r20
	or	r18,r18,r21
	sub	r20,r10,1
	add	r20,r20,r9
	mpymu	r21,r20,r8
	mpy	r20,r20,r8
	or	r18,r18,r21
	lsr	r21,r20,28
	add	r17,r17,r20
	or	r18,r18,r21
	mpymu	r21,r5,r10
	mpy	r5,r5,r10
	or	r18,r18,r21
	brne	r15,0,4b
	cmp	r18,0
	bne	.Lfail
	asl	r17,r17,r4
	ld	r5,[r2,T_CAPACITY]
	cmp	r5,r17
	blo	.Lfail

; the output as a tensor
	mov	r6,0
	st	r6,[r2,T_STRIDE]
	st	r6,[r2,T_STRIDE+4]
	st	r6,[r2,T_STRIDE+8]
	st	r6,[r2,T_STRIDE+12]
	mov	r7,r2
	mov	lp_count,r3
	lp	5f
	ld	r5,[r14,M_N]
	ld	r6,[r14,M_TO]
	st	r5,[r7,T_SHAPE]
	st	r6,[r7,T_STRIDE]
	asl	r6,r6,r4
	st	r6,[r14,M_TO]
	add	r14,r14,M_RECORD
	add	r7,r7,4
5:	ld	r5,[r12,T_TYPE]
	st	r3,[r2,T_RANK]
	st	r5,[r2,T_TYPE]
	COPY_FORMAT r2,r12,r5,r6
	mov	r5,MOV_PREPARED
	st	r5,[r11,HANDLE_STATE]

; r14 source; r15, r18, r21 elements left; r16, r19, r22 positions; r17, r20, r23 output, of the outer dimensions;
; r24 output, r13 source of a row, r2 0 when the row lies outside
	ld	r14,[r12,T_DATA]
	ld	r17,[r2,T_DATA]
	asl	r19,r19,r4
	add	r17,r17,r19
	ld	r15,[sp,M_N]
	ld	r16,[sp,M_POS]
.Lfirst_dimension:
	ld	r18,[sp,M_RECORD+M_N]
	ld	r19,[sp,M_RECORD+M_POS]
	mov	r20,r17
.Lsecond_dimension:
	ld	r21,[sp,2*M_RECORD+M_N]
	ld	r22,[sp,2*M_RECORD+M_POS]
	mov	r23,r20
.Lthird_dimension:
	ld	r5,[sp,M_LIMIT]
	ld	r6,[sp,M_FROM]
	mov	r2,1
	cmp	r16,r5
	mov.hs	r2,0
	mpy	r13,r16,r6
	ld	r5,[sp,M_RECORD+M_LIMIT]
	ld	r6,[sp,M_RECORD+M_FROM]
	cmp	r19,r5
	mov.hs	r2,0
	mpy	r6,r19,r6
	add	r13,r13,r6
	ld	r5,[sp,2*M_RECORD+M_LIMIT]
	ld	r6,[sp,2*M_RECORD+M_FROM]
	cmp	r22,r5
	mov.hs	r2,0
	mpy	r6,r22,r6
	add	r13,r13,r6
	add	r13,r13,r14
	mov	r24,r23
	ld	r0,[sp,3*M_RECORD+M_N]
	ld	r8,[sp,3*M_RECORD+M_POS]
	ld	r1,[sp,3*M_RECORD+M_STEP]
	ld	r3,[sp,3*M_RECORD+M_LIMIT]
	ld	r6,[sp,3*M_RECORD+M_FROM]
	ld	r7,[sp,3*M_RECORD+M_TO]
.Lelement:
	mov	r9,0
	breq	r2,0,2f
	cmp	r8,r3
	bhs	2f
	mpy	r10,r8,r6
	add	r10,r10,r13
	breq	r4,1,1f
	brhi	r4,1,3f
	ldb	r9,[r10]
	b	2f
1:	ldh	r9,[r10]
	b	2f
3:	ld	r9,[r10]
2:	breq	r4,1,4f
	brhi	r4,1,5f
	stb	r9,[r24]
	b	6f
4:	sth	r9,[r24]
	b	6f
5:	st	r9,[r24]
6:	sub.f	r0,r0,1
	add	r24,r24,r7
	add	r8,r8,r1
	bne	.Lelement
	ld	r5,[sp,2*M_RECORD+M_STEP]
	ld	r6,[sp,2*M_RECORD+M_TO]
	sub.f	r21,r21,1
	add	r22,r22,r5
	add	r23,r23,r6
	bne	.Lthird_dimension
	ld	r5,[sp,M_RECORD+M_STEP]
	ld	r6,[sp,M_RECORD+M_TO]
	sub.f	r18,r18,1
	add	r19,r19,r5
	add	r20,r20,r6
	bne	.Lsecond_dimension
	ld	r5,[sp,M_STEP]
	ld	r6,[sp,M_TO]
	sub.f	r15,r15,1
	add	r16,r16,r5
	add	r17,r17,r6
	bne	.Lfirst_dimension
	mov	r0,OK
.Lfail:
	add	sp,sp,M_FRAME
	leave_s	[r13-r25,blink,pcl]
	END	mli_mov_prepare
