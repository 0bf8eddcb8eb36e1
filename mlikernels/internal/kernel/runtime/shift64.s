; Shifts of 64 bits, as libgcc names them: r1:r0 by r2, 0 to 63; the result in r1:r0.
	.macro	FUNCTION name
	.align	4
	.global	\name
	.type	\name,@function
\name:
	.endm

	.text
; long long __ashldi3(long long x, int n)
	FUNCTION __ashldi3
	bbit1	r2,5,1f
	cmp	r2,0
	jeq	[blink]
	rsub	r3,r2,32
	lsr	r3,r0,r3
	asl	r1,r1,r2
	asl	r0,r0,r2
	j.d	[blink]
	or	r1,r1,r3
1:	sub	r2,r2,32
	asl	r1,r0,r2
	j.d	[blink]
	mov	r0,0
	.size	__ashldi3,.-__ashldi3

; unsigned long long __lshrdi3(unsigned long long x, int n)
	FUNCTION __lshrdi3
	bbit1	r2,5,1f
	cmp	r2,0
	jeq	[blink]
	rsub	r3,r2,32
	asl	r3,r1,r3
	lsr	r0,r0,r2
	lsr	r1,r1,r2
	j.d	[blink]
	or	r0,r0,r3
1:	sub	r2,r2,32
	lsr	r0,r1,r2
	j.d	[blink]
	mov	r1,0
	.size	__lshrdi3,.-__lshrdi3

; long long __ashrdi3(long long x, int n)
	FUNCTION __ashrdi3
	bbit1	r2,5,1f
	cmp	r2,0
	jeq	[blink]
	rsub	r3,r2,32
	asl	r3,r1,r3
	lsr	r0,r0,r2
	asr	r1,r1,r2
	j.d	[blink]
	or	r0,r0,r3
1:	sub	r2,r2,32
	asr	r0,r1,r2
	j.d	[blink]
	asr	r1,r1,31
	.size	__ashrdi3,.-__ashrdi3
