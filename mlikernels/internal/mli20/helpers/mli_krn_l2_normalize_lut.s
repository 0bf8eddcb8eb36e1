; The functions that size and fill the table of reciprocal roots that l2_normalize reads.

	.include "mli.inc"
	.include "lut_create.inc"
	.include "lut_l2_normalize.inc"

	LUT_FUNCTIONS l2_normalize
