; options: cpu=em4
; Values that do not fit where they are written.
	.float 1e39			; ERROR "1e39 is out of range for 32 bits"
	.double -1e999			; ERROR "out of range for 64 bits"
	.float 1_0			; ERROR "is not a floating-point number"
	.double 0x1p3			; ERROR "is not a floating-point number"
	.ascii <65			; ERROR "expected a character code and >"
	.ascii <x>			; ERROR "expected a character code and >"
