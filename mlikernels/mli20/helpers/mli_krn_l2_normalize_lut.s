	.include "mli.inc"
	.include "lut_create.inc"
	.include "lut_l2_normalize.inc"

	LUT_FUNCTIONS l2_normalize
