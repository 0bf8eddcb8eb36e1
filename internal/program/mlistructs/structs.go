// Package mlistructs describes the structures that the interfaces of all versions of MLI have in common: windows,
// permutations, parts of tensors, and moves. Tensors and recurrent cells differ from version to version.
package mlistructs

import (
	_ "embed"

	"arcv2dsp/internal/program/cstruct"
)

// MaxRank is the number of dimensions a tensor has at most.
const MaxRank = 4

//go:embed structs.h
var text string

var declared = cstruct.Declared(text)

// Text declares the structures, for versions whose own contain some of them.
func Text() string { return text }

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

// Configurations of functions, and the structures of moves.
var (
	ReLU    = declared("mli_relu_cfg")
	Pool    = declared("mli_pool_cfg")
	Permute = declared("mli_permute_cfg")
	Point   = declared("mli_point_to_subtsr_cfg")
	Sub     = declared("mli_sub_tensor_cfg")
	Move    = declared("mli_mov_cfg_t")
	Handle  = declared("mli_mov_handle_t")
)
