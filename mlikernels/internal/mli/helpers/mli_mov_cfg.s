; Configurations of moves. Each begins as that of a copy and then reads all four entries of the arrays it is given.

	.include "mli.inc"

; FOUR at, p: four words of array \p into the configuration r0. Clobbers r8.
	.macro	FOUR	at,p
	.irp	i,0,4,8,12
	ld	r8,[\p,\i]
	st	r8,[r0,\at+\i]
	.endr
	.endm

; PADDING h, w, left, right, top, bottom: the sides of an image whose rows are dimension \h and columns \w.
	.macro	PADDING	h,w,left,right,top,bottom
	stb	\left,[r0,MOV_PAD_PRE+\w]
	stb	\right,[r0,MOV_PAD_POST+\w]
	stb	\top,[r0,MOV_PAD_PRE+\h]
	stb	\bottom,[r0,MOV_PAD_POST+\h]
	.endm

	.macro	BEGIN	name
	FUNCTION mli_mov_\name
	mov	r10,blink
	bl	.Lcopy
	cmp	r0,0
	mov	blink,r10
	beq	.Lnone
	.endm

	.macro	DONE	name
	j_s.d	[blink]
	mov_s	r0,OK
	END	mli_mov_\name
	.endm

; mli_status mli_mov_cfg_for_copy(mli_mov_cfg_t *cfg)
	BEGIN	cfg_for_copy
	DONE	cfg_for_copy

; mli_status mli_mov_cfg_for_slice(mli_mov_cfg_t *cfg, int *offsets, int *sizes, int *dst_mem_stride)
	BEGIN	cfg_for_slice
	FOUR	MOV_OFFSET,r1
	FOUR	MOV_EXTENT,r2
	FOUR	MOV_DST_STRIDE,r3
	DONE	cfg_for_slice

; mli_status mli_mov_cfg_for_concat(mli_mov_cfg_t *cfg, int *dst_offsets, int *dst_mem_stride)
	BEGIN	cfg_for_concat
	FOUR	MOV_DST_OFFSET,r1
	FOUR	MOV_DST_STRIDE,r2
	DONE	cfg_for_concat

; mli_status mli_mov_cfg_for_subsample(mli_mov_cfg_t *cfg, int *sub_sample_step, int *dst_mem_stride)
	BEGIN	cfg_for_subsample
	FOUR	MOV_STEP,r1
	FOUR	MOV_DST_STRIDE,r2
	DONE	cfg_for_subsample

; mli_status mli_mov_cfg_for_permute(mli_mov_cfg_t *cfg, uint8_t *perm_dim)
	BEGIN	cfg_for_permute
	.irp	i,0,1,2,3
	ldb	r8,[r1,\i]
	stb	r8,[r0,MOV_PERM+\i]
	.endr
	DONE	cfg_for_permute

; mli_status mli_mov_cfg_for_padding2d_chw(mli_mov_cfg_t *cfg, uint8_t padleft, uint8_t padright, uint8_t padtop,
; uint8_t padbot, int *dst_mem_stride), and _hwc
	BEGIN	cfg_for_padding2d_chw
	PADDING	1,2,r1,r2,r3,r4
	FOUR	MOV_DST_STRIDE,r5
	DONE	cfg_for_padding2d_chw

	BEGIN	cfg_for_padding2d_hwc
	PADDING	0,1,r1,r2,r3,r4
	FOUR	MOV_DST_STRIDE,r5
	DONE	cfg_for_padding2d_hwc

; mli_status mli_mov_cfg_all(mli_mov_cfg_t *cfg, int *offsets, int *sizes, int *subsample_step, int *dst_offsets,
; int *dst_mem_stride, uint8_t *perm_dim, uint8_t padleft, uint8_t padright, uint8_t padtop, uint8_t padbot)
	BEGIN	cfg_all
	FOUR	MOV_OFFSET,r1
	FOUR	MOV_EXTENT,r2
	FOUR	MOV_STEP,r3
	FOUR	MOV_DST_OFFSET,r4
	FOUR	MOV_DST_STRIDE,r5
	.irp	i,0,1,2,3
	ldb	r8,[r6,\i]
	stb	r8,[r0,MOV_PERM+\i]
	.endr
	ld	r1,[sp,0]
	ld	r2,[sp,4]
	ld	r3,[sp,8]
	PADDING	0,1,r7,r1,r2,r3
	DONE	cfg_all

	.align	4
.Lnone:
	j_s.d	[blink]
	mov_s	r0,BAD_FUNC_CFG

; Configuration r0 of a copy: nothing but steps of one and the axes in their order. Clobbers r8, r9, lp_count.
	.align	4
.Lcopy:
	cmp	r0,0
	jeq	[blink]
	mov	r8,0
	mov	r9,r0
	mov	lp_count,MOV_SIZE/4
	lp	1f
	st.ab	r8,[r9,4]
	nop
	nop
1:	mov	r8,1
	.irp	i,0,4,8,12
	st	r8,[r0,MOV_STEP+\i]
	.endr
	mov	r8,0x03020100
	j_s.d	[blink]
	st	r8,[r0,MOV_PERM]
