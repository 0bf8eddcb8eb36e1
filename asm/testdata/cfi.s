; options: cpu=em4
; Call-frame information.
	.text
f:	.cfi_startproc
	push r13
	.cfi_def_cfa_offset 4
	.cfi_offset 13, -4
	st.aw blink,[sp,-4]
	.cfi_adjust_cfa_offset 4
	.cfi_rel_offset blink, 0
	mov fp,sp
	.cfi_def_cfa_register fp
	nop
	.cfi_remember_state
	.space 300
	.cfi_restore_state
	.cfi_restore 13
	.cfi_same_value r14
	.cfi_undefined r15
	.cfi_register r16,r17
	j [blink]
	.cfi_endproc
	.align 8
g:	.cfi_startproc
	nop
	.cfi_def_cfa sp, 8
	.cfi_offset 31, -4
	.cfi_escape 0x0c,28,4
	j [blink]
	.cfi_endproc
