package mlir

import "arcv2dsp/quant"

// form is the short way in which an operation may be written.
type form uint8

const (
	noShort       form = iota // "name"(operands) {attributes} : (types) -> types only
	shortReturn               // return operands : types
	shortConstant             // name value
	shortCast                 // name operand : type to type
	shortSame                 // name operands : type, that of operands and result
)

// spec is all that is true of an operation.
type spec struct {
	name     string
	form     form
	operands int // or more with variadic
	variadic bool
	results  int
	attrs    []attrSpec
	check    func(*Op) error
	// identity says that the only result is the only operand with other words about it.
	identity bool
}

// attrSpec is an attribute an operation has.
type attrSpec struct {
	name     string
	kind     attrKind
	optional bool
}

// attrKind is the kind of an attribute's value.
type attrKind uint8

const (
	isReal  attrKind = iota // a number with a point
	isInt                   // an integer
	isBool                  // true or false
	isText                  // a string
	isReals                 // a list of numbers, or a tensor of them
	isAny
)

var attrKindNames = [...]string{
	isReal: "a number with a point", isInt: "an integer", isBool: "true or false", isText: "a string",
	isReals: "a list of numbers with points", isAny: "anything",
}

var clamps = []attrSpec{
	{name: "clamp_min", kind: isReal, optional: true},
	{name: "clamp_max", kind: isReal, optional: true},
}

var intClamps = []attrSpec{{name: "clamp_min", kind: isInt}, {name: "clamp_max", kind: isInt}}

// dialects whose operations are all known. Others pass through in their generic form.
var dialects = []string{"quant.", "fxpmath.", "arith.", "func."}

// pair is an operation on two operands of the type of its result.
func pair(name string, check func(*Op) error) spec {
	return spec{name: name, form: shortSame, operands: 2, results: 1, check: check}
}

// conversion is an operation that converts every element of its operand to another type.
func conversion(name string, check func(*Op) error) spec {
	return spec{name: name, form: shortCast, operands: 1, results: 1, check: check}
}

// elementwise is a real operator on two operands that may be quantized.
func elementwise(name string) spec {
	return spec{name: name, operands: 2, results: 1, attrs: clamps, check: checkReal}
}

