; arcq_fetch: waits until the first channel of the micro-DMA controller rests, then starts its next moves.
;
; A call takes 20 cycles and those that it waits. The controller moves a word in 2 cycles, beside the core.
;
; r0 parameter block, then the status	r1 state of the controller, then the table	r2 the channel's bit

	.include "arcq.inc"

	.equ	DMAC_BUILD,0xcd
	.equ	DMACTRL,0x680
	.equ	DMACENB,0x681
	.equ	DMACREQ,0x685
	.equ	DMACSTAT0,0x686			; channels that move
	.equ	DMACSTAT1,0x687			; channels that are done; above, those that met an error
	.equ	DMACBASE,0x689
	.equ	ERRORS,16
	.equ	TABLES,2			; the version of controllers that find descriptors by a table

	.text
	.align	4
	.global	arcq_fetch
	.type	arcq_fetch,@function
arcq_fetch:
	breq	r0,0,.Lbad
	lr	r1,[DMAC_BUILD]
	extb	r1,r1
	brlo	r1,TABLES,.Lnone
	mov	r2,1
1:	lr	r1,[DMACSTAT0]
	bbit1	r1,0,1b
	lr	r1,[DMACSTAT1]
	bbit1	r1,ERRORS,.Lerror
	ld	r1,[r0,FETCH_TABLE]
	mov	r0,OK
	breq	r1,0,.Lreturn
	sr	r1,[DMACBASE]
	sr	r2,[DMACTRL]
	sr	r2,[DMACENB]
	sr	r2,[DMACREQ]
.Lreturn:
	j	[blink]
.Lerror:
	asl	r2,r2,ERRORS			; seen: the next call begins anew
	sr	r2,[DMACSTAT1]
.Lbad:
	mov	r0,BAD_ARGUMENT
	j	[blink]
.Lnone:
	mov	r0,NOT_SUPPORTED
	j	[blink]
	.size	arcq_fetch,.-arcq_fetch
