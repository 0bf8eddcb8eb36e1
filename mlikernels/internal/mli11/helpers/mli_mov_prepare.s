; mli_mov_prepare of MLI 1.1. There is no DMA engine, so a move is done when it has been prepared (mli_mov.s).
;
; DEVIATION(361): where both shapes are equal and neither tensor has holes MLI 1.1 copies one block, whatever offsets and
; permutation say; this does what they say. A mistake in a call is a status, as in kernels.

	.include "hlp.inc"
	.include "mov_rows.inc"

; The frame: the strides of the source, and the records.
	.equ	F_STRIDES,0
	.equ	F_MOVE,16
	.equ	F_SIZE,F_MOVE+MOVE_SIZE

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
	sub	sp,sp,F_SIZE

; strides of the source
	add2	r13,r12,r3
	add	r14,sp,F_STRIDES
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
	mov	r23,r1
	mov	r22,r2
	mov	r21,r3
	MOVE_ABSENT r21
	mov	r1,r23
	mov	r2,r22
	mov	r3,r21
	mov	r14,r10
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
	st	r7,[r14,M_START]
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
	st	r6,[r14,M_COUNT]
	add2	r5,sp,r16
	ld	r5,[r5,F_STRIDES]
	asl	r5,r5,r4
	st	r5,[r14,M_SRC]
	add	r15,r15,1
	add	r14,r14,M_SIZE
	brne	r15,r3,.Ldimension

; strides of the output, innermost first: r5 the one without holes, r17 elements up to the last, r18 what does not fit
	STATUS	NOT_ENGH_MEM
	mov	r5,1
	mov	r17,1
	mov	r18,0
	mov	r19,0			; elements before the first
4:	sub	r15,r15,1
	sub	r14,r14,M_SIZE
	add2	r6,r1,r15
	add2	r7,r2,r15
	ld	r8,[r6,MOV_DST_STRIDE]
	ld	r9,[r6,MOV_DST_OFFSET]
	ld	r10,[r7,T_STRIDE]
	cmp	r8,0
	mov.eq	r8,r10
	cmp	r8,0
	mov.eq	r8,r5
	ld	r10,[r14,M_COUNT]
	st	r8,[r14,M_DST]
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
	ld	r5,[r14,M_COUNT]
	ld	r6,[r14,M_DST]
	st	r5,[r7,T_SHAPE]
	st	r6,[r7,T_STRIDE]
	asl	r6,r6,r4
	st	r6,[r14,M_DST]
	add	r14,r14,M_SIZE
	add	r7,r7,4
5:	ld	r5,[r12,T_TYPE]
	st	r3,[r2,T_RANK]
	st	r5,[r2,T_TYPE]
	COPY_FORMAT r2,r12,r5,r6
	mov	r5,MOV_PREPARED
	st	r5,[r11,HANDLE_STATE]

	ld	r13,[r12,T_DATA]
	ld	r15,[r2,T_DATA]
	asl	r19,r19,r4
	add	r15,r15,r19
	mov	r24,1
	asl	r24,r24,r4
	MOVE_ROWS
	mov	r0,OK
.Lfail:
	add	sp,sp,F_SIZE
	leave_s	[r13-r25,blink,pcl]

	MOVE_PARTS
	END	mli_mov_prepare
