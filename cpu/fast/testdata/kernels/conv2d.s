; conv2d: 3x3 convolution of a 64x64 16-bit image, rows in zero-overhead loops
	.text
	.global _start
_start:
	mov	r20,40			; passes
	mov	r0,0x10000		; image
	mov	r1,1
	mov	lp_count,2048
	lp	2f
	st.ab	r1,[r0,4]
	add	r1,r1,0x00010003
2:	mov	r0,0x20000		; coefficients
	mov	lp_count,9
	mov	r1,-4
	lp	2f
	sth.ab	r1,[r0,2]
	add	r1,r1,1
2:
pass:	mov	r10,0x10000		; input row
	mov	r11,0x30000		; output
	mov	r21,62
row:	mov	r22,62
	mov	r12,r10
col:	mov	r13,r12
	mov	r14,0x20000
	mov	r58,0
	mov	r59,0
	mov	r23,3
tap:	mov	lp_count,3
	lp	2f
	ldh.x.ab r2,[r13,2]
	ldh.x.ab r3,[r14,2]
	mac	r4,r2,r3
2:	add	r13,r13,122
	sub.f	r23,r23,1
	bne	tap
	asr	r4,r4,3
	sth.ab	r4,[r11,2]
	add	r12,r12,2
	sub.f	r22,r22,1
	bne	col
	add	r10,r10,128
	sub.f	r21,r21,1
	bne	row
	sub.f	r20,r20,1
	bne	pass
	flag	1
