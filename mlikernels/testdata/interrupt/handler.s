; The interrupt handler of TestInterrupted: saves all that a kernel may be using, uses all of it, and
; gives it back. It counts at TICKS, and keeps at TICKS+4 where gp was not GP.
	.global	handler
	.type	handler,@function
handler:
	st.aw	r0,[sp,-4]
	st.aw	r1,[sp,-4]
	st.aw	r2,[sp,-4]
	st.aw	lp_count,[sp,-4]
	st.aw	r58,[sp,-4]
	st.aw	r59,[sp,-4]

	.macro	SAVE	aux
	lr	r0,[\aux]
	st.aw	r0,[sp,-4]
	.endm
	.macro	GIVE_BACK	aux
	ld.ab	r0,[sp,4]
	sr	r0,[\aux]
	.endm
	.macro	SPOIL	aux
	sr	r2,[\aux]
	.endm

; each of the auxiliary registers, in this order or backwards
	.macro	AUXILIARY	do
	\do	0x2			; LP_START
	\do	0x3			; LP_END
	\do	0x59f			; DSP_CTRL
	\do	0x581			; ACC0_GLO
	\do	0x583			; ACC0_GHI
	.endm
	.macro	AUXILIARY_BACKWARDS	do
	\do	0x583
	\do	0x581
	\do	0x59f
	\do	0x3
	\do	0x2
	.endm

	AUXILIARY SAVE
	.if	AGU			; pointers, offsets, modifiers
	.set	n,0
	.rept	44
	.if	n < 12
	SAVE	0x5c0+n
	.elseif	n < 20
	SAVE	0x5d0+n-12
	.else
	SAVE	0x5e0+n-20
	.endif
	.set	n,n+1
	.endr
	.endif

	mov	r1,TICKS
	ld	r0,[r1]
	add	r0,r0,1
	st	r0,[r1]
	mov	r2,GP
	cmp	gp,r2
	beq	1f
	ld	r0,[sp,SAVED]		; where the interrupt came: above what is saved
	st	r0,[r1,4]
1:

; a handler's own loop, sums and stack
	mov	r2,0x12345678
	sr	0,[0x59f]
	sub	r1,sp,256
	mov	lp_count,64
	lp	1f
	st.ab	r2,[r1,4]
	dmach	r2,r2,r2
1:	vmpy2h	r0,r2,r2
	.if	AGU
	.set	n,0
	.rept	44
	.if	n < 12
	SPOIL	0x5c0+n
	.elseif	n < 20
	SPOIL	0x5d0+n-12
	.else
	SPOIL	0x5e0+n-20
	.endif
	.set	n,n+1
	.endr
	.set	n,43
	.rept	44
	.if	n < 12
	GIVE_BACK 0x5c0+n
	.elseif	n < 20
	GIVE_BACK 0x5d0+n-12
	.else
	GIVE_BACK 0x5e0+n-20
	.endif
	.set	n,n-1
	.endr
	.endif
	AUXILIARY_BACKWARDS GIVE_BACK
	ld.ab	r59,[sp,4]
	ld.ab	r58,[sp,4]
	ld.ab	r2,[sp,4]
	mov	lp_count,r2
	ld.ab	r2,[sp,4]
	ld.ab	r1,[sp,4]
	sr	3,[0x22]		; CONTROL0: the timer's interrupt is served
	ld.ab	r0,[sp,4]
	rtie
	.equ	SAVED,4*(11+44*AGU)
