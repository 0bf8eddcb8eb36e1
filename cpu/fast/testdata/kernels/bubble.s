; bubble: bubble sort of 512 words
	.text
	.global _start
_start:
	mov	r20,20
again:	mov	r0,0x10000
	mov	r1,12345
	mov	lp_count,512
	lp	2f
	mov	r2,1103515245
	mpy	r1,r1,r2
	add	r1,r1,12345
	lsr	r3,r1,3
	st.ab	r3,[r0,4]
2:	mov	r10,511
outer:	mov	r0,0x10000
	mov	r11,r10
inner:	ld	r2,[r0]
	ld	r3,[r0,4]
	brlt	r2,r3,1f
	st	r3,[r0]
	st	r2,[r0,4]
1:	add	r0,r0,4
	sub	r11,r11,1
	brne	r11,0,inner
	sub	r10,r10,1
	brne	r10,0,outer
	sub.f	r20,r20,1
	bne	again
	flag	1