// specs are the operations.
func specs() map[string]*spec {
	rows := []spec{
		{name: "func.return", form: shortReturn, variadic: true},
		{name: "arith.constant", form: shortConstant, results: 1,
			attrs: []attrSpec{{name: "value", kind: isAny}}, check: checkConstant,
		},

		{name: "quant.qcast", form: shortCast, operands: 1, results: 1, check: checkQCast},
		{name: "quant.dcast", form: shortCast, operands: 1, results: 1, check: checkDCast},
		{name: "quant.scast", form: shortCast, operands: 1, results: 1, check: checkSCast},
		{name: "quant.const_fake_quant", operands: 1, results: 1, check: checkFakeQuant, attrs: []attrSpec{
			{name: "min", kind: isReal}, {name: "max", kind: isReal}, {name: "num_bits", kind: isInt},
			{name: "narrow_range", kind: isBool, optional: true}, {name: "is_signed", kind: isBool, optional: true},
		}},
		{name: "quant.const_fake_quant_per_axis", operands: 1, results: 1, check: checkFakeQuant, attrs: []attrSpec{
			{name: "min", kind: isReals}, {name: "max", kind: isReals}, {name: "axis", kind: isInt}, {name: "num_bits", kind: isInt},
			{name: "narrow_range", kind: isBool, optional: true}, {name: "is_signed", kind: isBool, optional: true},
		}},
		{name: "quant.stats", operands: 1, results: 1, identity: true, check: checkStats,
			attrs: []attrSpec{
				{name: "layerStats", kind: isReals}, {name: "axisStats", kind: isReals, optional: true}, {name: "axis", kind: isInt, optional: true},
			}},
		{name: "quant.stats_ref", operands: 1, results: 1, identity: true, check: checkIdentity,
			attrs: []attrSpec{{name: "statsKey", kind: isText}}},
		{name: "quant.coupled_ref", operands: 1, results: 1, identity: true, check: checkIdentity,
			attrs: []attrSpec{{name: "coupledKey", kind: isText}}},
		{name: "quant.region", variadic: true, results: anyNumber, check: checkRegion, attrs: []attrSpec{
			{name: "input_specs", kind: isAny, optional: true}, {name: "output_specs", kind: isAny, optional: true},
			{name: "logical_kernel", kind: isText, optional: true},
		}},
		{name: "quant.return", variadic: true},

		elementwise("fxpmath.real_add_ew"),
		elementwise("fxpmath.real_sub_ew"),
		elementwise("fxpmath.real_mul_ew"),
		elementwise("fxpmath.real_div_ew"),
		{name: "fxpmath.real_unary_ew", operands: 1, results: 1, check: checkUnary,
			attrs: append([]attrSpec{{name: "fn", kind: isText}}, clamps...)},
		{name: "fxpmath.real_compare_zero_ew", operands: 1, results: 1, check: checkCompare,
			attrs: []attrSpec{{name: "comparison", kind: isText}}},
		{name: "fxpmath.real_matmul", operands: 2, results: 1, attrs: clamps, check: checkMatmul},
		{name: "fxpmath.real_matmul_bias", operands: 3, results: 1,
			attrs: clamps, check: checkMatmul,
		},

		{name: "fxpmath.clampis", operands: 1, results: 1, attrs: intClamps, check: checkInts},
		{name: "fxpmath.saturating_addi", operands: 2, results: 1, attrs: intClamps, check: checkInts},
		{name: "fxpmath.convertis", operands: 1, results: 1, check: checkConvert},
		{name: "fxpmath.convertistof", operands: 1, results: 1, check: checkToReal},
		{name: "fxpmath.vs_saturating_rounding_doubling_high_mulis", operands: 1, results: 1,
			check: checkInts,
			attrs: []attrSpec{{name: "b", kind: isInt}}},
		{name: "fxpmath.rounding_divide_by_potis", operands: 1, results: 1, check: checkDivide,
			attrs: []attrSpec{{name: "exponent", kind: isInt}}},

		pair("arith.addi", checkInts),
		pair("arith.subi", checkInts),
		pair("arith.muli", checkInts),
		pair("arith.divsi", checkInts),
		pair("arith.maxsi", checkInts),
		pair("arith.minsi", checkInts),
		pair("arith.maxui", checkInts),
		pair("arith.minui", checkInts),
		pair("arith.addf", checkFloats),
		pair("arith.subf", checkFloats),
		pair("arith.mulf", checkFloats),
		pair("arith.divf", checkFloats),
		{name: "arith.cmpi", operands: 2, results: 1, check: checkRelation, attrs: []attrSpec{{name: "predicate", kind: isInt}}},
		{name: "arith.select", operands: 3, results: 1, check: checkSelect},
		conversion("arith.sitofp", checkToReal),
		conversion("arith.uitofp", checkToReal),
		conversion("arith.fptosi", checkToInt),
		conversion("arith.fptoui", checkToInt),

		{name: "gemmlowp.GemmWithOutputPipeline", operands: 2, results: 1, check: checkGemm,
			attrs: []attrSpec{
				{name: "lhs_offset", kind: isInt}, {name: "rhs_offset", kind: isInt}, {name: "pipeline", kind: isText},
			}},
	}
	m := make(map[string]*spec, len(rows))
	for i := range rows {
		m[rows[i].name] = &rows[i]
	}
	return m
}

const anyNumber = -1

// table is filled once; the check of a region looks its operations up, so it cannot be a plain literal.
var table map[string]*spec

var forms = map[string]form{}

func init() {
	table = specs()
	for name, s := range table {
		forms[name] = s.form
	}
}

// renamed are operations by the names that they once had.
var renamed = map[string]string{
	"return": "func.return", "std.return": "func.return",
	"constant": "arith.constant", "std.constant": "arith.constant",
}

func canonicalName(name string) string {
	if now, ok := renamed[name]; ok {
		return now
	}
	return name
}

// real is the number of an attribute, or the default of an absent attribute.
func (op *Op) real(name string, absent float64) float64 {
	if r, ok := op.Attrs[name].(Real); ok {
		return r.Value
	}
	return absent
}

func (op *Op) int(name string) int64 {
	n, _ := op.Attrs[name].(Int)
	return n.Value
}

func (op *Op) bool(name string) bool {
	b, _ := op.Attrs[name].(Bool)
	return bool(b)
}

func (op *Op) text(name string) string {
	t, _ := op.Attrs[name].(Text)
	return string(t)
}

// reals are the numbers of a list or of a tensor.
func (op *Op) reals(name string) []float64 {
	switch v := op.Attrs[name].(type) {
	case Dense:
		return v.values()
	case Array:
		list := make([]float64, len(v))
		for i := range v {
			r, _ := v[i].(Real)
			list[i] = r.Value
		}
		return list
	}
	return nil
}

// float is the element type of real numbers behind an element: itself, or what it is quantized from.
func float(e Elem) quant.Float {
	if e.Quant != nil {
		return e.Quant.Expressed
	}
	return e.Float
}
