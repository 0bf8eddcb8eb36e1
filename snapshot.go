package arcv2dsp

import (
	"fmt"

	"arcv2dsp/internal/board/machine"
)

// Snapshot is a machine at one moment: processor, memory, devices, the open files of the program
// and the input it had read. It does not change. It shares memory with the machine until one of
// them writes, so taking one costs little.
type Snapshot struct{ s *machine.Snapshot }

// empty tells whether a snapshot is none that Machine.Snapshot has made.
func (s *Snapshot) empty() bool { return s == nil || s.s == nil }

var errNoSnapshot = fmt.Errorf("%w: it is empty, Machine.Snapshot makes one", ErrSnapshot)

// ErrSnapshot is the error of restoring a snapshot of another program or core.
var ErrSnapshot = machine.ErrSnapshot

// Snapshot records the machine as it is.
func (m *Machine) Snapshot() *Snapshot { return &Snapshot{m.sys.Snapshot()} }

// Difference is a page of memory that has changed: its address, and its contents then and now.
type Difference struct {
	Addr        uint32
	Before, Now []byte
}

// MemoryChanges lists the pages of memory whose contents differ from those in a snapshot of this
// machine, in the order of their addresses.
func (m *Machine) MemoryChanges(since *Snapshot) ([]Difference, error) {
	if since.empty() {
		return nil, errNoSnapshot
	}
	pages, err := m.sys.MemoryChanges(since.s)
	var all []Difference
	for _, p := range pages {
		all = append(all, Difference(p))
	}
	return all, err
}

// Restore returns the machine to the moment of a snapshot. Breakpoints, watchpoints and hooks stay
// as they are.
//
// Output that the program wrote since is not taken back: a machine that records (see Record) does
// not write it again, another does. Files of the host keep what was written to them.
//
// A snapshot of another machine fits when both have the same core and the same program loaded.
func (m *Machine) Restore(s *Snapshot) error {
	if s.empty() {
		return errNoSnapshot
	}
	return m.sys.Restore(s.s)
}

// SaveFile writes a snapshot to a file. The file is there completely or not at all.
func (m *Machine) SaveFile(path string) error { return m.sys.SaveFile(path) }

// RestoreFile restores a snapshot from a file. The program must be loaded, for its symbols and its
// conventions; core and program must be those of the snapshot.
func (m *Machine) RestoreFile(path string) error { return m.sys.RestoreFile(path) }

// Record makes the machine record the answers of the host to the program, or ends that and forgets them. While it
// records, a run after Restore gets the recorded answers and writes no output a second time, until it asks for
// something else than before. Running backwards is built on that.
func (m *Machine) Record(on bool) { m.sys.Record(on) }

// Unshared returns the number of bytes of memory that the snapshot does not share with another one,
// which may be nil.
func (s *Snapshot) Unshared(other *Snapshot) uint64 {
	if other == nil {
		return s.s.Unshared(nil)
	}
	return s.s.Unshared(other.s)
}

// Untouched reports whether nothing wrote to a range of memory on the way from the snapshot to a
// later one of the same run: a page that is written to is no longer shared. Devices are not
// considered.
func (s *Snapshot) Untouched(later *Snapshot, addr, size uint32) bool {
	return s.s.Untouched(later.s, addr, size)
}
