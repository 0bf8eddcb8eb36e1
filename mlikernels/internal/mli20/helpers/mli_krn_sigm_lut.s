; The functions that size and fill the table of the logistic function.

	.include "mli.inc"
	.include "lut_create.inc"
	.include "lut_sigm.inc"

	LUT_FUNCTIONS sigm
