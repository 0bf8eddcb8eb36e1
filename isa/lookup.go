package isa

import "sync"

// Rows returns every row, ordered by family. The slice is shared: callers must not change it.
func Rows() []*Row { return allRows() }

var allRows = sync.OnceValue(func() []*Row {
	t := tables()
	rows := make([]*Row, len(t.order))
	for i, op := range t.order {
		rows[i] = t.row(op)
	}
	return rows
})

// ByName returns the rows of a mnemonic: one, or two where one mnemonic names two operations (asl
// by one position and asl by any). Their forms together, in this order, are the meanings of the mnemonic.
func ByName(name string) []*Row { return rowsByName()[name] }

var rowsByName = sync.OnceValue(func() map[string][]*Row {
	by := map[string][]*Row{}
	for _, r := range Rows() {
		by[r.Name] = append(by[r.Name], r)
	}
	return by
})

// RowOf returns the row of an instruction; nil for Invalid.
func RowOf(op Op) *Row {
	if op >= NumOps {
		return nil
	}
	return tables().row(op)
}

// Forms returns the encodings of a row in the order of preference of GNU as: the first that the
// operands and suffixes fit is the one to use.
func (r *Row) Forms() []*Form { return tables().formsOf(r.Op) }
