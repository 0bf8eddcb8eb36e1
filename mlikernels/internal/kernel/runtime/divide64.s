; Division of 64 bits, as libgcc names it. The divisor is shifted up until its highest bit stands below that of the
; dividend (normalised), so there are as many steps as the quotient has bits. By zero the quotient is all ones.
	.macro	FUNCTION name
	.align	4
	.global	\name
	.type	\name,@function
\name:
	.endm

; \n = zeros above the highest bit of \hi:\lo, 64 for zero.
	.macro	ZEROS	n,hi,lo
	mov	\n,64
	cmp	\hi,0
	beq	1f
	fls	\n,\hi
	rsub	\n,\n,31
	b	2f
1:	cmp	\lo,0
	beq	2f
	fls	\n,\lo
	rsub	\n,\n,63
2:
	.endm

	.text
; unsigned long long __udivdi3(unsigned long long x, unsigned long long y): r1:r0 / r3:r2; the rest is left
; in r5:r4
	FUNCTION __udivdi3
	mov	r4,r0
	mov	r5,r1
	mov	r0,0
	mov	r1,0
	ZEROS	r6,r5,r4
	ZEROS	r7,r3,r2
	cmp	r7,64
	beq	.Lzero
	sub	r6,r7,r6
	cmp	r6,0
	jlt	[blink]			; the divisor is longer
	st.aw	blink,[sp,-4]
	st.aw	r6,[sp,-4]
	mov	r0,r2
	mov	r1,r3
	mov	r2,r6
	bl	__ashldi3
	mov	r2,r0
	mov	r3,r1
	mov	r0,0
	mov	r1,0
	ld.ab	r6,[sp,4]
	ld.ab	blink,[sp,4]
	add	r6,r6,1
	mov	lp_count,r6
	lp	4f
	add.f	r0,r0,r0		; the quotient, one bit up
	adc	r1,r1,r1
	cmp	r5,r3
	cmp.eq	r4,r2
	blo	3f
	sub.f	r4,r4,r2
	sbc	r5,r5,r3
	or	r0,r0,1
3:	lsr.f	r3,r3
	rrc	r2,r2
4:	j	[blink]
.Lzero:
	mov	r0,-1
	j.d	[blink]
	mov	r1,-1
	.size	__udivdi3,.-__udivdi3

; unsigned long long __umoddi3(unsigned long long x, unsigned long long y)
	FUNCTION __umoddi3
	st.aw	blink,[sp,-4]
	bl	__udivdi3
	ld.ab	blink,[sp,4]
	mov	r0,r4
	j.d	[blink]
	mov	r1,r5
	.size	__umoddi3,.-__umoddi3

; NEGATE hi, lo
	.macro	NEGATE	hi,lo
	rsub.f	\lo,\lo,0
	not	\hi,\hi
	add.eq	\hi,\hi,1
	.endm

; long long __divdi3(long long x, long long y), and __moddi3: the rest has the sign of x
	FUNCTION __divdi3
	xor	r4,r1,r3
	st.aw	blink,[sp,-4]
	st.aw	r4,[sp,-4]
	bl	.Lmagnitudes
	ld.ab	r4,[sp,4]
	ld.ab	blink,[sp,4]
	bbit0	r4,31,1f
	NEGATE	r1,r0
1:	j	[blink]
	.size	__divdi3,.-__divdi3

	FUNCTION __moddi3
	st.aw	blink,[sp,-4]
	st.aw	r1,[sp,-4]
	bl	.Lmagnitudes
	ld.ab	r2,[sp,4]
	ld.ab	blink,[sp,4]
	mov	r0,r4
	mov	r1,r5
	bbit0	r2,31,1f
	NEGATE	r1,r0
1:	j	[blink]
	.size	__moddi3,.-__moddi3

.Lmagnitudes:
	bbit0	r1,31,1f
	NEGATE	r1,r0
1:	bbit0	r3,31,2f
	NEGATE	r3,r2
2:	b	__udivdi3
