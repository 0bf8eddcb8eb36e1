package mli11

import (
	"arcv2dsp/internal/program/mli11structs"
	"arcv2dsp/internal/term/steps"
	"arcv2dsp/mlikernels/internal/mli"
	"arcv2dsp/nn"
)

// Configurations of the functions.
var (
	convConfiguration = &mli.Configuration{Struct: mli11structs.Conv, Attrs: mli.Sliding(map[string]string{"relu": "relu.type"})}
	rnnConfiguration  = &mli.Configuration{Struct: mli11structs.RNN, Attrs: map[string]string{"mode": "mode", "act": "act"},
		Scratch: "ir_tsr"}
	paddingConfiguration = &mli.Configuration{Struct: mli11structs.Padding, Attrs: mli.Paddings()}
	concatConfiguration  = &mli.Configuration{Struct: mli11structs.Concat, Attrs: map[string]string{"axis": "axis"}, Count: "tensors_num"}
)

// Configuration places the configuration structure of the call.
func (p *placer) Configuration() uint32 {
	b := steps.Must(p.config.Fill(p.Call))
	if member := p.config.Scratch; member != "" {
		p.config.Put(b, member, int64(p.scratch()))
	}
	return p.Structure("configuration", b, false)
}

// scratchGates is how many rows of outputs the intermediate tensor of a recurrent cell has at most.
const scratchGates = 4

// scratch places the intermediate tensor of a recurrent cell.
func (p *placer) scratch() uint32 {
	n := scratchGates
	if prev := p.Call.Input("prev_out"); prev != nil {
		n *= prev.Len()
	}
	t := &nn.Tensor{Type: p.function.Data.Element(), Shape: []int{n}, Format: nn.Format{Kind: nn.Fixed}}
	addr := p.L.Scratch("ir", t.Bytes(), t.Type.Bytes())
	return p.Structure("tensor ir", p.tensor(t, addr, t.Bytes()), true)
}
