	.include "mli.inc"

; How the library was built.

; const char *mli_hlp_compile_options_string(void)
	FUNCTION mli_hlp_compile_options_string
	mov	r0,.Loptions
	j_s	[blink]
	END	mli_hlp_compile_options_string

; uint8_t mli_hlp_accu_guard_bits_...(void): bits above those of one product.
	.macro	GUARD_BITS types,bits
	FUNCTION mli_hlp_accu_guard_bits_\types
	mov	r0,\bits
	j_s	[blink]
	END	mli_hlp_accu_guard_bits_\types
	.endm

	GUARD_BITS sa8_sa8,16
	GUARD_BITS fx16_fx16,8
	GUARD_BITS fx16_fx8,8

	.section .rodata
.Loptions:
	.if	MLI_ROUND_UP
	.asciz	"ROUND_MODE: UP\nFULL_ACCU: OFF\nMLI_DEBUG_MODE: RET_CODES\n"
	.else
	.asciz	"ROUND_MODE: CONVERGENT\nFULL_ACCU: OFF\nMLI_DEBUG_MODE: RET_CODES\n"
	.endif
	.align	4
