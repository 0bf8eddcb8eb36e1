; LSTM cell: 8-bit data, weights and bias.

	.include "fx8.inc"
	.equ	GATES,4
	.text
	.align	4
	.global	mli_krn_lstm_cell_fx8
	.type	mli_krn_lstm_cell_fx8,@function
mli_krn_lstm_cell_fx8:
	.include "rnn.inc"
	.size	mli_krn_lstm_cell_fx8,.-mli_krn_lstm_cell_fx8
	.include "table_sigm.inc"
	.include "table_tanh.inc"
