package isa

// Floating point: the units of the second version (fs*, fd*, fcvt*), the double-precision assist of the EM,
// which has its encodings beside FPX's for the same operations, and the older FPX. The meaning is that which
// GCC's machine description gives to the code it makes of C. The rest is assembled and printed only.
//
// DEVIATION(244): on an HS with the DSP option as well, floating point has the encodings that both claim.
var fpuRows = []Row{
	// fsmul<.cc> a,b,c
	{Op: FSMUL, Name: "fsmul", Format: Gen3{Major: 6, Sub: 0x00, Bit15: Bit15Zero},
		Shape: ShapeDSS, Needs: FPUSingle, Class: ClassFPUMul,
		Meaning: "a = b * c, single precision", Source: "gcc"},
	// fsadd<.cc> a,b,c
	{Op: FSADD, Name: "fsadd", Format: Gen3{Major: 6, Sub: 0x01, Bit15: Bit15Zero},
		Shape: ShapeDSS, Needs: FPUSingle, Class: ClassFPU,
		Meaning: "a = b + c, single precision", Source: "gcc"},
	// fssub<.cc> a,b,c
	{Op: FSSUB, Name: "fssub", Format: Gen3{Major: 6, Sub: 0x02, Bit15: Bit15Zero},
		Shape: ShapeDSS, Needs: FPUSingle, Class: ClassFPU,
		Meaning: "a = b - c, single precision", Source: "gcc"},
	// fsdiv<.cc> a,b,c
	{Op: FSDIV, Name: "fsdiv", Format: Gen3{Major: 6, Sub: 0x07, Bit15: Bit15Zero},
		Shape: ShapeDSS, Needs: FPUSingle | FPUSingleDiv, Class: ClassFPUDivide,
		Meaning: "a = b / c, single precision", Source: "gcc"},
	// fsmadd<.cc> a,b,c
	{Op: FSMADD, Name: "fsmadd", Format: Gen3{Major: 6, Sub: 0x05, Bit15: Bit15Zero},
		Shape: ShapeDSS, Needs: FPUSingle | FPUSingleMAC, Class: ClassFPUMAC,
		ReadsAcc: AccLo,
		Meaning:  "a = r58 + b * c, rounded once, single precision", Source: "gcc"},
	// fsmsub<.cc> a,b,c
	{Op: FSMSUB, Name: "fsmsub", Format: Gen3{Major: 6, Sub: 0x06, Bit15: Bit15Zero},
		Shape: ShapeDSS, Needs: FPUSingle | FPUSingleMAC, Class: ClassFPUMAC,
		ReadsAcc: AccLo,
		Meaning:  "a = r58 - b * c, rounded once, single precision", Source: "gcc"},
	// fscmp<.cc> b,c
	{Op: FSCMP, Name: "fscmp", Format: Cmp{Major: 6, Sub: 0x03}, Shape: ShapeSS,
		WritesFlags: FlagsZNCV, AlwaysFlags: true, Needs: FPUSingle, Class: ClassFPU,
		Meaning: "flags of comparing b with c, single precision", Source: "gcc"},
	// fscmpf<.cc> b,c
	{Op: FSCMPF, Name: "fscmpf", Format: Cmp{Major: 6, Sub: 0x04}, Shape: ShapeSS,
		WritesFlags: FlagsZNCV, AlwaysFlags: true, Needs: FPUSingle, Class: ClassFPU,
		Meaning: "flags of comparing b with c, invalid on a quiet NaN, single precision", Source: "gcc"},
	// fssqrt b,c
	{Op: FSSQRT, Name: "fssqrt", Format: Single{Major: 6, Op: 0x00, Bit15: Bit15Zero},
		Shape: ShapeDS, Needs: FPUSingle | FPUSingleDiv, Class: ClassFPUDivide,
		Meaning: "b = square root of c, single precision", Source: "gcc"},
	// fdmul<.cc> a,b,c
	{Op: FDMUL, Name: "fdmul", Format: Gen3{Major: 6, Sub: 0x30, Bit15: Bit15Zero},
		Shape: ShapeDSS, Needs: HS | FPUDouble, Class: ClassFPUMul,
		Pair:    PairA | PairB | PairC,
		Meaning: "A = B * C, double precision", Source: "gcc"},
	// fdadd<.cc> a,b,c
	{Op: FDADD, Name: "fdadd", Format: Gen3{Major: 6, Sub: 0x31, Bit15: Bit15Zero},
		Shape: ShapeDSS, Needs: HS | FPUDouble, Class: ClassFPU,
		Pair:    PairA | PairB | PairC,
		Meaning: "A = B + C, double precision", Source: "gcc"},
	// fdsub<.cc> a,b,c
	{Op: FDSUB, Name: "fdsub", Format: Gen3{Major: 6, Sub: 0x32, Bit15: Bit15Zero},
		Shape: ShapeDSS, Needs: HS | FPUDouble, Class: ClassFPU,
		Pair:    PairA | PairB | PairC,
		Meaning: "A = B - C, double precision", Source: "gcc"},
	// fddiv<.cc> a,b,c
	{Op: FDDIV, Name: "fddiv", Format: Gen3{Major: 6, Sub: 0x37, Bit15: Bit15Zero},
		Shape: ShapeDSS, Needs: HS | FPUDouble | FPUDoubleDiv, Class: ClassFPUDivide64,
		Pair:    PairA | PairB | PairC,
		Meaning: "A = B / C, double precision", Source: "gcc"},
	// fdmadd<.cc> a,b,c
	{Op: FDMADD, Name: "fdmadd", Format: Gen3{Major: 6, Sub: 0x35, Bit15: Bit15Zero},
		Shape: ShapeDSS, Needs: HS | FPUDouble | FPUDoubleMAC, Class: ClassFPUMAC,
		Pair:     PairA | PairB | PairC,
		ReadsAcc: AccWide,
		Meaning:  "A = r59:r58 + B * C, rounded once, double precision", Source: "gcc"},
	// fdmsub<.cc> a,b,c
	{Op: FDMSUB, Name: "fdmsub", Format: Gen3{Major: 6, Sub: 0x36, Bit15: Bit15Zero},
		Shape: ShapeDSS, Needs: HS | FPUDouble | FPUDoubleMAC, Class: ClassFPUMAC,
		Pair:     PairA | PairB | PairC,
		ReadsAcc: AccWide,
		Meaning:  "A = r59:r58 - B * C, rounded once, double precision", Source: "gcc"},
	// fdcmp<.cc> b,c
	{Op: FDCMP, Name: "fdcmp", Format: Cmp{Major: 6, Sub: 0x33}, Shape: ShapeSS,
		WritesFlags: FlagsZNCV, AlwaysFlags: true, Needs: HS | FPUDouble, Class: ClassFPU,
		Pair:    PairA | PairB,
		Meaning: "flags of comparing B with C, double precision", Source: "gcc"},
	// fdcmpf<.cc> b,c
	{Op: FDCMPF, Name: "fdcmpf", Format: Cmp{Major: 6, Sub: 0x34}, Shape: ShapeSS,
		WritesFlags: FlagsZNCV, AlwaysFlags: true, Needs: HS | FPUDouble, Class: ClassFPU,
		Pair:    PairA | PairB,
		Meaning: "flags of comparing B with C, invalid on a quiet NaN, double precision", Source: "gcc"},
	// fdsqrt b,c
	{Op: FDSQRT, Name: "fdsqrt", Format: Single{Major: 6, Op: 0x01, Bit15: Bit15Zero},
		Shape: ShapeDS, Needs: HS | FPUDouble | FPUDoubleDiv, Class: ClassFPUDivide64,
		Pair:    PairA | PairB,
		Meaning: "B = square root of C, double precision", Source: "gcc"},
	// fcvt32<.cc> a,b,c
	{Op: FCVT32, Name: "fcvt32", Format: Gen3{Major: 6, Sub: 0x08, Bit15: Bit15Zero},
		Shape: ShapeDSS, Needs: FPUSingle, Class: ClassFPUConvert,
		Meaning: "a = b converted: c 0 from unsigned, 2 from signed, 1 and 3 to them, 9 and 11 cutting off", Source: "gcc"},
	// fcvt32_64<.cc> a,b,c
	{Op: FCVT32_64, Name: "fcvt32_64", Format: Gen3{Major: 6, Sub: 0x09, Bit15: Bit15Zero},
		Shape: ShapeDSS, Needs: HS | FPUDouble, Class: ClassFPUConvert,
		Pair:    PairA,
		Meaning: "A = b converted: as fcvt32; c 4 to double precision", Source: "gcc"},
	// fcvt64<.cc> a,b,c
	{Op: FCVT64, Name: "fcvt64", Format: Gen3{Major: 6, Sub: 0x38, Bit15: Bit15Zero},
		Shape: ShapeDSS, Needs: HS | FPUDouble, Class: ClassFPUConvert,
		Pair:    PairA | PairB,
		Meaning: "A = B converted: as fcvt32, 64-bit integers and double precision", Source: "gcc"},
	// fcvt64_32<.cc> a,b,c
	{Op: FCVT64_32, Name: "fcvt64_32", Format: Gen3{Major: 6, Sub: 0x39, Bit15: Bit15Zero},
		Shape: ShapeDSS, Needs: HS | FPUDouble, Class: ClassFPUConvert,
		Pair:    PairB,
		Meaning: "a = B converted: as fcvt32; c 4 to single precision", Source: "gcc"},
	// fmul<.f><.cc> a,b,c
	{Op: FMUL, Name: "fmul", Format: Gen3{Major: 6, Sub: 0x00}, Shape: ShapeDSS,
		Needs: EM | FPXSingle, Class: ClassFPX,
		WritesFlags: FlagsZN,
		Meaning:     "a = b * c, single precision, FPX", Source: "gcc"},
	// fadd<.f><.cc> a,b,c
	{Op: FADD, Name: "fadd", Format: Gen3{Major: 6, Sub: 0x01}, Shape: ShapeDSS,
		Needs: EM | FPXSingle, Class: ClassFPX,
		WritesFlags: FlagsZN,
		Meaning:     "a = b + c, single precision, FPX", Source: "gcc"},
	// fsub<.f><.cc> a,b,c
	{Op: FSUB, Name: "fsub", Format: Gen3{Major: 6, Sub: 0x02}, Shape: ShapeDSS,
		Needs: EM | FPXSingle, Class: ClassFPX,
		WritesFlags: FlagsZN,
		Meaning:     "a = b - c, single precision, FPX", Source: "gcc"},
	// dmulh11<.f><.cc> a,b,c
	{Op: DMULH11, Name: "dmulh11",
		Format: OneOf{
			{Format: Gen3{Major: 6, Sub: 0x08}, Needs: FPXDouble},
			{Format: Gen3{Major: 6, Sub: 0x30}, Needs: FPUDoubleAssist},
		},
		Shape: ShapeDSS, Needs: EM, Class: ClassFPXDoubleMul, Model: Stateful,
		WritesFlags: FlagsZN,
		Meaning:     "D1 = D1 * {b,c}, a = its high word, double precision", Source: "gcc"},
	// dmulh12<.f><.cc> a,b,c
	{Op: DMULH12, Name: "dmulh12",
		Format: OneOf{
			{Format: Gen3{Major: 6, Sub: 0x09}, Needs: FPXDouble},
			{Format: Gen3{Major: 6, Sub: 0x31}, Needs: FPUDoubleAssist},
		},
		Shape: ShapeDSS, Needs: EM, Class: ClassFPXDoubleMul, Model: Stateful,
		WritesFlags: FlagsZN,
		Meaning:     "D1 = D2 * {b,c}, a = its high word, double precision", Source: "gcc"},
	// dmulh21<.f><.cc> a,b,c
	{Op: DMULH21, Name: "dmulh21",
		Format: OneOf{
			{Format: Gen3{Major: 6, Sub: 0x0a}, Needs: FPXDouble},
			{Format: Gen3{Major: 6, Sub: 0x32}, Needs: FPUDoubleAssist},
		},
		Shape: ShapeDSS, Needs: EM, Class: ClassFPXDoubleMul, Model: Stateful,
		WritesFlags: FlagsZN,
		Meaning:     "D2 = D1 * {b,c}, a = its high word, double precision", Source: "gcc"},
	// dmulh22<.f><.cc> a,b,c
	{Op: DMULH22, Name: "dmulh22",
		Format: OneOf{
			{Format: Gen3{Major: 6, Sub: 0x0b}, Needs: FPXDouble},
			{Format: Gen3{Major: 6, Sub: 0x33}, Needs: FPUDoubleAssist},
		},
		Shape: ShapeDSS, Needs: EM, Class: ClassFPXDoubleMul, Model: Stateful,
		WritesFlags: FlagsZN,
		Meaning:     "D2 = D2 * {b,c}, a = its high word, double precision", Source: "gcc"},
	// daddh11<.f><.cc> a,b,c
	{Op: DADDH11, Name: "daddh11",
		Format: OneOf{
			{Format: Gen3{Major: 6, Sub: 0x0c}, Needs: FPXDouble},
			{Format: Gen3{Major: 6, Sub: 0x34}, Needs: FPUDoubleAssist},
		},
		Shape: ShapeDSS, Needs: EM, Class: ClassFPXDouble, Model: Stateful,
		WritesFlags: FlagsZN,
		Meaning:     "D1 = D1 + {b,c}, a = its high word, double precision", Source: "gcc"},
	// daddh12<.f><.cc> a,b,c
	{Op: DADDH12, Name: "daddh12",
		Format: OneOf{
			{Format: Gen3{Major: 6, Sub: 0x0d}, Needs: FPXDouble},
			{Format: Gen3{Major: 6, Sub: 0x35}, Needs: FPUDoubleAssist},
		},
		Shape: ShapeDSS, Needs: EM, Class: ClassFPXDouble, Model: Stateful,
		WritesFlags: FlagsZN,
		Meaning:     "D1 = D2 + {b,c}, a = its high word, double precision", Source: "gcc"},
	// daddh21<.f><.cc> a,b,c
	{Op: DADDH21, Name: "daddh21",
		Format: OneOf{
			{Format: Gen3{Major: 6, Sub: 0x0e}, Needs: FPXDouble},
			{Format: Gen3{Major: 6, Sub: 0x36}, Needs: FPUDoubleAssist},
		},
		Shape: ShapeDSS, Needs: EM, Class: ClassFPXDouble, Model: Stateful,
		WritesFlags: FlagsZN,
		Meaning:     "D2 = D1 + {b,c}, a = its high word, double precision", Source: "gcc"},
	// daddh22<.f><.cc> a,b,c
	{Op: DADDH22, Name: "daddh22",
		Format: OneOf{
			{Format: Gen3{Major: 6, Sub: 0x0f}, Needs: FPXDouble},
			{Format: Gen3{Major: 6, Sub: 0x37}, Needs: FPUDoubleAssist},
		},
		Shape: ShapeDSS, Needs: EM, Class: ClassFPXDouble, Model: Stateful,
		WritesFlags: FlagsZN,
		Meaning:     "D2 = D2 + {b,c}, a = its high word, double precision", Source: "gcc"},
	// dsubh11<.f><.cc> a,b,c
	{Op: DSUBH11, Name: "dsubh11",
		Format: OneOf{
			{Format: Gen3{Major: 6, Sub: 0x10}, Needs: FPXDouble},
			{Format: Gen3{Major: 6, Sub: 0x38}, Needs: FPUDoubleAssist},
		},
		Shape: ShapeDSS, Needs: EM, Class: ClassFPXDouble, Model: Stateful,
		WritesFlags: FlagsZN,
		Meaning:     "D1 = D1 - {b,c}, a = its high word, double precision", Source: "gcc"},
	// dsubh12<.f><.cc> a,b,c
	{Op: DSUBH12, Name: "dsubh12",
		Format: OneOf{
			{Format: Gen3{Major: 6, Sub: 0x11}, Needs: FPXDouble},
			{Format: Gen3{Major: 6, Sub: 0x39}, Needs: FPUDoubleAssist},
		},
		Shape: ShapeDSS, Needs: EM, Class: ClassFPXDouble, Model: Stateful,
		WritesFlags: FlagsZN,
		Meaning:     "D1 = D2 - {b,c}, a = its high word, double precision", Source: "gcc"},
	// dsubh21<.f><.cc> a,b,c
	{Op: DSUBH21, Name: "dsubh21",
		Format: OneOf{
			{Format: Gen3{Major: 6, Sub: 0x12}, Needs: FPXDouble},
			{Format: Gen3{Major: 6, Sub: 0x3a}, Needs: FPUDoubleAssist},
		},
		Shape: ShapeDSS, Needs: EM, Class: ClassFPXDouble, Model: Stateful,
		WritesFlags: FlagsZN,
		Meaning:     "D2 = D1 - {b,c}, a = its high word, double precision", Source: "gcc"},
	// dsubh22<.f><.cc> a,b,c
	{Op: DSUBH22, Name: "dsubh22",
		Format: OneOf{
			{Format: Gen3{Major: 6, Sub: 0x13}, Needs: FPXDouble},
			{Format: Gen3{Major: 6, Sub: 0x3b}, Needs: FPUDoubleAssist},
		},
		Shape: ShapeDSS, Needs: EM, Class: ClassFPXDouble, Model: Stateful,
		WritesFlags: FlagsZN,
		Meaning:     "D2 = D2 - {b,c}, a = its high word, double precision", Source: "gcc"},
	// dexcl1<.f><.cc> a,b,c
	{Op: DEXCL1, Name: "dexcl1",
		Format: OneOf{
			{Format: Gen3{Major: 6, Sub: 0x18}, Needs: FPXDouble},
			{Format: Gen3{Major: 6, Sub: 0x3c}, Needs: FPUDoubleAssist},
		},
		Shape: ShapeDSS, Needs: EM, Class: ClassFPXMove, Model: Stateful,
		Meaning: "a = low word of D1, D1 = {b,c}", Source: "gcc"},
	// dexcl2<.f><.cc> a,b,c
	{Op: DEXCL2, Name: "dexcl2",
		Format: OneOf{
			{Format: Gen3{Major: 6, Sub: 0x19}, Needs: FPXDouble},
			{Format: Gen3{Major: 6, Sub: 0x3d}, Needs: FPUDoubleAssist},
		},
		Shape: ShapeDSS, Needs: EM, Class: ClassFPXMove, Model: Stateful,
		Meaning: "a = low word of D2, D2 = {b,c}", Source: "gcc"},
	// drsubh11<.f><.cc> a,b,c
	{Op: DRSUBH11, Name: "drsubh11", Format: Gen3{Major: 6, Sub: 0x14}, Shape: ShapeDSS,
		Needs: EM | FPXDouble, Class: ClassFPXDouble, Model: Stateful,
		WritesFlags: FlagsZN,
		Meaning:     "D1 = {b,c} - D1, a = its high word, double precision", Source: "gcc"},
	// drsubh12<.f><.cc> a,b,c
	{Op: DRSUBH12, Name: "drsubh12", Format: Gen3{Major: 6, Sub: 0x15}, Shape: ShapeDSS,
		Needs: EM | FPXDouble, Class: ClassFPXDouble, Model: Stateful,
		WritesFlags: FlagsZN,
		Meaning:     "D1 = {b,c} - D2, a = its high word, double precision", Source: "gcc"},
	// drsubh21<.f><.cc> a,b,c
	{Op: DRSUBH21, Name: "drsubh21", Format: Gen3{Major: 6, Sub: 0x16}, Shape: ShapeDSS,
		Needs: EM | FPXDouble, Class: ClassFPXDouble, Model: Stateful,
		WritesFlags: FlagsZN,
		Meaning:     "D2 = {b,c} - D1, a = its high word, double precision", Source: "gcc"},
	// drsubh22<.f><.cc> a,b,c
	{Op: DRSUBH22, Name: "drsubh22", Format: Gen3{Major: 6, Sub: 0x17}, Shape: ShapeDSS,
		Needs: EM | FPXDouble, Class: ClassFPXDouble, Model: Stateful,
		WritesFlags: FlagsZN,
		Meaning:     "D2 = {b,c} - D2, a = its high word, double precision", Source: "gcc"},
	// dsp_fp_cmp<.f><.cc> a,b,c
	{Op: DSP_FP_CMP, Name: "dsp_fp_cmp", Format: Gen3{Major: 7, Sub: 0x2b}, Shape: ShapeDSS,
		Needs: EM | QuarkSE, Class: ClassUserSlot, Model: NotModelled,
		Reason:  "the helpers of one chip are not described in public",
		Meaning: "QuarkSE floating-point helper", Source: "gnu-as"},
	// dsp_fp_div<.f><.cc> a,b,c
	{Op: DSP_FP_DIV, Name: "dsp_fp_div", Format: Gen3{Major: 7, Sub: 0x2a}, Shape: ShapeDSS,
		Needs: EM | QuarkSE, Class: ClassUserSlot, Model: NotModelled,
		Reason:  "the helpers of one chip are not described in public",
		Meaning: "QuarkSE floating-point helper", Source: "gnu-as"},
	// dsp_fp_flt2i<.f> b,c
	{Op: DSP_FP_FLT2I, Name: "dsp_fp_flt2i", Format: Single{Major: 7, Op: 0x2b}, Shape: ShapeDS,
		Needs: EM | QuarkSE, Class: ClassUserSlot, Model: NotModelled,
		Reason:  "the helpers of one chip are not described in public",
		Meaning: "QuarkSE floating-point helper", Source: "gnu-as"},
	// dsp_fp_i2flt<.f> b,c
	{Op: DSP_FP_I2FLT, Name: "dsp_fp_i2flt", Format: Single{Major: 7, Op: 0x2c}, Shape: ShapeDS,
		Needs: EM | QuarkSE, Class: ClassUserSlot, Model: NotModelled,
		Reason:  "the helpers of one chip are not described in public",
		Meaning: "QuarkSE floating-point helper", Source: "gnu-as"},
	// dsp_fp_sqrt<.f> b,c
	{Op: DSP_FP_SQRT, Name: "dsp_fp_sqrt", Format: Single{Major: 7, Op: 0x2d}, Shape: ShapeDS,
		Needs: EM | QuarkSE, Class: ClassUserSlot, Model: NotModelled,
		Reason:  "the helpers of one chip are not described in public",
		Meaning: "QuarkSE floating-point helper", Source: "gnu-as"},
	// fmp_adds<.f><.cc> a,b,c
	{Op: FMP_ADDS, Name: "fmp_adds", Format: Gen3{Major: 7, Sub: 0x22}, Shape: ShapeDSS,
		Needs: FastMath, Class: ClassUserSlot, Model: NotModelled,
		Reason:  "the extension of the user slot is not described in public",
		Meaning: "fast-math extension of the user slot", Source: "gnu-as"},
	// fmp_atan<.f> b,c
	{Op: FMP_ATAN, Name: "fmp_atan", Format: Single{Major: 7, Op: 0x25}, Shape: ShapeDS,
		Needs: FastMath, Class: ClassUserSlot, Model: NotModelled,
		Reason:  "the extension of the user slot is not described in public",
		Meaning: "fast-math extension of the user slot", Source: "gnu-as"},
	// fmp_atan15<.f> b,c
	{Op: FMP_ATAN15, Name: "fmp_atan15", Format: Single{Major: 7, Op: 0x2e}, Shape: ShapeDS,
		Needs: FastMath, Class: ClassUserSlot, Model: NotModelled,
		Reason:  "the extension of the user slot is not described in public",
		Meaning: "fast-math extension of the user slot", Source: "gnu-as"},
	// fmp_cos<.f> b,c
	{Op: FMP_COS, Name: "fmp_cos", Format: Single{Major: 7, Op: 0x1e}, Shape: ShapeDS,
		Needs: FastMath, Class: ClassUserSlot, Model: NotModelled,
		Reason:  "the extension of the user slot is not described in public",
		Meaning: "fast-math extension of the user slot", Source: "gnu-as"},
	// fmp_cos15<.f> b,c
	{Op: FMP_COS15, Name: "fmp_cos15", Format: Single{Major: 7, Op: 0x2c}, Shape: ShapeDS,
		Needs: FastMath, Class: ClassUserSlot, Model: NotModelled,
		Reason:  "the extension of the user slot is not described in public",
		Meaning: "fast-math extension of the user slot", Source: "gnu-as"},
	// fmp_divf<.f><.cc> a,b,c
	{Op: FMP_DIVF, Name: "fmp_divf", Format: Gen3{Major: 7, Sub: 0x20}, Shape: ShapeDSS,
		Needs: FastMath, Class: ClassUserSlot, Model: NotModelled,
		Reason:  "the extension of the user slot is not described in public",
		Meaning: "fast-math extension of the user slot", Source: "gnu-as"},
	// fmp_divf15<.f><.cc> a,b,c
	{Op: FMP_DIVF15, Name: "fmp_divf15", Format: Gen3{Major: 7, Sub: 0x21}, Shape: ShapeDSS,
		Needs: FastMath, Class: ClassUserSlot, Model: NotModelled,
		Reason:  "the extension of the user slot is not described in public",
		Meaning: "fast-math extension of the user slot", Source: "gnu-as"},
	// fmp_exp2<.f> b,c
	{Op: FMP_EXP2, Name: "fmp_exp2", Format: Single{Major: 7, Op: 0x27}, Shape: ShapeDS,
		Needs: FastMath, Class: ClassUserSlot, Model: NotModelled,
		Reason:  "the extension of the user slot is not described in public",
		Meaning: "fast-math extension of the user slot", Source: "gnu-as"},
	// fmp_exp215<.f> b,c
	{Op: FMP_EXP215, Name: "fmp_exp215", Format: Single{Major: 7, Op: 0x2f}, Shape: ShapeDS,
		Needs: FastMath, Class: ClassUserSlot, Model: NotModelled,
		Reason:  "the extension of the user slot is not described in public",
		Meaning: "fast-math extension of the user slot", Source: "gnu-as"},
	// fmp_log2<.f> b,c
	{Op: FMP_LOG2, Name: "fmp_log2", Format: Single{Major: 7, Op: 0x26}, Shape: ShapeDS,
		Needs: FastMath, Class: ClassUserSlot, Model: NotModelled,
		Reason:  "the extension of the user slot is not described in public",
		Meaning: "fast-math extension of the user slot", Source: "gnu-as"},
	// fmp_log215<.f> b,c
	{Op: FMP_LOG215, Name: "fmp_log215", Format: Single{Major: 7, Op: 0x30}, Shape: ShapeDS,
		Needs: FastMath, Class: ClassUserSlot, Model: NotModelled,
		Reason:  "the extension of the user slot is not described in public",
		Meaning: "fast-math extension of the user slot", Source: "gnu-as"},
	// fmp_recip<.f> b,c
	{Op: FMP_RECIP, Name: "fmp_recip", Format: Single{Major: 7, Op: 0x2a}, Shape: ShapeDS,
		Needs: FastMath, Class: ClassUserSlot, Model: NotModelled,
		Reason:  "the extension of the user slot is not described in public",
		Meaning: "fast-math extension of the user slot", Source: "gnu-as"},
	// fmp_recip15<.f> b,c
	{Op: FMP_RECIP15, Name: "fmp_recip15", Format: Single{Major: 7, Op: 0x2b}, Shape: ShapeDS,
		Needs: FastMath, Class: ClassUserSlot, Model: NotModelled,
		Reason:  "the extension of the user slot is not described in public",
		Meaning: "fast-math extension of the user slot", Source: "gnu-as"},
	// fmp_rndh<.f> b,c
	{Op: FMP_RNDH, Name: "fmp_rndh", Format: Single{Major: 7, Op: 0x29}, Shape: ShapeDS,
		Needs: FastMath, Class: ClassUserSlot, Model: NotModelled,
		Reason:  "the extension of the user slot is not described in public",
		Meaning: "fast-math extension of the user slot", Source: "gnu-as"},
	// fmp_sath<.f> b,c
	{Op: FMP_SATH, Name: "fmp_sath", Format: Single{Major: 7, Op: 0x28}, Shape: ShapeDS,
		Needs: FastMath, Class: ClassUserSlot, Model: NotModelled,
		Reason:  "the extension of the user slot is not described in public",
		Meaning: "fast-math extension of the user slot", Source: "gnu-as"},
	// fmp_sin<.f> b,c
	{Op: FMP_SIN, Name: "fmp_sin", Format: Single{Major: 7, Op: 0x1f}, Shape: ShapeDS,
		Needs: FastMath, Class: ClassUserSlot, Model: NotModelled,
		Reason:  "the extension of the user slot is not described in public",
		Meaning: "fast-math extension of the user slot", Source: "gnu-as"},
	// fmp_sin15<.f> b,c
	{Op: FMP_SIN15, Name: "fmp_sin15", Format: Single{Major: 7, Op: 0x2d}, Shape: ShapeDS,
		Needs: FastMath, Class: ClassUserSlot, Model: NotModelled,
		Reason:  "the extension of the user slot is not described in public",
		Meaning: "fast-math extension of the user slot", Source: "gnu-as"},
	// fmp_sqrtf<.f> b,c
	{Op: FMP_SQRTF, Name: "fmp_sqrtf", Format: Single{Major: 7, Op: 0x20}, Shape: ShapeDS,
		Needs: FastMath, Class: ClassUserSlot, Model: NotModelled,
		Reason:  "the extension of the user slot is not described in public",
		Meaning: "fast-math extension of the user slot", Source: "gnu-as"},
	// fmp_sqrtf15<.f> b,c
	{Op: FMP_SQRTF15, Name: "fmp_sqrtf15", Format: Single{Major: 7, Op: 0x21}, Shape: ShapeDS,
		Needs: FastMath, Class: ClassUserSlot, Model: NotModelled,
		Reason:  "the extension of the user slot is not described in public",
		Meaning: "fast-math extension of the user slot", Source: "gnu-as"},
}
