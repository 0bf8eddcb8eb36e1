// Package mli11structs describes the structures of the MLI 1.1 interface, once. The bytes of a call, the offsets in
// the assembly sources, the C header and the debugger's view of a tensor come from here; a test compiles the
// header and compares.
package mli11structs

import (
	_ "embed"

	"arcv2dsp/internal/program/cstruct"
	"arcv2dsp/internal/program/mlistructs"
)

// Container is mli_data_container.
var Container = &cstruct.Struct{Name: "mli_data_container", Union: true,
	Doc: "A zero point or scale: the value itself when there is one for the tensor (dim < 0), else a pointer to an array along dim.",
	Fields: []cstruct.Field{
		{Name: "pi32", Type: cstruct.Pointer, C: "int32_t *"},
		{Name: "pi16", Type: cstruct.Pointer, C: "int16_t *"},
		{Name: "pi8", Type: cstruct.Pointer, C: "int8_t *"},
		{Name: "i32", Type: cstruct.I32},
		{Name: "i16", Type: cstruct.I16},
		{Name: "i8", Type: cstruct.I8},
	}}

// params is mli_element_params: the format of elements. In assembly sources the names of its members begin with
// prefix; without one they have none.
func params(prefix string) *cstruct.Struct {
	asm := func(name string) string {
		if prefix == "" {
			return ""
		}
		return prefix + name
	}
	return &cstruct.Struct{Name: "mli_element_params", Union: true, Fields: []cstruct.Field{
		{Name: "fx", Of: &cstruct.Struct{Fields: []cstruct.Field{
			{Name: "frac_bits", Type: cstruct.U8, Asm: asm("FRAC"), Doc: "value = element / 2^frac_bits"},
		}}},
		{Name: "asym", Of: &cstruct.Struct{Fields: []cstruct.Field{
			{Name: "zero_point", Type: cstruct.U32, C: "mli_data_container", Asm: asm("ZERO"), Doc: "int16_t"},
			{Name: "scale", Type: cstruct.U32, C: "mli_data_container", Asm: asm("SCALE"), Doc: "int32_t"},
			{Name: "dim", Type: cstruct.I32, Asm: asm("DIM")},
			{Name: "scale_frac_bits", Type: cstruct.I8, Asm: asm("SCALE_FRAC"), Doc: "value = (element - zero point) * scale / 2^scale_frac_bits"},
		}}},
	}}
}

// Tensor is mli_tensor. A zero point or scale is the number itself when there is one for the tensor, else a
// pointer to an array with one for each position along dim.
var Tensor = &cstruct.Struct{Name: "mli_tensor", AsmSize: "T_SIZE", Fields: []cstruct.Field{
	{Name: "data", Type: cstruct.Pointer, Asm: "T_DATA"},
	{Name: "capacity", Type: cstruct.U32, Asm: "T_CAPACITY", Doc: "bytes behind data"},
	{Name: "mem_stride", Type: cstruct.I32, Count: mlistructs.MaxRank, Asm: "T_STRIDE", Doc: "elements from one index to the next, 0 = contiguous"},
	{Name: "shape", Type: cstruct.U32, Count: mlistructs.MaxRank, Asm: "T_SHAPE", Doc: "slowest dimension first"},
	{Name: "rank", Type: cstruct.U32, Asm: "T_RANK"},
	{Name: "el_type", Type: cstruct.U32, C: "mli_element_type", Asm: "T_TYPE"},
	{Name: "el_params", Of: params("T_")},
}}

// Enumerations.
var (
	ElementTypes = &cstruct.Enum{Name: "mli_element_type", Large: "MLI_EL_LARGE_ENUM", Members: []cstruct.Member{
		{Name: "MLI_EL_FX_8", Value: 0, Doc: "8-bit fixed point"},
		{Name: "MLI_EL_FX_16", Value: 1, Doc: "16-bit fixed point"},
		{Name: "MLI_EL_ASYM_I8", Value: 2, Doc: "8-bit affine"},
		{Name: "MLI_EL_ASYM_I32", Value: 3, Doc: "32-bit affine, biases"},
	}}
	Modes = &cstruct.Enum{Name: "mli_rnn_mode", Large: "RNN_MODE_LARGE_ENUM", Members: []cstruct.Member{
		{Name: "RNN_ONE_TO_ONE", Value: 0, Doc: "one step"},
		{Name: "RNN_BATCH_TO_BATCH", Value: 1, Doc: "a sequence, every step gives an output"},
		{Name: "RNN_BATCH_TO_LAST", Value: 2, Doc: "a sequence, the last output is kept"},
	}}
)

//go:embed structs.h
var text string

var declared = cstruct.Declared(mlistructs.Text() + text)

// Configurations of the functions.
var (
	Conv    = declared("mli_conv2d_cfg")
	RNN     = declared("mli_rnn_cell_cfg")
	Padding = declared("mli_padding2d_cfg")
	Concat  = declared("mli_concat_cfg")
)

// All lists the structures, those that others contain before them.
func All() []*cstruct.Struct {
	return []*cstruct.Struct{Container, params(""), Tensor, mlistructs.ReLU, Conv, mlistructs.Pool, RNN, mlistructs.Permute, Padding, Concat, mlistructs.Point, mlistructs.Sub, mlistructs.Move, mlistructs.Handle}
}
