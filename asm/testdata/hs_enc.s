; options: cpu=hs4xd
; Instructions of the HS family only.
	ldd r0,[r2]                            ; 00128001
	ldd r0r1,[r2,8]                        ; 08128001
	ldd.aw r2,[sp,-8]                      ; f81482b3
	std r0,[r2]                            ; 001a0600
	std 5,[r2]                             ; 001a4701
	std.ab r2r3,[r1,8]                     ; 08199600
	llockd r0,[r2]                         ; 2f209200
	scondd r0,[r2]                         ; 2f209300
	prefetchw [r0]                         ; 00103e08
	wlfc 5                                 ; 6f217f11
	vadd2 r0,r2,r4                         ; 3c2a0001
	vadd4h r0r1,r2r3,r4r5                  ; 382a0001
	qmpyh r0,r2,r4                         ; 302a0001
	qmach r0,r2,5                          ; 742a4001
	dmpywh r0,r2,r4                        ; 322a0001
	dmacwhu r0,r2,r4                       ; 372a0001
	vsub2 r0,r2,0x12345678                 ; 3d2a800f34127856
	vaddsub4h r0,r2,r4                     ; 3a2a0001
	fdadd r0,r2,r4                         ; 31320001
	fsmadd r0,r1,r2                        ; 05318000
	fcvt64_32 r0,r2,0                      ; 79320000
	mpyd r0,r1,r2                          ; 18298000
	add r0,r1,r2                           ; 00218000
	lr r0,[status32]                       ; 6a208002
