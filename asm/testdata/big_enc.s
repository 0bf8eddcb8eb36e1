; options: cpu=em4 big
; Big-endian cores: instructions and data have their upper bytes first.
	add r0,r1,r2                           ; 21000080
	mov r0,0x12345678                      ; 200a0f8012345678
	mov_s r0,5                             ; 750c
	b .+8                                  ; 000b0000
	.word 0x12345678                       ; 12345678
	.short 0x1234                          ; 1234
	.quad 0x123456789abcdef0               ; 123456789abcdef0
	.fill 1,8,0x11223344                   ; 1122334400000000
	.float 1.5                             ; 3fc00000
l:	.word l-.                            ; 00000000
	bl l                                   ; 0ffeffcf
	mov r0,m-l                             ; 200a0f8000000014
	.align 8                               ; 78e078e0
m:	nop
