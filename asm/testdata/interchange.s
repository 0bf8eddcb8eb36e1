; options: cpu=em4_dmips
; Calls compiled C and is called by it: see interchange.c.
	.global	start, add_s16, mac64, table
	.text
	.align	4
start:	mov	sp,stack
	add	r0,pcl,point@pcl
	mov	r1,2
	bl	from_c64
	st	r0,[result]
	mov	r0,4
	bl	from_c
	ld	r2,[gp,small@sda]
	flag	1
1:	b	1b

	.type	add_s16,@function
add_s16:
	mov	lp_count,r1
	mov	r2,0
	lpnz	2f
	ldh.x.ab r3,[r0,2]
	add	r2,r2,r3
2:	j.d	[blink]
	mov	r0,r2
	.size	add_s16,.-add_s16

	.type	mac64,@function
mac64:	mov	r58,0
	mov	r59,0
	mac	r0,r0,r1
	mov	r1,r59
	j	[blink]
	.size	mac64,.-mac64

	.section .rodata
	.align	4
table:	.word	start, add_s16, table-., 4
point:	.short	1,2
	.word	3
	.short	-4,5
	.word	mac64
	.data
	.align	4
result:	.word	0
	.comm	pool,16,4
	.section .sdata,"aw"
	.align	4
small:	.word	pool
	.bss
	.space	256
stack:
