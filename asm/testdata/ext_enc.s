; options: cpu=em4
; User instructions, registers, conditions.
	.extInstruction custom0, 0x07, 0x1a, SUFFIX_COND|SUFFIX_FLAG, SYNTAX_3OP
	.extInstruction custom1, 0x07, 0x1b, SUFFIX_FLAG, SYNTAX_2OP
	.extInstruction i3, 0x07, 0x21, SUFFIX_NONE, SYNTAX_3OP
	.extInstruction i2, 0x07, 0x22, SUFFIX_NONE, SYNTAX_2OP|OP1_IMM_IMPLIED
	.extInstruction i3b, 0x07, 0x23, SUFFIX_NONE, SYNTAX_3OP|OP1_MUST_BE_IMM
	.extInstruction i1, 0x07, 0x24, SUFFIX_NONE, SYNTAX_1OP
	.extInstruction i0, 0x07, 0x25, SUFFIX_NONE, SYNTAX_NOP
	.extInstruction j0, 0x05, 0x25, SUFFIX_NONE, SYNTAX_NOP
	.extInstruction j1, 0x05, 0x24, SUFFIX_COND, SYNTAX_1OP
	.extInstruction j2, 0x05, 0x27, SUFFIX_COND|SUFFIX_FLAG, SYNTAX_2OP
	.extCoreRegister mlx, 57, r|w, can_shortcut
	.extCoreRegister r32c, 32, r|w, cannot_shortcut
	.extCoreRegister ro, 33, r, can_shortcut
	.extCondCode tst, 0x10
	.extAuxRegister aux_test, 0x41, r|w
	custom0.tst	mlx,mlx,r0                 ; da391070
	custom1		mlx,r0                        ; 2f391b70
	lr	r0, [aux_test]                      ; aa204100
	sr	r0, [aux_test]                      ; ab204100
 i3 r0,r1,r2                            ; 21398000
 i3 0,r1,r2                             ; 2139be00
 i3 r0,r1,5                             ; 61394001
 i3 r0,r0,500                           ; a138070d
 i3 r0,5,r0                             ; 213e007000000500
 i3 r0,5,5                              ; 613e407100000500
 i3 0,r1,5                              ; 61397e01
 i3 0,500,r5                            ; 213e7e710000f401
 i3 0,500,5                             ; 613e7e710000f401
 i3 0,500,500                           ; a13e077d0000f401
 i3 0,r1,500                            ; 2139be0f0000f401
 i2 r0,r1                               ; 22387e00
 i2 r0,5                                ; 62387e01
 i2 r0,500                              ; 2238be0f0000f401
 i2 r0,50000                            ; 2238be0f000050c3
 i2 r0,-5                               ; 2238be0ffffffbff
 i3b 0,r1,r2                            ; 2339be00
 i3b 0,r1,5                             ; 63397e01
 i1 r0                                  ; 2f3c3f40
 i1 5                                   ; 6f3c7f41
 i1 500                                 ; 2f3cbf4f0000f401
 i1 -5                                  ; 2f3cbf4ffffffbff
 i0                                     ; 6f3d3f40
 j0                                     ; 6f2d3f40
 j1 r1                                  ; 2f2c7f40
 j1 5                                   ; 6f2c7f41
 j1 r1                                  ; 2f2c7f40
 j1 5                                   ; 6f2c7f41
 j2 r0,r1                               ; 2f286700
 j2 r0,5                                ; 6f286701
 j2 r0,r1                               ; 2f286700
 j2 0,r1                                ; 2f2e6770
 j2 0,5                                 ; 6f2e6771
 j2 r0,600                              ; 2f28a70f00005802
 j2.f r0,r1                             ; 2f286780
 add r32c,r1,r2                         ; 0021a000
 add r0,ro,r1                           ; 00214040
