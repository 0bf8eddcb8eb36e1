//go:build linux || darwin

#include "textflag.h"

// func Call(code uintptr, first, second, third unsafe.Pointer, acct uint64) (count, exit uint64)
// The frame is where compiled code keeps values: 248 words above the word that R30 is saved in. The barrier is for code that
// another thread has written: this one must not have fetched what was there before.
TEXT ·Call(SB), 0, $2048-56
	MOVD code+0(FP), R16
	MOVD first+8(FP), R19
	MOVD second+16(FP), R20
	MOVD third+24(FP), R21
	MOVD acct+32(FP), R22
	ISB  $15
	CALL (R16)
	MOVD R22, count+40(FP)
	MOVD R0, exit+48(FP)
	RET

// func publish(write, run, size uintptr)
// It makes the caches agree on what has been written: data goes as far as instructions are fetched from; then the lines of
// instructions are dropped, by the addresses they are fetched from. R5 and R6 are the lengths of lines.
TEXT ·publish(SB), NOSPLIT, $0-24
	MOVD write+0(FP), R0
	MOVD run+8(FP), R1
	MOVD size+16(FP), R2
	ADD  R0, R2, R3
	ADD  R1, R2, R4
	MOVD $64, R5
	MOVD $64, R6
#ifdef GOOS_linux
	MRS  CTR_EL0, R7
	MOVD $4, R8
	UBFX $16, R7, $4, R5
	LSL  R5, R8, R5
	AND  $15, R7, R6
	LSL  R6, R8, R6
#endif
	SUB  $1, R5, R8
	BIC  R8, R0, R0
	SUB  $1, R6, R8
	BIC  R8, R1, R1

data:
	CMP R3, R0
	BHS cleaned
	DC  CVAU, R0
	ADD R5, R0, R0
	B   data

cleaned:
	DSB $11

code:
	CMP  R4, R1
	BHS  dropped
	WORD $0xd50b7521 // IC IVAU, R1
	ADD  R6, R1, R1
	B    code

dropped:
	DSB $11
	ISB $15
	RET
