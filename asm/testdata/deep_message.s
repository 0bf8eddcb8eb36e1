; A macro that calls itself: the notes in the middle are left out.
	.macro deep
	deep
	.endm
	deep
