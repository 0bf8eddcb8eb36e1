	.include "hlp.inc"
	.include "moves_cfg.inc"
