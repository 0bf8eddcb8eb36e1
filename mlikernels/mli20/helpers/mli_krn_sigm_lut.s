	.include "mli.inc"
	.include "lut_create.inc"
	.include "lut_sigm.inc"

	LUT_FUNCTIONS sigm
