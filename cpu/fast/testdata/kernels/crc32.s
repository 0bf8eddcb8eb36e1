; crc32: bitwise CRC-32, predicated exclusive or in a zero-overhead loop
	.text
	.global _start
_start:
	mov	r0,0xffffffff
	mov	r1,0xedb88320
	mov	r10,700000
	mov	r2,0x5a
1:	xor	r0,r0,r2
	mov	lp_count,8
	lp	2f
	lsr.f	r0,r0
	xor.c	r0,r0,r1
2:	add	r2,r2,13
	and	r2,r2,0xff
	sub.f	r10,r10,1
	bne	1b
	flag	1
