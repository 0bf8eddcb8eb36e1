; Fully connected layer: 8-bit affine.

	.include "sa8.inc"
	.text
	.align	4
	.global	mli_krn_fully_connected_sa8_sa8_sa32
	.type	mli_krn_fully_connected_sa8_sa8_sa32,@function
mli_krn_fully_connected_sa8_sa8_sa32:
	.include "fully_connected.inc"
	.size	mli_krn_fully_connected_sa8_sa8_sa32,.-mli_krn_fully_connected_sa8_sa8_sa32
