package mli20

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/mlikernels/internal/kernel"
	"arcv2dsp/mlikernels/internal/mli"
	"arcv2dsp/mlikernels/internal/mli20/structs"
	"arcv2dsp/nn"
)

// edit makes a fault in a call that is laid out.
type edit func(t *testing.T, l *kernel.Layout, f *function)

// argumentAt is the number of an argument.
func argumentAt(t *testing.T, f *function, label string) int {
	t.Helper()
	for i, a := range f.args {
		if a.Role == label || a.Label() == label {
			return i
		}
	}
	t.Fatalf("%s has no argument %s", f.Name, label)
	return 0
}

// null passes a null pointer for an argument.
func null(label string) edit {
	return func(t *testing.T, l *kernel.Layout, f *function) { l.Args()[argumentAt(t, f, label)] = 0 }
}

// set gives a member of a tensor another value.
func set(label, member string, i int, v int64) edit {
	return func(t *testing.T, l *kernel.Layout, f *function) {
		s := structs.Tensor
		s.PutAt(l.Bytes(l.Args()[argumentAt(t, f, label)], s.Size()), member, i, v)
	}
}

// setConfig gives a member of the configuration another value.
func setConfig(member string, i int, v int64) edit {
	return func(t *testing.T, l *kernel.Layout, f *function) {
		f.config.PutAt(l.Bytes(l.Args()[argumentAt(t, f, "cfg")], f.config.Size()), member, i, v)
	}
}

// short takes a byte from the capacity of a tensor.
func short(label string) edit {
	return func(t *testing.T, l *kernel.Layout, f *function) {
		b := l.Bytes(l.Args()[argumentAt(t, f, label)], structs.Tensor.Size())
		structs.Tensor.Put(b, "data.capacity", structs.Tensor.Get(b, "data.capacity")-1)
	}
}

// over puts the elements of one tensor over those of another.
func over(label, other string) edit {
	return func(t *testing.T, l *kernel.Layout, f *function) {
		s := structs.Tensor
		at := s.Get(l.Bytes(l.Args()[argumentAt(t, f, other)], s.Size()), "data.mem.pi32")
		s.Put(l.Bytes(l.Args()[argumentAt(t, f, label)], s.Size()), "data.mem.pi32", at)
	}
}

// perAxis gives a tensor a scale of 1 and a zero point of 1 for each element of its first dimension, which lie where its
// own elements do.
func perAxis(label string, n int) edit {
	return func(t *testing.T, l *kernel.Layout, f *function) {
		s := structs.Tensor
		b := l.Bytes(l.Args()[argumentAt(t, f, label)], s.Size())
		at := s.Get(b, "data.mem.pi32")
		for i, elements := 0, l.Bytes(uint32(at), 2*n); i < n; i++ {
			elements[2*i], elements[2*i+1] = 1, 0
		}
		s.Put(b, "el_params.sa.dim", 0)
		for _, member := range []string{"scale", "zero_point", "scale_frac_bits"} {
			s.Put(b, "el_params.sa."+member+".mem.pi16", at)
			s.Put(b, "el_params.sa."+member+".capacity", int64(2*n))
		}
	}
}

const (
	zeroMember  = "el_params.sa.zero_point.mem.i16"
	scaleMember = "el_params.sa.scale.mem.i16"
)

// refusedCall is a call with a fault, and the status that MLI 2.0 returns for it.
type refusedCall struct {
	kernel, fault string
	edit          edit
	want          mli.Status
}

