; options: cpu=em4
; Equates: values known at their use, and values that become known later.
	.set early, late
	.set late, 5
	cmp r0,late                            ; 4c204081
	cmp r0,early                           ; 0c20808f00000500
	add r0,r1,early                        ; 0021800f00000500
	add r0,r1,late                         ; 40214001
	.word early, late                      ; 0500000005000000
	.if early == 5
	.byte 1                                ; 01
	.endif
	mov r0,after                           ; 0a20800f00000700
	.set after, 7
	mov r0,after                           ; 4a20c001
	.set after, 8
	mov r0,after                           ; 4a200002
	.set again, here
here:	mov r0,again-here                 ; 0a20800f00000000
	.word again-here                       ; 00000000
	.set dist, there-here
	mov r0,dist                            ; 0a20800f00001800
	nop                                    ; 4a260070
there:	mov r0,dist                      ; 0a20800f00001800
	mov r0,there-here                      ; 4a200006
	.set list, 1
	.word list                             ; 01000000
	.eqv two, one+one
	.set one, 1
	.word two                              ; 02000000
	.set one, 3
	.word two                              ; 06000000
	ahead == .+8
	.word ahead-.                          ; 08000000
	.word ahead-.                          ; 08000000
