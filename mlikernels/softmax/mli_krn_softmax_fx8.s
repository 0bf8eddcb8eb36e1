; Softmax: 8-bit.

	.include "fx8.inc"
	.text
	.align	4
	.global	mli_krn_softmax_fx8
	.type	mli_krn_softmax_fx8,@function
mli_krn_softmax_fx8:
	.include "softmax.inc"
	.size	mli_krn_softmax_fx8,.-mli_krn_softmax_fx8
	.include "table_expneg.inc"