// refusedCalls lists faults in the order in which the library looks: those of every tensor, then those of each family.
func refusedCalls() []refusedCall {
	var all []refusedCall
	for _, k := range []string{"relu_fx16", "leaky_relu_fx8", "sigm_fx16", "softmax_sa8", "permute_fx8", "argmax_sa8", "maxpool_hwc_fx16", "conv2d_hwcn_fx16",
		"eltwise_add_fx16"} {
		in := "in"
		if k == "eltwise_add_fx16" {
			in = "in1"
		}
		all = append(all,
			refusedCall{k, "null in", null(in), mli.StatusBadTensor},
			refusedCall{k, "null out", null("out"), mli.StatusBadTensor},
			refusedCall{k, "in without data", set(in, "data.mem.pi32", 0, 0), mli.StatusBadTensor},
			refusedCall{k, "in of rank 5", set(in, "rank", 0, 5), mli.StatusBadTensor},
			refusedCall{k, "in without rows", set(in, "shape", 0, 0), mli.StatusBadTensor},
			refusedCall{k, "in with stride 0", set(in, "mem_stride", 0, 0), mli.StatusBadTensor},
			refusedCall{k, "in with a negative capacity", set(in, "data.capacity", 0, 1<<31), mli.StatusBadTensor},
			refusedCall{k, "short in", short(in), mli.StatusNotEnoughMem},
			refusedCall{k, "short out", short("out"), mli.StatusNotEnoughMem})
	}
	for _, k := range []string{"relu_fx8", "leaky_relu_fx16", "prelu_fx16", "sigm_fx8", "tanh_fx16", "softmax_fx16", "l2_normalize_fx16"} {
		all = append(all,
			refusedCall{k, "out of another type", set("out", "el_type", 0, 4), mli.StatusTypeMismatch},
			refusedCall{k, "out of another rank", set("out", "rank", 0, 1), mli.StatusShapeMismatch},
			refusedCall{k, "out of another shape", set("out", "shape", 1, 1), mli.StatusShapeMismatch},
			refusedCall{k, "apart in the innermost dimension", both(set("in", "mem_stride", 0, 64), both(set("in", "mem_stride", 1, 2), set("in", "data.capacity", 0, 1<<20))), mli.StatusIncompatibleTensors})
	}
	for _, k := range []string{"relu_sa8", "sigm_sa8", "tanh_sa8", "softmax_sa8", "l2_normalize_sa8"} {
		all = append(all,
			refusedCall{k, "a scale that is not positive", set("in", scaleMember, 0, 0), mli.StatusBadTensor},
			refusedCall{k, "a container with a capacity", set("in", "el_params.sa.scale.capacity", 0, 2), mli.StatusBadTensor},
			refusedCall{k, "scales along a dimension that is not there", set("in", "el_params.sa.dim", 0, 4), mli.StatusBadTensor},
			refusedCall{k, "a zero point beyond a byte", set("in", zeroMember, 0, 128), mli.StatusIncompatibleTensors})
	}
	for _, k := range []string{"relu_fx16", "prelu_sa8", "softmax_fx8", "l2_normalize_sa8", "permute_sa8", "argmax_fx16", "maxpool_hwc_sa8", "conv2d_hwcn_fx16"} {
		all = append(all, refusedCall{k, "null cfg", null("cfg"), mli.StatusBadFuncCfg})
	}
	return append(all,
		refusedCall{"relu_fx16", "two faults: in before cfg", both(null("in"), null("cfg")), mli.StatusBadTensor},
		refusedCall{"relu_fx16", "two faults: cfg before out", both(null("cfg"), null("out")), mli.StatusBadFuncCfg},
		refusedCall{"leaky_relu_fx16", "slope of another type", set("slope", "el_type", 0, 0x8), mli.StatusTypeMismatch},
		refusedCall{"leaky_relu_fx16", "out with other fractional bits", set("out", "el_params.fx.frac_bits", 0, 2), mli.StatusSpecParamMismatch},
		refusedCall{"prelu_fx8", "an axis that is not there", setConfig("axis", 0, 7), mli.StatusBadFuncCfg},
		refusedCall{"softmax_fx16", "an axis that is not there", setConfig("axis", 0, 2), mli.StatusBadFuncCfg},
		refusedCall{"l2_normalize_fx16", "an axis that is not there", setConfig("axis", 0, 2), mli.StatusBadFuncCfg},
		refusedCall{"argmax_fx16", "out of another type", set("out", "el_type", 0, 0x10), mli.StatusTypeMismatch},
		refusedCall{"argmax_fx16", "an axis that is not there", setConfig("axis", 0, 2), mli.StatusBadFuncCfg},
		refusedCall{"argmax_fx16", "more than there are", setConfig("topk", 0, 99), mli.StatusBadFuncCfg},
		refusedCall{"argmax_sa8", "none", setConfig("topk", 0, 0), mli.StatusBadFuncCfg},
		refusedCall{"argmax_sa8", "a scale for each row", perAxis("in", 3), mli.StatusIncompatibleTensors},
		refusedCall{"argmax_sa8", "out of another shape", setConfig("topk", 0, 2), mli.StatusShapeMismatch},
		refusedCall{"permute_fx16", "an axis twice", setConfig("perm_dim", 0, 0), mli.StatusBadFuncCfg},
		refusedCall{"permute_fx16", "an axis that is not there", setConfig("perm_dim", 0, 3), mli.StatusBadFuncCfg},
		refusedCall{"permute_fx16", "out of another shape", set("out", "shape", 0, 9), mli.StatusNotEnoughMem},
		refusedCall{"permute_fx16", "out over in", over("out", "in"), mli.StatusIncompatibleTensors},
		refusedCall{"eltwise_add_fx16", "operands of different shapes", set("in2", "shape", 1, 2), mli.StatusShapeMismatch},
		refusedCall{"eltwise_min_fx16", "operands in different formats", set("in2", "el_params.fx.frac_bits", 0, 99), mli.StatusIncompatibleTensors},
		refusedCall{"eltwise_max_sa8", "operands in different formats", set("in2", scaleMember, 0, 5), mli.StatusIncompatibleTensors},
		refusedCall{"eltwise_mul_fx8", "out of another type", set("out", "el_type", 0, 4), mli.StatusIncompatibleTensors},
		refusedCall{"eltwise_sub_fx8", "two scalars of rank 0", both(set("in1", "rank", 0, 0), set("in2", "rank", 0, 0)), mli.StatusNotSupported},
		refusedCall{"conv2d_hwcn_fx16", "weights of rank 3", set("w", "rank", 0, 3), mli.StatusShapeMismatch},
		refusedCall{"conv2d_hwcn_fx16", "other channels", set("w", "shape", 2, 1), mli.StatusShapeMismatch},
		refusedCall{"conv2d_hwcn_fx16", "bias with more fractional bits than products", set("b", "el_params.fx.frac_bits", 0, 100), mli.StatusIncompatibleTensors},
		refusedCall{"conv2d_hwcn_fx16", "no stride", setConfig("stride_width", 0, 0), mli.StatusBadFuncCfg},
		refusedCall{"conv2d_hwcn_fx16", "no dilation", setConfig("dilation_height", 0, 0), mli.StatusBadFuncCfg},
		refusedCall{"conv2d_hwcn_fx16", "padding as large as the kernel", setConfig("padding_left", 0, 9), mli.StatusBadFuncCfg},
		refusedCall{"conv2d_hwcn_sa8_sa8_sa32", "weights with a zero point", set("w", zeroMember, 0, 1), mli.StatusIncompatibleTensors},
		refusedCall{"maxpool_hwc_fx16", "no stride", setConfig("stride_height", 0, 0), mli.StatusBadFuncCfg},
		refusedCall{"fully_connected_fx16", "other number of inputs", set("in", "shape", 0, 1), mli.StatusShapeMismatch},
	)
}

