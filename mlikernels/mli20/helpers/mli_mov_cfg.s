	.include "mli.inc"
	.include "moves_cfg.inc"
