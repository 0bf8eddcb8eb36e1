; four_ports: four instructions with four ports
	.text
	.global _start
_start:
	mov	r20,20000
	mov	r0,0x17
	sr	r0,[0x59f]
	mov	r0,0x201002e0
	sr	r0,[0x5e0]
	mov	r0,0x201002e1
	sr	r0,[0x5e1]
	mov	r0,0x200800d2
	sr	r0,[0x5e2]
1:
	mov	r0,0xc0000000
	sr	r0,[0x5c0]
	mov	r0,0xe0000000
	sr	r0,[0x5c1]
	mov	r0,0xc0008000
	sr	r0,[0x5c2]
	mov	lp_count,256
	lp	2f
	vmac2h	r4,r32,r33
	vmax2h	r6,r4,r5
	asr	r6,r6,2
	add	r34,r6,r7
2:	sub.f	r20,r20,1
	bne	1b
	flag	1
