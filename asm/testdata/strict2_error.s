; options: cpu=em4 strict
; With --strict the GNU names do so too.
	mpy r0,r1,r2
	div r0,r1,r2
	mac r0,r1,r2			; ERROR "core em4 has no mac: it needs multiplier option 7"
	macd r0,r2,r4			; ERROR "multiplier option 8"
	adds r0,r1,r2			; ERROR "the DSP option \\(dsp_option\\): cores em5d"
	vmac2h r0,r2,r4			; ERROR "multiplier option 8"
	sqrt r0,r1			; ERROR "dsp_divsqrt_option"
	modapp r0,3			; ERROR "address generation unit"
