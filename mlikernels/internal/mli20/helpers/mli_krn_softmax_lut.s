; The functions that size and fill the table of the exponential function that softmax reads.

	.include "mli.inc"
	.include "lut_create.inc"
	.include "lut_softmax.inc"

	LUT_FUNCTIONS softmax
