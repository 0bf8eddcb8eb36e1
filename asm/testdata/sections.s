; options: cpu=em4
; Sections told apart by number, group and link, flags as numbers, groups joined later, labels in the
; frame section: compared with the object of GNU as.
	.section .a, "ax", @progbits, unique, 1
first:	nop
	.section .a, "ax", @progbits, unique, 2
second:	nop_s
	.section .a, "ax", @progbits
third:	b	first
	.section .a, "ax", @progbits, unique, 1
	bl	second
	.section .x, "aw", @progbits, unique, 0
	.byte	1
	.section .x, "aw"
	.byte	2
	.section .y, "ax", unique, 4
	.byte	7
	.section .y, "ax", @progbits, unique, 4294967294
	.byte	8
	.section .m, "aMS", @progbits, 1, unique, 7
	.asciz	"x"
	.section .g, "aG", @progbits, grp, comdat, unique, 8
	.byte	4
	.section .o, "ao", @progbits, .a, unique, 9
	.byte	5
	.section .p, "ao", @progbits, .x
	.byte	3
	.section .p, "ao", @progbits, .y
	.byte	4
	.section .p, "a"
	.byte	5
	.section .p
	.byte	6

	.section .n1, "0x6", @progbits
	.word	1
	.section .n2, "a0x4"
	.word	2
	.section .n3, "6"
	.word	3
	.section .n4, "010w", @progbits
	.byte	4
	.section .n5, "0x30", @progbits, 1
	.asciz	"5"
	.section .n6, "0x206", @progbits, ggg
	.byte	6
	.section .n7, "w2", unique, 5
	.byte	7
	.pushsection .n7, "w2", @note, unique, 6
	.byte	10
	.popsection
	.byte	11

	.section .h, "a"
	.byte	1
	.attach_to_group joined
	.section .h, "a"
	.byte	2
	.section .h, "aG", @progbits, joined
	.byte	3
	.section .k, "a"
	.attach_to_group grp
	.byte	4
	.section .l, "a?", @progbits
	.byte	5

	.text
f:	.cfi_startproc
	nop
	.cfi_label early
	.cfi_def_cfa_offset 8
	nop
	.cfi_label late
	.cfi_endproc
	.word	early, late, late-early
	.global	late
