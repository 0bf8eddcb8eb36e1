; The work of drivers of the micro-DMA controller, on a core with two channels and shared interrupts: a block with
; an interrupt, linked blocks that are polled, two priorities, a transfer that is stopped, one that fails. A
; line for each that went well; a check that fails ends the program with its number. GNU I/O.
	.include "call.inc"
	.equ	DMACTRL, 0x680
	.equ	DMACENB, 0x681
	.equ	DMACDSB, 0x682
	.equ	DMACHPRI, 0x683
	.equ	DMACNPRI, 0x684
	.equ	DMACREQ, 0x685
	.equ	DMACSTAT0, 0x686
	.equ	DMACSTAT1, 0x687
	.equ	DMACIRQ, 0x688
	.equ	DMACBASE, 0x689
	.equ	DMACRST, 0x68a
	; a control word: operation, type, width, bytes, elements of a turn, interrupt; both addresses increase
	.equ	SINGLE, 1
	.equ	LINKED, 2
	.equ	BYTES, 0
	.equ	BYTES4, 2	; bytes, four apart
	.equ	WORDS, 5
	.equ	CLEAR, 6
	.macro	block name, op, type, width, bytes, turn, irq, from, to, next
\name:	.word	\op | \type << 3 | \width << 5 | (\bytes - 1) << 8 | (\turn - 1) << 21 | \irq << 29 | 3 << 30
	.word	\from, \to, \next
	.endm
	.macro	equal a, b		; or the check fails
	cmp	\a, \b
	bne	failed
	.endm
	.macro	say text
	mov	r0, 1
	mov	r1, \text
	mov	r2, \text\()_end - \text
	call	4
	.endm
	.macro	start channel, descriptor	; as the driver starts a channel
	mov	r0, \descriptor
	st	r0, [pointers + 4 * \channel]
	sr	0x10000 << \channel, [DMACSTAT1]
	sr	1 << \channel, [DMACRST]
	sr	1 << \channel, [DMACDSB]
	sr	1 << \channel, [DMACENB]
	sr	1 << \channel, [DMACREQ]
	.endm
	.macro	same from, to, bytes, failure
	mov	r0, \from
	mov	r1, \to
	mov	r2, \bytes
	mov	r16, \failure
	bl	compare
	.endm

	.section .vectors, "a"
	.word	_start
	.rept	7
	.word	unhandled
	.endr
	.word	unhandled		; 8
	.rept	11
	.word	unhandled
	.endr
	.word	irq_done, irq_error	; 20

	.text
	.globl	_start
	.type	_start, @function
_start:
	mov	sp, stack
	mov	r0, source
	mov	r1, 0x01020304
	mov	lp_count, 1024
	lp	1f
	st.ab	r1, [r0, 4]
	add	r1, r1, 0x03050709
1:	sr	0, [DMACTRL]
	sr	0xffff, [DMACDSB]
	sr	0xffff, [DMACRST]
	sr	1, [DMACTRL]
	sr	pointers, [DMACBASE]
	sr	20, [0x40b]		; below the level that has registers of its own
	sr	1, [0x206]
	sr	21, [0x40b]
	sr	1, [0x206]
	mov	r20, 0			; channels done, the last one in the low bits
	mov	r21, 0			; errors
	seti	0x3f

	start	0, copy
1:	brne	r20, 0, 2f
	sleep	0x1f
	b	1b
2:	same	source, target, 1000, 1
	say	copied

	mov	r20, 0
	start	1, links
1:	lr	r0, [DMACSTAT1]
	bbit0	r0, 1, 1b
	lr	r0, [DMACSTAT0]
	mov	r16, 2
	equal	r0, 0
	equal	r20, 0		; nobody asked for an interrupt
	same	source, target + 0x1000, 64, 3
	mov	r0, source + 64
	mov	r1, target + 0x1040
	mov	r16, 4
	mov	lp_count, 8
	lp	1f
	ldb.ab	r2, [r0, 4]
	ldb.ab	r3, [r1, 4]
	equal	r2, r3
