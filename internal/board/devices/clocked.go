package devices

import (
	"encoding/json"
	"fmt"

	"arcv2dsp/memory"
)

// Clocked is a device that does something by itself, in cycles that follow from what the guest has told
// it: between two such cycles nothing happens, and what it counts is worked out when it is read.
type Clocked interface {
	memory.Port
	Next() uint64 // the next cycle in which it does something; Never
	Expire()      // does what is due
	Reset()       // the state after power-on
	State() ([]byte, error)
	Adopt(state []byte) error // a state of State; the interrupt line is the processor's to remember
}

// Block is a device of the configuration.
type Block interface {
	Clocked
	Size() uint32 // bytes of address space
}

// Never is the cycle of what does not happen.
const Never = ^uint64(0)

// Board is a device's view of its surroundings.
type Board struct {
	Now     func() uint64    // the present cycle
	Changed func()           // Next has changed
	IRQ     func(level bool) // the interrupt line; nil when it is not connected
	Reset   func()           // resets core and devices
}

// irqLine is an interrupt line of a device.
type irqLine struct{ level bool }

// drive tells the board when the level changes.
func (l *irqLine) drive(b *Board, level bool) {
	if level != l.level && b.IRQ != nil {
		b.IRQ(level)
	}
	l.level = level
}

// whole gives 32-bit registers to accesses of any size: a narrower one reads a part and writes nothing, as
// the buses of these devices have no byte lanes.
func whole(offset, size uint32, read func(reg uint32) uint32) (uint32, bool) {
	return part(read(offset&^3), offset, size), true
}

// adopt reads a state that State has made.
func adopt[S any](what string, data []byte, to *S) error {
	var s S
	if err := json.Unmarshal(data, &s); err != nil {
		return fmt.Errorf("state of a %s: %w", what, err)
	}
	*to = s
	return nil
}
