package mlikernels

import "arcv2dsp/mlikernels/golden"

// Work is how much a case computes: multiply-accumulates at every window position, padding included,
// for kernels with weights, else elements of the output.
func (k *Kernel) Work(c *golden.Case, want golden.Result) (n uint64, macs bool) {
	w, b, out := c.Tensors["w"], c.Tensors["b"], want.Outputs["out"]
	switch {
	case w == nil || b == nil:
		return uint64(out.Len()), false
	case k.Config == ConfigRNN:
		steps := 1
		if c.Params.Int("mode") != 0 {
			steps = c.Tensors["in"].Shape[0]
		}
		return uint64(steps * w.Len()), true
	default:
		return uint64(out.Len() * (w.Len() / b.Len())), true
	}
}

// MACs reports whether the work of a kernel counts in multiply-accumulates.
func (k *Kernel) MACs() bool {
	for _, a := range k.Args {
		if a.Role == "w" {
			return true
		}
	}
	return false
}
