// Package structs describes the structures of the MLI 1.1 interface, once. The bytes of a call, the offsets in
// the assembly sources and the debugger's view of a tensor come from here; a test holds the C headers
// against it with the C compiler.
package structs

import "arcv2dsp/mlikernels/cstruct"

// MaxRank is the number of dimensions a tensor has at most.
const MaxRank = 4

// Tensor is mli_tensor. A zero point or scale is the number itself when there is one for the tensor, else a
// pointer to an array with one for each position along dim.
var Tensor = &cstruct.Struct{Name: "mli_tensor", Fields: []cstruct.Field{
	{Name: "data", Type: cstruct.Pointer, Asm: "T_DATA"},
	{Name: "capacity", Type: cstruct.U32, Asm: "T_CAPACITY"},
	{Name: "mem_stride", Type: cstruct.I32, Count: MaxRank, Asm: "T_STRIDE"},
	{Name: "shape", Type: cstruct.U32, Count: MaxRank, Asm: "T_SHAPE"},
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
	Conv = &cstruct.Struct{Name: "mli_conv2d_cfg", Fields: []cstruct.Field{
		{Name: "relu", Of: &cstruct.Struct{Fields: []cstruct.Field{{Name: "type", Type: cstruct.U32, Asm: "CONV_RELU"}}}},
		{Name: "stride_width", Type: cstruct.U8, Asm: "CONV_STRIDE_W"},
		{Name: "stride_height", Type: cstruct.U8, Asm: "CONV_STRIDE_H"},
		{Name: "padding_left", Type: cstruct.U8, Asm: "CONV_PAD_L"},
		{Name: "padding_right", Type: cstruct.U8, Asm: "CONV_PAD_R"},
		{Name: "padding_top", Type: cstruct.U8, Asm: "CONV_PAD_T"},
		{Name: "padding_bottom", Type: cstruct.U8, Asm: "CONV_PAD_B"},
	}}
	Pool = &cstruct.Struct{Name: "mli_pool_cfg", Fields: []cstruct.Field{
		{Name: "kernel_width", Type: cstruct.U8, Asm: "POOL_KERNEL_W"},
		{Name: "kernel_height", Type: cstruct.U8, Asm: "POOL_KERNEL_H"},
		{Name: "stride_width", Type: cstruct.U8, Asm: "POOL_STRIDE_W"},
		{Name: "stride_height", Type: cstruct.U8, Asm: "POOL_STRIDE_H"},
		{Name: "padding_left", Type: cstruct.U8, Asm: "POOL_PAD_L"},
		{Name: "padding_right", Type: cstruct.U8, Asm: "POOL_PAD_R"},
		{Name: "padding_top", Type: cstruct.U8, Asm: "POOL_PAD_T"},
		{Name: "padding_bottom", Type: cstruct.U8, Asm: "POOL_PAD_B"},
	}}
	RNN = &cstruct.Struct{Name: "mli_rnn_cell_cfg", Fields: []cstruct.Field{
		{Name: "mode", Type: cstruct.U32, Asm: "RNN_MODE"},
		{Name: "act", Type: cstruct.U32, Asm: "RNN_ACT"},
		{Name: "ir_tsr", Type: cstruct.Pointer, Asm: "RNN_IR"},
	}}
	ReLU    = &cstruct.Struct{Name: "mli_relu_cfg", Fields: []cstruct.Field{{Name: "type", Type: cstruct.U32}}}
	Permute = &cstruct.Struct{Name: "mli_permute_cfg", Fields: []cstruct.Field{{Name: "perm_dim", Type: cstruct.U8, Count: MaxRank}}}
	Padding = &cstruct.Struct{Name: "mli_padding2d_cfg", Fields: []cstruct.Field{
		{Name: "padding_left", Type: cstruct.U8, Asm: "PAD_L"},
		{Name: "padding_right", Type: cstruct.U8, Asm: "PAD_R"},
		{Name: "padding_top", Type: cstruct.U8, Asm: "PAD_T"},
		{Name: "padding_bottom", Type: cstruct.U8, Asm: "PAD_B"},
	}}
	Concat = &cstruct.Struct{Name: "mli_concat_cfg", Fields: []cstruct.Field{
		{Name: "tensors_num", Type: cstruct.U8, Asm: "CONCAT_NUM"},
		{Name: "axis", Type: cstruct.U8, Asm: "CONCAT_AXIS"},
	}}
	Point = &cstruct.Struct{Name: "mli_point_to_subtsr_cfg", Fields: []cstruct.Field{
		{Name: "start_coord", Type: cstruct.U32, Count: MaxRank},
		{Name: "coord_num", Type: cstruct.U8, Asm: "POINT_COORDS"},
		{Name: "first_out_dim_size", Type: cstruct.U8, Asm: "POINT_FIRST"},
	}}
	Sub = &cstruct.Struct{Name: "mli_sub_tensor_cfg", Fields: []cstruct.Field{
		{Name: "offset", Type: cstruct.U32, Count: MaxRank},
		{Name: "size", Type: cstruct.U32, Count: MaxRank, Asm: "SUB_EXTENT"},
		{Name: "sub_tensor_rank", Type: cstruct.U32, Asm: "SUB_RANK"},
	}} // Move and Handle are those of MLI 2.0, too.
	Move = &cstruct.Struct{Name: "mli_mov_cfg_t", AsmSize: "MOV_SIZE", Fields: []cstruct.Field{
		{Name: "offset", Type: cstruct.U32, Count: MaxRank, Asm: "MOV_OFFSET"},
		{Name: "size", Type: cstruct.U32, Count: MaxRank, Asm: "MOV_EXTENT"},
		{Name: "sub_sample_step", Type: cstruct.U32, Count: MaxRank, Asm: "MOV_STEP"},
		{Name: "dst_offset", Type: cstruct.U32, Count: MaxRank, Asm: "MOV_DST_OFFSET"},
		{Name: "dst_mem_stride", Type: cstruct.I32, Count: MaxRank, Asm: "MOV_DST_STRIDE"},
		{Name: "perm_dim", Type: cstruct.U8, Count: MaxRank, Asm: "MOV_PERM"},
		{Name: "padding_pre", Type: cstruct.U8, Count: MaxRank, Asm: "MOV_PAD_PRE"},
		{Name: "padding_post", Type: cstruct.U8, Count: MaxRank, Asm: "MOV_PAD_POST"},
	}}
	Handle = &cstruct.Struct{Name: "mli_mov_handle_t", Fields: []cstruct.Field{
		{Name: "dma_ch", Type: cstruct.I32, C: "int", Asm: "HANDLE_CHANNEL"},
		{Name: "num_ch", Type: cstruct.I32, C: "int", Asm: "HANDLE_CHANNELS"},
		{Name: "state", Type: cstruct.U32, C: "mli_mov_state", Asm: "HANDLE_STATE"},
	}}
)

// All lists the structures.
func All() []*cstruct.Struct {
	return []*cstruct.Struct{Tensor, Conv, Pool, RNN, ReLU, Permute, Padding, Concat, Point, Sub, Move, Handle}
}
