; A data cache of 1 KB, 2 ways, lines of 32 bytes, that holds data: the word in memory and the core's view, one word
; of results after the other. Ends with status 0.
	.equ	DC_IVDC, 0x47
	.equ	DC_CTRL, 0x48
	.equ	DC_LDL, 0x49
	.equ	DC_IVDL, 0x4a
	.equ	DC_FLSH, 0x4b
	.equ	DC_FLDL, 0x4c
	.equ	SET, 512		; the next address of the same set

	.macro	core addr		; the core's view
	ld	r2, [\addr]
	st.di.ab r2, [r1, 4]
	.endm
	.macro	memory addr		; what memory has
	ld.di	r2, [\addr]
	st.di.ab r2, [r1, 4]
	.endm
	.macro	done			; whether the last operation on a line succeeded
	lr	r2, [DC_CTRL]
	and	r2, r2, 4
	st.di.ab r2, [r1, 4]
	.endm
	.macro	put value, addr
	mov	r3, \value
	st	r3, [\addr]
	.endm

	.section .vectors, "a"
	.word	_start
	.text
	.globl	_start
	.type	_start, @function
_start:
	mov	r0, line
	mov	r1, results
	add	r4, r0, SET
	add	r5, r4, SET
	sr	0, [DC_CTRL]
	sr	1, [DC_IVDC]
	put	0x11, r0		; not written back
	memory	r0
	core	r0
	sr	r0, [DC_FLDL]		; written back
	memory	r0
	mov	r3, 0x22
	st.di	r3, [r0]		; stale
	core	r0
	memory	r0
	sr	r0, [DC_IVDL]		; read again
	core	r0
	put	0x33, r0
	sr	r0, [DC_IVDL]		; lost
	core	r0
	sr	0x40, [DC_CTRL]		; invalidating writes back
	put	0x44, r0
	sr	r0, [DC_IVDL]
	done
	memory	r0
	put	0x55, r0		; locked: not flushed, not replaced
	sr	r0, [DC_LDL]
	done
	sr	1, [DC_FLSH]
	memory	r0
	put	0x66, r4
	put	0x77, r5		; replaces the one before
	memory	r0
	memory	r4
	memory	r5
	core	r5
	sr	r5, [DC_LDL]		; the last way of the set
	done
	sr	0xc0, [DC_CTRL]		; locked lines are flushed, too
	sr	1, [DC_FLSH]
	memory	r0
	memory	r5
	sr	0xc1, [DC_CTRL]		; off: around the cache
	put	0x88, r0
	memory	r0
	sr	0xc0, [DC_CTRL]
	core	r0
	sr	0x20000, [DC_FLDL]	; not in the cache
	done
	mov	r0, 0
	flag	1
	nop
	b	_start
	.size	_start, . - _start

	.bss
	.align	1024
line:	.space	2048
	.globl	results
results: .space	128
