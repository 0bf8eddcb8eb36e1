package isa

// Extensions of the user's slot, major opcode 7, of which nothing but names and encodings is public.

// quarkRows are the floating-point helpers of the QuarkSE.
var quarkRows = family{shared: Row{Needs: EM | QuarkSE, Class: ClassUserSlot,
	Reason:  "the helpers of one chip are not described in public",
	Meaning: "QuarkSE floating-point helper", Source: "gnu-as"}, rows: []Row{
	{Op: DSP_FP_CMP, Syntax: "dsp_fp_cmp<.f><.cc> a,b,c", Format: Gen3{Major: 7, Sub: 0x2b}},
	{Op: DSP_FP_DIV, Syntax: "dsp_fp_div<.f><.cc> a,b,c", Format: Gen3{Major: 7, Sub: 0x2a}},
	{Op: DSP_FP_FLT2I, Syntax: "dsp_fp_flt2i<.f> b,c", Format: Single{Major: 7, Op: 0x2b}},
	{Op: DSP_FP_I2FLT, Syntax: "dsp_fp_i2flt<.f> b,c", Format: Single{Major: 7, Op: 0x2c}},
	{Op: DSP_FP_SQRT, Syntax: "dsp_fp_sqrt<.f> b,c", Format: Single{Major: 7, Op: 0x2d}},
}}

// fastMathRows are the fast-math extension.
var fastMathRows = family{shared: Row{Needs: FastMath, Class: ClassUserSlot,
	Reason:  "the extension of the user slot is not described in public",
	Meaning: "fast-math extension of the user slot", Source: "gnu-as"}, rows: []Row{
	{Op: FMP_ADDS, Syntax: "fmp_adds<.f><.cc> a,b,c", Format: Gen3{Major: 7, Sub: 0x22}},
	{Op: FMP_ATAN, Syntax: "fmp_atan<.f> b,c", Format: Single{Major: 7, Op: 0x25}},
	{Op: FMP_ATAN15, Syntax: "fmp_atan15<.f> b,c", Format: Single{Major: 7, Op: 0x2e}},
	{Op: FMP_COS, Syntax: "fmp_cos<.f> b,c", Format: Single{Major: 7, Op: 0x1e}},
	{Op: FMP_COS15, Syntax: "fmp_cos15<.f> b,c", Format: Single{Major: 7, Op: 0x2c}},
	{Op: FMP_DIVF, Syntax: "fmp_divf<.f><.cc> a,b,c", Format: Gen3{Major: 7, Sub: 0x20}},
	{Op: FMP_DIVF15, Syntax: "fmp_divf15<.f><.cc> a,b,c", Format: Gen3{Major: 7, Sub: 0x21}},
	{Op: FMP_EXP2, Syntax: "fmp_exp2<.f> b,c", Format: Single{Major: 7, Op: 0x27}},
	{Op: FMP_EXP215, Syntax: "fmp_exp215<.f> b,c", Format: Single{Major: 7, Op: 0x2f}},
	{Op: FMP_LOG2, Syntax: "fmp_log2<.f> b,c", Format: Single{Major: 7, Op: 0x26}},
	{Op: FMP_LOG215, Syntax: "fmp_log215<.f> b,c", Format: Single{Major: 7, Op: 0x30}},
	{Op: FMP_RECIP, Syntax: "fmp_recip<.f> b,c", Format: Single{Major: 7, Op: 0x2a}},
	{Op: FMP_RECIP15, Syntax: "fmp_recip15<.f> b,c", Format: Single{Major: 7, Op: 0x2b}},
	{Op: FMP_RNDH, Syntax: "fmp_rndh<.f> b,c", Format: Single{Major: 7, Op: 0x29}},
	{Op: FMP_SATH, Syntax: "fmp_sath<.f> b,c", Format: Single{Major: 7, Op: 0x28}},
	{Op: FMP_SIN, Syntax: "fmp_sin<.f> b,c", Format: Single{Major: 7, Op: 0x1f}},
	{Op: FMP_SIN15, Syntax: "fmp_sin15<.f> b,c", Format: Single{Major: 7, Op: 0x2d}},
	{Op: FMP_SQRTF, Syntax: "fmp_sqrtf<.f> b,c", Format: Single{Major: 7, Op: 0x20}},
	{Op: FMP_SQRTF15, Syntax: "fmp_sqrtf15<.f> b,c", Format: Single{Major: 7, Op: 0x21}},
}}
