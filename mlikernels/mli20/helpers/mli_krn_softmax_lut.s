	.include "mli.inc"
	.include "lut_create.inc"
	.include "lut_softmax.inc"

	LUT_FUNCTIONS softmax
