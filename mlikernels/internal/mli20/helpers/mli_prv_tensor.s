	.include "mli.inc"

; Checks of tensors, for the kernels (shared/check.inc). Each takes tensors in r0 and r1, gives a status in r0 and
; clobbers r1 to r8 and lp_count.
;
; DEVIATION(384): a tensor of rank 0 where only one with dimensions has a meaning is BAD_TENSOR; a zero point is out
; of range when it has no negative in 16 bits; extents whose product leaves 32 bits are NOT_ENGH_MEM.

; EXTENTS: the tensor and its data exist, strides and extents are positive and grow outwards, the memory holds the last
; element. r1 the tensor, r2 its type, r4 the elements to behind its last one; goes to 9 where one of this is not so.
	.macro	EXTENTS
	mov	r1,r0
	mov	r0,BAD_TENSOR
	breq	r1,0,9f
	ld	r3,[r1,T_RANK]
	ld	r2,[r1,T_DATA]
	ld	r4,[r1,T_CAPACITY]
	sub	r5,r3,1
	breq	r2,0,9f
	brhi	r5,3,9f
	brlt	r4,0,9f
	mov	r6,1			; what the next stride is at least
	mov	r4,1			; elements to behind the last one
	add2	r5,r1,r3
	add	r5,r5,T_STRIDE
	mov	lp_count,r3
	mov	r3,0			; not 0 when something leaves 32 bits
	lp	1f
	ld.aw	r8,[r5,-4]
	ld	r2,[r5,T_SHAPE-T_STRIDE]
	brlt	r8,r6,9f
	breq	r2,0,9f
	mpydu	r6,r8,r2
	or	r3,r3,r7
	sub	r2,r6,r8		; (extent - 1) * stride
	add	r4,r4,r2
	max	r6,r6,1			; beyond 2^31 r3 or the capacity says so
1:
	ld	r2,[r1,T_TYPE]
	ld	r6,[r1,T_CAPACITY]
	mov	r0,NOT_ENGH_MEM
	lsr	r5,r4,29
	or	r3,r3,r5
	bmsk	r5,r2,5
	lsr	r5,r5,3
	mpy	r5,r4,r5
	brne	r3,0,9f
	brlo	r6,r5,9f
	mov	r0,OK
	.endm

; mli_prv_extents: EXTENTS hold. Keeps r1, the tensor.
	FUNCTION mli_prv_extents
	EXTENTS
9:	j_s	[blink]
	END	mli_prv_extents

; mli_prv_alike: tensor r0 is one as mli_prv_tensor wants it, of the type and the shape of tensor r1, which is one. A tensor with
; all extents, strides and at least the memory of the other needs no checks of its own. r9 = the elements of both where these have
; the same strides and no holes, else 0.
	FUNCTION mli_prv_alike
	breq	r0,0,.Lapart
	ld	r2,[r0,T_RANK]
	ld	r3,[r1,T_RANK]
	ld	r4,[r0,T_TYPE]
	ld	r5,[r1,T_TYPE]
	ld	r6,[r0,T_CAPACITY]
	ld	r7,[r1,T_CAPACITY]
	ld	r8,[r0,T_DATA]
	brne	r2,r3,.Lapart
	brne	r4,r5,.Lapart
	brlt	r6,r7,.Lapart
	breq	r8,0,.Lapart
	add	r5,r0,T_SHAPE
	add	r6,r1,T_SHAPE
	mov	lp_count,r2
	mov	r9,1
	lp	1f
	ld	r2,[r5,T_STRIDE-T_SHAPE]
	ld	r3,[r6,T_STRIDE-T_SHAPE]
	ld.ab	r7,[r5,4]
	ld.ab	r8,[r6,4]
	brne	r2,r3,.Lapart
	brne	r7,r8,.Lapart
	mpy	r9,r9,r7
1:	ld	r2,[r0,T_STRIDE]
	ld	r3,[r0,T_SHAPE]
	mov	r1,r0
	mpy	r2,r2,r3		; the outermost stride is that of all elements inside, or more
	mov	r0,OK
	cmp	r2,r9
	mov.ne	r9,0
	bbit1	r4,8,.Lparams
	j_s	[blink]
.Lapart:
	mov	r9,0
	st.aw	blink,[sp,-4]
	st.aw	r1,[sp,-4]
	bl	mli_prv_tensor
	ld.ab	r2,[sp,4]
	ld.ab	blink,[sp,4]
	cmp	r0,0
	jne	[blink]
	ld	r3,[r1,T_TYPE]
	ld	r4,[r2,T_TYPE]
	mov	r0,TYPE_MISMATCH
	cmp	r3,r4
	jne	[blink]
	mov	r0,r2
	b	mli_prv_same_shape
	END	mli_prv_alike

