package mlir

// Module is a list of functions.
type Module struct {
	Funcs []*Func
}

// Func is a function of one block; a declaration has none.
type Func struct {
	Name    string
	Private bool
	Results []Type
	Params  []*Value // of a declaration; a body has them itself
	Body    *Block
	Pos     Pos
}

// Block is a list of operations. Its last one returns.
type Block struct {
	Args []*Value
	Ops  []*Op
}

// Op is an operation.
type Op struct {
	Name     string
	Operands []*Value
	Results  []*Value
	Attrs    Attrs
	Regions  []*Block
	Pos      Pos
}

// Value is an argument of a block or a result of an operation.
type Value struct {
	Type Type
	Def  *Op // nil for an argument
}

// Arguments are the parameters of the function, with or without a body.
func (f *Func) Arguments() []*Value {
	if f.Body != nil {
		return f.Body.Args
	}
	return f.Params
}

// newOp makes an operation with results of the given types.
func newOp(pos Pos, name string, operands []*Value, attrs Attrs, results ...Type) *Op {
	op := &Op{Name: name, Operands: operands, Attrs: attrs, Pos: pos}
	for _, t := range results {
		op.Results = append(op.Results, &Value{Type: t, Def: op})
	}
	return op
}

// rewriter rebuilds a block, operation by operation.
type rewriter struct {
	out []*Op
	now map[*Value]*Value // what stands for a value from here on
	// casts are the casts emitted so far; simplify looks for pairs among them.
	casts map[cast]*Op
}

// rewrite passes every operation to visit, operands already renewed. visit emits what is to be in the block;
// emitting nothing for an operation needs a replacement for each result that is used.
func (b *Block) rewrite(visit func(r *rewriter, op *Op) error) error {
	r := &rewriter{now: map[*Value]*Value{}}
	for _, op := range b.Ops {
		for i, v := range op.Operands {
			op.Operands[i] = r.renewed(v)
		}
		for _, region := range op.Regions {
			if err := region.rewrite(visit); err != nil {
				return err
			}
		}
		if err := visit(r, op); err != nil {
			return err
		}
	}
	b.Ops = r.out
	return nil
}

func (r *rewriter) renewed(v *Value) *Value {
	for r.now[v] != nil {
		v = r.now[v]
	}
	return v
}

// keep emits an operation as it is.
func (r *rewriter) keep(op *Op) { r.out = append(r.out, op) }

// emit adds an operation with one result.
func (r *rewriter) emit(pos Pos, name string, t Type, attrs Attrs, operands ...*Value) *Value {
	op := newOp(pos, name, operands, attrs, t)
	r.out = append(r.out, op)
	return op.Results[0]
}

// replace lets a value stand for another one in everything that follows.
func (r *rewriter) replace(old, by *Value) {
	if by = r.renewed(by); by != old {
		r.now[old] = by
	}
}

// uses counts the uses of every value in the block and the regions in it.
func (b *Block) uses() map[*Value]int {
	n := map[*Value]int{}
	var count func(*Block)
	count = func(b *Block) {
		for _, op := range b.Ops {
			for _, v := range op.Operands {
				n[v]++
			}
			for _, region := range op.Regions {
				count(region)
			}
		}
	}
	count(b)
	return n
}
