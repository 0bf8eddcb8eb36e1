package mli

import (
	"fmt"
	"maps"
	"math"

	"arcv2dsp/internal/program/cstruct"
	"arcv2dsp/internal/program/mlistructs"
	"arcv2dsp/mlikernels/internal/kernel"
	"arcv2dsp/nn"
)

// Configuration is a configuration structure and how a call fills it in.
type Configuration struct {
	*cstruct.Struct
	Attrs map[string]string // members that are numbers, by attribute
	// List is an attribute that is a list, and Listed the member it goes to.
	List, Listed string
	// Count is the member with the number of input tensors, empty when there is none.
	Count string
	// Scratch is the member with memory for the function, empty when there is none. The version fills it in.
	Scratch string
}

// paddings are the members for padding by their attributes.
var paddings = map[string]string{"pad_l": "padding_left", "pad_r": "padding_right", "pad_t": "padding_top", "pad_b": "padding_bottom"}

// Paddings are the members of a configuration that hold the padding of the four sides, by attribute.
func Paddings() map[string]string { return maps.Clone(paddings) }

// Sliding are the members of a window that slides, by their attributes.
func Sliding(more map[string]string) map[string]string {
	all := map[string]string{"stride_w": "stride_width", "stride_h": "stride_height"}
	maps.Copy(all, paddings)
	maps.Copy(all, more)
	return all
}

// Configurations that versions share.
var (
	Pool    = &Configuration{Struct: mlistructs.Pool, Attrs: Sliding(map[string]string{"kernel_w": "kernel_width", "kernel_h": "kernel_height"})}
	ReLU    = &Configuration{Struct: mlistructs.ReLU, Attrs: map[string]string{"relu": "type"}}
	Permute = &Configuration{Struct: mlistructs.Permute, List: "perm", Listed: "perm_dim"}
)

// PoolTaps counts the elements under the windows of a call of pooling, maps with their channels first or last.
func PoolTaps(channelsFirst bool) func(*nn.Call) uint64 {
	rows := 0
	if channelsFirst {
		rows = 1
	}
	return func(c *nn.Call) uint64 {
		in, out, a := c.Input("in"), c.Out[0], c.Attrs
		h := kernel.Inside(in.Dim(rows), out.Dim(rows), a.Int("kernel_h"), a.Int("stride_h"), a.Int("pad_t"))
		w := kernel.Inside(in.Dim(rows+1), out.Dim(rows+1), a.Int("kernel_w"), a.Int("stride_w"), a.Int("pad_l"))
		return uint64(in.Len() / (in.Dim(rows) * in.Dim(rows+1)) * h * w)
	}
}

// put writes a number into a member and fails when the member does not hold it. Enumerations take any value:
// the function refuses those it does not know.
func (c *Configuration) put(b []byte, member, name string, v int) error {
	lo, hi := c.Range(member)
	if !c.Holds(member, int64(v)) && hi < math.MaxUint32 {
		return fmt.Errorf("%s is %d, a configuration holds %d to %d", name, v, lo, hi)
	}
	c.Put(b, member, int64(v))
	return nil
}

// Fill is the structure of a call; memory for the function is left open.
func (c *Configuration) Fill(call *nn.Call) ([]byte, error) {
	b := make([]byte, c.Size())
	for name, member := range c.Attrs {
		if err := c.put(b, member, name, call.Attrs.Int(name)); err != nil {
			return nil, err
		}
	}
	if c.List != "" {
		list := call.Attrs.Ints(c.List)
		if len(list) > mlistructs.MaxRank {
			return nil, fmt.Errorf("%s has more than %d elements", c.List, mlistructs.MaxRank)
		}
		for i, d := range list {
			c.PutAt(b, c.Listed, i, int64(d))
		}
	}
	if c.Count == "" {
		return b, nil
	}
	return b, c.put(b, c.Count, "the number of tensors", len(call.In))
}
