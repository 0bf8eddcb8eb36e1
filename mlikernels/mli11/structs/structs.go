// Package structs describes the structures of the MLI 1.1 interface, once. The bytes of a call, the offsets in
// the assembly sources and the debugger's view of a tensor come from here; a test holds the C headers
// against it with the C compiler.
package structs

import (
	"arcv2dsp/mlikernels/cstruct"
	mli "arcv2dsp/mlikernels/mli/structs"
)

// Tensor is mli_tensor. A zero point or scale is the number itself when there is one for the tensor, else a
// pointer to an array with one for each position along dim.
var Tensor = &cstruct.Struct{Name: "mli_tensor", AsmSize: "T_SIZE", Fields: []cstruct.Field{
	{Name: "data", Type: cstruct.Pointer, Asm: "T_DATA"},
	{Name: "capacity", Type: cstruct.U32, Asm: "T_CAPACITY"},
	{Name: "mem_stride", Type: cstruct.I32, Count: mli.MaxRank, Asm: "T_STRIDE"},
	{Name: "shape", Type: cstruct.U32, Count: mli.MaxRank, Asm: "T_SHAPE"},
	{Name: "rank", Type: cstruct.U32, Asm: "T_RANK"},
	{Name: "el_type", Type: cstruct.U32, Asm: "T_TYPE"},
	{Name: "el_params", Of: &cstruct.Struct{Union: true, Fields: []cstruct.Field{
		{Name: "fx", Of: &cstruct.Struct{Fields: []cstruct.Field{{Name: "frac_bits", Type: cstruct.U8, Asm: "T_FRAC"}}}},
		{Name: "asym", Of: &cstruct.Struct{Fields: []cstruct.Field{
			{Name: "zero_point", Type: cstruct.U32, Asm: "T_ZERO"},
			{Name: "scale", Type: cstruct.U32, Asm: "T_SCALE"},
			{Name: "dim", Type: cstruct.I32, Asm: "T_DIM"},
			{Name: "scale_frac_bits", Type: cstruct.I8, Asm: "T_SCALE_FRAC"},
		}}},
	}}},
}}

// Configurations of the functions.
var (
	Conv = mli.Conv()
	RNN  = &cstruct.Struct{Name: "mli_rnn_cell_cfg", Fields: []cstruct.Field{
		{Name: "mode", Type: cstruct.U32, Asm: "RNN_MODE"},
		{Name: "act", Type: cstruct.U32, Asm: "RNN_ACT"},
		{Name: "ir_tsr", Type: cstruct.Pointer, Asm: "RNN_IR"},
	}}
	Padding = &cstruct.Struct{Name: "mli_padding2d_cfg", Fields: mli.Paddings("PAD_")}
	Concat  = &cstruct.Struct{Name: "mli_concat_cfg", Fields: []cstruct.Field{
		{Name: "tensors_num", Type: cstruct.U8, Asm: "CONCAT_NUM"},
		{Name: "axis", Type: cstruct.U8, Asm: "CONCAT_AXIS"},
	}}
)

// All lists the structures.
func All() []*cstruct.Struct {
	return []*cstruct.Struct{Tensor, Conv, mli.Pool, RNN, mli.ReLU, mli.Permute, Padding, Concat, mli.Point, mli.Sub, mli.Move, mli.Handle}
}
