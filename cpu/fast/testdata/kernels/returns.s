; returns: a function called from three places that returns with a load in flight
	.text
	.global _start
_start:
	mov	r0,0x10000
	mov	sp,0x20000
	st	r0,[r0]
	mov	r20,4000000
again:	bl	f
	add	r2,r2,1
	bl	f
	add	r2,r2,3
	bl	f
	sub.f	r20,r20,1
	bne	again
	flag	1
f:	st.aw	r13,[sp,-4]
	add	r3,r3,r2
	ld.ab	r13,[sp,4]
	j	[blink]
