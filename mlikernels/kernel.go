package mlikernels

import (
	"fmt"
	"path"
	"sort"
	"strings"
	"sync"

	"arcv2dsp/mlikernels/golden"
)

// Kernel describes one function of the library. Tests, regressions, benches, listings and the
// export all go by this description; there is no other list.
type Kernel struct {
	Symbol string
	Family string // the operator and the folder of its sources
	Args   []Arg
	Config ConfigKind
	Golden golden.Kernel
}

// Source is the path of the kernel's source within Sources.
func (k *Kernel) Source() string { return path.Join(k.Family, k.Symbol+".s") }

// Arg is one argument of a kernel, in the order of the C interface.
type Arg struct {
	Kind   ArgKind
	Role   string // name of the tensor in a case
	Result string // ArgState: its name after the call
	Second bool   // ArgIn: belongs into the memory of weights, not into that of data
}

// ArgKind says what an argument points to.
type ArgKind uint8

const (
	ArgIn      ArgKind = iota // tensor that is only read
	ArgOut                    // tensor that is written
	ArgState                  // tensor that is read and written
	ArgConfig                 // configuration structure
	ArgTensors                // array of pointers to tensors that are read
)

// ConfigKind is the structure a configuration argument points to.
type ConfigKind uint8

const (
	ConfigNone ConfigKind = iota
	ConfigConv
	ConfigPool
	ConfigRNN
	ConfigReLU
	ConfigPermute
	ConfigPadding
	ConfigConcat
)

// Job is a case to run: the case itself and how its buffers lie.
type Job struct {
	*golden.Case
	InPlace string // role of the input the output is written over, "" for none
	Offset  uint32 // bytes every data buffer is moved away from a word boundary
	Skew    uint32 // bytes each data buffer is moved further than the one before
	Same    string // role of an input that is given the very tensor of the first input, "" for none
}

// interfaces is the C interface of each operator.
var interfaces = []struct {
	families []string
	args     []Arg
	config   ConfigKind
}{
	{
		families: []string{"conv2d_chw", "conv2d_hwc", "conv2d_nhwc", "depthwise_conv2d_chw", "depthwise_conv2d_hwcn"},
		args: []Arg{{Kind: ArgIn, Role: "in"}, {Kind: ArgIn, Role: "w", Second: true},
			{Kind: ArgIn, Role: "b", Second: true}, {Kind: ArgConfig}, {Kind: ArgOut, Role: "out"}},
		config: ConfigConv,
	}, {
		families: []string{"fully_connected"},
		args: []Arg{{Kind: ArgIn, Role: "in"}, {Kind: ArgIn, Role: "w", Second: true},
			{Kind: ArgIn, Role: "b", Second: true}, {Kind: ArgOut, Role: "out"}},
	}, {
		families: []string{"avepool_chw", "avepool_hwc", "maxpool_chw", "maxpool_hwc"},
		args:     []Arg{{Kind: ArgIn, Role: "in"}, {Kind: ArgConfig}, {Kind: ArgOut, Role: "out"}},
		config:   ConfigPool,
	}, {
		families: []string{"basic_rnn_cell"},
		args: []Arg{{Kind: ArgIn, Role: "in"}, {Kind: ArgIn, Role: "prev_out"}, {Kind: ArgIn, Role: "w", Second: true},
			{Kind: ArgIn, Role: "b", Second: true}, {Kind: ArgConfig}, {Kind: ArgOut, Role: "out"}},
		config: ConfigRNN,
	}, {
		families: []string{"lstm_cell"},
		args: []Arg{{Kind: ArgIn, Role: "in"}, {Kind: ArgIn, Role: "prev_out"}, {Kind: ArgIn, Role: "w", Second: true},
			{Kind: ArgIn, Role: "b", Second: true}, {Kind: ArgConfig},
			{Kind: ArgState, Role: "cell_in", Result: "cell_out"}, {Kind: ArgOut, Role: "out"}},
		config: ConfigRNN,
	}, {
		families: []string{"relu"},
		args:     []Arg{{Kind: ArgIn, Role: "in"}, {Kind: ArgConfig}, {Kind: ArgOut, Role: "out"}},
		config:   ConfigReLU,
	}, {
		families: []string{"leaky_relu"},
		args: []Arg{{Kind: ArgIn, Role: "in"}, {Kind: ArgIn, Role: "slope", Second: true},
			{Kind: ArgOut, Role: "out"}},
	}, {
		families: []string{"sigm", "tanh", "softmax"},
		args:     []Arg{{Kind: ArgIn, Role: "in"}, {Kind: ArgOut, Role: "out"}},
	}, {
		families: []string{"eltwise_add", "eltwise_sub", "eltwise_mul", "eltwise_min", "eltwise_max"},
		args: []Arg{{Kind: ArgIn, Role: "in1"}, {Kind: ArgIn, Role: "in2", Second: true},
			{Kind: ArgOut, Role: "out"}},
	}, {
		families: []string{"concat"},
		args:     []Arg{{Kind: ArgTensors}, {Kind: ArgConfig}, {Kind: ArgOut, Role: "out"}},
		config:   ConfigConcat,
	}, {
		families: []string{"permute"},
		args:     []Arg{{Kind: ArgIn, Role: "in"}, {Kind: ArgConfig}, {Kind: ArgOut, Role: "out"}},
		config:   ConfigPermute,
	}, {
		families: []string{"padding2d_chw", "padding2d_hwc"},
		args:     []Arg{{Kind: ArgIn, Role: "in"}, {Kind: ArgConfig}, {Kind: ArgOut, Role: "out"}},
		config:   ConfigPadding,
	},
}

// registry joins the C interfaces with the golden models: a kernel is an operator in a combination
// of types for which there is a model.
var registry = sync.OnceValue(func() map[string]*Kernel {
	m := make(map[string]*Kernel)
	for _, g := range golden.Kernels() {
		if g.Lib != golden.MLI11 {
			continue
		}
		for _, i := range interfaces {
			for _, family := range i.families {
				if family == g.Family {
					m[g.Name] = &Kernel{Symbol: g.Name, Family: family, Args: i.args, Config: i.config,
						Golden: g}
				}
			}
		}
		if m[g.Name] == nil {
			panic("mlikernels: no interface for " + g.Name)
		}
	}
	return m
})

// Lookup finds a kernel by its symbol.
func Lookup(symbol string) (*Kernel, error) {
	if k, ok := registry()[symbol]; ok {
		return k, nil
	}
	return nil, fmt.Errorf("unknown kernel %q%s", symbol, suggest(symbol))
}

// suggest proposes the kernels whose name contains what was asked for.
func suggest(symbol string) string {
	part := strings.TrimPrefix(symbol, "mli_krn_")
	if _, ok := registry()["mli_krn_"+part]; ok {
		return fmt.Sprintf(", did you mean %q", "mli_krn_"+part)
	}
	for _, k := range Kernels() {
		if part != "" && strings.Contains(k.Symbol, part) {
			return fmt.Sprintf(", did you mean %q", k.Symbol)
		}
	}
	return ""
}

// Kernels lists all kernels by symbol.
func Kernels() []*Kernel {
	all := make([]*Kernel, 0, len(registry()))
	for _, k := range registry() {
		all = append(all, k)
	}
	sort.Slice(all, func(i, j int) bool { return all[i].Symbol < all[j].Symbol })
	return all
}
