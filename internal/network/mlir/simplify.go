package mlir

import "strings"

// simplify removes casts that cancel each other, casts and constants that are there already, and operations without a use.
func simplify(f *Func, o Options) error {
	err := f.Body.rewrite(func(r *rewriter, op *Op) error {
		if before := cancelled(op); before != nil {
			r.replace(op.Results[0], before)
			return nil
		}
		if same := r.twin(op); same != nil {
			r.replace(op.Results[0], same.Results[0])
			return nil
		}
		r.keep(op)
		return nil
	})
	if err != nil {
		return err
	}
	if err := convertConst(f, o); err != nil {
		return err
	}
	f.Body.sweep()
	return nil
}

// cast tells casts apart by all that makes their results.
type cast struct {
	name    string
	operand *Value
	to      string
}

// twin is a cast of the same value to the same type that the block has before this one.
func (r *rewriter) twin(op *Op) *Op {
	if !strings.HasPrefix(op.Name, "quant.") || !strings.HasSuffix(op.Name, "cast") {
		return nil
	}
	c := cast{name: op.Name, operand: op.Operands[0], to: op.Results[0].Type.String()}
	if before := r.casts[c]; before != nil {
		return before
	}
	if r.casts == nil {
		r.casts = map[cast]*Op{}
	}
	r.casts[c] = op
	return nil
}

// cancelled is the value that a cast of a cast returns to, if it does. dcast then qcast to the same type
// returns exactly; qcast then dcast does not, that is the quantization itself.
func cancelled(op *Op) *Value {
	if op.Name != "quant.qcast" && op.Name != "quant.scast" {
		return nil
	}
	inner := op.Operands[0].Def
	if inner == nil {
		return nil
	}
	undone := op.Name == "quant.qcast" && inner.Name == "quant.dcast" || op.Name == "quant.scast" && inner.Name == "quant.scast"
	if !undone || !inner.Operands[0].Type.Equal(op.Results[0].Type) {
		return nil
	}
	return inner.Operands[0]
}

// sweep drops operations whose results nobody uses, last ones first. Operations of unknown dialects may do
// more than compute, and stay.
func (b *Block) sweep() {
	uses := b.uses()
	var kept []*Op
	for i := len(b.Ops) - 1; i >= 0; i-- {
		op := b.Ops[i]
		used := table[op.Name] == nil || len(op.Results) == 0 || len(op.Regions) > 0 || strings.HasSuffix(op.Name, ".return")
		for _, v := range op.Results {
			used = used || uses[v] > 0
		}
		if used {
			kept = append(kept, op)
			continue
		}
		for _, v := range op.Operands {
			uses[v]--
		}
	}
	for i, j := 0, len(kept)-1; i < j; i, j = i+1, j-1 {
		kept[i], kept[j] = kept[j], kept[i]
	}
	b.Ops = kept
}
