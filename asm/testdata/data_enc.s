; options: cpu=em4
; Data, alignment, strings, expressions.
	.data
base:
	.byte 1,2,0xff,-1                      ; 0102ffff
	.byte 'a, 'b', '\n
	.short 1,0x1234                        ; 01003412
	.2byte 5                               ; 0500
	.word 1,0x12345678                     ; 0100000078563412
	.long -1                               ; ffffffff
	.4byte 5 > 3, 3 > 5                    ; ffffffff00000000
	.int 1 && 2, 0 || 3, !5, !0            ; 01000000010000000000000001000000
	.long 3|4+1, 2*3+4<<1, 1+2&3, 7%4, -7/2, 5!3, 1 == 1 ; 080000000e0000000300000003000000fdfffffffdffffffffffffff
	.long -1>>60, 1<<31, ~5, -(3+4), (1+2)*3 ; 0f00000000000080fafffffff9ffffff09000000
	.quad 0x123456789abcdef0               ; f0debc9a78563412
	.octa 0x123456789abcdef0123456789abcdef0 ; f0debc9a78563412f0debc9a78563412
	.octa , 1                              ; 0000000000000000000000000000000001000000000000000000000000000000
	.ascii "abc", "d"                      ; 61626364
	.asciz "x"                             ; 7800
	.string "a\tb\n\\\"\x41\101"
	.string16 "ab"                         ; 610062000000
	.zero 3                                ; 000000
	.space 2,0x77                          ; 7777
	.skip 1                                ; 00
	.fill 2,2,0x1234                       ; 34123412
	.fill 3                                ; 000000
	.align 4                               ; 00
	.balign 8,0x55                         ; 55555555
	.p2align 2
	.byte 1                                ; 01
	.balign 4                              ; 000000
	.uleb128 300                           ; ac02
	.sleb128 -129                          ; ff7e
	.float 1.5                             ; 0000c03f
	.double -2.25                          ; 00000000000002c0
	.single 1e10                           ; f9021550
here:	.word here - base                 ; d8000000
	.word . - here                         ; 04000000
	.set x, 5
	.word x, x+1                           ; 0500000006000000
	.equ y, x*2
	.word y                                ; 0a000000
	z = y + 1
	.word z                                ; 0b000000
	.equiv w, 7
	.byte w                                ; 07
	.org 0x140
	.byte 9                                ; 09
	.section .rodata
start0:
	.data
	.subsection 1
	.byte 0xaa                             ; aa
	.subsection 0
	.byte 0xbb                             ; bb
	.previous
	.byte 0xcc                             ; cc
	.text
stext:
	.word later - stext                    ; 08000000
	.align 8                               ; e078e078
later:	nop_s                            ; e078
	.section .note.x,"",@progbits
	.byte 1                                ; 01
	.pushsection .data
	.byte 2                                ; 02
	.popsection
	.byte 3                                ; 03
