; options: cpu=em4
; Macros, loops, conditionals.
	.macro addn a, b=r1, c:req, d:vararg
	add \a,\b,\c
	.ifnb \d
	.word \d
	.endif
	.endm
	addn r0,,r2                            ; 00218000
	addn r0,r3,r4,1,2,3                    ; 00230001010000000200000003000000
	addn a=r5 c=r6                         ; 00218501
	addn r0 r1 r2                          ; 00218000
	addn c=5,a=r7                          ; 40214701
	.rept 3
	nop_s
	.endr                                  ; e078e078e078
	.irp r,r0,r1,r2
	mov \r,0
	.endr                                  ; 4a2000004a2100004a220000
	.irpc c,012
	mov r\c,\c
	.endr                                  ; 4a2000004a2140004a228000
	.macro sum from=0, to=5
	.long \from
	.if \to-\from
	sum "(\from+1)",\to
	.endif
	.endm
	sum 0,3                                ; 00000000010000000200000003000000
	.macro lab l
\l\()x:	b \l\()x
.Lu\@\l: b .Lu\@\l
	.endm
	lab a                                  ; 0300000003000000
	lab b                                  ; 0300000003000000
	.macro twice x
	.byte \x
	.byte \x
	.exitm
	.byte 99
	.endm
	twice 5                                ; 0505
	.macro each first, rest:vararg
	.byte \first
	.ifnb \rest
	each \rest
	.endif
	.endm
	each 1,2,3                             ; 010203
	.macro outer n
	.macro inner\n x
	mov \x,\n
	.endm
	.endm
	outer 3
	inner3 r4                              ; 4a24c000
	.macro expr a b
	.word \a, \b
	.endm
	expr 1 + 2, 3 -1                       ; 0300000002000000
	.set n,3
	.if n == 3
	.byte 1                                ; 01
	.elseif 1
	.byte 2
	.else
	.byte 3
	.endif
	.if n > 3
	.byte 4
	.else
	.byte 5                                ; 05
	.endif
	.ifdef n
	.byte 6                                ; 06
	.endif
	.ifndef nn
	.byte 7                                ; 07
	.endif
	.ifc a b,a b
	.byte 8                                ; 08
	.endif
	.ifeqs "a","a"
	.byte 9                                ; 09
	.endif
	.ifgt n
	.byte 10                               ; 0a
	.endif
	.ifb
	.byte 11                               ; 0b
	.endif
	.if 0
	.if 1
	.byte 12
	.endif
	.else
	.byte 13                               ; 0d
	.endif
	.altmacro
	.macro alt x
	LOCAL l
l:	.word l-., \x
	.endm
	alt %3+4                               ; 0000000007000000
	alt <6>                                ; 0000000006000000
	.noaltmacro
	.purgem twice
	.include "include.inc"
	included 5                             ; 4a204001
