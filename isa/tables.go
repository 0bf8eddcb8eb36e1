package isa

import "sync"

type allTables struct {
	rows   []*Row
	byName map[string][]*Row
	byOp   [NumOps]*Row
	forms  [NumOps][]*Form
}

// tables expands the rows once.
var tables = sync.OnceValue(func() *allTables { return &allTables{byName: map[string][]*Row{}} })
