; The functions that size and fill the table of the hyperbolic tangent.

	.include "mli.inc"
	.include "lut_create.inc"
	.include "lut_tanh.inc"

	LUT_FUNCTIONS tanh
