; options: cpu=em4
; Rows of .loc at the ends of functions in several sections. With a view the row stands where the
; directive does; without one it belongs to the instruction that comes next.
	.file "loc.c"
	.text
	.file 1 "loc.c"
f:	.loc 1 10 1 view -0
	.loc 1 11 3 is_stmt 1 view .LVU1
	nop
	.loc 1 12 1 is_stmt 0 view .LVU2
	.section .text.g, "ax"
g:	.loc 1 20 1 is_stmt 1 view -0
	nop
	.loc 1 21 1
	.text
h:	.loc 1 30 1
	nop_s
	.loc 1 31 1 view .LVU3
	.data
	.word .LVU1, .LVU2, .LVU3
