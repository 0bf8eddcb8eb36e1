package arcv2dsp

import (
	"encoding/json"
	"errors"

	"arcv2dsp/internal/devices"
	"arcv2dsp/internal/hostio"
	"arcv2dsp/memory"
)

// Snapshot is a machine at one moment: processor, memory, devices, and what the program had open
// and had read of its host. It does not change, and memory is shared with the machine until either
// writes, so taking one costs little.
type Snapshot struct {
	owner *Machine
	mem   *memory.Snapshot
	mark  hostio.Mark
	state savedState
}

// savedState is a snapshot without memory, in the form in which it stands in a file.
type savedState struct {
	CPU      []byte              `json:"cpu"`
	ICache   []uint32            `json:"icache,omitempty"`
	DCache   []uint32            `json:"dcache,omitempty"`
	Host     hostio.State        `json:"host"`
	UARTs    []devices.UARTState `json:"uarts,omitempty"`
	Devices  []json.RawMessage   `json:"devices,omitempty"`
	Doorbell [2]uint32           `json:"doorbell"`
	Console  uint32              `json:"console"`
	Power    uint32              `json:"power"`
	NextTick uint64              `json:"next_tick"`
	Exited   bool                `json:"exited,omitempty"`
	ExitCode uint32              `json:"exit_code,omitempty"`
	Off      bool                `json:"off,omitempty"`
	Unserved bool                `json:"unserved,omitempty"`
	Pending  uint32              `json:"pending,omitempty"`
}

// ErrSnapshot is the error of restoring a snapshot of another program or core.
var ErrSnapshot = errors.New("the snapshot does not fit")

// Snapshot records the machine as it is.
func (m *Machine) Snapshot() *Snapshot {
	s := &Snapshot{owner: m, mem: m.mem.Snapshot(), mark: m.host.Mark()}
	st := &s.state
	m.saveCore(st)
	st.Host = m.host.State()
	m.saveDevices(st)
	if m.doorbell != nil {
		st.Doorbell = m.doorbell.Words
	}
	if m.console != nil {
		st.Console = m.console.Word
	}
	if m.power != nil {
		st.Power = m.power.Word
	}
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
// Output that the program wrote since is not taken back: a machine that records (see Record) does
// not write it again, another does. Files of the host keep what was written to them.
//
// A snapshot of another machine fits when both have the same core and the same program loaded.
func (m *Machine) Restore(s *Snapshot) error {
	st := &s.state
	if err := m.fitsDevices(st); err != nil {
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
	if err := m.restoreDevices(st); err != nil {
		return err
	}
	if m.doorbell != nil {
		m.doorbell.Words = st.Doorbell
	}
	if m.console != nil {
		m.console.Word = st.Console
	}
	if m.power != nil {
		m.power.Word = st.Power
	}
	m.nextTick = min(st.NextTick, m.cpu.Cycles&^(tickCycles-1)+tickCycles)
	m.exited, m.exitCode, m.off = st.Exited, st.ExitCode, st.Off
	m.unserved, m.pendingPC = st.Unserved, st.Pending
	return nil
}

func (m *Machine) saveCore(st *savedState) {
	st.CPU = m.cpu.SaveState()
	st.ICache, st.DCache = m.cpu.Caches()
}

func (m *Machine) restoreCore(st *savedState) error {
	if err := m.cpu.RestoreState(st.CPU); err != nil {
		return err
	}
	return m.cpu.SetCaches(st.ICache, st.DCache)
}

// adopt restores the core and the guest's files from the state of another machine, all or nothing.
func (m *Machine) adopt(st *savedState) error {
	before := &savedState{}
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

// Record makes the machine remember what the program is told by its host, or forgets it. While it
// records, a run after Restore is told the same again and writes nothing a second time, until it
// does something else than before; that is what running backwards is built on.
func (m *Machine) Record(on bool) { m.host.Record(on) }

// Replaying reports whether the program's next host call will be answered from the recording.
func (m *Machine) Replaying() bool { return m.host.Replaying() }
