package machine

import (
	"bytes"
	"fmt"

	"arcv2dsp/internal/board/hostio"
	"arcv2dsp/internal/term/hostfile"
	"arcv2dsp/loader"
	"arcv2dsp/memory"
)

// Snapshot is a system at one moment: processor, memory, devices, and what the program had open
// and had read of its host. It does not change, and memory is shared with the system until either
// writes, so taking one costs little.
type Snapshot struct {
	owner *System
	image *loader.Image // the program, nil when there was none
	mem   *memory.Snapshot
	mark  hostio.Mark
	state State
}

// Snapshot records the system as it is.
func (s *System) Snapshot() *Snapshot {
	now := &Snapshot{owner: s, image: s.Image, mem: s.Mem.Snapshot(), mark: s.host.Mark()}
	st := &now.state
	s.saveCore(st)
	st.Host = s.host.State()
	st.BoardState = s.board.Save()
	st.NextTick = s.nextTick
	st.Exited, st.ExitCode, st.Off = s.exited, s.exitCode, s.off
	st.Unserved, st.Pending = s.unserved, s.pendingPC
	return now
}

// Difference is a page of memory that is not what it was: its address, and its contents then and now.
type Difference struct {
	Addr        uint32
	Before, Now []byte
}

// MemoryChanges lists the pages of memory whose contents differ from those in a snapshot of this system, by
// address.
func (s *System) MemoryChanges(since *Snapshot) ([]Difference, error) {
	var all []Difference
	for _, addr := range s.Mem.Changed(since.mem) {
		d := Difference{Addr: addr, Before: make([]byte, memory.PageSize), Now: make([]byte, memory.PageSize)}
		if page := since.mem.Page(addr); page != nil {
			copy(d.Before, page[:])
		}
		if err := s.Read(addr, d.Now); err != nil {
			return nil, err
		}
		all = append(all, d)
	}
	return all, nil
}

// Restore makes the system what it was. Breakpoints, watchpoints and hooks stay as they are.
func (s *System) Restore(from *Snapshot) error {
	if a, b := s.Image, from.image; a != b && a != nil && b != nil && !bytes.Equal(Digest(a), Digest(b)) {
		return fmt.Errorf("%w: it is one of %s, %s is loaded", ErrSnapshot, b.Name, a.Name)
	}
	st := &from.state
	if err := s.board.Fits(&st.BoardState); err != nil {
		return err
	}
	if from.owner == s {
		if err := s.restoreCore(st); err != nil {
			return err
		}
		s.host.SetState(st.Host)
		s.host.Rewind(from.mark)
	} else if err := s.adopt(st); err != nil {
		return err
	}
	s.Mem.Restore(from.mem)
	if err := s.board.Restore(&st.BoardState); err != nil {
		return err
	}
	s.nextTick = min(st.NextTick, s.CPU.Cycles&^(tickCycles-1)+tickCycles)
	s.exited, s.exitCode, s.off = st.Exited, st.ExitCode, st.Off
	s.unserved, s.pendingPC = st.Unserved, st.Pending
	return nil
}

func (s *System) saveCore(st *State) {
	st.CPU = s.CPU.SaveState()
	st.ICache, st.DCache = s.CPU.Caches()
}

func (s *System) restoreCore(st *State) error {
	if err := s.CPU.RestoreState(st.CPU); err != nil {
		return err
	}
	return s.CPU.SetCaches(st.ICache, st.DCache)
}

// adopt restores the core and the guest's files from the state of another system, all or nothing.
func (s *System) adopt(st *State) error {
	before := &State{}
	s.saveCore(before)
	err := s.restoreCore(st)
	if err == nil {
		err = s.host.Adopt(st.Host)
	}
	if err != nil {
		_ = s.restoreCore(before) // it fits the machine that it is of
	}
	return err
}

// SaveFile writes a snapshot to a file. The file is there completely or not at all.
func (s *System) SaveFile(path string) error {
	if s.Image == nil {
		return errNoProgram
	}
	now := s.Snapshot()
	data, err := EncodeSnapshot(Header{
		Core: s.Options.Core.Template, Settings: s.Options.Effective(), Program: s.Image.Name, Digest: Digest(s.Image),
		Insts: s.CPU.Insts, Cycles: s.CPU.Cycles, State: now.state,
	}, now.mem)
	if err != nil {
		return err
	}
	return hostfile.Write(path, data)
}

// RestoreFile restores a snapshot from a file. The program must be loaded, for its symbols and its
// conventions; core and program must be those of the snapshot.
func (s *System) RestoreFile(path string) error {
	if s.Image == nil {
		return fmt.Errorf("%s: %w", path, errNoProgram)
	}
	h, mem, err := ReadSnapshot(path, s.Mem.Limit(), func(h *Header) error {
		return h.Fits(s.Image, s.Options.Effective(), s.Mem.Limit())
	})
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return s.Restore(&Snapshot{image: s.Image, mem: mem, state: h.State})
}

// Unshared returns how many bytes of memory the snapshot keeps beside those that it shares with
// another one, which may be nil.
func (s *Snapshot) Unshared(other *Snapshot) uint64 {
	const page = 1 << 12
	n := uint64(len(s.state.CPU) + 4*(len(s.state.ICache)+len(s.state.DCache)))
	for _, addr := range s.mem.Addrs() {
		if other == nil || other.mem.Page(addr) != s.mem.Page(addr) {
			n += page
		}
	}
	return n
}

// Untouched reports whether nothing wrote to a range of memory on the way from the snapshot to a later one
// of the same run: a page written to becomes the machine's own from then on. Of devices nothing is known.
func (s *Snapshot) Untouched(later *Snapshot, addr, size uint32) bool {
	for at, last := uint64(addr), uint64(addr)+uint64(max(size, 1))-1; at <= last; at = (at | (memory.PageSize - 1)) + 1 {
		page := uint32(at) &^ (memory.PageSize - 1)
		if s.mem.Page(page) != later.mem.Page(page) {
			return false
		}
	}
	return true
}
