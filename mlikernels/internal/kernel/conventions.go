package kernel

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"arcv2dsp/nn"
)

// Conventions are the expectations of a foreign library besides its C interface. The zero value is what callers do:
// they give the strides of outputs and their element types.
type Conventions struct {
	// DSPControl is the value of DSP_CTRL that functions find and leave, nil for any.
	DSPControl *uint32
	// Unaligned says that STATUS32.AD is set: accesses need not be aligned.
	Unaligned bool
	// Bare says that the caller leaves the element types of outputs to the functions.
	Bare bool
	// Spelled says that strides of tensors without holes are written out: a 0 is a stride then.
	Spelled bool
	// Ahead says that functions load from behind tensors, without use.
	Ahead bool
	// Types are the numbers of element types that differ from the collection's, by name.
	Types map[string]uint32
	// Round is the rounding that the library was built for.
	Round nn.Rounding
	// Define gives names that the library wants other than their functions have, with those functions.
	Define map[string]string
	// Given is the settings so far, as Set takes them.
	Given []string
}

// conventionKeys are the settings with their values.
var conventionKeys = map[string]string{
	"dsp_ctrl": "NUMBER", "unaligned": "yes or no", "strides": "zero or spelled", "types": "NAME:NUMBER,...", "round": "convergent or up",
	"define": "NAME:FUNCTION", "outputs": "described or bare", "loads": "inside or ahead",
}

// conventionSets are the settings for the libraries of a compiler, by the name of the compiler.
var conventionSets = map[string][]string{
	"metaware": {"dsp_ctrl=0x17", "unaligned=yes", "strides=spelled", "outputs=described"},
}

// Set sets one convention, KEY=VALUE, or all that a name stands for.
func (c *Conventions) Set(text string) error {
	if set := conventionSets[text]; set != nil {
		for _, one := range set {
			if err := c.setOne(one); err != nil {
				return err
			}
		}
	} else if err := c.setOne(text); err != nil {
		return err
	}
	c.Given = append(c.Given, text)
	return nil
}

func (c *Conventions) setOne(text string) error {
	key, value, ok := strings.Cut(text, "=")
	takes, known := conventionKeys[key]
	if !ok || !known {
		return fmt.Errorf("convention %q: write %s, or KEY=VALUE with one of %s", text,
			strings.Join(slices.Sorted(maps.Keys(conventionSets)), ", "), strings.Join(slices.Sorted(maps.Keys(conventionKeys)), ", "))
	}
	bad := fmt.Errorf("convention %s is %q, it takes %s", key, value, takes)
	choice := func(no, yes string, v *bool) error {
		if value != no && value != yes {
			return bad
		}
		*v = value == yes
		return nil
	}
	switch key {
	case "dsp_ctrl":
		n, err := strconv.ParseUint(value, 0, 32)
		if err != nil {
			return bad
		}
		v := uint32(n)
		c.DSPControl = &v
		return nil
	case "unaligned":
		return choice("no", "yes", &c.Unaligned)
	case "loads":
		return choice("inside", "ahead", &c.Ahead)
	case "outputs":
		return choice("described", "bare", &c.Bare)
	case "strides":
		return choice("zero", "spelled", &c.Spelled)
	case "round":
		for _, r := range []nn.Rounding{nn.Convergent, nn.Up} {
			if value == r.String() {
				c.Round = r
				return nil
			}
		}
		return bad
	}
	for _, pair := range strings.Split(value, ",") {
		name, of, ok := strings.Cut(pair, ":")
		if !ok || name == "" || of == "" {
			return bad
		}
		if key == "define" {
			if c.Define == nil {
				c.Define = map[string]string{}
			}
			c.Define[name] = of
			continue
		}
		n, err := strconv.ParseUint(of, 0, 32)
		if err != nil {
			return bad
		}
		if c.Types == nil {
			c.Types = map[string]uint32{}
		}
		c.Types[name] = uint32(n)
	}
	return nil
}

// TypeNumber is the number of an element type: ours, unless the library has another.
func (c *Conventions) TypeNumber(name string, ours uint32) uint32 {
	if n, ok := c.Types[name]; ok {
		return n
	}
	return ours
}
