; Mean pooling, HWC maps: 8-bit.

	.include "fx8.inc"
	.equ	CHANNELS_FIRST,0
	.equ	POOL_MAX,0
	.text
	.align	4
	.global	mli_krn_avepool_hwc_fx8
	.type	mli_krn_avepool_hwc_fx8,@function
mli_krn_avepool_hwc_fx8:
	.include "pool.inc"
	.size	mli_krn_avepool_hwc_fx8,.-mli_krn_avepool_hwc_fx8
	GENERIC	mli_krn_avepool_hwc_fx8
