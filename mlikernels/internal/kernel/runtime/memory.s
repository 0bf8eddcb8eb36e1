; memcpy, memmove and memset, for compiled libraries that come without them.
;
; void *memcpy(void *to, const void *from, size_t n)
	.text
	.align	4
	.global	memcpy
	.type	memcpy,@function
memcpy:
	mov.f	lp_count,r2
	mov	r3,r0
	lpnz	1f
	ldb.ab	r4,[r1,1]
	nop
	stb.ab	r4,[r3,1]
1:	j	[blink]
	.size	memcpy,.-memcpy

; void *memmove(void *to, const void *from, size_t n): backwards where to begins within from
	.global	memmove
	.type	memmove,@function
memmove:
	sub	r3,r0,r1
	cmp	r3,r2
	bhs	memcpy
	add	r3,r0,r2
	add	r1,r1,r2
	mov.f	lp_count,r2
	lpnz	1f
	ldb.aw	r4,[r1,-1]
	nop
	stb.aw	r4,[r3,-1]
1:	j	[blink]
	.size	memmove,.-memmove

; void *memset(void *to, int c, size_t n)
	.global	memset
	.type	memset,@function
memset:
	mov.f	lp_count,r2
	mov	r3,r0
	lpnz	1f
	nop
	stb.ab	r1,[r3,1]
1:	j	[blink]
	.size	memset,.-memset
