package tflite

import (
	"fmt"

	"arcv2dsp/nn"
)

// identifier marks a file of this format; schemaVersion is the only version there is. Revisions since
// 2017 added fields and are readable by the same rules.
const (
	identifier    = "TFL3"
	schemaVersion = 3
)

// The slots of the tables around operators and tensors.
const (
	modelVersion       = 0
	modelOperatorCodes = 1
	modelSubgraphs     = 2
	modelDescription   = 3
	modelBuffers       = 4

	codeDeprecated = 0
	codeCustom     = 1
	codeVersion    = 2
	codeBuiltin    = 3

	graphTensors   = 0
	graphInputs    = 1
	graphOutputs   = 2
	graphOperators = 3
	graphName      = 4

	tensorShape        = 0
	tensorType         = 1
	tensorBuffer       = 2
	tensorName         = 3
	tensorQuantization = 4
	tensorVariable     = 5
	tensorSparsity     = 6
	tensorExternal     = 10

	quantScale       = 2
	quantZeroPoint   = 3
	quantDetailsType = 4
	quantDimension   = 6

	operatorCode          = 0
	operatorInputs        = 1
	operatorOutputs       = 2
	operatorOptionsType   = 3
	operatorOptions       = 4
	operatorCustomOptions = 5
	operatorIntermediates = 8
	operatorLargeOptions  = 9
	operatorOptions2Type  = 11

	varHandleContainer = 0
	varHandleName      = 1
	callOnceGraph      = 0

	bufferData   = 0
	bufferOffset = 1
)

// tensorTypes gives the element types their numbers in files. FLOAT16, STRING and the others of the
// format are not here: no integer network has them.
var tensorTypes = []struct {
	code int
	name string
	typ  nn.Type
}{
	{code: 0, name: "FLOAT32", typ: nn.F32},
	{code: 2, name: "INT32", typ: nn.I32},
	{code: 3, name: "UINT8", typ: nn.U8},
	{code: 4, name: "INT64", typ: nn.I64},
	{code: 6, name: "BOOL", typ: nn.Bool},
	{code: 7, name: "INT16", typ: nn.I16},
	{code: 9, name: "INT8", typ: nn.I8},
	{code: 12, name: "UINT64", typ: nn.U64},
	{code: 15, name: "UINT32", typ: nn.U32},
	{code: 16, name: "UINT16", typ: nn.U16},
	{code: 17, name: "INT4", typ: nn.I4},
}

// resourceType is the number of the type of tensors that stand for variables.
const resourceType = 13

// typeOf finds the element type with a number.
func typeOf(code int) (nn.Type, error) {
	for _, row := range tensorTypes {
		if row.code == code {
			return row.typ, nil
		}
	}
	return nn.NoType, fmt.Errorf("element type %d (%s) is not supported", code, at(otherTypes, code))
}

// otherTypes are the names of the types that are refused.
var otherTypes = map[int]string{
	1: "FLOAT16", 5: "STRING", 8: "COMPLEX64", 10: "FLOAT64", 11: "COMPLEX128", 14: "VARIANT",
	18: "BFLOAT16", 19: "INT2", 20: "UINT4", 21: "FLOAT8_E4M3FN", 22: "FLOAT8_E5M2",
}

// at is the name of a number, "unknown" when it has none.
func at(names map[int]string, code int) string {
	if name, ok := names[code]; ok {
		return name
	}
	return "unknown"
}

// codeOf is the number of an element type.
func codeOf(t nn.Type) (int, error) {
	for _, row := range tensorTypes {
		if row.typ == t {
			return row.code, nil
		}
	}
	return 0, fmt.Errorf("the format has no elements of type %s", t)
}

// Names of enumerated options by number.
var (
	paddings    = []string{"SAME", "VALID"}
	activations = []string{"NONE", "RELU", "RELU_N1_TO_1", "RELU6", "TANH", "SIGN_BIT"}
	layouts     = []string{"DEFAULT", "SHUFFLED4x16INT8"}
	mirrors     = []string{"REFLECT", "SYMMETRIC"}
)

// custom is the number of operators that the file itself names.
const custom = 32

// deprecatedLimit: operators from this number on do not fit the old field for the number, which then
// holds the limit.
const deprecatedLimit = 127

