; options: cpu=em4
; Sources that GNU as takes with a warning, or against expectation.
	.macro	both n
	.byte	'\n, 'n', \n, '", '\\
	.ascii	"'\n", "\"\n"
	.byte	\n		; '" \n
	.endm
	both	5
	.word	1,
	.word	2,,3
	.ascii	<65>, <0x42>, "c"<10>
	.asciz	<65>, "c"<10>"d" <5> , "e"
	.float	nan, 1.5, -inf
	.double	nan
	.popsection
	.comm	first, 4
	.comm	first, 8
	.comm	second, 8, 16
	.comm	second, 8, 4
	.comm	third, 0
	.comm	third, 12
twice:	
twice:	nop
	lr	r0, [status32]
	.balignw 8
	.byte	1, 2
	.balignw 4, 0x1234
