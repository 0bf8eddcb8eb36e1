//go:build linux || darwin || windows

#include "textflag.h"

// func Call(code uintptr, first, second, third unsafe.Pointer, acct uint64) (count, exit uint64)
// The frame is where compiled code keeps values: 248 words above its return address.
TEXT ·Call(SB), 0, $2048-56
	MOVQ code+0(FP), AX
	MOVQ first+8(FP), BX
	SUBQ $-128, BX // so that offsets from -128 to 127 reach the first 256 bytes
	MOVQ second+16(FP), R13
	MOVQ third+24(FP), R12
	MOVQ acct+32(FP), R15
	CALL AX
	MOVQ R15, count+40(FP)
	MOVQ AX, exit+48(FP)
	RET
