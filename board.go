package arcv2dsp

import (
	"encoding/json"
	"fmt"

	"arcv2dsp/internal/config"
	"arcv2dsp/internal/devices"
	"arcv2dsp/memory"
)

// mapDevices puts the devices of the board into memory.
func (m *Machine) mapDevices(list []config.Device) error {
	m.uarts, m.clocked = nil, nil
	m.cpu.OnAlarm = m.expireDevices
	for _, d := range list {
		irq := func(level bool) {
			m.cpu.SetIRQ(int(d.IRQ), level)
			m.cpu.Attention()
		}
		if d.IRQ == 0 {
			irq = nil
		}
		r := memory.Region{Name: d.Name, Kind: memory.Device, Base: d.Base}
		if d.Kind == config.DWUART {
			u := devices.NewUART(m.host, irq)
			r.Size, r.Port = devices.UARTSize, u
			m.uarts = append(m.uarts, u)
		} else {
			c := m.newClocked(d, devices.Board{
				Now: func() uint64 { return m.cpu.Cycles }, Changed: m.armDevices, IRQ: irq, Reset: m.resetBoard,
			})
			r.Size, r.Port = uint64(c.Size()), c
			m.clocked = append(m.clocked, c)
		}
		if err := m.mem.Map(r); err != nil {
			return fmt.Errorf("device %s: %w", d.Name, err)
		}
	}
	m.armDevices()
	return nil
}

// newClocked makes a device that does something by itself.
func (m *Machine) newClocked(d config.Device, b devices.Board) devices.Clocked {
	switch d.Kind {
	case config.DWGPIO:
		var pins []devices.PinChange
		for _, p := range d.Pins {
			pins = append(pins, devices.PinChange(p))
		}
		return devices.NewGPIO(b, pins)
	case config.DWTimer:
		return devices.NewTimer(b)
	case config.DWWDT:
		return devices.NewWatchdog(b)
	}
	return devices.NewRTC(b, m.ClockHz()/uint64(max(d.Hz, 1)))
}

// armDevices has the processor call when the next device wants to do something.
func (m *Machine) armDevices() {
	if len(m.clocked) == 0 {
		return
	}
	next := uint64(devices.Never)
	for _, d := range m.clocked {
		next = min(next, d.Next())
	}
	if next == devices.Never {
		m.cpu.SetAlarm(0)
		return
	}
	m.cpu.SetAlarm(max(next, m.cpu.Cycles+1)) // a damaged snapshot may want the past for ever
}

// expireDevices lets the devices do what is due.
func (m *Machine) expireDevices() {
	now := m.cpu.Cycles
	for _, d := range m.clocked {
		if d.Next() <= now {
			d.Expire()
		}
	}
	m.armDevices()
}

// resetBoard is what a watchdog does: core and devices begin again, memory stays.
func (m *Machine) resetBoard() {
	m.cpu.Reset()
	m.resetDevices()
}

func (m *Machine) resetDevices() {
	for _, u := range m.uarts {
		u.Reset()
	}
	for _, d := range m.clocked {
		d.Reset()
	}
	m.armDevices()
}

// saveDevices is the part of a snapshot that the devices make.
func (m *Machine) saveDevices(st *savedState) {
	for _, u := range m.uarts {
		st.UARTs = append(st.UARTs, u.State())
	}
	for _, d := range m.clocked {
		data, err := d.State()
		if err != nil {
			panic(err) // a state is plain numbers
		}
		st.Devices = append(st.Devices, json.RawMessage(data))
	}
}

// fitsDevices reports whether a snapshot is of a machine with these devices.
func (m *Machine) fitsDevices(st *savedState) error {
	if len(st.UARTs) != len(m.uarts) {
		return fmt.Errorf("%w: it has %d UARTs, the machine %d", ErrSnapshot, len(st.UARTs), len(m.uarts))
	}
	if len(st.Devices) != len(m.clocked) {
		return fmt.Errorf("%w: it has %d devices beside UARTs, the machine %d", ErrSnapshot, len(st.Devices), len(m.clocked))
	}
	return nil
}

// restoreDevices takes the devices over from a snapshot that fits.
func (m *Machine) restoreDevices(st *savedState) error {
	for i, u := range m.uarts {
		u.Adopt(st.UARTs[i])
	}
	for i, d := range m.clocked {
		if err := d.Adopt(st.Devices[i]); err != nil {
			return fmt.Errorf("%w: %w", ErrSnapshot, err)
		}
	}
	m.armDevices()
	return nil
}