1:	ld	r0, [target + 0x1008]	; not cleared
	mov	r16, 5
	cmp	r0, 0
	beq	failed
	ld	r0, [target + 0x10]	; cleared
	equal	r0, 0
	say	linked

	mov	r20, 0
	sr	1, [DMACNPRI]
	sr	2, [DMACHPRI]
	sr	0, [DMACTRL]
	start	0, first
	start	1, second
	sr	1, [DMACTRL]
1:	brlt	r20, 0x10, 1b
	mov	r16, 6
	mov	r0, 0x21		; channel 1 before channel 0
	equal	r20, r0
	say	urgent

	mov	r20, 0
	sr	3, [DMACNPRI]
	start	0, long
	mov	lp_count, 50
	lp	1f
	nop
	nop
1:	sr	1, [DMACDSB]
	lr	r0, [DMACSTAT0]
	lr	r1, [DMACSTAT1]
	or	r0, r0, r1
	mov	r16, 7
	equal	r0, 0
	ld	r0, [target + 0x2000]	; the beginning has come, the end has not
	ld	r1, [source]
	equal	r0, r1
	ld	r0, [target + 0x2ffc]
	equal	r0, 0
	sr	1, [DMACENB]
	sr	1, [DMACREQ]
1:	breq	r20, 0, 1b
	same	source, target + 0x2000, 4096, 8
	say	stopped

	mov	r20, 0
	start	1, wrong
1:	breq	r21, 0, 1b
	mov	r16, 9
	equal	r20, 0
	mov	r0, 2
	equal	r21, r0
	say	refused
	mov	r0, 0
	call	1

failed:
	mov	r0, r16
	call	1
unhandled:
	lr	r0, [ecr]
	flag	1
	nop
	b	unhandled
	.size	_start, . - _start

	.type	compare, @function	; r2 bytes at r0 and r1; r16 if they differ
compare:
	lsr	lp_count, r2, 2
	lp	1f
	ld.ab	r2, [r0, 4]
	ld.ab	r3, [r1, 4]
	equal	r2, r3
1:	j	[blink]
	.size	compare, . - compare

	.type	irq_done, @function
irq_done:
	lr	r22, [DMACIRQ]
	asl	r20, r20, 4
	or	r20, r20, r22
	sr	r22, [DMACIRQ]
	sr	r22, [DMACDSB]
	rtie
	.size	irq_done, . - irq_done

	.type	irq_error, @function
irq_error:
	lr	r22, [DMACSTAT1]
	lsr	r21, r22, 16
	sr	r22, [DMACSTAT1]
	sr	r21, [DMACDSB]
	rtie
	.size	irq_error, . - irq_error

	.section .rodata
	.macro	text name, line
\name:	.ascii	"\line\n"
\name\()_end:
	.endm
	text	copied, "copied"
	text	linked, "linked"
	text	urgent, "the urgent one first"
	text	stopped, "stopped and begun anew"
	text	refused, "refused"

	.data
	.align	32
pointers: .space 8
	; addresses are those of the last elements
	.align	4
	block	copy, SINGLE, 0, WORDS, 1000, 16, 1, source + 996, target + 996, 0
	block	links, LINKED, 0, WORDS, 64, 256, 0, source + 60, target + 0x103c, link1
	block	link1, LINKED, 0, BYTES4, 8, 3, 0, source + 64 + 28, target + 0x1040 + 28, link2
	block	link2, SINGLE, 0, CLEAR, 16, 1, 0, 0, target + 0x1c, 0
	block	first, SINGLE, 0, WORDS, 64, 4, 1, source + 60, target + 0x103c, 0
	block	second, SINGLE, 0, WORDS, 64, 4, 1, source + 60, target + 0x113c, 0
	block	long, SINGLE, 0, WORDS, 4096, 256, 1, source + 4092, target + 0x2ffc, 0
	block	wrong, SINGLE, 1, WORDS, 4, 1, 1, source, target, 0

	.bss
	.align	4
source:	.space	4096
target:	.space	0x3000
	.space	256
stack:
