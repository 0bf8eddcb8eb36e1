; Concatenation: 16-bit.

	.include "fx16.inc"
	.text
	.align	4
	.global	mli_krn_concat_fx16
	.type	mli_krn_concat_fx16,@function
mli_krn_concat_fx16:
	.include "concat.inc"
	.size	mli_krn_concat_fx16,.-mli_krn_concat_fx16
