package model

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"arcv2dsp/internal/term/hostfile"
	"arcv2dsp/nn"
)

// Case is a recorded run of a network: inputs, and what the operators computed. Names of tensors:
//
//	input<i>                          input i of the network
//	op_<index>_<OPERATOR>_out<k>      output k of an operator
//	op_<index>_<OPERATOR>_state_in<j> a variable at input j, after the operator ran
//
// With several steps every tensor has one more dimension in front: the runs, without a reset between
// them.
type Case struct {
	Name  string
	Steps int
	place string // before messages, "" where there is no file
	names []string
	load  func(name string) (*nn.Tensor, error)
	cache map[string]*nn.Tensor
	// Undefined says which elements are never written: outside the range of the last dimension.
	Undefined []Undefined
}

// Undefined names an output of which only a range of the last dimension is defined.
type Undefined struct {
	Op      int    `json:"op"`
	Out     int    `json:"out"`
	Defined [2]int `json:"defined_range"`
}

// OpenCase finds a case: a directory with .npy files, or ARCHIVE.npz followed by a directory of the
// archive. Steps is the number of runs, 0 when the arrays tell. Done releases the files.
func OpenCase(path string, steps int) (c *Case, done func() error, err error) {
	if file, inside, ok := strings.Cut(path, ".npz"); ok {
		a, err := nn.OpenNPZ(file + ".npz")
		if err != nil {
			return nil, nil, err
		}
		c, err := ArchiveCase(a, strings.Trim(inside, "/"), steps)
		if err != nil {
			return nil, nil, errors.Join(fmt.Errorf("%s: %w", path, err), a.Close())
		}
		c.place = path + ": "
		return c, a.Close, nil
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, nil, err
	}
	c = &Case{Name: path, place: path + ": ", Steps: steps, cache: map[string]*nn.Tensor{}}
	for _, e := range entries {
		if name, ok := strings.CutSuffix(e.Name(), ".npy"); ok {
			c.names = append(c.names, name)
		}
	}
	c.load = func(name string) (*nn.Tensor, error) { return ReadNPY(filepath.Join(path, name+".npy")) }
	if err := c.check(); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	return c, func() error { return nil }, nil
}

// ArchiveCase is the case in a directory of an archive.
func ArchiveCase(a *nn.NPZ, dir string, steps int) (*Case, error) {
	c := &Case{Name: dir, Steps: steps, cache: map[string]*nn.Tensor{}}
	if dir != "" {
		dir += "/"
	}
	for _, name := range a.Names() {
		if rest, ok := strings.CutPrefix(name, dir); ok && !strings.Contains(rest, "/") {
			c.names = append(c.names, rest)
		}
	}
	c.load = func(name string) (*nn.Tensor, error) { return a.Tensor(dir + name) }
	return c, c.check()
}

// check wants tensors of a case: a network without inputs has outputs of operators alone.
func (c *Case) check() error {
	if !slices.ContainsFunc(c.names, func(name string) bool { return name == inputName(0) || strings.HasPrefix(name, "op_") }) {
		return fmt.Errorf("there is no %s: %w", inputName(0), fs.ErrNotExist)
	}
	return nil
}

func inputName(i int) string { return fmt.Sprintf("input%d", i) }

func outputName(op int, name string, k int) string {
	return fmt.Sprintf("op_%03d_%s_out%d", op, name, k)
}

func stateName(op int, name string, j int) string {
	return fmt.Sprintf("op_%03d_%s_state_in%d", op, name, j)
}

// ReadNPY reads a tensor from a file.
func ReadNPY(path string) (*nn.Tensor, error) {
	data, err := hostfile.Read(path, MaxFile)
	if err != nil {
		return nil, err
	}
	t, err := nn.ParseNPY(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return t, nil
}

// ReadReals reads the shape and the elements of a file as real numbers.
func ReadReals(path string) (shape []int, values []float64, err error) {
	data, err := hostfile.Read(path, MaxFile)
	if err != nil {
		return nil, nil, err
	}
	if shape, values, err = nn.ParseNPYReals(data); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	return shape, values, nil
}

// step is a tensor in one step, nil when the case does not record it.
func (c *Case) step(name string, step int) (*nn.Tensor, error) {
	if !slices.Contains(c.names, name) {
		return nil, nil
	}
	t := c.cache[name]
	if t == nil {
		var err error
		if t, err = c.load(name); err != nil {
			return nil, err
		}
		c.cache[name] = t
	}
	if c.Steps <= 1 {
		return t, nil
	}
	if len(t.Shape) == 0 || t.Shape[0] != c.Steps {
		return nil, fmt.Errorf("%s%s is %v, the first dimension must be the %d steps", c.place, name, t.Shape, c.Steps)
	}
	one := &nn.Tensor{Type: t.Type, Shape: t.Shape[1:]}
	n := one.Len()
	if t.Ints != nil {
		one.Ints = t.Ints[step*n : (step+1)*n]
	}
	if t.Floats != nil {
		one.Floats = t.Floats[step*n : (step+1)*n]
	}
	return one, nil
}

// countSteps finds the number of runs when it is not known: an input with one dimension more than the network
// takes has as many. A network without inputs runs once.
func (c *Case) countSteps(g *nn.Graph) error {
	if c.Steps > 0 {
		return nil
	}
	c.Steps = 1
	if len(g.Inputs) == 0 {
		return nil
	}
	first, err := c.load(inputName(0))
	if err != nil {
		return err
	}
	if len(first.Shape) == len(g.Values[g.Inputs[0]].Tensor.Shape)+1 {
		c.Steps = first.Shape[0]
	}
	return nil
}

// Ends are the inputs of the network in one step, and the recorded outputs of the operators that compute
// its outputs.
func (c *Case) Ends(g *nn.Graph, step int) (in, out []*nn.Tensor, err error) {
	if in, err = c.inputs(g, step); err != nil {
		return nil, nil, err
	}
	for _, v := range g.Outputs {
		i := slices.IndexFunc(g.Nodes, func(n nn.Node) bool { return slices.Contains(n.Out, v) })
		if i < 0 {
			return nil, nil, fmt.Errorf("no operator computes the output %s", g.Values[v].Name)
		}
		name := outputName(i, g.Nodes[i].Op.Name, slices.Index(g.Nodes[i].Out, v))
		t, err := c.step(name, step)
		if err != nil {
			return nil, nil, err
		}
		if t == nil {
			return nil, nil, fmt.Errorf("the case has no %s", name)
		}
		out = append(out, t)
	}
	return in, out, nil
}

// inputs are the inputs of one step.
func (c *Case) inputs(g *nn.Graph, step int) ([]*nn.Tensor, error) {
	list := make([]*nn.Tensor, len(g.Inputs))
	for i := range list {
		t, err := c.step(inputName(i), step)
		if err != nil {
			return nil, err
		}
		if t == nil {
			return nil, fmt.Errorf("case %s has no %s", c.Name, inputName(i))
		}
		list[i] = t
	}
	return list, nil
}
