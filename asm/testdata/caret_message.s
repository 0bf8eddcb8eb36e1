; options: cpu=em9d
	add	r0,r1,	r77, r2
	.include "include_bad.inc"
	.macro m a
	.macro_inner \a
	mov r0,\a,5
	.endm
	.rept 1
	m	r1
	.endr
x:	breq r0,r1,y
	.space 300
y:
