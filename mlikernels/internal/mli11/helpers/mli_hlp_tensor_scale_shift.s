	.include "hlp.inc"

; uint32_t mli_hlp_tensor_scale_shift(const mli_tensor *in): fractional bits of the scale, for fixed-point
; tensors those of the elements.
	FUNCTION mli_hlp_tensor_scale_shift
	ld	r1,[r0,T_TYPE]
	cmp	r1,EL_FX_16
	bhi	1f
	j_s.d	[blink]
	ldb	r0,[r0,T_FRAC]
1:	j_s.d	[blink]
	ldb.x	r0,[r0,T_SCALE_FRAC]
	END	mli_hlp_tensor_scale_shift