; mli_prv_tensor: EXTENTS hold, and scales are positive. Keeps r1, the tensor; r4 of EXTENTS where it is not affine.
	FUNCTION mli_prv_tensor
	EXTENTS
	bbit1	r2,8,.Lparams
9:	j_s	[blink]
	END	mli_prv_tensor

; mli_prv_params: the format of tensor r1 is one.
	FUNCTION mli_prv_params
	mov	r0,OK
	ld	r2,[r1,T_TYPE]
	bbit0	r2,8,9f
.Lparams:
	mov	r0,BAD_TENSOR
	ld	r2,[r1,T_DIM]
	ld	r3,[r1,T_RANK]
	ld	r4,[r1,T_ZERO_CAPACITY]
	ld	r5,[r1,T_SCALE_CAPACITY]
	ld	r6,[r1,T_SCALE_FRAC_CAPACITY]
	brlt	r2,0,1f
; one for each position along the dimension
	cmp	r2,r3
	jge	[blink]
	add2	r2,r1,r2
	ld	r2,[r2,T_SHAPE]
	asl	r3,r2,1
	cmp	r4,r3
	jlo	[blink]
	cmp	r5,r3
	jlo	[blink]
	cmp	r6,r2
	jlo	[blink]
	ld	r3,[r1,T_ZERO]
	ld	r4,[r1,T_SCALE]
	ld	r5,[r1,T_SCALE_FRAC]
	cmp	r3,0
	cmp.ne	r4,0
	cmp.ne	r5,0
	jeq	[blink]
	mov	r6,1			; smallest scale, smallest zero point
	mov	r7,0
	mov	lp_count,r2
	lp	2f
	ldh.x.ab r5,[r4,2]
	ldh.x.ab r8,[r3,2]
	min	r6,r6,r5
	min	r7,r7,r8
2:	b	3f
1:	or	r4,r4,r5
	or.f	r4,r4,r6
	jne	[blink]
	ldh.x	r6,[r1,T_SCALE]
	ldh.x	r7,[r1,T_ZERO]
3:	cmp	r6,1
	jlt	[blink]
	mov	r0,OK
	cmp	r7,-32768
	mov.eq	r0,INCOMPATEBLE_TENSORS
9:	j_s	[blink]
	END	mli_prv_params

; mli_prv_scalar: a tensor of rank 0, or of one element.
	FUNCTION mli_prv_scalar
	mov	r1,r0
	mov	r0,BAD_TENSOR
	cmp	r1,0
	jeq_s	[blink]
	ld	r2,[r1,T_RANK]
	mov	r0,r1
	cmp	r2,0
	beq	mli_prv_params
	st.aw	blink,[sp,-4]
	bl	mli_prv_tensor
	ld.ab	blink,[sp,4]
	cmp	r0,0
	jne	[blink]
	ld	r2,[r1,T_RANK]
	mov	r3,1
	mov	lp_count,r2
	lp	1f
	ld	r4,[r1,T_SHAPE]
	add	r1,r1,4
	max	r3,r3,r4
1:	cmp	r3,1
	mov.ne	r0,SHAPE_MISMATCH
	j_s	[blink]
	END	mli_prv_scalar

; mli_prv_scalar_or_tensor: a tensor of rank 0, or any other.
	FUNCTION mli_prv_scalar_or_tensor
	mov	r1,r0
	cmp	r1,0
	beq	mli_prv_tensor
	ld	r2,[r1,T_RANK]
	cmp	r2,0
	beq	mli_prv_params
	b	mli_prv_tensor
	END	mli_prv_scalar_or_tensor

; mli_prv_same_shape: the tensors have the same rank and extents.
	FUNCTION mli_prv_same_shape
	ld	r2,[r0,T_RANK]
	ld	r3,[r1,T_RANK]
	mov	r4,r0
	mov	r0,SHAPE_MISMATCH
	cmp	r2,r3
	jne	[blink]
	mov.f	lp_count,r2
	lpnz	1f
	ld	r2,[r4,T_SHAPE]
	ld	r3,[r1,T_SHAPE]
	add	r4,r4,4
	add	r1,r1,4
	cmp	r2,r3
	jne	[blink]
1:	j_s.d	[blink]
	mov_s	r0,OK
	END	mli_prv_same_shape

; mli_prv_apart: the memories of the tensors, as long as their capacities, have nothing in common.
	FUNCTION mli_prv_apart
	ld	r2,[r0,T_DATA]
	ld	r3,[r1,T_DATA]
	ld	r4,[r0,T_CAPACITY]
	ld	r5,[r1,T_CAPACITY]
	mov	r0,INCOMPATEBLE_TENSORS
	sub	r2,r2,r3
	cmp	r2,r5			; the first begins within the second
	jlo	[blink]
	neg	r2,r2
	cmp	r2,r4
	jlo	[blink]
	j_s.d	[blink]
	mov_s	r0,OK
	END	mli_prv_apart
