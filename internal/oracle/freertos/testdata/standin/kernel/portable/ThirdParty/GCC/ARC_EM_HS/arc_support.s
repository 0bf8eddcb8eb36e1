/* The timer's interrupt is fast and has a bank of registers. */
#include "arc/arc.h"
#include "arc/arc_asm_common.h"
	.text
	.align 4
	.global exc_entry_cpu
	.global exc_entry_int
exc_entry_cpu:
	lr	r0, [AUX_ECR]
	lsr	r0, r0, 16
	b	handle
exc_entry_int:
	PUSH	r0
	mov	r0, lp_count
	PUSH	r0
	lr	r0, [AUX_IRQ_CAUSE]
handle:	mov	r1, exc_int_handler_table
	ld.as	r1, [r1, r0]
	mov	r0, sp
	jl	[r1]
	POP	r0
	mov	lp_count, r0
	POP	r0
	rtie
