; Mean pooling, HWC maps: 16-bit.

	.include "fx16.inc"
	.equ	CHANNELS_FIRST,0
	.equ	POOL_MAX,0
	.text
	.align	4
	.global	mli_krn_avepool_hwc_fx16
	.type	mli_krn_avepool_hwc_fx16,@function
mli_krn_avepool_hwc_fx16:
	.include "pool.inc"
	.size	mli_krn_avepool_hwc_fx16,.-mli_krn_avepool_hwc_fx16
	GENERIC	mli_krn_avepool_hwc_fx16
