; Basic recurrent cell: 16-bit data, 8-bit weights and bias.

	.include "fx8w16d.inc"
	.equ	GATES,1
	.text
	.align	4
	.global	mli_krn_basic_rnn_cell_fx8w16d
	.type	mli_krn_basic_rnn_cell_fx8w16d,@function
mli_krn_basic_rnn_cell_fx8w16d:
	.include "rnn.inc"
	.size	mli_krn_basic_rnn_cell_fx8w16d,.-mli_krn_basic_rnn_cell_fx8w16d
	.include "table_sigm.inc"
	.include "table_tanh.inc"
