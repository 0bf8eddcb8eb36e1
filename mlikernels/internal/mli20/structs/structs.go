// Package structs describes the structures of the MLI 2.0 interface, once. The bytes of a call, the offsets in
// the assembly sources and the C header come from here; a test holds the header against it with the C
// compiler.
package structs

import (
	_ "embed"

	"arcv2dsp/internal/program/cstruct"
	"arcv2dsp/internal/program/mlistructs"
)

// MaxInputs is the number of inputs rnn_dense has at most.
const MaxInputs = 4

// container is mli_data_container: a pointer with the bytes behind it, or a value and 0. The names are those of the
// offsets in assembly sources, empty for none.
func container(capacity, mem string) *cstruct.Struct {
	return &cstruct.Struct{Name: "mli_data_container", Fields: []cstruct.Field{
		{Name: "capacity", Type: cstruct.U32, Asm: capacity},
		{Name: "mem", Of: &cstruct.Struct{Union: true, Fields: []cstruct.Field{
			{Name: "pi32", Type: cstruct.Pointer, C: "int32_t *", Asm: mem},
			{Name: "pi16", Type: cstruct.Pointer, C: "int16_t *"},
			{Name: "pi8", Type: cstruct.Pointer, C: "int8_t *"},
			{Name: "pf32", Type: cstruct.Pointer, C: "float *"},
			{Name: "i32", Type: cstruct.I32},
			{Name: "i16", Type: cstruct.I16},
			{Name: "i8", Type: cstruct.I8},
			{Name: "f32", Type: cstruct.U32, C: "float"},
		}}},
	}}
}

// Container is mli_data_container by itself.
var Container = container("", "")

// Params is mli_element_params: the format of elements.
var Params = &cstruct.Struct{Name: "mli_element_params", Union: true, Fields: []cstruct.Field{
	{Name: "fx", Of: &cstruct.Struct{Fields: []cstruct.Field{{Name: "frac_bits", Type: cstruct.I8, Asm: "T_FRAC"}}}},
	{Name: "sa", Of: &cstruct.Struct{Fields: []cstruct.Field{
		{Name: "type", Type: cstruct.U32, C: "mli_element_param_type", Asm: "T_PARAMS"},
		{Name: "zero_point", Of: container("T_ZERO_CAPACITY", "T_ZERO")},
		{Name: "scale", Of: container("T_SCALE_CAPACITY", "T_SCALE")},
		{Name: "dim", Type: cstruct.I32, Asm: "T_DIM"},
		{Name: "scale_frac_bits", Of: container("T_SCALE_FRAC_CAPACITY", "T_SCALE_FRAC")},
	}}},
}}

// Tensor is mli_tensor. With one scale for the tensor dim is negative and the values are in the containers; else
// these point to arrays with one for each position along dim. A tensor of rank 0 has its element in data.
var Tensor = &cstruct.Struct{Name: "mli_tensor", AsmSize: "T_SIZE", Fields: []cstruct.Field{
	{Name: "data", Of: container("T_CAPACITY", "T_DATA")},
	{Name: "mem_stride", Type: cstruct.I32, Count: mlistructs.MaxRank, Asm: "T_STRIDE"},
	{Name: "shape", Type: cstruct.U32, Count: mlistructs.MaxRank, Asm: "T_SHAPE"},
	{Name: "rank", Type: cstruct.U32, Asm: "T_RANK"},
	{Name: "el_type", Type: cstruct.U32, C: "mli_element_type", Asm: "T_TYPE"},
	{Name: "el_params", Of: Params},
}}

// Table is mli_lut.
var Table = &cstruct.Struct{Name: "mli_lut", Fields: []cstruct.Field{
	{Name: "data", Of: container("LUT_CAPACITY", "LUT_DATA")},
	{Name: "type", Type: cstruct.U32, C: "mli_element_type", Asm: "LUT_TYPE"},
	{Name: "length", Type: cstruct.I32, Asm: "LUT_LENGTH"},
	{Name: "in_frac_bits", Type: cstruct.I32, Asm: "LUT_IN_FRAC"},
	{Name: "out_frac_bits", Type: cstruct.I32, Asm: "LUT_OUT_FRAC"},
	{Name: "input_offset", Type: cstruct.I32, Asm: "LUT_IN_OFFSET"},
	{Name: "output_offset", Type: cstruct.I32, Asm: "LUT_OUT_OFFSET"},
}}

//go:embed structs.h
var text string

var declared = cstruct.Declared(mlistructs.Text() + text)

// Configurations of the functions.
var (
	FullyConnected = declared("mli_fully_connected_cfg")
	PReLU          = declared("mli_prelu_cfg")
	Softmax        = declared("mli_softmax_cfg")
	L2Normalize    = declared("mli_l2_normalize_cfg")
	Conv           = declared("mli_conv2d_cfg")
	Dense          = declared("mli_rnn_dense_cfg")
	ArgMax         = declared("mli_argmax_cfg")
	Cell           = &cstruct.Struct{Name: "mli_rnn_cell_cfg", Fields: []cstruct.Field{
		{Name: "direction", Type: cstruct.U32, C: "mli_rnn_direction", Asm: "RNN_DIRECTION"},
		{Name: "results", Type: cstruct.U32, C: "mli_rnn_results", Asm: "RNN_RESULTS"},
		{Name: "act", Type: cstruct.U32, C: "mli_rnn_out_activation", Asm: "RNN_ACT"},
		{Name: "scratch_data", Of: container("RNN_SCRATCH_CAPACITY", "RNN_SCRATCH")},
	}}
)

// All lists the structures, those that others contain first.
func All() []*cstruct.Struct {
	return []*cstruct.Struct{Container, Params, Tensor, Table, mlistructs.ReLU, FullyConnected, PReLU, Softmax, L2Normalize, Conv, mlistructs.Pool, Dense, Cell,
		ArgMax, mlistructs.Permute, mlistructs.Point, mlistructs.Sub, mlistructs.Move, mlistructs.Handle}
}
