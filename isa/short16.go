package isa

// 16-bit instructions. A row takes the facts it does not state from the row it executes as (Exec).
var short16Rows = []Row{
	// add_s a,b,c, ... in the order GNU as prefers, which asm/pairs_test.go checks
	{Op: ADD_S, Name: "add_s",
		Format: Forms{
			{Bits: "01100bbbccc11aaa", Text: "a,b,c"},
			{Bits: "01110bbbhhh000HH", Text: "b,b,h"},
			{Bits: "01110sss hhh001HH", Text: "h,h,s3"},
			{Bits: "01101bbbccc00uuu", Text: "c,b,u3"},
			{Bits: "01001bbb0UUU1uuu", Text: "r0,b,u6", Needs: CodeDensity},
			{Bits: "01001bbb1UUU1uuu", Text: "r1,b,u6", Needs: CodeDensity},
			{Bits: "11000bbb100uuuuu", Text: "b,sp,u7"},
			{Bits: "11000000101uuuuu", Text: "sp,sp,u7"},
			{Bits: "1100111sssssssss", Text: "r0,gp,s11"},
			{Bits: "11100bbb0uuuuuuu", Text: "b,b,u7"},
			{Bits: "01110bbb11000011", Text: "b,b,limm"},
			{Bits: "01110sss11000111", Text: "0,limm,s3"},
		},
		Shape: ShapeDSS, Exec: ADD},
	// sub_s b,b,c, ...
	{Op: SUB_S, Name: "sub_s",
		Format: Forms{
			{Bits: "01111bbbccc00010", Text: "b,b,c"},
			{Bits: "01101bbbccc01uuu", Text: "c,b,u3"},
			{Bits: "10111bbb011uuuuu", Text: "b,b,u5"},
			{Bits: "11000001101uuuuu", Text: "sp,sp,u7"},
			{Bits: "01111bbb11000000", Text: ".ne b,b,b"},
			{Bits: "01001bbbccc10aaa", Text: "a,b,c", Needs: CodeDensity},
		},
		Shape: ShapeDSS, Exec: SUB},
	// and_s b,b,c
	{Op: AND_S, Name: "and_s",
		Format: Forms{
			{Bits: "01111bbbccc00100", Text: "b,b,c"},
		},
		Shape: ShapeDSS, Exec: AND},
	// or_s b,b,c
	{Op: OR_S, Name: "or_s",
		Format: Forms{
			{Bits: "01111bbbccc00101", Text: "b,b,c"},
		},
		Shape: ShapeDSS, Exec: OR},
	// bic_s b,b,c
	{Op: BIC_S, Name: "bic_s",
		Format: Forms{
			{Bits: "01111bbbccc00110", Text: "b,b,c"},
		},
		Shape: ShapeDSS, Exec: BIC},
	// xor_s b,b,c
	{Op: XOR_S, Name: "xor_s",
		Format: Forms{
			{Bits: "01111bbbccc00111", Text: "b,b,c"},
		},
		Shape: ShapeDSS, Exec: XOR},
	// add1_s b,b,c
	{Op: ADD1_S, Name: "add1_s",
		Format: Forms{
			{Bits: "01111bbbccc10100", Text: "b,b,c"},
		},
		Shape: ShapeDSS, Exec: ADD1},
	// add2_s b,b,c
	{Op: ADD2_S, Name: "add2_s",
		Format: Forms{
			{Bits: "01111bbbccc10101", Text: "b,b,c"},
		},
		Shape: ShapeDSS, Exec: ADD2},
	// add3_s b,b,c
	{Op: ADD3_S, Name: "add3_s",
		Format: Forms{
			{Bits: "01111bbbccc10110", Text: "b,b,c"},
		},
		Shape: ShapeDSS, Exec: ADD3},
	// mpyw_s b,b,c
	{Op: MPYW_S, Name: "mpyw_s",
		Format: Forms{
			{Bits: "01111bbbccc01001", Text: "b,b,c"},
		},
		Shape: ShapeDSS, Exec: MPYW, Needs: MPY1},
	// mpyuw_s b,b,c
	{Op: MPYUW_S, Name: "mpyuw_s",
		Format: Forms{
			{Bits: "01111bbbccc01010", Text: "b,b,c"},
		},
		Shape: ShapeDSS, Exec: MPYUW, Needs: MPY1},
	// mpy_s b,b,c
	{Op: MPY_S, Name: "mpy_s",
		Format: Forms{
			{Bits: "01111bbbccc01100", Text: "b,b,c"},
		},
		Shape: ShapeDSS, Exec: MPY, Needs: MPY6},
	// sexb_s b,c
	{Op: SEXB_S, Name: "sexb_s",
		Format: Forms{
			{Bits: "01111bbbccc01101", Text: "b,c"},
		},
		Shape: ShapeDS, Exec: SEXB},
	// sexh_s b,c
	{Op: SEXH_S, Name: "sexh_s",
		Format: Forms{
			{Bits: "01111bbbccc01110", Text: "b,c"},
		},
		Shape: ShapeDS, Exec: SEXH},
	// extb_s b,c
	{Op: EXTB_S, Name: "extb_s",
		Format: Forms{
			{Bits: "01111bbbccc01111", Text: "b,c"},
		},
		Shape: ShapeDS, Exec: EXTB},
	// exth_s b,c
	{Op: EXTH_S, Name: "exth_s",
		Format: Forms{
			{Bits: "01111bbbccc10000", Text: "b,c"},
		},
		Shape: ShapeDS, Exec: EXTH},
	// abs_s b,c
	{Op: ABS_S, Name: "abs_s",
		Format: Forms{
			{Bits: "01111bbbccc10001", Text: "b,c"},
		},
		Shape: ShapeDS, Exec: ABS},
	// not_s b,c
	{Op: NOT_S, Name: "not_s",
		Format: Forms{
			{Bits: "01111bbbccc10010", Text: "b,c"},
		},
		Shape: ShapeDS, Exec: NOT},
	// neg_s b,c
	{Op: NEG_S, Name: "neg_s",
		Format: Forms{
			{Bits: "01111bbbccc10011", Text: "b,c"},
		},
		Shape: ShapeDS, Exec: NEG},
	// tst_s b,c
	{Op: TST_S, Name: "tst_s",
		Format: Forms{
			{Bits: "01111bbbccc01011", Text: "b,c"},
		},
		Shape: ShapeSS, Exec: TST},
	// cmp_s b,h, ...
	{Op: CMP_S, Name: "cmp_s",
		Format: Forms{
			{Bits: "01110bbbhhh100HH", Text: "b,h"},
			{Bits: "01110ssshhh101HH", Text: "h,s3"},
			{Bits: "11100bbb1uuuuuuu", Text: "b,u7"},
			{Bits: "01110bbb11010011", Text: "b,limm"},
			{Bits: "01110sss11010111", Text: "limm,s3"},
		},
		Shape: ShapeSS, Exec: CMP},
	// mov_s g,h, ...
	{Op: MOV_S, Name: "mov_s",
		Format: Forms{
			{Bits: "01000ggghhhGG0HH", Text: "g,h"},
			{Bits: "01000110hhh110HH", Text: "0,h"},
			{Bits: "01110ssshhh011HH", Text: "h,s3"},
			{Bits: "01110sss11001111", Text: "0,s3"},
			{Bits: "11011bbbuuuuuuuu", Text: "b,u8"},
			{Bits: "01000ggg110GG011", Text: "g,limm"},
			{Bits: "0100011011011011", Text: "0,limm"},
			{Bits: "01110bbbhhh111HH", Text: ".ne b,h"},
			{Bits: "01110bbb11011111", Text: ".ne b,limm"},
		},
		Shape: ShapeDS, Exec: MOV},
	// asl_s b,c, ...
	{Op: ASL_S, Name: "asl_s",
		Format: Forms{
			{Bits: "01111bbbccc11011", Text: "b,c", Exec: ASL1},
			{Bits: "01111bbbccc11000", Text: "b,b,c", Needs: BarrelShift},
			{Bits: "01101bbbccc10uuu", Text: "c,b,u3", Needs: BarrelShift},
			{Bits: "10111bbb000uuuuu", Text: "b,b,u5", Needs: BarrelShift},
		},
		Shape: ShapeDSS, Exec: ASL},
	// asr_s b,c, ...
	{Op: ASR_S, Name: "asr_s",
		Format: Forms{
			{Bits: "01111bbbccc11100", Text: "b,c", Exec: ASR1},
			{Bits: "01111bbbccc11010", Text: "b,b,c", Needs: BarrelShift},
			{Bits: "01101bbbccc11uuu", Text: "c,b,u3", Needs: BarrelShift},
			{Bits: "10111bbb010uuuuu", Text: "b,b,u5", Needs: BarrelShift},
		},
		Shape: ShapeDSS, Exec: ASR},
	// lsr_s b,c, ...
	{Op: LSR_S, Name: "lsr_s",
		Format: Forms{
			{Bits: "01111bbbccc11101", Text: "b,c", Exec: LSR1},
			{Bits: "01111bbbccc11001", Text: "b,b,c", Needs: BarrelShift},
			{Bits: "10111bbb001uuuuu", Text: "b,b,u5", Needs: BarrelShift},
		},
		Shape: ShapeDSS, Exec: LSR},
	// bset_s b,b,u5
	{Op: BSET_S, Name: "bset_s",
		Format: Forms{
			{Bits: "10111bbb100uuuuu", Text: "b,b,u5"},
		},
		Shape: ShapeDSS, Exec: BSET},
	// bclr_s b,b,u5
	{Op: BCLR_S, Name: "bclr_s",
		Format: Forms{
			{Bits: "10111bbb101uuuuu", Text: "b,b,u5"},
		},
		Shape: ShapeDSS, Exec: BCLR},
	// bmsk_s b,b,u5
	{Op: BMSK_S, Name: "bmsk_s",
		Format: Forms{
			{Bits: "10111bbb110uuuuu", Text: "b,b,u5"},
		},
		Shape: ShapeDSS, Exec: BMSK},
	// btst_s b,u5
	{Op: BTST_S, Name: "btst_s",
		Format: Forms{
			{Bits: "10111bbb111uuuuu", Text: "b,u5"},
		},
		Shape: ShapeSS, Exec: BTST},
	// nop_s
	{Op: NOP_S, Name: "nop_s",
		Format: Forms{
			{Bits: "0111100011100000"},
		},
		Exec: NOP},
	// ld_s a,[b,c], ...
	{Op: LD_S, Name: "ld_s",
		Format: Forms{
			{Bits: "01100bbbccc00aaa", Text: "a,[b,c]"},
			{Bits: "01001bbbccc00aaa", Text: ".as a,[b,c]", Needs: CodeDensity},
			{Bits: "01000U00hhhuu1HH", Text: "r0,[h,u5]", Needs: CodeDensity},
			{Bits: "01000U01hhhuu1HH", Text: "r1,[h,u5]", Needs: CodeDensity},
			{Bits: "01000U10hhhuu1HH", Text: "r2,[h,u5]", Needs: CodeDensity},
			{Bits: "01000U11hhhuu1HH", Text: "r3,[h,u5]", Needs: CodeDensity},
			{Bits: "11000bbb000uuuuu", Text: "b,[sp,u7]"},
			{Bits: "10000bbbcccuuuuu", Text: "c,[b,u7]"},
			{Bits: "11010bbbuuuuuuuu", Text: "b,[pcl,u10]"},
			{Bits: "1100100sssssssss", Text: "r0,[gp,s11]"},
			{Bits: "01010SSSSSS00sss", Text: "r1,[gp,s11]", Needs: CodeDensity},
		},
		Shape: ShapeLoad, Exec: LD},
	// ldb_s a,[b,c], ...
	{Op: LDB_S, Name: "ldb_s",
		Format: Forms{
			{Bits: "01100bbbccc01aaa", Text: "a,[b,c]"},
			{Bits: "10001bbbcccuuuuu", Text: "c,[b,u5]"},
			{Bits: "11000bbb001uuuuu", Text: "b,[sp,u7]"},
			{Bits: "1100101sssssssss", Text: "r0,[gp,s9]"},
		},
		Shape: ShapeLoad, Exec: LD, Fix: Mods{Size: SizeByte}},
	// ldh_s a,[b,c], ...
	{Op: LDH_S, Name: "ldh_s",
		Format: Forms{
			{Bits: "01100bbbccc10aaa", Text: "a,[b,c]"},
			{Bits: "10010bbbcccuuuuu", Text: "c,[b,u6]"},
			{Bits: "10011bbbcccuuuuu", Text: ".x c,[b,u6]"},
			{Bits: "1100110sssssssss", Text: "r0,[gp,s10]"},
		},
		Shape: ShapeLoad, Exec: LD, Fix: Mods{Size: SizeHalf}},
	// st_s b,[sp,u7], ...
	{Op: ST_S, Name: "st_s",
		Format: Forms{
			{Bits: "11000bbb010uuuuu", Text: "b,[sp,u7]"},
			{Bits: "10100bbbcccuuuuu", Text: "c,[b,u7]"},
			{Bits: "01010SSSSSS10sss", Text: "r0,[gp,s11]", Needs: CodeDensity},
		},
		Shape: ShapeStore, Exec: ST},
	// stb_s c,[b,u5], ...
	{Op: STB_S, Name: "stb_s",
		Format: Forms{
			{Bits: "10101bbbcccuuuuu", Text: "c,[b,u5]"},
			{Bits: "11000bbb011uuuuu", Text: "b,[sp,u7]"},
		},
		Shape: ShapeStore, Exec: ST, Fix: Mods{Size: SizeByte}},
	// sth_s c,[b,u6]
	{Op: STH_S, Name: "sth_s",
		Format: Forms{
			{Bits: "10110bbbcccuuuuu", Text: "c,[b,u6]"},
		},
		Shape: ShapeStore, Exec: ST, Fix: Mods{Size: SizeHalf}},
	// push_s b, ...
	{Op: PUSH_S, Name: "push_s",
		Format: Forms{
			{Bits: "11000bbb11100001", Text: "b", Implied: stackSlot(-4)},
			{Bits: "1100000011110001", Text: "blink", Implied: stackSlot(-4)},
		},
		Shape: ShapeStore, Exec: ST, Fix: Mods{Addr: AddrPre}},
	// pop_s b, ...
	{Op: POP_S, Name: "pop_s",
		Format: Forms{
			{Bits: "11000bbb11000001", Text: "b", Implied: stackSlot(4)},
			{Bits: "1100000011010001", Text: "blink", Implied: stackSlot(4)},
		},
		Shape: ShapeLoad, Exec: LD, Fix: Mods{Addr: AddrPost}},
	// ldi_s b,[u7]
	{Op: LDI_S, Name: "ldi_s",
		Format: Forms{
			{Bits: "01010bbbUUUU1uuu", Text: "b,[u7]"},
		},
		Shape: ShapeAuxR, Exec: LDI, Needs: CodeDensity},
	// enter_s list
	{Op: ENTER_S, Name: "enter_s",
		Format: Forms{
			{Bits: "110000VU111uuuu0", Text: "list"},
		},
		Shape: ShapeList, Needs: CodeDensity, Class: ClassFrame, Model: Stateful,
		Meaning: "push blink, r13..., fp as the list says; fp = sp", Source: "gcc, qemu-arc"},
	// leave_s list
	{Op: LEAVE_S, Name: "leave_s",
		Format: Forms{
			{Bits: "11000VVU110uuuu0", Text: "list"},
		},
		Shape: ShapeList, Needs: CodeDensity, Class: ClassFrame, Model: Stateful,
		Meaning: "pop what enter_s pushed; jump to blink when the list has pcl",
		Source:  "gcc, qemu-arc"},
	// jli_s u10
	{Op: JLI_S, Name: "jli_s",
		Format: Forms{
			{Bits: "010110uuuuuuuuuu", Text: "u10"},
		},
		Shape: ShapeS, Needs: CodeDensity, Class: ClassTableJump, Model: Stateful,
		Meaning: "blink = return address; pc = JLI_BASE + u10 * 4", Source: "gcc, qemu-arc"},
	// ei_s u10
	{Op: EI_S, Name: "ei_s",
		Format: Forms{
			{Bits: "010111uuuuuuuuuu", Text: "u10"},
		},
		Shape: ShapeS, Needs: CodeDensity, Class: ClassTableJump, Model: Stateful,
		Meaning: "execute the instruction at EI_BASE + u10 * 4", Source: "gcc, qemu-arc"},
	// b_s @s10
	{Op: B_S, Name: "b_s",
		Format: Forms{
			{Bits: "1111000sssssssss", Text: "@s10"},
		},
		Shape: ShapeBranch, Exec: B},
	// beq_s @s10
	{Op: BEQ_S, Name: "beq_s",
		Format: Forms{
			{Bits: "1111001sssssssss", Text: "@s10"},
		},
		Shape: ShapeBranch, Exec: B, Fix: Mods{Cond: CondEQ}},
	// bne_s @s10
	{Op: BNE_S, Name: "bne_s",
		Format: Forms{
			{Bits: "1111010sssssssss", Text: "@s10"},
		},
		Shape: ShapeBranch, Exec: B, Fix: Mods{Cond: CondNE}},
	// bgt_s @s7
	{Op: BGT_S, Name: "bgt_s",
		Format: Forms{
			{Bits: "1111011000ssssss", Text: "@s7"},
		},
		Shape: ShapeBranch, Exec: B, Fix: Mods{Cond: CondGT}},
	// bge_s @s7
	{Op: BGE_S, Name: "bge_s",
		Format: Forms{
			{Bits: "1111011001ssssss", Text: "@s7"},
		},
		Shape: ShapeBranch, Exec: B, Fix: Mods{Cond: CondGE}},
	// blt_s @s7
	{Op: BLT_S, Name: "blt_s",
		Format: Forms{
			{Bits: "1111011010ssssss", Text: "@s7"},
		},
		Shape: ShapeBranch, Exec: B, Fix: Mods{Cond: CondLT}},
	// ble_s @s7
	{Op: BLE_S, Name: "ble_s",
		Format: Forms{
			{Bits: "1111011011ssssss", Text: "@s7"},
		},
		Shape: ShapeBranch, Exec: B, Fix: Mods{Cond: CondLE}},
	// bhi_s @s7
	{Op: BHI_S, Name: "bhi_s",
		Format: Forms{
			{Bits: "1111011100ssssss", Text: "@s7"},
		},
		Shape: ShapeBranch, Exec: B, Fix: Mods{Cond: CondHI}},
	// bhs_s @s7
	{Op: BHS_S, Name: "bhs_s",
		Format: Forms{
			{Bits: "1111011101ssssss", Text: "@s7"},
		},
		Shape: ShapeBranch, Exec: B, Fix: Mods{Cond: CondNC}},
	// blo_s @s7
	{Op: BLO_S, Name: "blo_s",
		Format: Forms{
			{Bits: "1111011110ssssss", Text: "@s7"},
		},
		Shape: ShapeBranch, Exec: B, Fix: Mods{Cond: CondC}},
	// bls_s @s7
	{Op: BLS_S, Name: "bls_s",
		Format: Forms{
			{Bits: "1111011111ssssss", Text: "@s7"},
		},
		Shape: ShapeBranch, Exec: B, Fix: Mods{Cond: CondLS}},
	// bl_s @s13
	{Op: BL_S, Name: "bl_s",
		Format: Forms{
			{Bits: "11111sssssssssss", Text: "@s13"},
		},
		Shape: ShapeBranch, Exec: BL},
	// breq_s b,0,@s8
	{Op: BREQ_S, Name: "breq_s",
		Format: Forms{
			{Bits: "11101bbb0sssssss", Text: "b,0,@s8"},
		},
		Shape: ShapeCmpBr, Exec: BREQ},
	// brne_s b,0,@s8
	{Op: BRNE_S, Name: "brne_s",
		Format: Forms{
			{Bits: "11101bbb1sssssss", Text: "b,0,@s8"},
		},
		Shape: ShapeCmpBr, Exec: BRNE},
	// j_s [b], ...
	{Op: J_S, Name: "j_s",
		Format: Forms{
			{Bits: "01111bbb00000000", Text: "[b]"},
			{Bits: "01111bbb00100000", Text: ".d [b]"},
			{Bits: "0111111011100000", Text: "[blink]"},
			{Bits: "0111111111100000", Text: ".d [blink]"},
		},
		Shape: ShapeJump, Exec: J},
	// jl_s [b], ...
	{Op: JL_S, Name: "jl_s",
		Format: Forms{
			{Bits: "01111bbb01000000", Text: "[b]"},
			{Bits: "01111bbb01100000", Text: ".d [b]"},
		},
		Shape: ShapeJump, Exec: JL},
	// jeq_s [blink]
	{Op: JEQ_S, Name: "jeq_s",
		Format: Forms{
			{Bits: "0111110011100000", Text: "[blink]"},
		},
		Shape: ShapeJump, Exec: J, Fix: Mods{Cond: CondEQ}},
	// jne_s [blink]
	{Op: JNE_S, Name: "jne_s",
		Format: Forms{
			{Bits: "0111110111100000", Text: "[blink]"},
		},
		Shape: ShapeJump, Exec: J, Fix: Mods{Cond: CondNE}},
	// trap_s u6
	{Op: TRAP_S, Name: "trap_s",
		Format: Forms{
			{Bits: "01111uuuuuu11110", Text: "u6"},
		},
		Shape: ShapeS, Class: ClassException, Model: Stateful,
		Meaning: "raise EV_Trap with parameter u6", Source: "gcc, qemu-arc"},
	// swi_s u6, or without operand
	{Op: SWI_S, Name: "swi_s",
		Format: Forms{
			{Bits: "0111101011100000", Implied: noLiteral},
			{Bits: "01111uuuuuu11111", Text: "u6"},
		},
		Shape: ShapeS, Exec: SWI},
	// brk_s
	{Op: BRK_S, Name: "brk_s",
		Format: Forms{
			{Bits: "0111111111111111"},
		},
		Over: SWI_S, Exec: BRK},
	// unimp_s
	{Op: UNIMP_S, Name: "unimp_s",
		Format: Forms{
			{Bits: "0111100111100000"},
		},
		Shape: ShapeNone, Class: ClassException, Model: Stateful,
		Meaning: "raise EV_InstructionError", Source: "gcc, qemu-arc"},
}
