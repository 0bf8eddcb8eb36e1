package golden

import (
	"errors"
	"fmt"
)

// Case is one call of one kernel: its parameters, its inputs by their role ("in", "w", "b",
// "prev_out" ...) and its outputs. An output gives at least the wanted format; when it also has
// data, that is the expected result, which Run does not look at.
type Case struct {
	ID      int
	Lib     string // the library and version whose arithmetic applies, "1.1" for MLI 1.1
	Kernel  string // the function name in that library
	Round   Rounding
	Params  Params
	Tensors map[string]*Tensor
	Status  int    // expected status, 0 = success
	Engine  string // where the expected data comes from
}

// Params are the configuration values of a case by their name in the record format.
type Params struct {
	Ints  map[string]int
	Lists map[string][]int
}

// Int is the value of a parameter, 0 when it is not given.
func (p Params) Int(name string) int { return p.Ints[name] }

// Result is what a kernel must produce.
type Result struct {
	Outputs   map[string]*Tensor
	Overflows []Overflow // accumulators that left their range: the outputs named are not comparable
}

// ErrUnknownKernel is wrapped by Run when no kernel has the case's library and name.
var ErrUnknownKernel = errors.New("unknown kernel")

// Run computes the outputs of a case, rounding as it says.
func Run(c *Case) (Result, error) { return c.RunRound(c.Round) }

// RunRound computes the outputs of a case in the given rounding mode.
func (c *Case) RunRound(r Rounding) (Result, error) {
	k, err := c.kernel()
	if err != nil {
		return Result{}, err
	}
	res, err := k.Exact(c, r)
	if err != nil {
		return Result{}, fmt.Errorf("%s: %w", c.Kernel, err)
	}
	return res, nil
}

// Float computes the outputs of a case in float64, from the values the quantized inputs stand for.
func (c *Case) Float() (map[string][]float64, error) {
	k, err := c.kernel()
	if err != nil {
		return nil, err
	}
	out, err := k.Float(c)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.Kernel, err)
	}
	return out, nil
}

// kernel finds the registry row of the case and checks that all its tensors are there and whole.
func (c *Case) kernel() (Kernel, error) {
	k, ok := Lookup(c.Lib, c.Kernel)
	if !ok {
		return Kernel{}, fmt.Errorf("%w %s of %s", ErrUnknownKernel, c.Kernel, c.Lib)
	}
	for _, name := range k.InputNames(c) {
		t := c.Tensors[name]
		if t == nil {
			return Kernel{}, fmt.Errorf("%s: no tensor %q", c.Kernel, name)
		}
		if err := t.Check(); err != nil {
			return Kernel{}, fmt.Errorf("%s: tensor %q: %w", c.Kernel, name, err)
		}
		if t.Data == nil {
			return Kernel{}, fmt.Errorf("%s: tensor %q has no data", c.Kernel, name)
		}
		if len(t.Shape) == 0 {
			return Kernel{}, fmt.Errorf("%s: tensor %q has no dimensions", c.Kernel, name)
		}
		if want := k.TypeOf(name); t.Type != want {
			return Kernel{}, fmt.Errorf("%s: tensor %q is %s, not %s", c.Kernel, name, t.Type, want)
		}
	}
	for _, name := range k.Outputs {
		if c.Tensors[name] == nil {
			return Kernel{}, fmt.Errorf("%s: no format for output %q", c.Kernel, name)
		}
	}
	return k, nil
}

// maxWork bounds the innermost steps of one case, so that a hostile record cannot occupy the host
// for hours.
const maxWork = 1 << 33

// checkWork fails when the product of the extents is beyond what one case may cost.
func checkWork(extents ...int) error {
	work := 1.0
	for _, e := range extents {
		work *= float64(e)
	}
	if work > maxWork {
		return fmt.Errorf("case needs %.0f steps, at most %d", work, int64(maxWork))
	}
	return nil
}

// outFormat is the wanted format of an output with the element type the kernel writes.
func (c *Case) outFormat(name string, t Type) *Tensor {
	f := *c.Tensors[name]
	f.Type = t
	return &f
}

func (c *Case) one(name string, t *Tensor, over []Overflow) Result {
	return Result{Outputs: map[string]*Tensor{name: t}, Overflows: over}
}
