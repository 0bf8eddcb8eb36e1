package mlir

// normalizeTypes gives every quantized type its simplest form.
func normalizeTypes(f *Func, _ Options) error {
	simple := func(t Type) Type {
		if t.Elem.Quant == nil {
			return t
		}
		return t.With(quantized(t.Elem.Quant.Normalized()))
	}
	var block func(*Block)
	block = func(b *Block) {
		for _, v := range b.Args {
			v.Type = simple(v.Type)
		}
		for _, op := range b.Ops {
			for _, v := range op.Results {
				v.Type = simple(v.Type)
			}
			for _, region := range op.Regions {
				block(region)
			}
		}
	}
	block(f.Body)
	for i, t := range f.Results {
		f.Results[i] = simple(t)
	}
	return nil
}

// stripFuncTypes lets a function take and give stored integers; casts at its borders keep the inside as it
// is.
func stripFuncTypes(f *Func, _ Options) error {
	strip := func(t Type) Type {
		if t.Elem.Quant == nil {
			return t
		}
		return t.With(storage(*t.Elem.Quant))
	}
	var casts []*Op
	inside := map[*Value]*Value{}
	for _, v := range f.Body.Args {
		if v.Type.Elem.Quant == nil {
			continue
		}
		before := v.Type
		v.Type = strip(v.Type)
		cast := newOp(f.Pos, "quant.scast", []*Value{v}, nil, before)
		inside[v] = cast.Results[0]
		casts = append(casts, cast)
	}
	var swap func(*Block)
	swap = func(b *Block) {
		for _, op := range b.Ops {
			for i, v := range op.Operands {
				if now := inside[v]; now != nil {
					op.Operands[i] = now
				}
			}
			for _, region := range op.Regions {
				swap(region)
			}
		}
	}
	swap(f.Body)
	for i, t := range f.Results {
		f.Results[i] = strip(t)
	}
	f.Body.Ops = append(casts, f.Body.Ops...)
	return f.Body.rewrite(func(r *rewriter, op *Op) error {
		if op.Name == "func.return" {
			for i, v := range op.Operands {
				if v.Type.Elem.Quant != nil {
					op.Operands[i] = r.emit(op.Pos, "quant.scast", strip(v.Type), nil, v)
				}
			}
		}
		r.keep(op)
		return nil
	})
}
