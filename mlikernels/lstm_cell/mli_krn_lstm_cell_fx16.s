; LSTM cell: 16-bit data, weights and bias.

	.include "fx16.inc"
	.equ	GATES,4
	.text
	.align	4
	.global	mli_krn_lstm_cell_fx16
	.type	mli_krn_lstm_cell_fx16,@function
mli_krn_lstm_cell_fx16:
	.include "rnn.inc"
	.size	mli_krn_lstm_cell_fx16,.-mli_krn_lstm_cell_fx16
	.include "table_sigm.inc"
	.include "table_tanh.inc"
