; options: cpu=em4
; Errors in and around macros; those inside an expansion count for the line of the call.
	.macro need a:req, b
	mov \a,\b
	.endm
	need				; ERROR "macro \"need\" needs a value for \"a\""
	need r0,r1,r2			; ERROR "macro \"need\" takes 2 arguments"
	need r0,nothing$		; ok: a symbol
	need 5,r1			; ERROR "operand 1 of mov must be a register or 0"
	need (r0			; ERROR "missing" "comma|operand"
	.macro need			; ERROR "macro \"need\" is already defined"
	.endm
	.macro p a,a			; ERROR "parameter \"a\" is named twice"
	.endm
	.macro q a:opt			; ERROR "\"opt\" is no kind of parameter"
	.endm
	.macro v a:vararg,b		; ERROR "a vararg parameter must be the last"
	.endm
	.purgem nothing			; ERROR "macro \"nothing\" is not defined"
	.macro deep
	deep
	.endm
	.rept -1			; ERROR "repeat count -1 is negative"
	.endr
	.rept x				; ERROR "repeat count must be a constant"
	.endr
	.rept 2				; ERROR "unknown instruction \"nopp\""
	nopp
	.endr
	.irp				; ERROR "loop variable is missing"
	.endr
	deep				; ERROR "nested more than 1000 deep"
