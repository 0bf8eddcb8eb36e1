; void product(const int16_t *a, const int16_t *b, int16_t *to, unsigned n, int shift): products of which shift
; bits are dropped. The caller's DSP_CTRL rounds them: this function does not set it. Words may be
; misaligned.
;
; r0 a, r1 b, r2 to, r3 elements, r4 bits to drop
	.text
	.align	4
	.global	product
	.type	product,@function
product:
	max	r4,r4,-60
	min	r4,r4,100
	rsub	r5,r4,16		; GETACC controls: both lanes, and the 64-bit accumulator
	extb	r5,r5
	add	r5,r5,0x9f00
	rsub	r6,r4,48
	extb	r6,r6
	add	r6,r6,0xbc00
	lsr.f	lp_count,r3,1
	lpnz	1f
	ld.ab	r7,[r0,4]
	ld.ab	r8,[r1,4]
	nop
	vmpy2hf	0,r7,r8
	getacc	r7,r5
	st.ab	r7,[r2,4]
1:	bbit0	r3,0,2f
	ldh.x	r7,[r0]
	ldh.x	r8,[r1]
	nop
	mpyd	0,r7,r8
	getacc	r7,r6
	sth	r7,[r2]
2:	j	[blink]
	.size	product,.-product
