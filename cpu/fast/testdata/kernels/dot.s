; dot: dot product of two 16-bit vectors in a zero-overhead loop
	.text
	.global _start
_start:
	mov	r20,20000
	mov	r8,0x10000		; vectors: 512 words each, filled with a counter
	mov	r1,0
	mov	lp_count,1024
	lp	2f
	st.ab	r1,[r8,4]
	add	r1,r1,0x00030001
2:
1:	mov	r8,0x10000
	mov	r9,0x10800
	mov	lp_count,256
	mov	r58,0
	mov	r59,0
	lp	2f
	ld.ab	r2,[r8,4]
	ld.ab	r3,[r9,4]
	dmach	r4,r2,r3
2:	add	r5,r5,r4
	sub.f	r20,r20,1
	bne	1b
	flag	1