func both(a, b edit) edit {
	return func(t *testing.T, l *kernel.Layout, f *function) { a(t, l, f); b(t, l, f) }
}

// legalCall is a small call of a function that succeeds.
func legalCall(f *function) point {
	p := point{name: "legal", shapes: map[string][]int{"in": {3, 4}, "in1": {3, 4}, "in2": {3, 4}, "slope": {1}, "b": {4}}, lists: map[string][]int{},
		params: map[string]int{"axis": -1, "topk": 1, "stride_w": 1, "stride_h": 1, "kernel_w": 2, "kernel_h": 2, "dil_w": 1, "dil_h": 1}}
	switch f.Family {
	case "permute":
		p.lists["perm"] = []int{1, 0}
	case "maxpool_hwc":
		p.shapes["in"] = []int{4, 5, 3}
	case "conv2d_hwcn":
		p.shapes["in"], p.shapes["w"] = []int{4, 5, 3}, []int{2, 2, 3, 4}
	case "fully_connected":
		p.shapes["in"], p.shapes["w"] = []int{6}, []int{6, 4}
	}
	p.adjust = func(c *nn.Call) {
		switch f.Family {
		case "leaky_relu", "prelu":
			if !f.Data.Affine() {
				c.Out[0].Format = c.In[0].Format
			}
		case "eltwise_min", "eltwise_max":
			c.In[1].Format = c.In[0].Format
		case "conv2d_hwcn", "fully_connected":
			for _, x := range []*nn.Tensor{c.In[0], c.In[1], c.In[2], c.Out[0]} {
				if f.Data.Affine() {
					x.Format = nn.Format{Kind: nn.Mantissa, Axis: -1, Mantissas: []int32{1 << 7}, ScaleFrac: 7, Zeros: []int64{0}}
				} else {
					x.Format = nn.Format{Kind: nn.Fixed, Frac: 3}
				}
			}
		}
	}
	return p
}

// TestRefusedCalls: every fault has the status of MLI 2.0, and nothing is written.
func TestRefusedCalls(t *testing.T) {
	calls := refusedCalls()
	require.GreaterOrEqual(t, len(calls), 100)
	for _, core := range testCores {
		m := newTestMachine(t, core, nn.Convergent)
		for _, w := range calls {
			f := lookup(t, w.kernel)
			job, err := f.job(legalCall(f), nn.Convergent, 1)
			require.NoError(t, err, w.kernel)
			require.NoError(t, check(m, f, job), w.kernel)
			l, err := m.LayOut(f.kernel, job)
			require.NoError(t, err)
			w.edit(t, l, f)
			entry, err := m.Entry(f.Name)
			require.NoError(t, err)
			rep, err := m.CallAt(context.Background(), entry, l)
			require.NoError(t, err, "%s: %s", w.kernel, w.fault)
			if got := mli.Status(rep.R0); got != w.want {
				t.Errorf("%s on %s: %s: status is %v, want %v", w.kernel, core, w.fault, got, w.want)
			}
			if l.Written() {
				t.Errorf("%s on %s: %s: something is written", w.kernel, core, w.fault)
			}
		}
	}
}
