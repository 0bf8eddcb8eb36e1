; Fully connected layer: 16-bit data, weights and bias.

	.include "fx16.inc"
	.text
	.align	4
	.global	mli_krn_fully_connected_fx16
	.type	mli_krn_fully_connected_fx16,@function
mli_krn_fully_connected_fx16:
	.include "fully_connected.inc"
	.size	mli_krn_fully_connected_fx16,.-mli_krn_fully_connected_fx16
