	.include "hlp.inc"

; mli_status mli_hlp_create_subtensor(const mli_tensor *in, const mli_sub_tensor_cfg *cfg, mli_tensor *out):
; out describes a box of in. Dimensions of one element are dropped, outermost first, until the rank is the
; wanted one. The strides are those of in, spelled out. No element is copied.
;
; r12 in, r1 configuration, r2 out; r3 wanted rank, r4 bytes of an element, r9 offset in elements
	FUNCTION mli_hlp_create_subtensor
	SUBTENSOR_BEGIN
	ld	r3,[r1,SUB_RANK]
	cmp	r3,0
	jeq_s	[blink]
	cmp	r3,r11
	jhi	[blink]

; every dimension of the box lies inside; those to be dropped have one element
	sub	r9,r11,r3
	mov	r5,r1
	mov	r6,r12
	mov	lp_count,r11
	lp	2f
	ld	r7,[r5,SUB_EXTENT]
	ld.ab	r8,[r5,4]
	ld	r10,[r6,T_SHAPE]
	add	r6,r6,4
	cmp	r7,0
	jeq_s	[blink]
	cmp	r8,r10
	jhs	[blink]
	add	r8,r8,r7
	cmp	r8,r10
	jhi	[blink]
	cmp	r7,1
	sub.eq	r9,r9,1
2:	cmp	r9,0
	jgt	[blink]

; from the innermost dimension: stride without holes in r7, kept dimensions to the end of out
	mov	r7,1
	mov	r9,0
	add2	r5,r1,r11
	add2	r6,r12,r11
	add2	r8,r2,r3
	st	r3,[r2,T_RANK]
	st.aw	r13,[sp,-4]
3:	sub	r5,r5,4
	sub	r6,r6,4
	ld	r10,[r6,T_STRIDE]
	ld	r13,[r5]
	cmp	r10,0
	mov.eq	r10,r7
	mpy	r13,r13,r10
	ld	r0,[r6,T_SHAPE]
	add	r9,r9,r13
	mpy	r7,r10,r0		; a hole makes the strides outside larger, too
	ld	r0,[r5,SUB_EXTENT]
	cmp	r3,0
	beq	5f
	cmp	r0,1
	bne	4f
	cmp	r3,r11			; as many wanted as are left: even one element is kept
	bne	5f
4:	sub	r8,r8,4
	sub	r3,r3,1
	st	r10,[r8,T_STRIDE]
	st	r0,[r8,T_SHAPE]
5:	sub.f	r11,r11,1
	bne	3b
	ld.ab	r13,[sp,4]
	SUBTENSOR_END
	END	mli_hlp_create_subtensor
