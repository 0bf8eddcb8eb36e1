	.include "hlp.inc"
	.include "point.inc"

; mli_status mli_hlp_point_to_subtensor(const mli_tensor *in, const mli_point_to_subtsr_cfg *cfg,
; mli_tensor *out): out describes what starts at the given coordinates of the first dimensions. The last of
; these becomes the first dimension of out, as long as the configuration says; the dimensions inside
; follow. No element is copied.
;
; r12 in, r1 configuration, r2 out, r4 bytes of an element; r3 and r9 are POINT_WALK's
	FUNCTION mli_hlp_point_to_subtensor
	SUBTENSOR_BEGIN
	POINT_WALK

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
