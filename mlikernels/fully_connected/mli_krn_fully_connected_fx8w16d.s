; Fully connected layer: 16-bit data, 8-bit weights and bias.

	.include "fx8w16d.inc"
	.text
	.align	4
	.global	mli_krn_fully_connected_fx8w16d
	.type	mli_krn_fully_connected_fx8w16d,@function
mli_krn_fully_connected_fx8w16d:
	.include "fully_connected.inc"
	.size	mli_krn_fully_connected_fx8w16d,.-mli_krn_fully_connected_fx8w16d
