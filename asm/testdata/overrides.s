; options: cpu=em4
; Aliases that another object may override, or refer to: references name them, though what they stand for
; is known in the end. Weak handlers of vector tables are such.
	.section .vectors, "a"
	.macro	handler n
	.weak	\n
	.set	\n, unexpected
	.word	\n
	.endm
	handler	irq0
	handler	irq1
	.text
	.weak	h
	.set	h, d
	.word	h, h+4, h-., d-h
	.hword	h-d, 0
	bl	h
	b	h
	mov	r0, h
	ld	r0, [h]
	add	r0, pcl, h@pcl
	.set	k, h
	.word	k
	.global	k2
	.set	k2, h
	.word	k2
	bl	k2
	.size	h, 4
	.global	g
	.set	g, d
	bl	g
	beq_s	g
	ld	r0, [gp, g@sda]
	.set	k3, g+4
	.word	k3
	.set	own, d
	.word	own
	bl	own
	.align	4
d:	nop
	.type	d, @function
	.size	d, 8
unexpected:
	rtie
	.weak	to_undefined
	.set	to_undefined, nowhere
	.word	to_undefined
	bl	to_undefined
	.data
	.global	dd
	.set	dd, ee+8
	.word	dd, ee
	.type	dd, @object
	.size	dd, 4
ee:	.word	1, 2, 3
	.text
	ld	r0, [dd]
	st	r0, [dd+4]
	mov	r0, dd@sda
	.section .rodata.str, "aMS", @progbits, 1
	.global	s2
	.set	s2, s1+2
s1:	.string	"abcdef"
	.text
	.word	s2, s2+1, s1, s1+1
	.global	shared
	.hidden	shared
	.set	shared, d2
	.word	shared
	bl	shared
	.align	4
d2:	nop
