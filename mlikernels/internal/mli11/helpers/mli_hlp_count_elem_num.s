	.include "hlp.inc"

; uint32_t mli_hlp_count_elem_num(const mli_tensor *in, uint32_t start_dim): product of the extents from
; start_dim on, 1 when there are none.
	FUNCTION mli_hlp_count_elem_num
	ld	r2,[r0,T_RANK]
	add2	r3,r0,r1
	mov	r0,1
	sub.f	r2,r2,r1
	jle	[blink]
	cmp	r2,4
	jhi	[blink]
	mov	lp_count,r2
	lp	1f
	ld	r4,[r3,T_SHAPE]
	add	r3,r3,4
	mpy	r0,r0,r4
1:	j_s	[blink]
	END	mli_hlp_count_elem_num
