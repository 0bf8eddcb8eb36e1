	.include "mli.inc"
	.include "lut_create.inc"
	.include "lut_tanh.inc"

	LUT_FUNCTIONS tanh
