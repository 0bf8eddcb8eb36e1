; Concatenation: 8-bit.

	.include "fx8.inc"
	.text
	.align	4
	.global	mli_krn_concat_fx8
	.type	mli_krn_concat_fx8,@function
mli_krn_concat_fx8:
	.include "concat.inc"
	.size	mli_krn_concat_fx8,.-mli_krn_concat_fx8
