package arcv2dsp

import (
	"fmt"

	"arcv2dsp/internal/hostfile"
	"arcv2dsp/internal/hostio"
	"arcv2dsp/internal/machine"
	"arcv2dsp/memory"
)

// Snapshot is a machine at one moment: processor, memory, devices, and what the program had open
// and had read of its host. It does not change, and memory is shared with the machine until either
// writes, so taking one costs little.
type Snapshot struct {
	owner *Machine
	mem   *memory.Snapshot
	mark  hostio.Mark
	state machine.State
}

// ErrSnapshot is the error of restoring a snapshot of another program or core.
var ErrSnapshot = machine.ErrSnapshot

// Snapshot records the machine as it is.
func (m *Machine) Snapshot() *Snapshot {
	s := &Snapshot{owner: m, mem: m.mem.Snapshot(), mark: m.host.Mark()}
	st := &s.state
	m.saveCore(st)
	st.Host = m.host.State()
	st.BoardState = m.board.Save()
	st.NextTick = m.nextTick
	st.Exited, st.ExitCode, st.Off = m.exited, m.exitCode, m.off
	st.Unserved, st.Pending = m.unserved, m.pendingPC
	return s
}

// Difference is a page of memory that is not what it was: its address, and its contents then and now.
type Difference struct {
	Addr        uint32
	Before, Now []byte
}

// MemoryChanges lists the pages of memory whose contents differ from those in a snapshot of this machine, by
// address.
func (m *Machine) MemoryChanges(since *Snapshot) ([]Difference, error) {
	var all []Difference
	for _, addr := range m.mem.Changed(since.mem) {
		d := Difference{Addr: addr, Before: make([]byte, memory.PageSize), Now: make([]byte, memory.PageSize)}
		if page := since.mem.Page(addr); page != nil {
			copy(d.Before, page[:])
		}
		if err := m.ReadMemory(addr, d.Now); err != nil {
			return nil, err
		}
		all = append(all, d)
	}
	return all, nil
}

// Restore makes the machine what it was. Breakpoints, watchpoints and hooks stay as they are.
//
// Output that the program wrote since is not taken back: a machine that records (see StartRecording) does
// not write it again, another does. Files of the host keep what was written to them.
//
// A snapshot of another machine fits when both have the same core and the same program loaded.
func (m *Machine) Restore(s *Snapshot) error {
	st := &s.state
	if err := m.board.Fits(&st.BoardState); err != nil {
		return err
	}
	if s.owner == m {
		if err := m.restoreCore(st); err != nil {
			return err
		}
		m.host.SetState(st.Host)
		m.host.Rewind(s.mark)
	} else if err := m.adopt(st); err != nil {
		return err
	}
	m.mem.Restore(s.mem)
	if err := m.board.Restore(&st.BoardState); err != nil {
		return err
	}
	m.nextTick = min(st.NextTick, m.cpu.Cycles&^(tickCycles-1)+tickCycles)
	m.exited, m.exitCode, m.off = st.Exited, st.ExitCode, st.Off
	m.unserved, m.pendingPC = st.Unserved, st.Pending
	return nil
}

func (m *Machine) saveCore(st *machine.State) {
	st.CPU = m.cpu.SaveState()
	st.ICache, st.DCache = m.cpu.Caches()
}

func (m *Machine) restoreCore(st *machine.State) error {
	if err := m.cpu.RestoreState(st.CPU); err != nil {
		return err
	}
	return m.cpu.SetCaches(st.ICache, st.DCache)
}

// adopt restores the core and the guest's files from the state of another machine, all or nothing.
func (m *Machine) adopt(st *machine.State) error {
	before := &machine.State{}
	m.saveCore(before)
	err := m.restoreCore(st)
	if err == nil {
		err = m.host.Adopt(st.Host)
	}
	if err != nil {
		_ = m.restoreCore(before) // it fits the machine that it is of
	}
	return err
}

// SaveFile writes a snapshot to a file. The file is there completely or not at all.
func (m *Machine) SaveFile(path string) error {
	if m.image == nil {
		return errNoProgram
	}
	s := m.Snapshot()
	data, err := machine.EncodeSnapshot(machine.Header{
		Core: m.Core(), Settings: m.opts.Effective(), Program: m.image.Name, Digest: machine.Digest(m.image),
		Insts: m.cpu.Insts, Cycles: m.cpu.Cycles, State: s.state,
	}, s.mem)
	if err != nil {
		return err
	}
	return hostfile.Write(path, data)
}

// RestoreFile restores a snapshot from a file. The program must be loaded, for its symbols and its
// conventions; core and program must be those of the snapshot.
func (m *Machine) RestoreFile(path string) error {
	if m.image == nil {
		return fmt.Errorf("%s: %w", path, errNoProgram)
	}
	h, mem, err := machine.ReadSnapshot(path, m.mem.Limit(), func(h *machine.Header) error {
		return h.Fits(m.image, m.opts.Effective(), m.mem.Limit())
	})
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return m.Restore(&Snapshot{mem: mem, state: h.State})
}

// StartRecording makes the machine remember what the program is told by its host. While it records, a run
// after Restore is told the same again and writes nothing a second time, until it does something else than
// before; running backwards is built on that.
func (m *Machine) StartRecording() { m.host.Record(true) }

// StopRecording ends the recording and forgets it.
func (m *Machine) StopRecording() { m.host.Record(false) }

// Replaying reports whether the program's next host call will be answered from the recording.
func (m *Machine) Replaying() bool { return m.host.Replaying() }

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
