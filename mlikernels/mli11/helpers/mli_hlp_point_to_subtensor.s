	.include "hlp.inc"

; mli_status mli_hlp_point_to_subtensor(const mli_tensor *in, const mli_point_to_subtsr_cfg *cfg,
; mli_tensor *out): out describes what starts at the given coordinates of the first dimensions. The last of
; these becomes the first dimension of out, as long as the configuration says; the dimensions inside
; follow. No element is copied.
;
; r12 in, r1 configuration, r2 out; r3 coordinates, r4 bytes of an element, r9 offset in elements
	FUNCTION mli_hlp_point_to_subtensor
	SUBTENSOR_BEGIN
	ldb	r3,[r1,POINT_COORDS]
	cmp	r3,0
	jeq_s	[blink]
	cmp	r3,r11
	jhi	[blink]

; the offset, dimension by dimension: the strides inside are products of extents
	mov	r9,0
	mov	r5,0
	mov	r6,r1
	mov	r7,r12
1:	ld	r8,[r7,T_SHAPE]
	ld.ab	r10,[r6,4]
	add	r7,r7,4
	mpy	r9,r9,r8
	cmp	r10,r8
	jhs	[blink]
	add	r9,r9,r10
	add	r5,r5,1
	brlo	r5,r3,1b
	ldb	r5,[r1,POINT_FIRST]
	add	r6,r5,r10		; the end of the first dimension
	cmp	r5,0
	jeq_s	[blink]
	cmp	r6,r8
	jhi	[blink]

	st	r5,[r2,T_SHAPE]
	sub	r5,r11,r3
	add	r6,r5,1
	st	r6,[r2,T_RANK]
	mov	r8,r2
	breq	r5,0,3f
2:	ld	r6,[r7,T_SHAPE]
	add	r7,r7,4
	add	r8,r8,4
	mpy	r9,r9,r6
	sub	r5,r5,1
	st	r6,[r8,T_SHAPE]
	brne	r5,0,2b
3:	mov	r5,0
	st	r5,[r2,T_STRIDE]
	st	r5,[r2,T_STRIDE+4]
	st	r5,[r2,T_STRIDE+8]
	st	r5,[r2,T_STRIDE+12]
	SUBTENSOR_END
	END	mli_hlp_point_to_subtensor
