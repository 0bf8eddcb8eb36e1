; A MetaWare hostlink program: asks for its arguments, prints the last one and a line feed, reads a
; line of input and prints it, announces status 300 and halts. The block is as newlib lays it out; the
; doorbell word is stored in one piece here and in bytes in `send_bytes`, as a compiler does that
; takes the block for unaligned.
	.equ	PAYLOAD, __HOSTLINK__ + 48
	.equ	PACKET, __HOSTLINK__ + 28
	.globl	_start
	.type	_start, @function
_start:
	mov	sp, stack
	mov	r20, send
	; argc
	bl	begin
	mov	r0, 12
	bl	number
	jl	[r20]
	ld	r21, [PAYLOAD + 4]
	; argv[argc - 1]
	bl	begin
	mov	r0, 13
	bl	number
	sub	r0, r21, 1
	bl	number
	jl	[r20]
	ldh	r22, [PAYLOAD + 2]	; length with the zero byte
	mov	r0, buffer
	mov	r1, PAYLOAD + 4
	mov	r2, r22
	bl	copy
	mov	r0, buffer
	add	r0, r0, r22
	mov	r1, 10
	stb	r1, [r0, -1]
	mov	r20, send_bytes
	bl	print
	; read(0, 64)
	bl	begin
	mov	r0, 2
	bl	number
	mov	r0, 0
	bl	number
	mov	r0, 64
	bl	number
	jl	[r20]
	ld	r22, [PAYLOAD + 4]
	brle	r22, 0, 1f
	mov	r0, buffer
	mov	r1, PAYLOAD + 12
	mov	r2, r22
	bl	copy
	bl	print
1:	; retcode(300)
	bl	begin
	mov	r0, 14
	bl	number
	mov	r0, 300
	bl	number
	jl	[r20]
	mov	r0, 0
	flag	1
	nop
	b	1b
	.size	_start, . - _start

; write(1, buffer, r22)
print:	push	blink
	bl	begin
	mov	r0, 3
	bl	number
	mov	r0, 1
	bl	number
	mov	r0, 4			; a buffer
	sth.ab	r0, [r13, 2]
	sth.ab	r22, [r13, 2]
	mov	r0, r13
	mov	r1, buffer
	mov	r2, r22
	bl	copy
	add	r13, r13, r22
	add	r13, r13, 3
	bic	r13, r13, 3
	mov	r0, r22
	bl	number
	jl	[r20]
	pop	blink
	j	[blink]

begin:	mov	r13, PAYLOAD
	j	[blink]

number:	mov	r1, 3			; an integer
	sth.ab	r1, [r13, 2]
	mov	r1, 4
	sth.ab	r1, [r13, 2]
	st.ab	r0, [r13, 4]
	j	[blink]

copy:	brle	r2, 0, 1f
	ldb.ab	r3, [r1, 1]
	stb.ab	r3, [r0, 1]
	sub	r2, r2, 1
	b	copy
1:	j	[blink]

; Fill in the headers, ring, wait.
headers:
	mov	r1, __HOSTLINK__
	mov	r0, 1
	st	r0, [r1, 0]		; version
	mov	r0, -1
	st	r0, [r1, 8]		; no answer
	mov	r0, PACKET
	st	r0, [r1, 12]		; buffer
	mov	r2, 1152
	st	r2, [r1, 16]		; payload size
	mov	r2, 1
	st	r2, [r1, 28]		; packet id
	sub	r2, r13, PACKET
	st	r2, [r1, 32]		; total size
	j	[blink]

send:	push	blink
	bl	headers
	st.di	r0, [r1, 4]
	bl	_hl_blockedPeek
	pop	blink
	j	[blink]

send_bytes:
	push	blink
	bl	headers
	stb	r0, [r1, 4]
	lsr	r0, r0, 8
	stb	r0, [r1, 5]
	lsr	r0, r0, 8
	stb	r0, [r1, 6]
	lsr	r0, r0, 8
	stb	r0, [r1, 7]
	bl	_hl_blockedPeek
	pop	blink
	j	[blink]

	.globl	_hl_blockedPeek
	.type	_hl_blockedPeek, @function
_hl_blockedPeek:
	ld.di	r0, [__HOSTLINK__ + 8]
	breq	r0, -1, _hl_blockedPeek
	mov	r0, -1
	st.di	r0, [__HOSTLINK__ + 4]
	j	[blink]
	.size	_hl_blockedPeek, . - _hl_blockedPeek

	.data
	.align	256
	.globl	__HOSTLINK__
	.type	__HOSTLINK__, @object
__HOSTLINK__:
	.word	1, -1, -1, 0, 0, 0, 0
	.word	0, 0, 0, 0, 0
	.space	1152
	.size	__HOSTLINK__, . - __HOSTLINK__

	.bss
buffer:	.space	256
	.align	4
	.space	256
stack:
