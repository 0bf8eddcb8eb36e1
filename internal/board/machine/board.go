package machine

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"arcv2dsp/cpu"
	"arcv2dsp/internal/board/config"
	"arcv2dsp/internal/board/devices"
	"arcv2dsp/internal/board/hostio"
	"arcv2dsp/memory"
)

// Board is all around the core: the devices of its configuration, those of an embedder, and what the host
// conventions of a program add.
type Board struct {
	cpu  *cpu.CPU
	mem  *memory.Space
	host *hostio.Host

	uarts    []*devices.UART
	clocked  []devices.Clocked
	doorbell *devices.Doorbell
	console  *devices.ConsolePort
	power    *devices.PowerPort
}

// OwnDevice is a device of an embedder.
type OwnDevice struct {
	Name string
	Base uint32
	Size uint32
	IRQ  int // vector of its interrupt; 0: none
	New  func(devices.Board) devices.Clocked
}

// NewBoard puts the devices of the configuration and those of an embedder into memory.
func NewBoard(c *cpu.CPU, mem *memory.Space, host *hostio.Host, clock uint64, list []config.Device, own []OwnDevice) (*Board, error) {
	b := &Board{cpu: c, mem: mem, host: host}
	c.OnAlarm = b.expire
	for _, d := range list {
		if err := b.add(d, clock); err != nil {
			return nil, fmt.Errorf("device %s: %w", d.Name, err)
		}
	}
	for _, d := range own {
		if first, n := cpu.VecFirstIRQ, int(c.Config.Interrupts); d.IRQ != 0 && (d.IRQ < first || d.IRQ >= first+n) {
			return nil, fmt.Errorf("device %s: the core has no interrupt %d, its interrupts are %d to %d", d.Name, d.IRQ, first, first+n-1)
		}
		k := d.New(b.surroundings(uint32(d.IRQ)))
		if k == nil {
			return nil, fmt.Errorf("device %s: New made none", d.Name)
		}
		r := memory.Region{Name: d.Name, Kind: memory.Device, Base: d.Base, Size: uint64(d.Size), Port: k}
		if err := mem.Map(r); err != nil {
			return nil, fmt.Errorf("device %s: %w", d.Name, err)
		}
		b.clocked = append(b.clocked, k)
	}
	b.arm()
	return b, nil
}

// add puts a device of the configuration into memory, or among the auxiliary registers.
func (b *Board) add(d config.Device, clock uint64) error {
	r := memory.Region{Name: d.Name, Kind: memory.Device, Base: d.Base}
	if d.Kind == config.DWUART {
		var line devices.Console = b.host
		if d.Silent {
			line = devices.Unconnected{}
		}
		u := devices.NewUART(line, b.irq(d.IRQ))
		r.Size, r.Port = devices.UARTSize, u
		b.uarts = append(b.uarts, u)
	} else {
		k, err := newBlock(d, b.surroundings(d.IRQ), clock)
		if err != nil {
			return err
		}
		r.Size, r.Port = uint64(k.Size()), k
		b.clocked = append(b.clocked, k)
	}
	if d.Aux {
		return b.cpu.MapAux(r.Base, uint32(r.Size), r.Port)
	}
	return b.mem.Map(r)
}

// irq returns the function that drives an interrupt line, nil for none.
func (b *Board) irq(number uint32) func(level bool) {
	if number == 0 {
		return nil
	}
	return func(level bool) {
		b.cpu.SetIRQ(int(number), level)
		b.cpu.Attention()
	}
}

func (b *Board) surroundings(irq uint32) devices.Board {
	return devices.Board{
		Now: func() uint64 { return b.cpu.Cycles }, Changed: b.arm, IRQ: b.irq(irq), Reset: b.reset,
	}
}

// newBlock makes a device that does something by itself.
func newBlock(d config.Device, at devices.Board, clock uint64) (devices.Block, error) {
	switch d.Kind {
	case config.DWGPIO:
		var pins []devices.PinChange
		for _, p := range d.Pins {
			pins = append(pins, devices.PinChange(p))
		}
		return devices.NewGPIO(at, pins), nil
	case config.DWTimer:
		return devices.NewTimer(at), nil
	case config.DWWDT:
		return devices.NewWatchdog(at), nil
	case config.DWRTC:
		return devices.NewRTC(at, clock/uint64(max(d.Hz, 1))), nil
	case config.Bank:
		return devices.NewBank(d.Size, d.Reads), nil
	}
	return nil, fmt.Errorf("the board has no %s", d.Kind)
}