// builtins are the operators of the format by number, also those that nothing here computes: messages
// name them.
var builtins = []string{
	"ADD", "AVERAGE_POOL_2D", "CONCATENATION", "CONV_2D", "DEPTHWISE_CONV_2D", "DEPTH_TO_SPACE", "DEQUANTIZE",
	"EMBEDDING_LOOKUP", "FLOOR", "FULLY_CONNECTED", "HASHTABLE_LOOKUP", "L2_NORMALIZATION", "L2_POOL_2D",
	"LOCAL_RESPONSE_NORMALIZATION", "LOGISTIC", "LSH_PROJECTION", "LSTM", "MAX_POOL_2D", "MUL", "RELU",
	"RELU_N1_TO_1", "RELU6", "RESHAPE", "RESIZE_BILINEAR", "RNN", "SOFTMAX", "SPACE_TO_DEPTH", "SVDF", "TANH",
	"CONCAT_EMBEDDINGS", "SKIP_GRAM", "CALL", "CUSTOM", "EMBEDDING_LOOKUP_SPARSE", "PAD",
	"UNIDIRECTIONAL_SEQUENCE_RNN", "GATHER", "BATCH_TO_SPACE_ND", "SPACE_TO_BATCH_ND", "TRANSPOSE", "MEAN",
	"SUB", "DIV", "SQUEEZE", "UNIDIRECTIONAL_SEQUENCE_LSTM", "STRIDED_SLICE", "BIDIRECTIONAL_SEQUENCE_RNN",
	"EXP", "TOPK_V2", "SPLIT", "LOG_SOFTMAX", "DELEGATE", "BIDIRECTIONAL_SEQUENCE_LSTM", "CAST", "PRELU",
	"MAXIMUM", "ARG_MAX", "MINIMUM", "LESS", "NEG", "PADV2", "GREATER", "GREATER_EQUAL", "LESS_EQUAL",
	"SELECT", "SLICE", "SIN", "TRANSPOSE_CONV", "SPARSE_TO_DENSE", "TILE", "EXPAND_DIMS", "EQUAL",
	"NOT_EQUAL", "LOG", "SUM", "SQRT", "RSQRT", "SHAPE", "POW", "ARG_MIN", "FAKE_QUANT", "REDUCE_PROD",
	"REDUCE_MAX", "PACK", "LOGICAL_OR", "ONE_HOT", "LOGICAL_AND", "LOGICAL_NOT", "UNPACK", "REDUCE_MIN",
	"FLOOR_DIV", "REDUCE_ANY", "SQUARE", "ZEROS_LIKE", "FILL", "FLOOR_MOD", "RANGE",
	"RESIZE_NEAREST_NEIGHBOR", "LEAKY_RELU", "SQUARED_DIFFERENCE", "MIRROR_PAD", "ABS", "SPLIT_V", "UNIQUE",
	"CEIL", "REVERSE_V2", "ADD_N", "GATHER_ND", "COS", "WHERE", "RANK", "ELU", "REVERSE_SEQUENCE",
	"MATRIX_DIAG", "QUANTIZE", "MATRIX_SET_DIAG", "ROUND", "HARD_SWISH", "IF", "WHILE",
	"NON_MAX_SUPPRESSION_V4", "NON_MAX_SUPPRESSION_V5", "SCATTER_ND", "SELECT_V2", "DENSIFY", "SEGMENT_SUM",
	"BATCH_MATMUL", "PLACEHOLDER_FOR_GREATER_OP_CODES", "CUMSUM", "CALL_ONCE", "BROADCAST_TO", "RFFT2D",
	"CONV_3D", "IMAG", "REAL", "COMPLEX_ABS", "HASHTABLE", "HASHTABLE_FIND", "HASHTABLE_IMPORT",
	"HASHTABLE_SIZE", "REDUCE_ALL", "CONV_3D_TRANSPOSE", "VAR_HANDLE", "READ_VARIABLE", "ASSIGN_VARIABLE",
	"BROADCAST_ARGS", "RANDOM_STANDARD_NORMAL", "BUCKETIZE", "RANDOM_UNIFORM", "MULTINOMIAL", "GELU",
	"DYNAMIC_UPDATE_SLICE", "RELU_0_TO_1", "UNSORTED_SEGMENT_PROD", "UNSORTED_SEGMENT_MAX",
	"UNSORTED_SEGMENT_SUM", "ATAN2", "UNSORTED_SEGMENT_MIN", "SIGN", "BITCAST", "BITWISE_XOR", "RIGHT_SHIFT",
	"STABLEHLO_LOGISTIC", "STABLEHLO_ADD", "STABLEHLO_DIVIDE", "STABLEHLO_MULTIPLY", "STABLEHLO_MAXIMUM",
	"STABLEHLO_RESHAPE", "STABLEHLO_CLAMP", "STABLEHLO_CONCATENATE", "STABLEHLO_BROADCAST_IN_DIM",
	"STABLEHLO_CONVOLUTION", "STABLEHLO_SLICE", "STABLEHLO_CUSTOM_CALL", "STABLEHLO_REDUCE", "STABLEHLO_ABS",
	"STABLEHLO_AND", "STABLEHLO_COSINE", "STABLEHLO_EXPONENTIAL", "STABLEHLO_FLOOR", "STABLEHLO_LOG",
	"STABLEHLO_MINIMUM", "STABLEHLO_NEGATE", "STABLEHLO_OR", "STABLEHLO_POWER", "STABLEHLO_REMAINDER",
	"STABLEHLO_RSQRT", "STABLEHLO_SELECT", "STABLEHLO_SUBTRACT", "STABLEHLO_TANH", "STABLEHLO_SCATTER",
	"STABLEHLO_COMPARE", "STABLEHLO_CONVERT", "STABLEHLO_DYNAMIC_SLICE", "STABLEHLO_DYNAMIC_UPDATE_SLICE",
	"STABLEHLO_PAD", "STABLEHLO_IOTA", "STABLEHLO_DOT_GENERAL", "STABLEHLO_REDUCE_WINDOW", "STABLEHLO_SORT",
	"STABLEHLO_WHILE", "STABLEHLO_GATHER", "STABLEHLO_TRANSPOSE", "DILATE", "STABLEHLO_RNG_BIT_GENERATOR",
	"REDUCE_WINDOW", "STABLEHLO_COMPOSITE", "STABLEHLO_SHIFT_LEFT", "STABLEHLO_CBRT", "STABLEHLO_CASE",
}
