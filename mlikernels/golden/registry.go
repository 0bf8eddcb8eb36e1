package golden

import (
	"fmt"
	"sort"
	"sync"
)

// Kernel is one function of one library in one combination of element types.
type Kernel struct {
	Lib     string
	Name    string
	Family  string // the operator without its types: "conv2d_hwc"
	Data    Type   // inputs, outputs, states
	Weights Type   // weights, where there are any
	Bias    Type
	AccBits int // width of the accumulator of MAC kernels

	Inputs  []string // roles of the input tensors
	Outputs []string

	Exact func(*Case, Rounding) (Result, error)
	Float func(*Case) (map[string][]float64, error)
}

// InputNames lists the roles of the input tensors; concat takes as many as the case says.
func (k Kernel) InputNames(c *Case) []string {
	if k.Inputs != nil {
		return k.Inputs
	}
	n := clamp(int64(c.Params.Int("tensors_num")), 1, maxConcat)
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprintf("in%d", i)
	}
	return names
}

// TypeOf is the element type a role has in this kernel.
func (k Kernel) TypeOf(role string) Type {
	switch role {
	case "w":
		return k.Weights
	case "b":
		return k.Bias
	default:
		return k.Data
	}
}

type kernelKey struct{ lib, name string }

var table = sync.OnceValue(func() map[kernelKey]Kernel {
	m := make(map[kernelKey]Kernel)
	for _, k := range mli11() {
		key := kernelKey{lib: k.Lib, name: k.Name}
		if _, twice := m[key]; twice {
			panic("golden: kernel registered twice: " + k.Name)
		}
		m[key] = k
	}
	return m
})

// Lookup finds a kernel by library and function name.
func Lookup(lib, name string) (Kernel, bool) {
	k, ok := table()[kernelKey{lib: lib, name: name}]
	return k, ok
}

// Kernels lists all kernels, sorted by library and name.
func Kernels() []Kernel {
	all := make([]Kernel, 0, len(table()))
	for _, k := range table() {
		all = append(all, k)
	}
	sort.Slice(all, func(i, j int) bool {
		if all[i].Lib != all[j].Lib {
			return all[i].Lib < all[j].Lib
		}
		return all[i].Name < all[j].Name
	})
	return all
}
