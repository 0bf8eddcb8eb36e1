package tosa

import (
	"fmt"
	"strings"

	"arcv2dsp/nn"
	golden "arcv2dsp/nn/internal/golden/tosa"
)

// pick reads a file whose version several layouts carry. Enums are numbered differently in them, so that the wrong one
// gives constants too many or too few bytes, operators the attributes of others, and combinations of types that do not
// exist: the layout with the fewest such faults is meant. DEVIATION(294): of equal ones it is the first, 1.0; the others
// stay with the file, for whoever knows more.
func pick(list []*Revision, data []byte, v Version, inJSON bool) (*File, error) {
	var best *File
	least := 0
	var reasons []string
	for _, r := range list {
		f, err := r.read(data, v, inJSON)
		if err == nil {
			err = f.misfit()
		}
		if err != nil {
			reasons = append(reasons, fmt.Sprintf("that of revision %s: %v", r.Name, err))
			continue
		}
		switch faults := f.oddities(); {
		case best == nil || faults < least:
			best, least = f, faults
		case faults == least:
			best.Others = append(best.Others, f)
		}
	}
	if best != nil {
		return best, nil
	}
	return nil, fmt.Errorf("version %s is carried by files of %d layouts, and this one fits none: %s", v, len(list), strings.Join(reasons, "; "))
}

// misfit says what cannot be so in a file of the revision: constants whose bytes are not those of their type and
// shape, attributes of another operator.
func (f *File) misfit() error {
	for _, region := range f.Regions {
		for i := range region.Blocks {
			b := &region.Blocks[i]
			for k := range b.Tensors {
				if err := b.Tensors[k].misfit(); err != nil {
					return fmt.Errorf("tensor %s: %w", b.Tensors[k].Name, err)
				}
			}
			for k, op := range b.Operators {
				if op.attributes != nil && op.attributes.Table != f.Revision.attribute(op.Op) {
					return fmt.Errorf("operator %d %s: its attributes are a %s", k, op.Op, op.attributes.Table.Name)
				}
			}
		}
	}
	return nil
}

// misfit compares the bytes of a constant with those its type and shape need.
func (t *Tensor) misfit() error {
	typ, ok := tensorType(t.Type)
	if !ok || len(t.Data) == 0 {
		return nil
	}
	n := 1
	for _, d := range t.Shape {
		if n *= max(d, 0); n > maxElements {
			return nil
		}
	}
	if need := packedSize(typ, n); len(t.Data) < need || len(t.Data) >= need+dataAlign {
		return fmt.Errorf("%d elements of %s need %d bytes, there are %d", n, typ, need, len(t.Data))
	}
	return nil
}

// oddities counts the operators that have another number of operands than the revision gives them, or that no
// combination of types of theirs fits.
func (f *File) oddities() int {
	n := 0
	for _, region := range f.Regions {
		for i := range region.Blocks {
			b := &region.Blocks[i]
			types := map[string]nn.Type{}
			for _, t := range b.Tensors {
				types[t.Name], _ = tensorType(t.Type)
			}
			for _, op := range b.Operators {
				if spec, ok := golden.Lookup(op.Op); ok && !(f.Revision.takes(spec, &op) && exists(spec, &op, types)) {
					n++
				}
			}
		}
	}
	return n
}

// takes reports whether an operator has as many operands as the revision gives it.
func (r *Revision) takes(spec *golden.Spec, op *Operator) bool {
	n := len(spec.Inputs)
	if n > 0 && spec.Inputs[n-1].Variadic {
		return true
	}
	if op.Op == "TABLE" && r.operandTable() == "" {
		n--
	}
	return len(op.Inputs) == n+len(r.operands[op.Op])
}

// exists reports whether an operator has the combination of its tensors' types.
func exists(spec *golden.Spec, op *Operator, types map[string]nn.Type) bool {
	c := nn.Call{Op: &spec.Operator}
	for i, name := range op.Inputs {
		if i < len(spec.Inputs) {
			c.In = append(c.In, &nn.Tensor{Type: types[name]})
		}
	}
	for _, name := range op.Outputs {
		c.Out = append(c.Out, &nn.Tensor{Type: types[name]})
	}
	if len(c.Out) > len(spec.Outputs) && len(spec.Sets) > 0 {
		return false
	}
	for _, set := range spec.Sets {
		if c.Has(set.Types) {
			return true
		}
	}
	return len(spec.Sets) == 0
}
