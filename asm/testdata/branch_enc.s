; options: cpu=em4
; Branches, jumps, loops: offsets, labels, hints, numeric labels.
start:
	b 8                                    ; 09000000
	b start                                ; fd07cfff
	b.d start                              ; f907efff
	nop_s                                  ; e078
	beq start                              ; f407c1ff
	b.eq start                             ; f007c1ff
	bnz.d start                            ; ec07e2ff
	nop_s                                  ; e078
	bhi start                              ; e407cdff
	bl start                               ; e20fcfff
	blne start                             ; dc0fc2ff
	bl.d start                             ; da0fefff
	nop_s                                  ; e078
	b .                                    ; 03000000
	b .+8                                  ; 0b000000
1:	b 1b                                 ; 03000000
	b 1f                                   ; 09000000
	nop_s                                  ; e078
1:	beq 1b                               ; 00000100
	breq r0,r1,start                       ; bd084080
	breq r0,5,1f                           ; 1b085001
	brne.d r0,r1,1f                        ; 17086100
	nop_s                                  ; e078
	brlt 0x12345678,r1,1f                  ; 130e427034127856
	brge.t r0,r1,1f                        ; 0b084b00
	brge.nt r0,r1,1f                       ; 07084300
1:
	brge.t r0,r1,1b                        ; 03084b00
	brge.nt r0,r1,1b                       ; ff084b80
	bbit0 r0,3,1b                          ; fb08d680
	bbit1.t r0,3,1b                        ; f708df80
	bbit1.nt r0,3,1b                       ; f308d780
	brgt r0,r1,1b                          ; ef090280
	brgt r0,5,1b                           ; eb089381
	brgt r0,63,1b                          ; e70e02f000003f00
	brhi r0,r1,1b                          ; df090480
	brle.d r0,r1,1b                        ; db092380
	nop_s                                  ; e078
	brls r0,5,1b                           ; d3089481
	dbnz r0,1b                             ; 8c20ff09
	dbnz.d r0,1b                           ; 8d207f09
	nop_s                                  ; e078
	lp 1f                                  ; a8204001
	nop                                    ; 4a260070
1:
	lpnz 1f                                ; e8206201
	nop                                    ; 4a260070
1:
	lp 12                                  ; a8208001
	j [r0]                                 ; 20200000
	j.d [r0]                               ; 21200000
	nop_s                                  ; e078
	jeq [r0]                               ; e0200100
	j 5                                    ; a0204001
	j 0x12345678                           ; 2020800f34127856
	jl [r0]                                ; 22200000
	jl.d [r0]                              ; 23200000
	nop_s                                  ; e078
	jlne 0x1000                            ; e220820f00000010
	j [blink]                              ; 2020c007
	j.d [blink]                            ; 2120c007
	nop_s                                  ; e078
	j_s [r0]                               ; 0078
	j_s.d [r0]                             ; 2078
	nop_s                                  ; e078
	j_s [blink]                            ; e07e
	j_s.d [blink]                          ; e07f
	nop_s                                  ; e078
	jeq_s [blink]                          ; e07c
	jl_s [r0]                              ; 4078
	jl_s.d [r0]                            ; 6078
	nop_s                                  ; e078
	b_s 2f                                 ; 03f0
	beq_s 2f                               ; 03f2
	bgt_s 2f                               ; 01f6
2:	bl_s 8                               ; 02f8
	breq_s r0,0,2b                         ; 7fe8
	brne_s r12,0,2b                        ; ffec
	bi [r0]                                ; 24200000
	bih [r0]                               ; 25200000
	jli_s 5                                ; 0558
	ei_s 5                                 ; 055c
	sjli 5                                 ; a0284081
	bhs start                              ; e806c6ff
	blo start                              ; e406c5ff
	bpl start                              ; e006c3ff
	bmi start                              ; dc06c4ff
	bvs start                              ; d806c7ff
	bpnz start                             ; d406cfff
