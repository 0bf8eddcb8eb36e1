; options: cpu=em4
; Errors that only the layout finds.
start:
	breq r0,r1,far			; ERROR "branch offset \\d+ is out of range -256 to 254"
	b_s far				; ERROR "out of range -512 to 510"
	bl odd				; ERROR "is not a multiple of 4"
	beq_s ext			; ERROR "can only go to a label of its own section, not to \"ext\""
	lp ext				; ERROR "can only go to a label"
	dbnz r0,other			; ERROR "can only go to a label of its own section"
	ld_s r0,[pcl,ext]		; ERROR "must be a constant from 0 to 1020|can only go to"
	.word ext-start2		; ERROR "no relocation can express \"ext\" minus \"start2\""
	.short ext*2			; ERROR "too complex"
	.quad ext			; ERROR "8 bytes cannot hold \"ext\""
	.org 4				; ERROR "cannot move back from address"
	.org ext			; ERROR "must be a constant or a label of this section"
	.space ext			; ERROR "must be a constant or a difference"
	.uleb128 ext			; ERROR "must be a constant or a difference"
	.size start,ext			; ERROR "size of \"start\" must be a constant"
	.space 1000
far:	nop_s
odd:	nop
	.set loop1,loop2+1
	.set loop2,loop1+1
	.word loop1			; ERROR "too complex"
	.set local,ext@tpoff
	add r0,r0,local@tlsie		; ERROR "at most one relocation operator"
	mov r0,7f			; ok only if label 7 follows
7:
	.reloc 0x7fffffff,R_ARC_32,ext	; ERROR "outside the section"
	b start*2			; ERROR "too complex"
	jli_s start2-start		; ERROR "no relocation can express"
	.align 4
	.byte 1
	.balignw 4,0x1234		; ERROR "gap of 3 bytes is not a multiple of the 2 bytes of the fill value"
	.data
start2:
other:	.word 0
