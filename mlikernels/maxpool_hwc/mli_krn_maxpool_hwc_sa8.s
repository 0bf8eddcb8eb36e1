; Maximum pooling, HWC maps: 8-bit affine.

	.include "sa8.inc"
	.equ	CHANNELS_FIRST,0
	.equ	POOL_MAX,1
	.text
	.align	4
	.global	mli_krn_maxpool_hwc_sa8
	.type	mli_krn_maxpool_hwc_sa8,@function
mli_krn_maxpool_hwc_sa8:
	.include "pool.inc"
	.size	mli_krn_maxpool_hwc_sa8,.-mli_krn_maxpool_hwc_sa8
	GENERIC	mli_krn_maxpool_hwc_sa8
