package memory

import (
	"runtime"
	"time"
)

// tables are the tables of a space that the exported fields of Space point to. A space takes 17 MB of them and touches
// a few pages, so where the system can map memory that it fills with zeros on demand, they come from there: the heap
// would clear all of them for each new machine and collect garbage twice as often.
type tables struct {
	read, write [Pages]uintptr
	kinds       [Pages]Kind
}

// newTables gives s tables of zeros. They are unmapped when s is collected. A pointer to a table does not keep s alive, so
// the user of a table holds the space.
func (s *Space) newTables() {
	t, release := mapTables()
	for range retries {
		if t != nil {
			break
		}
		runtime.GC() // spaces that nobody holds any more give theirs back, in a goroutine of the runtime
		time.Sleep(time.Millisecond)
		t, release = mapTables()
	}
	if t == nil {
		t = new(tables)
	} else {
		runtime.AddCleanup(s, func(release func()) { release() }, release)
	}
	s.Read, s.Write, s.Kinds = &t.read, &t.write, &t.kinds
}
