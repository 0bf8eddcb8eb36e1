; 300,000 writes to n, one to once at the beginning, and a pointer that moves from n to m halfway.
; writes.elf: arcasm build -g -o writes.elf writes.s
	.text
	.global __start
	.type __start, @function
__start:
	mov	r0, 0
	mov	r1, n
	mov	r2, 300000
	mov	r3, once
	st	r2, [r3]
	mov	r4, pointer
	mov	r5, m
	mov	r6, 150000
.Lnext:
	add	r0, r0, 1
	st	r0, [r1]
	brne	r0, r6, .Lsame
	st	r5, [r4]
.Lsame:
	brne	r0, r2, .Lnext
	st	r0, [r5]
	mov	r0, 0
	flag	1
	.size __start, . - __start

	.data
	.align	4
	.global n, m, pointer, once
n:	.word	0
m:	.word	77
pointer:
	.word	n
	.align	4096			; a page of its own
once:	.word	0
