; dmach_modulo: a dual MAC of two ports, one of them circular
	.text
	.global _start
_start:
	mov	r20,20000
	mov	r0,0x17
	sr	r0,[0x59f]
	mov	r0,0x201002e0
	sr	r0,[0x5e0]
	mov	r0,0xa011c2e1
	sr	r0,[0x5e1]
1:
	mov	r0,0xc0000000
	sr	r0,[0x5c0]
	mov	r0,0xe0000000
	sr	r0,[0x5c1]
	mov	lp_count,256
	lp	2f
	dmach	0,r32,r33
2:	sub.f	r20,r20,1
	bne	1b
	flag	1
