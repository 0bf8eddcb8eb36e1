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
	ABI  ABI

	Operator  string   // for people: the operator without its types, "conv2d_hwc"
	Types     string   // for people: the combination of types, "fx8"
	Arguments []string // for people: the objects of the arguments, in their order
	AccBits   int      // width of the accumulator; 0 when the kernel sums nothing

	// Work is how much a call computes: multiply-accumulates at every position of a window, padding
	// included, when Unit is MAC, else elements of the output. Nil counts those.
	Work func(*nn.Call) uint64
	Unit string
	// Rounds are the roundings that the kernel tells apart, nil when they are the collection's.
	Rounds []nn.Rounding
	// InPlace says that the output may lie exactly over an input of as many bytes and elements, where the operator
	// works element by element.
	InPlace bool
	// Grid lists the cases every regression runs.
	Grid func() []Point
	// Notation is how calls are written in suites and on the command line, nil when they are not.
	Notation *Notation
	// References are calls whose cost is known for another library.
	References []Reference

	// Of is the collection the kernel belongs to; NewCollection sets it.
	Of *Collection
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
	// Roundings are those that calls may ask for. BuildRounds says that the rounding is one of the
	// assembled library, not of the call.
	Roundings   []nn.Rounding
	BuildRounds bool
	// Symbols is the prefix of the symbols that tell the sources their variant: _AGU and, where the build has a
	// rounding, _ROUND_UP, each 0 or 1.
	Symbols string
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
		k.Of = &c
	}
	return &c
}

// define returns the symbols that tell the sources their variant.
func (c *Collection) define(v Variant) map[string]int64 {
	flag := map[bool]int64{true: 1}
	d := map[string]int64{c.Symbols + "_AGU": flag[v.AGU]}
	if c.BuildRounds {
		d[c.Symbols+"_ROUND_UP"] = flag[v.Round == nn.Up]
	}
	return d
}

// Variant is the variant of the collection that a core runs calls of a rounding on.
func (c *Collection) Variant(agu bool, round nn.Rounding) Variant {
	v := Variant{AGU: agu}
	if c.BuildRounds {
		v.Round = round
	}
	return v
}

// Amount is the work of a call.
func (k *Kernel) Amount(c *nn.Call) uint64 {
	if k.Work != nil {
		return k.Work(c)
	}
	return uint64(c.Out[0].Len())
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

// ABI is a calling form: it lays a call out in memory as its functions want it.
type ABI interface {
	// Layout places buffers, sets arguments and says where the results are to be read.
	Layout(l *Layout, k *Kernel, c *nn.Call) error
	// Status names what a function returned; 0 is success in every calling form.
	Status(r0 uint32) string
}

// Job is a call to run and how its buffers lie.
type Job struct {
	*nn.Call
	Want    map[string]*nn.Tensor // the results by name
	InPlace string                // the input the output is written over, "" for none
	Offset  uint32                // bytes every data buffer is moved away from a word boundary
	Skew    uint32                // bytes each data buffer is moved further than the one before
	// WatchLoads makes a load from anywhere but the buffers of the call an error; the reference engine
	// then runs it.
	WatchLoads bool
	AtEnds     bool // inputs and weights at the very ends of their memories
	// Strides says of tensors how many elements there are from one index to the next in each dimension; one that
	// is left out lies without holes, and 0 is the stride without holes.
	Strides map[string][]int
}

// NewJob computes the results of a call with the golden function. The error may be one that leaves
// results; the job is nil when there are none.
func NewJob(c *nn.Call) (*Job, error) {
	ran, err := c.Expect()
	if ran == nil {
		return nil, err
	}
	return &Job{Call: c, Want: ran.Results()}, err
}

// Point is one case of a kernel's grid. Its data follows from the kernel, the name and a seed.
type Point struct {
	Name  string
	Plain bool // aligned buffers of its own
	Job   func(round nn.Rounding, seed uint64) (*Job, error)
}

// Notation is how the shapes of an operator are written.
type Notation struct {
	Form  string // for people
	Parse func(k *Kernel, shape string) (Reference, error)
}

// Reference is a call of a kernel by its shape. Vendor is its cost in the vendor's own compiled
// kernels: the instructions they execute for the whole call, counted by running their object code. Cycles
// are never fewer.
type Reference struct {
	Kernel *Kernel
	Shape  string
	Work   int    // as Kernel.Work counts
	Unit   string // what Work counts
	Vendor int    // instructions, 0 when nobody counted them
	Job    func() (*Job, error)
}

// Name identifies the call.
func (r Reference) Name() string { return r.Kernel.Name() + "/" + r.Shape }
