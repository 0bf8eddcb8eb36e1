package kernel

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strings"

	"arcv2dsp/internal/term/spelling"
	"arcv2dsp/nn"
)

// Case is a call of a kernel by its name. Its data follows from the kernel, the name and a seed.
type Case struct {
	Kernel *Kernel
	Name   string
	Plain  bool // aligned buffers of its own
	Job    func(round nn.Rounding, seed uint64) (*Job, error)
	// Vendor is the cost in the vendor's own compiled kernels: the instructions they execute for the whole call, counted by
	// running their object code. Cycles are never fewer. It is 0 when nobody counted them.
	Vendor int
}

// FullName identifies the call among those of all kernels.
func (c Case) FullName() string { return c.Kernel.Name() + "/" + c.Name }

// Stream is the second seed of generators whose name has the first one in it.
const Stream = 0x9e3779b97f4a7c15

// NewRand is a generator of its own for every name, so that a case does not change when others are added.
func NewRand(name string, stream uint64) *rand.Rand {
	h := fnv.New64a()
	h.Write([]byte(name))
	return rand.New(rand.NewPCG(h.Sum64(), stream))
}

// Seed is the seed of the data nobody chose one for.
const Seed = 1

// Typical makes the call with the data that it has when nobody chooses, in the first rounding of the kernel.
func (c Case) Typical() (*Job, error) { return c.Job(c.Kernel.Roundings()[0], Seed) }

// Notation is how the shapes of an operator are written.
type Notation struct {
	Form  string // for people
	Parse func(shape string) (Case, error)
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

// Case is the job as a case of a kernel that can be written down.
func (j *Job) Case(k *Kernel) *nn.Case {
	return &nn.Case{Call: j.Call, Kernel: k.Name(), Want: j.Want, Strides: j.Strides}
}

// Work is how much a call computes.
type Work struct {
	Products uint64 // multiply-accumulates at every position of a window, padding included
	Data     uint64 // those of them with an element of the map
	Elements uint64 // of the first output
}

// Work is how much a call of the kernel computes.
func (k *Kernel) Work(c *nn.Call) Work {
	w := Work{Elements: uint64(c.Out[0].Len())}
	if k.Products == nil {
		return w
	}
	w.Products = k.Products(c)
	w.Data = w.Products
	if c.Op.MACs != nil {
		w.Data = uint64(c.Op.MACs(c))
	}
	return w
}

// Amount is the work of a call in the unit of the kernel.
func (k *Kernel) Amount(c *nn.Call) uint64 {
	if w := k.Work(c); k.Unit == MAC {
		return w.Products
	}
	return k.Work(c).Elements
}

// Typical is the case that stands for the kernel: the first of its layers, else the first plain case of its grid whose name
// the row states in part, else the plain one with the most work.
func (k *Kernel) Typical() Case { return k.typical() }

func (k *Kernel) findTypical() Case {
	if len(k.Layers) > 0 {
		return k.Layers[0]
	}
	grid := k.Grid()
	typical, most := grid[0], uint64(0)
	for _, c := range grid {
		if !c.Plain || !strings.Contains(c.Name, k.Stands) {
			continue
		}
		if k.Stands != "" {
			return c
		}
		job, err := c.Typical()
		if err != nil {
			return c // whose job says so
		}
		if n := k.Amount(job.Call); n > most {
			most, typical = n, c
		}
	}
	return typical
}

// Measured are the cases whose cycles are worth a line: the layers, or the typical case where there are none.
func (k *Kernel) Measured() []Case {
	if len(k.Layers) > 0 {
		return k.Layers
	}
	return []Case{k.Typical()}
}

// Find finds a case of the kernel by its name: a layer, a case of the grid, or a shape as the notation writes them. The
// typical one has no name.
func (k *Kernel) Find(name string) (Case, error) {
	if name == "" {
		return k.Typical(), nil
	}
	cases := slices.Concat(k.Layers, k.Grid())
	if i := slices.IndexFunc(cases, func(c Case) bool { return c.Name == name }); i >= 0 {
		return cases[i], nil
	}
	names := make([]string, len(cases))
	for i, c := range cases {
		names[i] = c.Name
	}
	err := fmt.Errorf("%s has no case %q, there is %q", k.Name(), name, cmp.Or(spelling.Nearest(name, names), k.Typical().Name))
	if k.Notation == nil {
		return Case{}, err
	}
	c, wrong := k.Notation.Parse(name)
	if wrong != nil {
		return Case{}, fmt.Errorf("%w; %w", err, wrong)
	}
	return c, nil
}
