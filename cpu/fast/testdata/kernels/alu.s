; alu: a loop of dependent integer operations
	.text
	.global _start
_start:
	mov	r0,0x1234
	mov	r1,0x9e3779b9
	mov	r6,2000000
1:	add	r0,r0,r1
	xor	r2,r0,r1
	lsr	r3,r2,5
	add2	r0,r3,r0
	sub	r1,r1,r2
	or	r4,r1,1
	asl	r5,r4,3
	bic	r0,r0,r5
	ror	r0,r0,7
	sub.f	r6,r6,1
	bne	1b
	flag	1
