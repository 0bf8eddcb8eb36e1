; ld_ld_dmach: two loads and a dual MAC
	.text
	.global _start
_start:
	mov	r20,20000
	mov	r0,0x17
	sr	r0,[0x59f]
1:
	mov	r8,0xc0000000
	mov	r9,0xe0000000
	mov	lp_count,256
	lp	2f
	ld.ab	r2,[r8,4]
	ld.ab	r3,[r9,4]
	dmach	0,r2,r3
2:	sub.f	r20,r20,1
	bne	1b
	flag	1
