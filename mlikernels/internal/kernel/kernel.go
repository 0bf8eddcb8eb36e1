package kernel

import (
	"io/fs"
	"strings"
	"sync"

	"arcv2dsp/nn"
)

// Kernel is one function of a collection. Tests, regressions, benches, listings and the export all go by
// this description; there is no other list.
type Kernel struct {
	Symbol   string
	Aliases  []string // other names that programs call it by
	Source   Source
	Computes []*nn.Operator // the operators it computes, at least one
	// Fits says why the kernel cannot take a legal call of them; nil when it takes all.
	Fits func(*nn.Call) error
	// Rank chooses among kernels that take the same call: the one with the lowest computes it, as a rule that with the
	// fewest cycles. Kernels of one rank have no call in common.
	Rank int
	ABI  ABI

	Operator  string   // for people: the operator without its types, "conv2d_hwc"
	Types     string   // for people: the combination of types, "fx8"
	Arguments []string // for people: the objects of the arguments, in their order
	AccBits   int      // width of the accumulator; 0 when the kernel sums nothing

	// Products counts the multiply-accumulates of a call at every position of a window, padding included; nil for a
	// kernel that multiplies no weights. Unit is that of its work.
	Products func(*nn.Call) uint64
	Unit     string
	// Taps counts the elements of the map under the windows of a call, nil unless the kernel makes an output of each window
	// without weights.
	Taps func(*nn.Call) uint64
	// Rounds are the roundings that the kernel tells apart, nil when they are the collection's.
	Rounds []nn.Rounding
	// InPlace says that the output may lie exactly over an input of as many bytes and elements, where the operator
	// works element by element.
	InPlace bool
	// Grid lists the cases every regression runs.
	Grid func() []Case
	// Notation is how calls are written in suites and on the command line, nil when they are not.
	Notation *Notation
	// Layers are calls of the size of networks, whose cost is on record. The first one is typical.
	Layers []Case
	// Stands is part of the name of the case that is typical of a kernel without layers; empty for the case with the most
	// work.
	Stands string

	// Of is the collection the kernel belongs to; NewCollection sets it.
	Of *Collection

	typical func() Case
}

// Units of work.
const (
	MAC     = "MAC"
	Element = "element"
	Output  = "output"
)

// Source is the assembly source of a kernel: a file of the collection, or a text that is written out
// here because it has nothing of its own beyond the names it passes on.
type Source struct {
	File string // path within the collection
	Text string // empty when the collection has the file
}

// Collection is one library of kernels: the sources and the rows that describe them.
type Collection struct {
	Name   string
	Title  string // for people
	Prefix string // what all symbols begin with
	// Qualifier tells the kernels of the collection from those of another with the same symbols; empty where no other
	// has them.
	Qualifier string
	Tree      fs.FS    // sources and includes in a folder for each operator
	Include   []string // folders with includes that several operators use
	// Texts are sources of helpers and includes that are no files of the tree, by path: they follow from descriptions, or
	// collections share them.
	Texts   map[string]string
	Kernels []*Kernel
	Types   []string // the combinations of types, in the order of lists
	// Floats says that the kernels need a floating-point unit that multiplies and adds, divides and takes roots, in
	// place of DSP instructions.
	Floats bool
	// Roundings are those that calls may ask for. BuildRounds says that the rounding is one of the
	// assembled library, not of the call.
	Roundings   []nn.Rounding
	BuildRounds bool
	// Symbols is the prefix of the symbols that tell the sources their variant: _AGU and, where the build has a
	// rounding, _ROUND_UP, each 0 or 1.
	Symbols string
	// SmallAGU says that some kernels use the ports of the small AGU, where the symbol _AGU_SMALL is 1.
	SmallAGU bool
	// Archives are the files that C programs link, by name.
	Archives map[string]nn.Rounding
	// Headers are the C headers, by name.
	Headers func() (map[string]string, error)

	built *sync.Map // libraries of the tree, by variant
}

// NewCollection makes the kernels members of the collection.
func NewCollection(c Collection) *Collection {
	c.built = &sync.Map{}
	for _, k := range c.Kernels {
		k.Of, k.typical = &c, sync.OnceValue(k.findTypical)
	}
	return &c
}

// define returns the symbols that tell the sources their variant.
func (c *Collection) define(v Variant) map[string]int64 {
	flag := map[bool]int64{true: 1}
	d := map[string]int64{c.Symbols + "_AGU": flag[v.AGU == LargeAGU]}
	if c.SmallAGU {
		d[c.Symbols+"_AGU_SMALL"] = flag[v.AGU == SmallAGU]
	}
	if c.BuildRounds {
		d[c.Symbols+"_ROUND_UP"] = flag[v.Round == nn.Up]
	}
	return d
}

// Variant is the variant of the collection that a core runs calls of a rounding on.
func (c *Collection) Variant(agu AGU, round nn.Rounding) Variant {
	v := Variant{AGU: agu}
	if c.Floats || agu == SmallAGU && !c.SmallAGU {
		v.AGU = NoAGU
	}
	if c.BuildRounds {
		v.Round = round
	}
	return v
}

// Roundings are the roundings that the kernel tells apart.
func (k *Kernel) Roundings() []nn.Rounding {
	if k.Rounds != nil {
		return k.Rounds
	}
	return k.Of.Roundings
}

// Name is the name of the kernel among all collections: its symbol, behind the qualifier of its collection.
func (k *Kernel) Name() string { return k.Of.Qualifier + k.Symbol }

// Short is the name without what all symbols of the collection begin with.
func (k *Kernel) Short() string { return k.Of.Qualifier + strings.TrimPrefix(k.Symbol, k.Of.Prefix) }

// ABI is a calling form: it lays a call out in memory for the functions that have this form.
type ABI interface {
	// Layout places buffers, sets arguments and says where the results are to be read.
	Layout(l *Layout, k *Kernel, c *nn.Call) error
	// Status names what a function returned; 0 is success in every calling form.
	Status(r0 uint32) string
}
