.macro PUSH reg
	st.a \reg, [sp, -4]
.endm
.macro POP reg
	ld.ab \reg, [sp, 4]
.endm
