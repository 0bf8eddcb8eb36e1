; Permutation of axes: 8-bit.

	.include "fx8.inc"
	.text
	.align	4
	.global	mli_krn_permute_fx8
	.type	mli_krn_permute_fx8,@function
mli_krn_permute_fx8:
	.include "permute.inc"
	.size	mli_krn_permute_fx8,.-mli_krn_permute_fx8
