package tflite

import (
	"fmt"
	"strconv"
	"strings"
	"sync"

	"arcv2dsp/nn"
)

// Case is a call with the results that it must have.
type Case struct {
	Line int // of the text
	Call *nn.Call
	Want map[string]*nn.Tensor // outputs and states by name
}

// Cases are the calls that were computed on paper.
var Cases = sync.OnceValue(func() []Case {
	ops := map[string]*nn.Operator{}
	for _, op := range Operators() {
		ops[op.Name] = op
	}
	list, err := parseCases(caseText, ops)
	if err != nil {
		panic("nn/internal/golden/tflite: cases.txt: " + err.Error())
	}
	return list
})

// parseCases reads cases. A line names an operator, with attributes as name=value; lines below have its tensors: "in" an
// input, "state" one that the call changes and "then" what it becomes, "out" an output. A tensor is a type, with @scale,zero
// where it has them, a shape and the elements: i8@0.5,-3 2x2 1 2 3 4; "*" stands for none in a scalar's shape.
func parseCases(text string, ops map[string]*nn.Operator) ([]Case, error) {
	var list []Case
	for i, line := range strings.Split(text, "\n") {
		words := strings.Fields(line)
		if len(words) == 0 || words[0][0] == '#' {
			continue
		}
		var err error
		if line[0] != ' ' && line[0] != '\t' {
			c := Case{Line: i + 1, Want: map[string]*nn.Tensor{}}
			c.Call, err = parseCall(words, ops)
			list = append(list, c)
		} else if len(list) == 0 {
			err = fmt.Errorf("a tensor without an operator")
		} else {
			err = list[len(list)-1].tensor(words[0], words[1:])
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", i+1, err)
		}
	}
	return list, nil
}

func parseCall(words []string, ops map[string]*nn.Operator) (*nn.Call, error) {
	c := &nn.Call{Op: ops[words[0]], Attrs: nn.Attrs{}, Rounding: nn.Double}
	if c.Op == nil {
		return c, fmt.Errorf("there is no operator %s", words[0])
	}
	for _, w := range words[1:] {
		name, value, _ := strings.Cut(w, "=")
		spec, ok := c.Op.Attr(name)
		if !ok {
			return c, fmt.Errorf("%s has no attribute %s", words[0], name)
		}
		var err error
		switch spec.Default.(type) {
		case int:
			c.Attrs[name], err = strconv.Atoi(value)
		case bool:
			c.Attrs[name], err = strconv.ParseBool(value)
		case float64:
			c.Attrs[name], err = strconv.ParseFloat(value, 64)
		case nn.Type:
			c.Attrs[name], err = nn.ParseType(value)
		default:
			c.Attrs[name] = value
		}
		if err != nil {
			return c, err
		}
	}
	return c, nil
}

// tensor takes a tensor into the call, or what becomes of one into the results.
func (c *Case) tensor(what string, words []string) error {
	t, err := parseTensor(words)
	if err != nil {
		return err
	}
	in, out := len(c.Call.In), len(c.Call.Out)
	switch what {
	case "in", "state":
		c.Call.In = append(c.Call.In, t)
	case "then":
		c.Want[nn.Names(c.Call.Op.Inputs, in)[in-1]] = t
	case "out":
		c.Call.Out = append(c.Call.Out, &nn.Tensor{Type: t.Type, Shape: t.Shape, Format: t.Format})
		c.Want[nn.Names(c.Call.Op.Outputs, out+1)[out]] = t
	default:
		return fmt.Errorf("%q is no tensor", what)
	}
	return nil
}

func parseTensor(words []string) (*nn.Tensor, error) {
	if len(words) < 2 {
		return nil, fmt.Errorf("a tensor is a type, a shape and elements")
	}
	name, format, scaled := strings.Cut(words[0], "@")
	typ, err := nn.ParseType(name)
	if err != nil {
		return nil, err
	}
	t := &nn.Tensor{Type: typ}
	if scaled {
		scale, zero, _ := strings.Cut(format, ",")
		s, err := strconv.ParseFloat(scale, 32)
		if err != nil {
			return nil, err
		}
		z, err := strconv.ParseInt(zero, 10, 64)
		if err != nil {
			return nil, err
		}
		t.Format = nn.Format{Kind: nn.Scaled, Scales: []float32{float32(s)}, Zeros: []int64{z}}
	}
	if words[1] != "*" {
		for d := range strings.SplitSeq(words[1], "x") {
			n, err := strconv.Atoi(d)
			if err != nil {
				return nil, err
			}
			t.Shape = append(t.Shape, n)
		}
	}
	t.Alloc()
	if len(words)-2 != t.Len() {
		return nil, fmt.Errorf("%d elements, %v has %d", len(words)-2, t.Shape, t.Len())
	}
	for i, w := range words[2:] {
		v, err := strconv.ParseFloat(w, 64)
		if err != nil {
			return nil, err
		}
		if typ.Float() {
			t.Floats[i] = float32(v)
		} else {
			t.Ints[i] = int64(v)
		}
	}
	return t, t.Check()
}
