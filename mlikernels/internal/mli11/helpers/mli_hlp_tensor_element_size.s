	.include "hlp.inc"

; uint32_t mli_hlp_tensor_element_size(const mli_tensor *in): bytes of an element, 0 for an unknown type.
	FUNCTION mli_hlp_tensor_element_size
	ld	r1,[r0,T_TYPE]
	mov	r0,1
	cmp	r1,EL_FX_16
	mov.eq	r0,2
	cmp	r1,EL_ASYM_I32
	mov.eq	r0,4
	mov.hi	r0,0
	j_s	[blink]
	END	mli_hlp_tensor_element_size
