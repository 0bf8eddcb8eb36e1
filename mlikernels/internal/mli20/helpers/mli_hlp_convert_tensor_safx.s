	.include "mli.inc"

; mli_status mli_hlp_convert_tensor_safx(const mli_tensor *src, mli_tensor *dst): the conversion of integers alone; real
; numbers, and null pointers, are left to the checks.
	FUNCTION mli_hlp_convert_tensor_safx
	mov	r2,r0
	cmp	r0,0
	cmp.ne	r1,0
	beq	mli_hlp_convert_tensor
	ld	r2,[r0,T_TYPE]
	ld	r3,[r1,T_TYPE]
	or	r2,r2,r3
	bbit0	r2,9,1f
	j_s.d	[blink]
	mov_s	r0,TYPE_MISMATCH
1:	b	mli_hlp_convert_tensor
	END	mli_hlp_convert_tensor_safx
