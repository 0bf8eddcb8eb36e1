// Package structs describes the structures that the interfaces of all versions of MLI have in common: windows,
// permutations, parts of tensors, and moves. Tensors and recurrent cells differ from version to version.
package structs

import (
	"slices"

	"arcv2dsp/mlikernels/internal/cstruct"
)

// MaxRank is the number of dimensions a tensor has at most.
const MaxRank = 4

// Paddings are the members for the four sides of an image; prefix begins their names in assembly sources.
func Paddings(prefix string) []cstruct.Field {
	return []cstruct.Field{
		{Name: "padding_left", Type: cstruct.U8, Asm: prefix + "L"},
		{Name: "padding_right", Type: cstruct.U8, Asm: prefix + "R"},
		{Name: "padding_top", Type: cstruct.U8, Asm: prefix + "T"},
		{Name: "padding_bottom", Type: cstruct.U8, Asm: prefix + "B"},
	}
}

// Conv is mli_conv2d_cfg with the members that a version has behind the padding.
func Conv(more ...cstruct.Field) *cstruct.Struct {
	return &cstruct.Struct{Name: "mli_conv2d_cfg", Fields: slices.Concat([]cstruct.Field{
		{Name: "relu", Of: relu("CONV_RELU")},
		{Name: "stride_width", Type: cstruct.U8, Asm: "CONV_STRIDE_W"},
		{Name: "stride_height", Type: cstruct.U8, Asm: "CONV_STRIDE_H"},
	}, Paddings("CONV_PAD_"), more)}
}

// relu is mli_relu_cfg, with the name of its member in assembly sources.
func relu(asm string) *cstruct.Struct {
	return &cstruct.Struct{Name: "mli_relu_cfg", Fields: []cstruct.Field{{Name: "type", Type: cstruct.U32, C: "mli_relu_type", Asm: asm}}}
}

// Enumerations.
var (
	ReLUTypes = &cstruct.Enum{Name: "mli_relu_type", Large: "MLI_RELU_LARGE_ENUM", Members: []cstruct.Member{
		{Name: "MLI_RELU_NONE", Value: 0},
		{Name: "MLI_RELU_GEN", Value: 1, Doc: "[0, max]"},
		{Name: "MLI_RELU_1", Value: 2, Doc: "[-1, 1]"},
		{Name: "MLI_RELU_6", Value: 3, Doc: "[0, 6]"},
	}}
	Activations = &cstruct.Enum{Name: "mli_rnn_out_activation", Large: "RNN_ACT_LARGE_ENUM",
		Members: cstruct.Numbered("RNN_ACT_NONE", "RNN_ACT_TANH", "RNN_ACT_SIGM")}
	MoveStates = &cstruct.Enum{Name: "mli_mov_state", Large: "MLI_MOV_STATE_LARGE_ENUM",
		Members: cstruct.Numbered("MLI_MOV_STATE_INVALID", "MLI_MOV_STATE_OPEN", "MLI_MOV_STATE_PREPARED",
			"MLI_MOV_STATE_DMA_CONFIGURED", "MLI_MOV_STATE_DMA_RUNNING", "MLI_MOV_STATE_DONE")}
)

// Configurations of functions.
var (
	ReLU = relu("")
	Pool = &cstruct.Struct{Name: "mli_pool_cfg", Fields: slices.Concat([]cstruct.Field{
		{Name: "kernel_width", Type: cstruct.U8, Asm: "POOL_KERNEL_W"},
		{Name: "kernel_height", Type: cstruct.U8, Asm: "POOL_KERNEL_H"},
		{Name: "stride_width", Type: cstruct.U8, Asm: "POOL_STRIDE_W"},
		{Name: "stride_height", Type: cstruct.U8, Asm: "POOL_STRIDE_H"},
	}, Paddings("POOL_PAD_"))}
	Permute = &cstruct.Struct{Name: "mli_permute_cfg", Fields: []cstruct.Field{{Name: "perm_dim", Type: cstruct.U8, Count: MaxRank}}}
	Point   = &cstruct.Struct{Name: "mli_point_to_subtsr_cfg", Fields: []cstruct.Field{
		{Name: "start_coord", Type: cstruct.U32, Count: MaxRank},
		{Name: "coord_num", Type: cstruct.U8, Asm: "POINT_COORDS"},
		{Name: "first_out_dim_size", Type: cstruct.U8, Asm: "POINT_FIRST"},
	}}
	Sub = &cstruct.Struct{Name: "mli_sub_tensor_cfg", Fields: []cstruct.Field{
		{Name: "offset", Type: cstruct.U32, Count: MaxRank},
		{Name: "size", Type: cstruct.U32, Count: MaxRank, Asm: "SUB_EXTENT"},
		{Name: "sub_tensor_rank", Type: cstruct.U32, Asm: "SUB_RANK"},
	}}
)

// The structures of moves.
var (
	Move = &cstruct.Struct{Name: "mli_mov_cfg_t", AsmSize: "MOV_SIZE",
		Doc: "The part of a tensor that a move takes, and its place. An extent of 0 is all there is, a stride of 0 the one of the output.",
		Fields: []cstruct.Field{
			{Name: "offset", Type: cstruct.U32, Count: MaxRank, Asm: "MOV_OFFSET"},
			{Name: "size", Type: cstruct.U32, Count: MaxRank, Asm: "MOV_EXTENT"},
			{Name: "sub_sample_step", Type: cstruct.U32, Count: MaxRank, Asm: "MOV_STEP"},
			{Name: "dst_offset", Type: cstruct.U32, Count: MaxRank, Asm: "MOV_DST_OFFSET"},
			{Name: "dst_mem_stride", Type: cstruct.I32, Count: MaxRank, Asm: "MOV_DST_STRIDE"},
			{Name: "perm_dim", Type: cstruct.U8, Count: MaxRank, Asm: "MOV_PERM", Doc: "of the source, by dimension of the output"},
			{Name: "padding_pre", Type: cstruct.U8, Count: MaxRank, Asm: "MOV_PAD_PRE"},
			{Name: "padding_post", Type: cstruct.U8, Count: MaxRank, Asm: "MOV_PAD_POST"},
		}}
	Handle = &cstruct.Struct{Name: "mli_mov_handle_t", Fields: []cstruct.Field{
		{Name: "dma_ch", Type: cstruct.I32, C: "int", Asm: "HANDLE_CHANNEL"},
		{Name: "num_ch", Type: cstruct.I32, C: "int", Asm: "HANDLE_CHANNELS"},
		{Name: "state", Type: cstruct.U32, C: "mli_mov_state", Asm: "HANDLE_STATE"},
	}}
)
