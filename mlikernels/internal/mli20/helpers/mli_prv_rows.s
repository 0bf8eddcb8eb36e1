; The rows of the tensors of a call: how long they are, and the walk over them (shared/rows.inc).

	.include "mli.inc"
	.include "rows.inc"

; ROWS_BEGIN t, s, inner: \s = stride of the innermost dimension r5 of a tensor, 0 for none, also as bytes in the walk.
	.macro	ROWS_BEGIN t,s,inner
	mov	\s,0
	mov	r11,0
	breq	\t,0,1f
	ld	r4,[\t,T_TYPE]
	add2	r11,\t,r5
	ld	\s,[r11,T_STRIDE]
	bmsk	r4,r4,5
	lsr	r4,r4,3
	mpy	r11,r4,\s
1:	st	r11,[r0,\inner]
	mpy	\s,\s,r6
	.endm

; ROWS_JOIN t, s: goes on at 3 when the dimension before r5 does not step by \s, which a row takes.
	.macro	ROWS_JOIN t,s
	breq	\t,0,1f
	add2	r11,\t,r5
	ld	r11,[r11,T_STRIDE-4]
	brne	r11,\s,.Lrow_ends
1:
	.endm

; ROWS_STEPS t, at: the bytes that dimension r5-1 of a tensor steps by, 0 for none. r7 the level of the walk.
	.macro	ROWS_STEPS t,at
	mov	r11,0
	breq	\t,0,1f
	brle	r5,0,1f
	add2	r9,\t,r5
	ld	r11,[r9,T_STRIDE-4]
	ELEMENT_BYTES r9,\t
	mpy	r11,r11,r9
1:	st	r11,[r7,\at]
	.endm

; mli_prv_rows_alike: a walk over an input r1 and the output r3, which are one row of r9 elements, or of which nothing is known where
; r9 is 0. r2 is 0.
	FUNCTION mli_prv_rows_alike
	breq	r9,0,mli_prv_rows
	ld	r4,[r3,T_TYPE]
	mov	r6,r9
	bmsk	r4,r4,5
	lsr	r4,r4,3
	st	r4,[r0,W_INNER]
	st	r2,[r0,W_INNER+4]
	st	r4,[r0,W_INNER+8]
	b	.Lone_row
	END	mli_prv_rows_alike

; mli_prv_rows: a walk over the rows of up to three tensors, for the kernels (shared/rows.inc). r0 the walk, r1 and r2
; inputs or 0, r3 output: its shape is that of all. Clobbers r0 to r11.
;
; r5 the outermost dimension of the row	r6 elements of the row	r8 to r10 what it takes of each tensor
	FUNCTION mli_prv_rows
	ld	r5,[r3,T_RANK]
	sub	r5,r5,1
	add2	r7,r3,r5
	ld	r6,[r7,T_SHAPE]
	ROWS_BEGIN r1,r8,W_INNER
	ROWS_BEGIN r2,r9,W_INNER+4
	ROWS_BEGIN r3,r10,W_INNER+8
.Ljoin:
	breq	r5,0,.Lone_row
	ROWS_JOIN r1,r8
	ROWS_JOIN r2,r9
	ROWS_JOIN r3,r10
	add2	r11,r3,r5
	ld	r11,[r11,T_SHAPE-4]
	sub	r5,r5,1
	mpy	r6,r6,r11
	mpy	r8,r8,r11
	mpy	r9,r9,r11
	mpy	r10,r10,r11
	b	.Ljoin
.Lone_row:
	st	r6,[r0,W_COUNT]
	mov	r5,0
	mov	r8,1
	st	r8,[r0,W_TURNS]
	j_s.d	[blink]
	st	r5,[r0,W_LEFT]
.Lrow_ends:
	st	r6,[r0,W_COUNT]
; three levels: a tensor of fewer dimensions has ones of one turn
	mov	r7,r0
	add	r10,r0,12
