	.include "mli.inc"

; Arithmetic of scales, for the kernels. A scale is a mantissa with fractional bits; the result has a mantissa of 16
; bits. DSP_CTRL is set.

; mli_prv_normalize: r0 = mantissa of 16 bits of r0, r1 the shift that it took: the number is r0 * 2^r1.
; Clobbers r2.
	FUNCTION mli_prv_normalize
	norm	r1,r0
	rsub	r1,r1,16
	asrsr	r0,r0,r1
	min	r0,r0,0x7fff
	j_s	[blink]
	END	mli_prv_normalize

; mli_prv_quotient: r0 / r1 for positive numbers: r0 the mantissa, r1 the bits to drop behind a product with it.
; Clobbers r2, r3.
	FUNCTION mli_prv_quotient
	norm	r2,r0
	asl	r0,r0,r2
	divu	r0,r0,r1
	norm	r3,r0
	rsub	r1,r3,16
	asrsr	r0,r0,r1
	min	r0,r0,0x7fff
	j_s.d	[blink]
	sub	r1,r2,r1
	END	mli_prv_quotient

; mli_prv_change: r0 / r1 for two scales, as changes of formats divide them: r0 the mantissa, r1 the bits to drop
; behind a product with it. Clobbers r2, r3.
	FUNCTION mli_prv_change
	norm	r2,r0
	norm	r3,r1
	sub	r3,r3,16		; redundant bits of 16
	sub	r2,r2,r3
	asl	r0,r0,r2
	divu	r0,r0,r1
	norm	r3,r0
	rsub	r1,r3,16
	asrsr	r0,r0,r1
	min	r0,r0,0x7fff
	j_s.d	[blink]
	sub	r1,r2,r1
	END	mli_prv_change
