; arcq_fetch: waits until channels of the micro-DMA controller rest, then starts their next moves.
;
; A call takes 26 cycles, with registers 31 and 15 for each channel, and those that it waits. The controller moves a word in 2 cycles,
; beside the core.
;
; r0 parameter block, then the status	r1 state of the controller, then the table	r2 bits of channels
; r3 what the controller is		r4 channels left		r5 register	r6 its value

	.include "arcq.inc"

	.equ	DMAC_BUILD,0xcd
	.equ	BUILD_VERSION,7			; the last bit of the version
	.equ	BUILD_REGISTERS,12		; channels with registers
	.equ	REGISTERS,4			; the last of their bits
	.equ	TABLES,2			; the version of controllers that find descriptors by a table
	.equ	DMACTRL,0x680
	.equ	DMACENB,0x681
	.equ	DMACREQ,0x685
	.equ	DMACSTAT0,0x686			; channels that move
	.equ	DMACSTAT1,0x687			; channels that are done; above, those that met an error
	.equ	ERRORS,16
	.equ	DMACBASE,0x689
	.equ	DMACTRL0,0x690			; of channel 0, then its source and destination, then those of the next

	.text
	.align	4
	.global	arcq_fetch
	.type	arcq_fetch,@function
arcq_fetch:
	breq	r0,0,.Lbad
	lr	r3,[DMAC_BUILD]
	ld	r2,[r0,FETCH_WAITS]
	breq	r3,0,.Lnone
1:	lr	r1,[DMACSTAT0]
	tst	r1,r2
	bne	1b
	lr	r1,[DMACSTAT1]
	asl	r4,r2,ERRORS
	tst	r1,r4
	bne	.Lerror
	ld	r2,[r0,FETCH_STARTS]
	ld	r1,[r0,FETCH_TABLE]
	mov	r0,OK
	breq	r2,0,.Lreturn
	bmsk	r4,r3,BUILD_VERSION
	brlo	r4,TABLES,.Lregisters
	sr	r1,[DMACBASE]
.Lstart:
	mov	r4,1
	sr	r4,[DMACTRL]
	sr	r2,[DMACENB]
	sr	r2,[DMACREQ]
.Lreturn:
	j	[blink]
.Lregisters:
	lsr	r3,r3,BUILD_REGISTERS
	bmsk.f	r3,r3,REGISTERS
	beq	.Lnone
	mov	r4,r2
	mov	r5,DMACTRL0
2:	.rept	3
	ld.ab	r6,[r1,4]
	sr	r6,[r5]
	add	r5,r5,1
	.endr
	lsr.f	r4,r4,1
	bne	2b
	b	.Lstart
.Lerror:
	sr	r4,[DMACSTAT1]			; seen: the next call begins anew
.Lbad:
	mov	r0,BAD_ARGUMENT
	j	[blink]
.Lnone:
	mov	r0,NOT_SUPPORTED
	j	[blink]
	.size	arcq_fetch,.-arcq_fetch
