package devices

import "encoding/json"

// GPIO is a DesignWare block of four ports of 32 pins, of which port A interrupts. The levels from outside at the
// pins of port A are a schedule by cycles, so that it comes again at the same instruction.
type GPIO struct {
	board Board
	line  irqLine
	pins  []PinChange
	s     GPIOState
}

// PinChange is the level of the pins of port A from a cycle on.
type PinChange struct {
	Cycle uint64
	Pins  uint32
}

const gpioPorts = 4

// GPIOState is the memory of a block of ports.
type GPIOState struct {
	Data      [gpioPorts]uint32 `json:"data"`
	Direction [gpioPorts]uint32 `json:"direction"` // 1: output
	Hardware  [gpioPorts]uint32 `json:"hardware"`  // 1: controlled by another device
	Enable    uint32            `json:"enable"`
	Mask      uint32            `json:"mask"`
	Edge      uint32            `json:"edge"`     // 1: by an edge, else by the level
	Polarity  uint32            `json:"polarity"` // 1: high or rising
	Debounce  uint32            `json:"debounce"`
	Sync      uint32            `json:"sync"`
	Latched   uint32            `json:"latched"` // edges that have come
	Pins      uint32            `json:"pins"`    // of port A from outside
	Changes   int               `json:"changes"` // of the schedule that have been
}

const (
	gpioPort     = 0x0c // from port to port: data, direction, control
	gpioEnable   = 0x30
	gpioMask     = 0x34
	gpioEdge     = 0x38
	gpioPolarity = 0x3c
	gpioStatus   = 0x40
	gpioRaw      = 0x44
	gpioDebounce = 0x48
	gpioEOI      = 0x4c
	gpioExternal = 0x50
	gpioSync     = 0x60
	gpioVersion  = 0x6c

	gpioVersionNumber = 0x3231302a // 2.10*
)

// NewGPIO returns a block of ports with a schedule of port A, by rising cycles.
func NewGPIO(b Board, pins []PinChange) *GPIO { return &GPIO{board: b, pins: pins} }

// Size implements Block.
func (g *GPIO) Size() uint32 { return 0x80 }

// Reset implements Clocked. The levels from outside stay.
func (g *GPIO) Reset() {
	g.s = GPIOState{}
	g.Expire()
}

// State implements Clocked.
func (g *GPIO) State() ([]byte, error) { return json.Marshal(g.s) }

// Adopt implements Clocked.
func (g *GPIO) Adopt(state []byte) error {
	err := adopt("GPIO", state, &g.s)
	g.s.Changes = min(max(g.s.Changes, 0), len(g.pins))
	g.line.level = g.raw()&^g.s.Mask != 0
	return err
}

// Next implements Clocked.
func (g *GPIO) Next() uint64 {
	if g.s.Changes >= len(g.pins) {
		return Never
	}
	return g.pins[g.s.Changes].Cycle
}

// Expire implements Clocked.
func (g *GPIO) Expire() {
	for now := g.board.Now(); g.Next() <= now; {
		before := g.external(0)
		g.s.Pins = g.pins[g.s.Changes].Pins
		g.s.Changes++
		g.latch(before)
	}
	g.update()
}

// external is the level of the pins of a port.
func (g *GPIO) external(port uint32) uint32 {
	v := g.s.Data[port] & g.s.Direction[port]
	if port == 0 {
		v |= g.s.Pins &^ g.s.Direction[0]
	}
	return v
}

// latch notes the edges between two values of port A.
func (g *GPIO) latch(before uint32) {
	now := g.external(0)
	rose, fell := now&^before, before&^now
	g.s.Latched |= (rose&g.s.Polarity | fell&^g.s.Polarity) & g.sources() & g.s.Edge
}

// sources are the pins that can interrupt: inputs that are enabled.
func (g *GPIO) sources() uint32 { return g.s.Enable &^ g.s.Direction[0] &^ g.s.Hardware[0] }

// raw has the interrupts before they are masked.
func (g *GPIO) raw() uint32 {
	level := ^(g.external(0) ^ g.s.Polarity)
	return g.sources() & (g.s.Edge&g.s.Latched | level&^g.s.Edge)
}

func (g *GPIO) update() { g.line.drive(&g.board, g.raw()&^g.s.Mask != 0) }

// ReadPort implements memory.Port.
func (g *GPIO) ReadPort(offset, size uint32) (uint32, bool) { return whole(offset, size, g.read) }

func (g *GPIO) read(reg uint32) uint32 {
	g.Expire()
	switch {
	case reg < gpioPort*gpioPorts:
		return *g.portRegister(reg)
	case reg >= gpioExternal && reg < gpioExternal+4*gpioPorts:
		return g.external((reg - gpioExternal) / 4)
	}
	switch reg {
	case gpioStatus:
		return g.raw() &^ g.s.Mask
	case gpioRaw:
		return g.raw()
	case gpioVersion:
		return gpioVersionNumber
	}
	if r := g.register(reg); r != nil {
		return *r
	}
	return 0
}

// portRegister is a register of a port.
func (g *GPIO) portRegister(reg uint32) *uint32 {
	port := reg / gpioPort
	switch reg % gpioPort {
	case 0:
		return &g.s.Data[port]
	case 4:
		return &g.s.Direction[port]
	}
	return &g.s.Hardware[port]
}

// register is a register that keeps what is written to it, nil when there is none.
func (g *GPIO) register(reg uint32) *uint32 {
	switch reg {
	case gpioEnable:
		return &g.s.Enable
	case gpioMask:
		return &g.s.Mask
	case gpioEdge:
		return &g.s.Edge
	case gpioPolarity:
		return &g.s.Polarity
	case gpioDebounce:
		return &g.s.Debounce
	case gpioSync:
		return &g.s.Sync
	}
	return nil
}

// WritePort implements memory.Port.
func (g *GPIO) WritePort(offset, size, value uint32) bool {
	if size != 4 {
		return true
	}
	g.Expire()
	before := g.external(0)
	switch r := g.register(offset); {
	case offset < gpioPort*gpioPorts:
		*g.portRegister(offset) = value
		g.latch(before)
	case offset == gpioEOI:
		g.s.Latched &^= value
	case r != nil:
		*r = value
		g.s.Latched &= g.s.Enable // an edge counts only while its pin is enabled
	}
	g.update()
	return true
}
