package nn

import (
	"cmp"
	"context"
	"errors"
	"fmt"
)

// Call is one use of an operator: attributes, inputs and outputs in the order of the operator's ports.
// An absent optional input is nil. Outputs come with type, shape and format, or get them from the
// operator's shape rule; Run fills in their elements.
type Call struct {
	Op    *Operator
	Attrs Attrs
	In    []*Tensor
	Out   []*Tensor
	// Watch, if not nil, notes how near the call comes to the limits of its types.
	Watch *Watch
	// Rounding is the arithmetic the library was built with, where it has a choice.
	Rounding Rounding
}

// Input is the tensor of a role, nil when it is absent.
func (c *Call) Input(role string) *Tensor { return byRole(c.Op.Inputs, c.In, role) }

// Output is the tensor of a role.
func (c *Call) Output(role string) *Tensor { return byRole(c.Op.Outputs, c.Out, role) }

func byRole(ports []Port, tensors []*Tensor, role string) *Tensor {
	for i, p := range ports {
		if p.Role == role && i < len(tensors) {
			return tensors[i]
		}
	}
	return nil
}

// Prepare fills in the defaults of absent attributes, checks the call, and gives the outputs their
// shapes. Errors of the library's rules are of kind *Violation where the library tells outcomes apart.
func (c *Call) Prepare() error {
	if err := c.prepare(); err != nil {
		return fmt.Errorf("%s: %w", c.Op.Name, err)
	}
	return nil
}

func (c *Call) prepare() error {
	if err := c.fillAttrs(); err != nil {
		return err
	}
	if err := checkPorts("input", c.Op.Inputs, c.In); err != nil {
		return err
	}
	if err := c.checkTypes(); err != nil {
		return err
	}
	if c.Op.Shapes == nil { // the outputs come with the call, and Check may look at them
		if err := checkPorts("output", c.Op.Outputs, c.Out); err != nil {
			return err
		}
	}
	if c.Op.Check != nil {
		if err := c.Op.Check(c); err != nil {
			return err
		}
	}
	if c.Op.Shapes != nil {
		if err := c.Op.Shapes(c); err != nil {
			return err
		}
	}
	return checkPorts("output", c.Op.Outputs, c.Out)
}

func (c *Call) fillAttrs() error {
	given := c.Attrs
	c.Attrs = Attrs{}
	for name, v := range given {
		spec, ok := c.Op.Attr(name)
		if !ok {
			return fmt.Errorf("there is no attribute %s", name)
		}
		if err := spec.check(v); err != nil {
			return err
		}
		c.Attrs[name] = v
	}
	for _, spec := range c.Op.Attrs {
		if _, ok := c.Attrs[spec.Name]; ok {
			continue
		}
		if spec.Required {
			return fmt.Errorf("attribute %s is missing", spec.Name)
		}
		c.Attrs[spec.Name] = spec.Default
	}
	return nil
}

// CheckPorts checks that a call has the tensors that its operator takes and returns: what looks at them before the whole call
// is checked relies on that.
func (c *Call) CheckPorts() error {
	return cmp.Or(checkPorts("input", c.Op.Inputs, c.In), checkPorts("output", c.Op.Outputs, c.Out))
}

// checkPorts compares tensors with ports and checks each tensor itself.
func checkPorts(what string, ports []Port, tensors []*Tensor) error {
	last := len(ports) - 1
	if len(tensors) > len(ports) && (last < 0 || !ports[last].Variadic) {
		return fmt.Errorf("%d %ss, at most %d", len(tensors), what, len(ports))
	}
	for i, p := range ports {
		if (i >= len(tensors) || tensors[i] == nil) && !p.Optional && !p.Variadic {
			return fmt.Errorf("%s %s is missing", what, p.Role)
		}
	}
	for i, t := range tensors {
		if t == nil {
			continue
		}
		if err := t.Check(); err != nil {
			return fmt.Errorf("%s %s: %w", what, ports[min(i, last)].Role, err)
		}
	}
	return nil
}

// checkTypes looks for a signature that the call has.
func (c *Call) checkTypes() error {
	if c.Op.Types == nil {
		return nil
	}
	for _, s := range c.Op.Types {
		if c.Has(s) {
			return nil
		}
	}
	var got Signature
	for _, t := range append(c.In[:len(c.In):len(c.In)], c.Out...) {
		if t != nil {
			got = append(got, t.Type)
		}
	}
	return &Violation{Outcome: Error, Condition: "types", Detail: fmt.Sprintf("no combination of types %v, there is %v", got, c.Op.Types)}
}

// Has reports whether the types of the call are those of a signature.
func (c *Call) Has(s Signature) bool {
	fits := func(ports []Port, tensors []*Tensor, s Signature) bool {
		for i, t := range tensors {
			want := s[min(i, len(ports)-1)]
			if t != nil && t.Type != NoType && want != NoType && t.Type != want {
				return false
			}
		}
		return true
	}
	n := len(c.Op.Inputs)
	return fits(c.Op.Inputs, c.In, s[:n]) && fits(c.Op.Outputs, c.Out, s[n:])
}

// CheckElements checks the elements of the inputs of a prepared call.
func (c *Call) CheckElements() error {
	if c.Op.CheckElements == nil {
		return nil
	}
	if err := c.Op.CheckElements(c); err != nil {
		return fmt.Errorf("%s: %w", c.Op.Name, err)
	}
	return nil
}

// Run checks the elements of a prepared call and computes the outputs with the golden function.
func (c *Call) Run() error {
	if err := c.CheckElements(); err != nil {
		return err
	}
	return c.compute(func(g *Graph, inputs []*Tensor) ([]*Tensor, error) {
		return NewSession(g, GoldenExecutor{}).Run(context.Background(), inputs)
	})
}

// compute runs the golden function, or the graphs of an operator of control flow.
func (c *Call) compute(run RunGraph) (err error) {
	for _, t := range c.Out {
		if t != nil {
			t.Alloc()
		}
	}
	if c.Op.Control != nil {
		err = c.Op.Control(c, run)
	} else {
		err = c.Op.Golden(c)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", c.Op.Name, err)
	}
	return nil
}

// Outcome is the way in which a call or a graph ends.
type Outcome uint8

// The outcomes. A call that breaks a rule whose breach the library leaves undefined is unpredictable;
// unpredictable dominates error.
const (
	Valid Outcome = iota
	Error
	Unpredictable
)

func (o Outcome) String() string {
	return [...]string{Valid: "valid", Error: "error", Unpredictable: "unpredictable"}[o]
}

// Violation is a rule of the library that a call breaks.
type Violation struct {
	Outcome   Outcome // Error or Unpredictable
	Condition string  // the rule's name
	Detail    string  // the values
}

func (v *Violation) Error() string {
	if v.Outcome == Unpredictable {
		return fmt.Sprintf("unpredictable: %s: %s", v.Condition, v.Detail)
	}
	return fmt.Sprintf("%s: %s", v.Condition, v.Detail)
}

// OutcomeOf is the outcome that an error of Prepare or Run stands for.
func OutcomeOf(err error) Outcome {
	if err == nil {
		return Valid
	}
	var v *Violation
	if errors.As(err, &v) {
		return v.Outcome
	}
	return Error
}
