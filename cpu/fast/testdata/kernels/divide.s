; divide: the greatest common divisor by recursion, and the decimal digits of a number
	.text
	.global _start
_start:
	mov	sp,0x20000
	mov	r20,200000
again:	add	r0,r20,0x12345
	mov	r1,r20
	bl	gcd
	add	r2,r2,r0
	mpy	r3,r20,7919
	mov	r4,0
digit:	remu	r5,r3,10
	divu	r3,r3,10
	add	r4,r4,r5
	brne	r3,0,digit
	add	r2,r2,r4
	div	r6,r2,-3
	rem	r7,r6,17
	add	r2,r2,r7
	sub.f	r20,r20,1
	bne	again
	flag	1
gcd:	breq	r1,0,done
	st.aw	blink,[sp,-4]
	rem	r5,r0,r1
	mov	r0,r1
	mov	r1,r5
	bl	gcd
	ld.ab	blink,[sp,4]
done:	j	[blink]
