	.include "hlp.inc"

; int32_t mli_hlp_tensor_scale(const mli_tensor *in, uint32_t idx): scale at a position along the axis, 1
; for fixed-point tensors.
	FUNCTION mli_hlp_tensor_scale
	ld	r2,[r0,T_TYPE]
	ld	r3,[r0,T_DIM]
	cmp	r2,EL_FX_16
	bhi	1f
	j_s.d	[blink]
	mov_s	r0,1
1:	ld	r0,[r0,T_SCALE]
	cmp	r3,0
	jlt	[blink]
	j_s.d	[blink]
	ld.as	r0,[r0,r1]
	END	mli_hlp_tensor_scale
