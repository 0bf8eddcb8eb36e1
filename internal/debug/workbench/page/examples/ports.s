; A dot product with both operands on ports of the address generation unit: two multiply-accumulates in an instruction,
; which is the whole loop. X lies in X memory, Y in Y memory, so that both are read in one cycle.
	.equ	AGU_AP0, 0x5c0		; pointers
	.equ	AGU_AP1, 0x5c1
	.equ	AGU_MOD0, 0x5e0		; how port r32 reads, and port r33
	.equ	AGU_MOD1, 0x5e1
	.equ	PAIR, 1 << 29 | 4 << 18 | 3 << 6 | 2 << 4	; two numbers of 16 bits, then 4 bytes on
	.equ	X, 0xc0000000
	.equ	Y, 0xe0000000
	.equ	LENGTH, 256

	.text
	.global	__start
__start:
	mov	r1, X			; fill both with 1, 2, 3 ...
	mov	r2, Y
	mov	r3, 0
	mov	lp_count, LENGTH
	lp	.Lfilled
	add	r3, r3, 1
	sth.ab	r3, [r1, 2]
	sth.ab	r3, [r2, 2]
.Lfilled:
	sr	X, [AGU_AP0]
	sr	Y, [AGU_AP1]
	sr	PAIR, [AGU_MOD0]
	sr	PAIR | 1, [AGU_MOD1]	; by pointer 1
	mov	r0, 0
	setacc	0, r0, 1
	mov	lp_count, LENGTH / 2
	lp	.Lsum
	dmach	r0, r32, r33
.Lsum:	flag	1			; halt, the sum of squares in r0
