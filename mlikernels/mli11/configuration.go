package mli11

import (
	"fmt"
	"math"

	"arcv2dsp/nn"
)

// configuration is a configuration structure: its size and how a call fills it in.
type configuration struct {
	c     string // its C type
	size  int
	bytes map[int]string // attributes that are one byte, by offset
	words map[int]string // attributes that are a word
	// list is an attribute that is a list of bytes from offset 0.
	list string
	// count is the offset of the number of input tensors, nil when there is none.
	count *int
	// scratch is the offset of a pointer to the intermediate tensor of a recurrent cell, nil when there is
	// none.
	scratch *int
}

func at(offset int) *int { return &offset }

var (
	convConfiguration = &configuration{c: "mli_conv2d_cfg", size: convSize, words: map[int]string{convRelu: "relu"},
		bytes: map[int]string{convStrideW: "stride_w", convStrideH: "stride_h", convPadL: "pad_l", convPadR: "pad_r",
			convPadT: "pad_t", convPadB: "pad_b"}}
	poolConfiguration = &configuration{c: "mli_pool_cfg", size: poolSize, bytes: map[int]string{poolKernelW: "kernel_w",
		poolKernelH: "kernel_h", poolStrideW: "stride_w", poolStrideH: "stride_h", poolPadL: "pad_l",
		poolPadR: "pad_r", poolPadT: "pad_t", poolPadB: "pad_b"}}
	rnnConfiguration = &configuration{c: "mli_rnn_cell_cfg", size: rnnSize, words: map[int]string{rnnMode: "mode", rnnAct: "act"},
		scratch: at(rnnIR)}
	reluConfiguration    = &configuration{c: "mli_relu_cfg", size: reluSize, words: map[int]string{0: "relu"}}
	permuteConfiguration = &configuration{c: "mli_permute_cfg", size: permuteSize, list: "perm"}
	paddingConfiguration = &configuration{c: "mli_padding2d_cfg", size: paddingSize, bytes: map[int]string{paddingL: "pad_l", paddingR: "pad_r",
		paddingT: "pad_t", paddingB: "pad_b"}}
	concatConfiguration = &configuration{c: "mli_concat_cfg", size: concatSize, bytes: map[int]string{concatAxis: "axis"}, count: at(concatNum)}
)

// oneByte fails for a number that a field of one byte does not hold.
func oneByte(name string, v int) (uint8, error) {
	if v != int(uint8(v)) {
		return 0, fmt.Errorf("%s is %d, a configuration holds 0 to %d", name, v, math.MaxUint8)
	}
	return uint8(v), nil
}

// configuration places the configuration structure of the call.
func (p *placer) configuration() (uint32, error) {
	cfg, attrs := p.config, p.call.Attrs
	b := make([]byte, cfg.size)
	var err error
	for at, name := range cfg.bytes {
		v, e := oneByte(name, attrs.Int(name))
		if b[at] = v; e != nil {
			err = e
		}
	}
	for at, name := range cfg.words {
		put32(b, at, uint32(attrs.Int(name)))
	}
	if cfg.list != "" {
		list := attrs.Ints(cfg.list)
		if len(list) > cfg.size {
			return 0, fmt.Errorf("%s has more than %d elements", cfg.list, cfg.size)
		}
		for i, d := range list {
			b[i] = uint8(d)
		}
	}
	if cfg.count != nil {
		n, e := oneByte("the number of tensors", len(p.call.In))
		if b[*cfg.count] = n; e != nil {
			err = e
		}
	}
	if cfg.scratch != nil {
		put32(b, *cfg.scratch, p.scratch())
	}
	return p.structure("configuration", b, false), err
}

// scratchGates is how many rows of outputs the intermediate tensor of a recurrent cell has at most.
const scratchGates = 4

// scratch places the intermediate tensor of a recurrent cell.
func (p *placer) scratch() uint32 {
	n := scratchGates
	if prev := p.call.Input("prev_out"); prev != nil {
		n *= prev.Len()
	}
	t := &nn.Tensor{Type: p.function.Data.Element(), Shape: []int{n}, Format: nn.Format{Kind: nn.Fixed}}
	addr := p.l.Scratch("ir", t.Bytes(), t.Type.Bytes())
	return p.structure("tensor ir", p.tensor(t, addr, t.Bytes()), true)
}
