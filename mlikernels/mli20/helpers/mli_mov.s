	.include "mli.inc"
	.include "moves.inc"
