package isa

// Rows returns every row, ordered by family. The slice is shared: callers must not change it.
func Rows() []*Row { return tables().rows }

// ByName returns the rows of a mnemonic: one, or two where one mnemonic names two operations (asl
// by one position and asl by any). Their forms together, in this order, are the meanings of the mnemonic.
func ByName(name string) []*Row { return tables().byName[name] }

// RowOf returns the row of an instruction; nil for Invalid.
func RowOf(op Op) *Row {
	if op >= NumOps {
		return nil
	}
	return tables().byOp[op]
}

// Forms returns the encodings of a row in the order of preference of GNU as: the first that the
// operands and suffixes fit is the one to use.
func (r *Row) Forms() []*Form {
	t := tables()
	of := t.of[r.Op]
	for _, s := range t.specs[of.first:of.end] {
		t.major(s.major(r))
	}
	return t.all[of.first:of.end:of.end]
}
