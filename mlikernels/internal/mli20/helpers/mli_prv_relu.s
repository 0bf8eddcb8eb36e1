	.include "mli.inc"

; mli_prv_relu: the range that a rectifier lets through, for the kernels. r0 the kind, r1 a tensor whose format counts;
; r0 lowest and r1 highest element. The levels one and six are integers divided by the scale, and what the container
; does not hold is its own limit. Clobbers r2 to r8.
	.equ	LEVEL_FAR,0x10000	; outside any container, still safe to add

	FUNCTION mli_prv_relu
	ld	r2,[r1,T_TYPE]
	mov	r3,-1
	mov	r4,0			; zero point
	mov	r5,1			; scale
	ldb.x	r6,[r1,T_FRAC]
	bbit0	r2,8,1f
	ldh.x	r4,[r1,T_ZERO]
	ldh.x	r5,[r1,T_SCALE]
	ldb.x	r6,[r1,T_SCALE_FRAC]
1:	bmsk	r2,r2,5
	sub	r2,r2,1
	asl	r3,r3,r2		; lowest element
	not	r1,r3			; highest
	cmp	r0,RELU_GEN
	beq	3f
	blo	4f
	cmp	r0,RELU_6
	mov	r7,1
	mov	r8,30			; from here on a level is far outside
	mov.eq	r7,6
	mov.eq	r8,28
	mov	r2,LEVEL_FAR
	brge	r6,r8,2f
	asl	r2,r7,r6
	brge	r6,0,5f
	neg	r6,r6
	min	r6,r6,31
	lsr	r2,r7,r6
5:	divu	r2,r2,r5
	min	r2,r2,LEVEL_FAR
2:	add	r7,r4,r2
	min	r1,r1,r7
	max	r1,r1,r3
	cmp	r0,RELU_6
	sub.ne	r4,r4,r2
3:	max	r3,r3,r4
	min	r3,r3,r1
4:	j_s.d	[blink]
	mov_s	r0,r3
	END	mli_prv_relu
