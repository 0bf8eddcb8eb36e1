	.include "hlp.inc"
	.include "requant.inc"

; mli_status mli_hlp_convert_tensor(const mli_tensor *in, mli_tensor *out): copies fixed-point elements into
; the type and format of out: rounded where fractional bits are lost, saturated.
;
; r12 in, r1 out; r4 elements, r9 GETACC control
	FUNCTION mli_hlp_convert_tensor
	mov	r12,r0
	STATUS	BAD_TENSOR
	CHECK_TENSORS2 r12,r1
	STATUS	SHAPE_MISMATCH
	ld	r2,[r12,T_RANK]
	sub	r5,r2,1
	cmp	r5,3
	jhi	[blink]
	mov	r4,1
	add	r5,r12,T_SHAPE
	mov	lp_count,r2
	mov	r7,0
	lp	1f
	ld.ab	r6,[r5,4]
	TIMES	r4,r6,r7,r8
1:	cmp	r4,0
	jeq_s	[blink]
	BOUNDED	r4,r7,r8
	STATUS	INCOMPATEBLE_TENSORS
	mov	r6,0
	add	r7,r12,T_STRIDE
	mov	lp_count,r2
	lp	1f
	ld.ab	r5,[r7,4]
	or	r6,r6,r5
1:	breq	r6,0,2f
	CHECK_STRIDES_ANY r12
2:	STATUS	NOT_SUPPORTED
	ld	r2,[r12,T_TYPE]
	ld	r3,[r1,T_TYPE]
	cmp	r2,EL_FX_16
	jhi	[blink]
	cmp	r3,EL_FX_16
	jhi	[blink]
	STATUS	NOT_ENGH_MEM
	asl	r5,r4,r2		; EL_FX_8 is 0, EL_FX_16 is 1: bytes as a shift
	asl	r6,r4,r3
	ld	r7,[r12,T_CAPACITY]
	ld	r8,[r1,T_CAPACITY]
	cmp	r7,r5
	jlo	[blink]
	cmp	r8,r6
	jlo	[blink]
; elements of one size may stay where they are
	STATUS	INCOMPATEBLE_TENSORS
	ld	r7,[r12,T_DATA]
	ld	r8,[r1,T_DATA]
	sub.f	r10,r8,r7
	bne	3f
	breq	r2,r3,4f
	j	[blink]
3:	cmp	r10,r5
	jlo	[blink]
	neg	r10,r10
	cmp	r10,r6
	jlo	[blink]
4:	ldb	r5,[r12,T_FRAC]
	ldb	r6,[r1,T_FRAC]
	sub	r5,r5,r6
	FX_LIMIT r5
	FX_GETACC r9,GET_WIDE16,POINT_WIDE16,r5
	breq	r3,EL_FX_16,5f
	FX_GETACC r9,GET_WIDE8,POINT_WIDE8,r5
5:	ld	r5,[r12,T_RANK]
	mov	r6,0
	st	r5,[r1,T_RANK]
	ld	r5,[r12,T_SHAPE]
	ld	r10,[r12,T_SHAPE+4]
	st	r5,[r1,T_SHAPE]
	st	r10,[r1,T_SHAPE+4]
	ld	r5,[r12,T_SHAPE+8]
	ld	r10,[r12,T_SHAPE+12]
	st	r5,[r1,T_SHAPE+8]
	st	r10,[r1,T_SHAPE+12]
	st	r6,[r1,T_STRIDE]
	st	r6,[r1,T_STRIDE+4]
	st	r6,[r1,T_STRIDE+8]
	st	r6,[r1,T_STRIDE+12]
	lr	r12,[DSP_CTRL]
	sr	DSP_MODE,[DSP_CTRL]
.Lelement:
	breq	r2,EL_FX_16,6f
	ldb.x.ab r5,[r7,1]
	b	7f
6:	ldh.x.ab r5,[r7,2]
7:	setacc	0,r5,SET_WIDE
	getacc	r5,r9
	breq	r3,EL_FX_16,8f
	dbnz.d	r4,.Lelement
	stb.ab	r5,[r8,1]
	b	9f
8:	dbnz.d	r4,.Lelement
	sth.ab	r5,[r8,2]
9:	sr	r12,[DSP_CTRL]
	j_s.d	[blink]
	mov_s	r0,OK
	END	mli_hlp_convert_tensor
