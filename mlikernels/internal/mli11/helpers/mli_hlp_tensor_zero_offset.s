	.include "hlp.inc"

; int16_t mli_hlp_tensor_zero_offset(const mli_tensor *in, uint32_t idx): zero point at a position along the
; axis, 0 for fixed-point tensors.
	FUNCTION mli_hlp_tensor_zero_offset
	ld	r2,[r0,T_TYPE]
	ld	r3,[r0,T_DIM]
	cmp	r2,EL_FX_16
	bhi	1f
	j_s.d	[blink]
	mov_s	r0,0
1:	cmp	r3,0
	bge	2f
	j_s.d	[blink]
	ldh.x	r0,[r0,T_ZERO]
2:	ld	r0,[r0,T_ZERO]
	j_s.d	[blink]
	ldh.x.as r0,[r0,r1]
	END	mli_hlp_tensor_zero_offset
