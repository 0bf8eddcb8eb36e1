package arcv2dsp

import (
	"encoding/json"
	"fmt"

	"arcv2dsp/internal/board/devices"
	"arcv2dsp/internal/board/machine"
	"arcv2dsp/memory"
)

// Device is a device of the embedder's own: registers in guest memory, and what it does by itself.
//
// A device keeps no time and asks the host for nothing: its answers follow from its state, the guest's
// accesses and the cycle. Then a run can be repeated, cut, continued from a snapshot and walked backwards.
// A device without a clock of its own embeds Passive.
type Device interface {
	// ReadPort and WritePort are the guest's accesses.
	memory.Port

	// Next returns the cycle in which the device next does something by itself; Never for none. It may
	// have passed: then the device acts as soon as it can.
	Next() uint64
	// Expire does what is due.
	Expire()
	// Reset brings the device to its state after power-on.
	Reset()

	// State returns all that the device remembers, and Adopt takes a state of State over. Snapshots keep
	// states; the level of the interrupt line is the processor's to keep.
	State() []byte
	Adopt(state []byte) error
}

// Never is the cycle of an event that does not come.
const Never = devices.Never

// Passive is a device that does nothing by itself. A device that embeds it adds ReadPort, WritePort, State and
// Adopt, and Reset when it remembers anything.
type Passive struct{}

// Next implements Device.
func (Passive) Next() uint64 { return Never }

// Expire implements Device.
func (Passive) Expire() {}

// Reset implements Device.
func (Passive) Reset() {}

// Peripheral places a device on the board.
type Peripheral struct {
	Name string
	Base uint32 // address of its first register
	Size uint32 // bytes of address space
	IRQ  int    // vector of its interrupt, 16 or more; 0: none
	// New makes the device. It is called when the machine is made, and again when a program needs another
	// core.
	New func(Board) Device
}

// Board is the part of the machine that a device sees.
type Board struct {
	// Now returns the present cycle.
	Now func() uint64
	// Changed tells the machine that Next would return something else now.
	Changed func()
	// Interrupt drives the interrupt line; without an IRQ it does nothing.
	Interrupt func(level bool)
	// Reset resets core and devices; memory stays.
	Reset func()
}

// Region is a memory or a device. In Config.Regions it is memory of the embedder's own beside that of the core.
type Region struct {
	Name   string
	Base   uint32 // in Config.Regions a multiple of 4096, as Size
	Size   uint64 // bytes
	Wait   uint8  // extra cycles of an access
	Next   uint8  // extra cycles of each word after the first in a burst
	ROM    bool   // programs cannot write it
	Waits  string // of a memory of the board, where its wait states are from: given, published or assumed
	Device bool   // a device of the core, of its board or of the program's conventions; see Config.Devices for others
}

// Contains reports whether an address is in the region.
func (r Region) Contains(addr uint32) bool { return addr >= r.Base && uint64(addr-r.Base) < r.Size }

// ownDevices translates the embedder's devices.
func ownDevices(list []Peripheral) ([]machine.OwnDevice, error) {
	own := make([]machine.OwnDevice, len(list))
	for i, p := range list {
		if p.New == nil {
			return nil, fmt.Errorf("device %s: New is nil", p.Name)
		}
		own[i] = machine.OwnDevice{Name: p.Name, Base: p.Base, Size: p.Size, IRQ: p.IRQ, New: func(b devices.Board) devices.Clocked {
			if b.IRQ == nil {
				b.IRQ = func(bool) {}
			}
			d := p.New(Board{Now: b.Now, Changed: b.Changed, Interrupt: b.IRQ, Reset: b.Reset})
			if d == nil {
				return nil
			}
			return ownDevice{Device: d}
		}}
	}
	return own, nil
}

// ownDevice keeps the state of a device as snapshots do: as JSON.
type ownDevice struct{ Device }

func (d ownDevice) State() ([]byte, error) { return json.Marshal(d.Device.State()) }

func (d ownDevice) Adopt(text []byte) error {
	var state []byte
	if err := json.Unmarshal(text, &state); err != nil {
		return err
	}
	return d.Device.Adopt(state)
}
