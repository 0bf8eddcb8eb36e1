package memory

import (
	"runtime"
	"sync/atomic"
	"time"
	"unsafe"
)

// tables are the tables of a view that the exported fields of Space point to. A view takes 17 MB of them and touches
// a few pages, so where the system can map memory that it fills with zeros on demand, they come from there: the heap
// would clear all of them for each new machine and collect garbage twice as often. Compiled code finds all of them by where the first is;
// on some hosts it reaches 16 MB.
type tables struct {
	read  [Pages]uintptr
	kinds [Pages]Kind // the same in all views
	parts Parts       // see KeepPart
	write [Pages]uintptr
}

// Tables are how many bytes from Space.Read on hold Kinds, Parts and Write as well.
const Tables = unsafe.Sizeof(tables{})

// The collector does not see mapped tables and would leave those of a thousand dropped spaces, 17 GB of addresses, until the heap
// has grown. When there are as many as collectAt, new ones collect first.
var (
	mapped    atomic.Int64
	collectAt atomic.Int64
)

// fewTables are so few that none is worth a collection.
const fewTables = 16

// dropTables collects tables that nobody holds any more where there are many. Where there are as many that somebody holds, the next
// time comes when there are twice as many.
func dropTables() {
	if mapped.Load() < max(fewTables, collectAt.Load()) {
		return
	}
	before := mapped.Load()
	runtime.GC() // their spaces give them back, in a goroutine of the runtime
	for range retries {
		if time.Sleep(time.Millisecond); mapped.Load() < before {
			break
		}
	}
	collectAt.Store(2 * mapped.Load())
}

// newTables returns tables of zeros. They are unmapped when s is collected. A pointer to a table does not keep s alive, so
// the user of a table holds the space.
func (s *Space) newTables() *tables {
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
		spaces := int64(0) // views beyond the first are few, and worth no collection
		if len(s.views) == 0 {
			spaces = 1
		}
		mapped.Add(spaces)
		runtime.AddCleanup(s, func(release func()) {
			release()
			mapped.Add(-spaces)
		}, release)
	}
	return t
}
