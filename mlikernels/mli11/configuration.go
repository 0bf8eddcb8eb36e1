package mli11

import (
	"fmt"
	"maps"
	"math"

	"arcv2dsp/mlikernels/cstruct"
	"arcv2dsp/mlikernels/mli11/structs"
	"arcv2dsp/nn"
)

// configuration is a configuration structure and how a call fills it in.
type configuration struct {
	*cstruct.Struct
	attrs map[string]string // members that are numbers, by attribute
	// list is an attribute that is a list, and listed the member it goes to.
	list, listed string
	// count is the member with the number of input tensors, empty when there is none.
	count string
	// scratch is the member that points to the intermediate tensor of a recurrent cell, empty when there is
	// none.
	scratch string
}

// paddings are the members for padding by their attributes.
var paddings = map[string]string{"pad_l": "padding_left", "pad_r": "padding_right", "pad_t": "padding_top", "pad_b": "padding_bottom"}

// sliding are the members of a window that slides.
func sliding(more map[string]string) map[string]string {
	all := map[string]string{"stride_w": "stride_width", "stride_h": "stride_height"}
	maps.Copy(all, paddings)
	maps.Copy(all, more)
	return all
}

var (
	convConfiguration = &configuration{Struct: structs.Conv, attrs: sliding(map[string]string{"relu": "relu.type"})}
	poolConfiguration = &configuration{Struct: structs.Pool,
		attrs: sliding(map[string]string{"kernel_w": "kernel_width", "kernel_h": "kernel_height"})}
	rnnConfiguration = &configuration{Struct: structs.RNN, attrs: map[string]string{"mode": "mode", "act": "act"},
		scratch: "ir_tsr"}
	reluConfiguration    = &configuration{Struct: structs.ReLU, attrs: map[string]string{"relu": "type"}}
	permuteConfiguration = &configuration{Struct: structs.Permute, list: "perm", listed: "perm_dim"}
	paddingConfiguration = &configuration{Struct: structs.Padding, attrs: paddings}
	concatConfiguration  = &configuration{Struct: structs.Concat, attrs: map[string]string{"axis": "axis"}, count: "tensors_num"}
)

// put writes a number into a member and fails when the member does not hold it. Enumerations take any value:
// the function refuses those it does not know.
func (c *configuration) put(b []byte, member, name string, v int) error {
	lo, hi := c.Range(member)
	if !c.Holds(member, int64(v)) && hi < math.MaxUint32 {
		return fmt.Errorf("%s is %d, a configuration holds %d to %d", name, v, lo, hi)
	}
	c.Put(b, member, int64(v))
	return nil
}

// configuration places the configuration structure of the call.
func (p *placer) configuration() (uint32, error) {
	cfg, attrs := p.config, p.call.Attrs
	b := make([]byte, cfg.Size())
	var err error
	put := func(member, name string, v int) {
		if e := cfg.put(b, member, name, v); e != nil {
			err = e
		}
	}
	for name, member := range cfg.attrs {
		put(member, name, attrs.Int(name))
	}
	if cfg.list != "" {
		list := attrs.Ints(cfg.list)
		if len(list) > maxRank {
			return 0, fmt.Errorf("%s has more than %d elements", cfg.list, maxRank)
		}
		for i, d := range list {
			cfg.PutAt(b, cfg.listed, i, int64(d))
		}
	}
	if cfg.count != "" {
		put(cfg.count, "the number of tensors", len(p.call.In))
	}
	if cfg.scratch != "" {
		cfg.Put(b, cfg.scratch, int64(p.scratch()))
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