.Llevel:
	mov	r8,1
	brle	r5,0,1f
	add2	r8,r3,r5
	ld	r8,[r8,T_SHAPE-4]
1:	st	r8,[r7,W_TURNS]
	st	r8,[r7,W_LEFT]
	ROWS_STEPS r1,W_STEPS
	ROWS_STEPS r2,W_STEPS+12
	ROWS_STEPS r3,W_STEPS+24
	add	r7,r7,4
	sub	r5,r5,1
	brlo	r7,r10,.Llevel
; from strides to what is left to go at the end of a level: less what the level inside it went
	ld	r8,[r0,W_TURNS]
	ld	r9,[r0,W_TURNS+4]
	mov	r4,3
.Ltensor:
	ld	r5,[r0,W_STEPS]
	ld	r6,[r0,W_STEPS+4]
	ld	r7,[r0,W_STEPS+8]
	mpy	r10,r9,r6
	mpy	r11,r8,r5
	sub	r7,r7,r10
	sub	r6,r6,r11
	st	r7,[r0,W_STEPS+8]
	st	r6,[r0,W_STEPS+4]
	sub.f	r4,r4,1
	add	r0,r0,12
	bne	.Ltensor
	j_s	[blink]
	END	mli_prv_rows

; mli_prv_first: r0 becomes tensor r1 of two dimensions and more with dimension r2 outside all others, for a walk. Clobbers r1,
; r3 to r7, lp_count.
	FUNCTION mli_prv_first
	ld	r3,[r1,T_RANK]
	ld	r4,[r1,T_TYPE]
	add2	r5,r1,r2
	ld	r6,[r5,T_SHAPE]
	ld	r7,[r5,T_STRIDE]
	st	r3,[r0,T_RANK]
	st	r4,[r0,T_TYPE]
	st	r6,[r0,T_SHAPE]
	st	r7,[r0,T_STRIDE]
	sub	r3,r3,1
	add	r4,r0,4
	b	.Lothers
	END	mli_prv_first

; mli_prv_drop: r0 becomes tensor r1 without dimension r2, for a walk; of one dimension none is left but one of one
; element. Clobbers r1, r3 to r7, lp_count.
	FUNCTION mli_prv_drop
	ld	r3,[r1,T_RANK]
	ld	r4,[r1,T_TYPE]
	sub.f	r3,r3,1
	st	r4,[r0,T_TYPE]
	st	r3,[r0,T_RANK]
	beq	mli_prv_one
	mov	r4,r0
.Lothers:
	mov	r5,0
	mov	lp_count,r3
	lp	1f
	cmp	r5,r2
	add.eq	r1,r1,4
	ld	r6,[r1,T_SHAPE]
	ld	r7,[r1,T_STRIDE]
	add	r1,r1,4
	st	r6,[r4,T_SHAPE]
	st	r7,[r4,T_STRIDE]
	add	r4,r4,4
	add	r5,r5,1
1:	j_s	[blink]
	END	mli_prv_drop

; mli_prv_one: tensor r0 gets one dimension of one element. Clobbers r3.
	FUNCTION mli_prv_one
	mov	r3,1
	st	r3,[r0,T_RANK]
	st	r3,[r0,T_SHAPE]
	j_s.d	[blink]
	st	r3,[r0,T_STRIDE]
	END	mli_prv_one

; mli_prv_line: r0 becomes dimension r2 alone of tensor r1, for a walk. Clobbers r3, r4.
	FUNCTION mli_prv_line
	ld	r4,[r1,T_TYPE]
	mov	r3,1
	st	r4,[r0,T_TYPE]
	add2	r1,r1,r2
	st	r3,[r0,T_RANK]
	ld	r3,[r1,T_SHAPE]
	ld	r4,[r1,T_STRIDE]
	st	r3,[r0,T_SHAPE]
	j_s.d	[blink]
	st	r4,[r0,T_STRIDE]
	END	mli_prv_line
