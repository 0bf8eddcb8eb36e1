	.include "hlp.inc"
	.include "moves.inc"
