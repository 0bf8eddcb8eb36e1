; options: cpu=em4
; Functions that share common information entries, and those that do not.
	.cfi_sections .eh_frame, .debug_frame
	.cfi_startproc
	.cfi_def_cfa_offset 4
	nop
	.cfi_endproc
	.cfi_startproc
	.cfi_offset r13,-4
	.cfi_offset fp,-8
	.cfi_endproc
	.cfi_startproc
	.cfi_offset r13,-4
	nop
	.cfi_endproc
	.cfi_startproc
	.cfi_offset r13,-4
	nop
	nop
	.cfi_endproc
	.cfi_startproc
	nop
	.cfi_offset r13,-4
	.cfi_endproc
	.cfi_startproc
	.cfi_offset r14,-4
	.cfi_remember_state
	.cfi_offset r13,-4
	nop
	.cfi_endproc
	.cfi_startproc
	.cfi_return_column r30
	.cfi_offset r13,-4
	nop
	.cfi_endproc
	.cfi_startproc simple
	nop
	.cfi_endproc
	.cfi_startproc
	nop
	.cfi_offset r13,-4
	.cfi_endproc
	.cfi_startproc
	.cfi_offset r13,-4
	nop
	.cfi_endproc
	.cfi_startproc simple
	.cfi_def_cfa r13,4
	nop
	.cfi_endproc
	.cfi_startproc simple
	.cfi_def_cfa sp,0
	nop
	.cfi_endproc
	.cfi_startproc
	.align 4
	.cfi_offset r13,-4
	.cfi_endproc
	.cfi_startproc
	nop
	.cfi_endproc
	.cfi_startproc
	.cfi_offset r13,-4
	.cfi_offset r14,-8
	nop
	.cfi_endproc
	.cfi_startproc
	.cfi_offset r13,-4
	nop
	.cfi_endproc
	.cfi_startproc
	.cfi_offset r13,-4
	.cfi_offset r14,-8
	.cfi_escape 1
	nop
	.cfi_endproc
	.cfi_startproc
	.cfi_signal_frame
	.cfi_offset r13,-4
	nop
	.cfi_endproc
	.cfi_startproc
	.cfi_offset r13,-4
	.cfi_personality 0x1b,foo
	.cfi_lsda 0x1b,bar
	nop
	.cfi_endproc
