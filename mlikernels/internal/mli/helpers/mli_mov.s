; Moves in steps, as programs for cores with DMA make them. There is no DMA here: mli_mov_prepare has moved the elements
; already, and a move is done when it is started. Channels are numbers that are handed out, nothing more.

	.include "mli.inc"

	.equ	CHANNELS,16

; The functions keep a bit for every channel that is free, and a callback with its cookie for each.
	.section .bss
	.align	4
.Lfree:
	.skip	4
.Lcallbacks:
	.skip	8*CHANNELS
	.text

; mli_status mli_mov_tensor_sync(const mli_tensor *src, const mli_mov_cfg_t *cfg, mli_tensor *dst): a whole move. The
; handle is given back also when a step fails, whose status is returned.
	FUNCTION mli_mov_tensor_sync
	st.aw	blink,[sp,-4]
	st.aw	r13,[sp,-4]
	st.aw	r14,[sp,-4]
	st.aw	r15,[sp,-4]
	sub	sp,sp,16
	mov	r13,r0
	mov	r14,r1
	mov	r15,r2
	mov	r0,0
	mov	r1,sp
	bl	mli_mov_acquire_handle
	mov	r0,sp
	mov	r1,r13
	mov	r2,r14
	mov	r3,r15
	bl	mli_mov_prepare
	cmp	r0,0
	bne	1f
	mov	r0,sp
	mov	r1,r13
	mov	r2,r14
	mov	r3,r15
	bl	mli_mov_start
	cmp	r0,0
	bne	1f
	mov	r0,sp
	bl	mli_mov_wait
1:	mov	r13,r0
	mov	r0,sp
	bl	mli_mov_release_handle
	mov	r0,r13
	add	sp,sp,16
	ld.ab	r15,[sp,4]
	ld.ab	r14,[sp,4]
	ld.ab	r13,[sp,4]
	ld.ab	blink,[sp,4]
	j_s	[blink]
	END	mli_mov_tensor_sync

; mli_status mli_mov_start(mli_mov_handle_t *h, const mli_tensor *src, const mli_mov_cfg_t *cfg, mli_tensor *dst)
	FUNCTION mli_mov_start
	mov	r1,MOV_DONE
	st	r1,[r0,HANDLE_STATE]
	ld	r1,[r0,HANDLE_CHANNEL]
	cmp	r1,CHANNELS
	bhs	1f
	mov	r2,.Lcallbacks
	add3	r2,r2,r1
	ld	r1,[r2]
	ld	r0,[r2,4]
	breq	r1,0,1f
	st.aw	blink,[sp,-4]
	jl	[r1]
	ld.ab	blink,[sp,4]
1:	j_s.d	[blink]
	mov_s	r0,OK
	END	mli_mov_start

; bool mli_mov_isdone(mli_mov_handle_t *h)
	FUNCTION mli_mov_isdone
	ld	r1,[r0,HANDLE_STATE]
	mov	r0,0
	cmp	r1,MOV_DONE
	mov.eq	r0,1
	j_s	[blink]
	END	mli_mov_isdone

; mli_status mli_mov_wait(mli_mov_handle_t *h): polls, as a move that was started by an interrupt may be done later.
	FUNCTION mli_mov_wait
	ld	r1,[r0,HANDLE_STATE]
	brne	r1,MOV_DONE,mli_mov_wait
	j_s.d	[blink]
	mov_s	r0,OK
	END	mli_mov_wait

; mli_status mli_mov_registercallback(mli_mov_handle_t *h, void (*cb)(int32_t), int32_t cookie): for the number of the
; channel, for good.
	FUNCTION mli_mov_registercallback
	ld	r3,[r0,HANDLE_CHANNEL]
	mov	r0,BAD_FUNC_CFG
	cmp	r3,CHANNELS
	jhs	[blink]
	mov	r4,.Lcallbacks
	add3	r4,r4,r3
	st	r1,[r4]
	st	r2,[r4,4]
	j_s.d	[blink]
	mov_s	r0,OK
	END	mli_mov_registercallback

; mli_status mli_mov_set_num_dma_ch(int ch_offset, int num_ch): these channels are free.
	FUNCTION mli_mov_set_num_dma_ch
	mov	r2,r0
	mov	r0,BAD_FUNC_CFG
	cmp	r2,CHANNELS
	jhi	[blink]
	cmp	r1,CHANNELS
	jhi	[blink]
	add	r3,r2,r1
	cmp	r3,CHANNELS
	jhi	[blink]
	mov	r3,1
	asl	r3,r3,r1
	sub	r3,r3,1
	asl	r3,r3,r2
	ld	r4,[.Lfree]
	or	r4,r4,r3
	mov	r2,.Lfree
	st	r4,[r2]
	j_s.d	[blink]
	mov_s	r0,OK
	END	mli_mov_set_num_dma_ch

; mli_status mli_mov_acquire_handle(int num_ch, mli_mov_handle_t *h): the first channels in a row that are free. None
; are always there.
	FUNCTION mli_mov_acquire_handle
	mov	r2,0			; channel
	breq	r0,0,2f
	mov	r3,r0
	mov	r0,NOT_ENGH_MEM
	cmp	r3,CHANNELS
	jhi	[blink]
	mov	r4,1
	asl	r4,r4,r3
	sub	r4,r4,1
	ld	r5,[.Lfree]
1:	and	r6,r5,r4
	breq	r6,r4,3f
	asl	r4,r4,1
	add	r2,r2,1
	brlo	r2,CHANNELS,1b
	j_s	[blink]
3:	bic	r5,r5,r4
	mov	r6,.Lfree
	st	r5,[r6]
	mov	r0,r3
2:	st	r2,[r1,HANDLE_CHANNEL]
	st	r0,[r1,HANDLE_CHANNELS]
	mov	r3,MOV_OPEN
	st	r3,[r1,HANDLE_STATE]
	j_s.d	[blink]
	mov_s	r0,OK
	END	mli_mov_acquire_handle

; mli_status mli_mov_release_handle(mli_mov_handle_t *h)
	FUNCTION mli_mov_release_handle
	ld	r1,[r0,HANDLE_CHANNEL]
	ld	r2,[r0,HANDLE_CHANNELS]
	mov	r3,0
	st	r3,[r0,HANDLE_CHANNEL]
	st	r3,[r0,HANDLE_CHANNELS]
	st	r3,[r0,HANDLE_STATE]
	breq	r2,0,1f
	mov	r3,1
	asl	r3,r3,r2
	sub	r3,r3,1
	asl	r3,r3,r1
	ld	r4,[.Lfree]
	or	r4,r4,r3
	mov	r2,.Lfree
	st	r4,[r2]
1:	j_s.d	[blink]
	mov_s	r0,OK
	END	mli_mov_release_handle
