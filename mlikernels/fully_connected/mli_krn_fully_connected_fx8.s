; Fully connected layer: 8-bit data, weights and bias.

	.include "fx8.inc"
	.text
	.align	4
	.global	mli_krn_fully_connected_fx8
	.type	mli_krn_fully_connected_fx8,@function
mli_krn_fully_connected_fx8:
	.include "fully_connected.inc"
	.size	mli_krn_fully_connected_fx8,.-mli_krn_fully_connected_fx8
