	.include "mli.inc"

; Properties of tensors: functions on the structure alone.

; uint32_t mli_hlp_count_elem_num(const mli_tensor *in, uint32_t start_dim): product of the extents from start_dim on, 1
; for rank 0; 0 for what is no dimension.
	FUNCTION mli_hlp_count_elem_num
	mov	r2,r0
	mov	r0,0
	cmp	r2,0
	jeq_s	[blink]
	ld	r3,[r2,T_RANK]
	cmp	r3,4
	jhi	[blink]
	add2	r2,r2,r1
	breq	r3,0,2f
	cmp	r1,r3
	jhs	[blink]
2:	sub	r3,r3,r1
	mov	r0,1
	cmp	r3,0
	jle	[blink]
	mov	lp_count,r3
	lp	1f
	ld	r3,[r2,T_SHAPE]
	add	r2,r2,4
	mpy	r0,r0,r3
1:	j_s	[blink]
	END	mli_hlp_count_elem_num

; uint32_t mli_hlp_tensor_element_size(const mli_tensor *in): bytes of an element, 0 for an unknown type.
	FUNCTION mli_hlp_tensor_element_size
	ld	r1,[r0,T_TYPE]
	mov	r0,1
	cmp	r1,EL_FX_8
	cmp.ne	r1,EL_ASYM_I8
	jeq	[blink]
	mov	r0,2
	cmp	r1,EL_FX_16
	jeq	[blink]
	mov	r0,4
	cmp	r1,EL_ASYM_I32
	cmp.ne	r1,EL_FP_32
	jeq	[blink]
	j_s.d	[blink]
	mov_s	r0,0
	END	mli_hlp_tensor_element_size

; int32_t mli_hlp_tensor_scale(const mli_tensor *in, uint32_t idx): mantissa of the scale, 1 for other formats.
	FUNCTION mli_hlp_tensor_scale
	ld	r2,[r0,T_TYPE]
	ld	r3,[r0,T_DIM]
	bbit1	r2,8,1f
	j_s.d	[blink]
	mov_s	r0,1
1:	brge	r3,0,2f
	j_s.d	[blink]
	ldh.x	r0,[r0,T_SCALE]
2:	ld	r0,[r0,T_SCALE]
	j_s.d	[blink]
	ldh.x.as r0,[r0,r1]
	END	mli_hlp_tensor_scale

; int32_t mli_hlp_tensor_scale_shift(const mli_tensor *in, uint32_t idx): fractional bits of the scale, in fixed point
; those of the elements, 0 for real numbers.
	FUNCTION mli_hlp_tensor_scale_shift
	ld	r2,[r0,T_TYPE]
	ld	r3,[r0,T_DIM]
	bbit1	r2,9,3f
	bbit1	r2,8,1f
	j_s.d	[blink]
	ldb.x	r0,[r0,T_FRAC]
1:	brge	r3,0,2f
	j_s.d	[blink]
	ldb.x	r0,[r0,T_SCALE_FRAC]
2:	ld	r0,[r0,T_SCALE_FRAC]
	j_s.d	[blink]
	ldb.x	r0,[r0,r1]
3:	j_s.d	[blink]
	mov_s	r0,0
	END	mli_hlp_tensor_scale_shift

; int16_t mli_hlp_tensor_zero_offset(const mli_tensor *in, uint32_t idx): zero point, 0 for other formats.
	FUNCTION mli_hlp_tensor_zero_offset
	ld	r2,[r0,T_TYPE]
	ld	r3,[r0,T_DIM]
	bbit1	r2,8,1f
	j_s.d	[blink]
	mov_s	r0,0
1:	brge	r3,0,2f
	j_s.d	[blink]
	ldh.x	r0,[r0,T_ZERO]
2:	ld	r0,[r0,T_ZERO]
	j_s.d	[blink]
	ldh.x.as r0,[r0,r1]
	END	mli_hlp_tensor_zero_offset

; bool mli_hlp_tensor_data_ptr_cmp(const mli_tensor *a, const mli_tensor *b): both have dimensions, the same type, and
; their elements at the same place.
	FUNCTION mli_hlp_tensor_data_ptr_cmp
	ld	r2,[r0,T_RANK]
	ld	r3,[r1,T_RANK]
	ld	r4,[r0,T_TYPE]
	ld	r5,[r1,T_TYPE]
	ld	r6,[r0,T_DATA]
	ld	r7,[r1,T_DATA]
	mov	r0,0
	cmp	r2,0
	cmp.ne	r3,0
	jeq	[blink]
	cmp	r4,r5
	cmp.eq	r6,r7
	mov.eq	r0,1
	j_s	[blink]
	END	mli_hlp_tensor_data_ptr_cmp

; void mli_hlp_set_tensor_mem_strides(mli_tensor *tensor): the strides without holes.
	FUNCTION mli_hlp_set_tensor_mem_strides
	ld	r1,[r0,T_RANK]
	mov	r2,1
	cmp	r1,4
	jhi	[blink]
	mov.f	lp_count,r1
	add2	r0,r0,r1
	lpnz	1f
	ld	r3,[r0,T_SHAPE-4]
	st	r2,[r0,T_STRIDE-4]
	sub	r0,r0,4
	mpy	r2,r2,r3
1:	j_s	[blink]
	END	mli_hlp_set_tensor_mem_strides
