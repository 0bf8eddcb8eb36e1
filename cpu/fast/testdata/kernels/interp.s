; interp: a byte-code machine with eight handlers and a jump table
	.text
	.global _start
_start:
	mov	r20,3000000		; byte codes to execute
	mov	r8,code
	mov	r9,table
	mov	r0,1
	mov	r1,3
next:	ldb.ab	r2,[r8,1]
	sub.f	r20,r20,1
	bmi	done
	ld.as	r3,[r9,r2]
	j	[r3]
h0:	add	r0,r0,r1
	b	next
h1:	sub	r1,r1,r0
	b	next
h2:	xor	r0,r0,r1
	b	next
h3:	asl	r1,r1,1
	b	next
h4:	add	r4,r4,r0
	b	next
h5:	or	r1,r1,1
	b	next
h6:	lsr	r0,r0,1
	b	next
h7:	mov	r8,code
	b	next
done:	flag	1
	.align	4
table:	.word	h0,h1,h2,h3,h4,h5,h6,h7
code:	.byte	0,1,2,3,4,5,6,0,2,4,1,3,5,6,4,2,0,0,3,1,4,4,2,6,5,1,0,7
	.align	4