// arm has the processor call when the next device wants to do something.
func (b *Board) arm() {
	if len(b.clocked) == 0 {
		return
	}
	next := uint64(devices.Never)
	for _, d := range b.clocked {
		next = min(next, d.Next())
	}
	if next == devices.Never {
		b.cpu.SetAlarm(0)
		return
	}
	b.cpu.SetAlarm(max(next, b.cpu.Cycles+1)) // a damaged snapshot may want the past for ever
}

// expire lets the devices do what is due.
func (b *Board) expire() {
	now := b.cpu.Cycles
	for _, d := range b.clocked {
		if d.Next() <= now {
			d.Expire()
		}
	}
	b.arm()
}

// reset is a reset by a watchdog: core and devices begin again, memory stays.
func (b *Board) reset() {
	b.cpu.Reset()
	b.Reset()
}

// Reset brings the devices to their state after power-on.
func (b *Board) Reset() {
	for _, u := range b.uarts {
		u.Reset()
	}
	for _, d := range b.clocked {
		d.Reset()
	}
	b.arm()
}

// Tick lets devices look for input.
func (b *Board) Tick() {
	for _, u := range b.uarts {
		u.Tick()
	}
}

// AwaitInput is called when the core sleeps until a device wakes it. It waits for input when a
// device would interrupt for it, and reports whether the core may wake.
func (b *Board) AwaitInput(done <-chan struct{}) bool {
	return slices.ContainsFunc(b.uarts, func(u *devices.UART) bool { return u.Waiting() && b.host.AwaitInput(done) && u.Tick() })
}

// BoardState is the part of a snapshot that the devices make.
type BoardState struct {
	UARTs    []devices.UARTState `json:"uarts,omitempty"`
	Devices  []json.RawMessage   `json:"devices,omitempty"`
	Doorbell [2]uint32           `json:"doorbell"`
	Console  uint32              `json:"console"`
	Power    uint32              `json:"power"`
}

// Save returns the state of the devices.
func (b *Board) Save() BoardState {
	var st BoardState
	for _, u := range b.uarts {
		st.UARTs = append(st.UARTs, u.State())
	}
	for _, d := range b.clocked {
		data, err := d.State()
		if err != nil {
			panic(err) // a state is plain numbers
		}
		st.Devices = append(st.Devices, json.RawMessage(data))
	}
	if b.doorbell != nil {
		st.Doorbell = b.doorbell.Words
	}
	if b.console != nil {
		st.Console = b.console.Word
	}
	if b.power != nil {
		st.Power = b.power.Word
	}
	return st
}

// ErrSnapshot is the error of restoring a snapshot of another program or core.
var ErrSnapshot = errors.New("the snapshot does not fit")

// Fits reports whether a snapshot is of a board with these devices.
func (b *Board) Fits(st *BoardState) error {
	if len(st.UARTs) != len(b.uarts) {
		return fmt.Errorf("%w: it has %d UARTs, the machine %d", ErrSnapshot, len(st.UARTs), len(b.uarts))
	}
	if len(st.Devices) != len(b.clocked) {
		return fmt.Errorf("%w: it has %d devices beside UARTs, the machine %d", ErrSnapshot, len(st.Devices), len(b.clocked))
	}
	return nil
}

// Restore takes the devices over from a snapshot that fits.
func (b *Board) Restore(st *BoardState) error {
	for i, u := range b.uarts {
		u.Adopt(st.UARTs[i])
	}
	for i, d := range b.clocked {
		if err := d.Adopt(st.Devices[i]); err != nil {
			return fmt.Errorf("%w: %w", ErrSnapshot, err)
		}
	}
	b.arm()
	if b.doorbell != nil {
		b.doorbell.Words = st.Doorbell
	}
	if b.console != nil {
		b.console.Word = st.Console
	}
	if b.power != nil {
		b.power.Word = st.Power
	}
	return nil
}
