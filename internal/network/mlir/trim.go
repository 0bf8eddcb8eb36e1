package mlir

// trimCasts moves casts at the borders of a function to its callers: an argument that is quantized at once
// and otherwise unused is taken quantized, a result that was dequantized last is given as it was before.
func trimCasts(f *Func, _ Options) error {
	uses := f.Body.uses()
	err := f.Body.rewrite(func(r *rewriter, op *Op) error {
		switch {
		case op.Name == "quant.qcast" && op.Operands[0].Def == nil && uses[op.Operands[0]] == 1 && isArgument(f, op.Operands[0]):
			op.Operands[0].Type = op.Results[0].Type
			r.replace(op.Results[0], op.Operands[0])
			return nil
		case op.Name == "func.return":
			for i, v := range op.Operands {
				if v.Def != nil && v.Def.Name == "quant.dcast" {
					op.Operands[i] = v.Def.Operands[0]
					f.Results[i] = op.Operands[i].Type
				}
			}
		}
		r.keep(op)
		return nil
	})
	f.Body.sweep()
	return err
}

func isArgument(f *Func, v *Value) bool {
	for _, arg := range f.Body.Args {
		if arg == v {
			return true
		}
	}
	return false
}
