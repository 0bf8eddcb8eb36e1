; mix: eighteen DSP operations through registers
	.text
	.global _start
_start:
	mov	r20,30000
	mov	r0,0x17
	sr	r0,[0x59f]
	mov	r0,0x12345678
	mov	r1,0x0fedcba9
	mov	r2,0x00430021
1:
	mov	lp_count,100
	lp	2f
	dmach r4,r0,r1
	vmac2h r6,r0,r2
	mac r5,r1,r2
	dmachf r3,r0,r1
	vadds2h r8,r4,r6
	vmax2h r9,r8,r4
	mpyd r10,r1,r2
	macd r10,r1,r3
	getacc r3,0x1c
	asrsr r5,r3,3
	vasrs2h r8,r8,2
	dmpyhf r4,r0,r2
	vmpy2h r6,r0,r1
	vsubs2h r9,r9,r8
	sath r5,r5
	vmac2hnfr r4,r0,r1
	mpywhl r5,r1,r2
	vmin2h r9,r9,r8
2:	sub.f	r20,r20,1
	bne	1b
	flag	1
