package machine

import (
	"fmt"

	"arcv2dsp/internal/board/config"
	"arcv2dsp/internal/board/devices"
	"arcv2dsp/internal/board/hostio"
	"arcv2dsp/internal/program/elfarc"
	"arcv2dsp/loader"
	"arcv2dsp/memory"
)

// Names of the regions that stand for the convention of a program, not for the core.
const (
	regionDoorbell = "hostlink"
	regionConsole  = "qemu-console"
	regionPower    = "qemu-power"
)

// FamilyOf returns the family of cores that a program is built for, "" when it does not say.
func FamilyOf(im *loader.Image) config.Family {
	if im.Format != loader.FormatELF {
		return ""
	}
	switch im.Flags & elfarc.FlagCPUMask {
	case elfarc.FlagCPUEM:
		return config.EM
	case elfarc.FlagCPUHS:
		return config.HS
	}
	return ""
}

// Detach takes away what the conventions of a program added.
func (b *Board) Detach() {
	for _, name := range []string{regionDoorbell, regionConsole, regionPower} {
		b.mem.Unmap(name)
	}
	b.doorbell, b.console, b.power = nil, nil, nil
}

// AttachHostlink puts a doorbell over the hostlink block of a program. serve is called for each packet and
// reports whether the run ends.
func (b *Board) AttachHostlink(block uint32, serve func(packet uint32) bool) error {
	var words [8]byte
	if err := b.mem.Peek(block+hostio.HostlinkDoorbell, words[:]); err != nil {
		return fmt.Errorf("symbol %s: %w", hostio.HostlinkSymbol, err)
	}
	d := &devices.Doorbell{Serve: serve}
	for i := range 8 {
		d.Words[i/4] |= uint32(words[i]) << (8 * (i % 4))
	}
	err := b.mem.Map(memory.Region{
		Name: regionDoorbell, Kind: memory.Device,
		Base: block + hostio.HostlinkDoorbell, Size: devices.DoorbellSize, Port: d,
	})
	if err != nil {
		return fmt.Errorf("symbol %s: %w", hostio.HostlinkSymbol, err)
	}
	b.doorbell = d
	return nil
}

// PeekDoorbell returns a byte of the doorbell, which is a device to the program and memory to everybody else.
func (b *Board) PeekDoorbell(addr uint32) (v byte, ok bool) {
	if r := b.mem.At(addr); b.doorbell != nil && r != nil && r.Name == regionDoorbell {
		off := addr - r.Base
		return byte(b.doorbell.Words[off/4] >> (8 * (off % 4))), true
	}
	return 0, false
}

// HasDoorbell reports whether a program's hostlink block is served.
func (b *Board) HasDoorbell() bool { return b.doorbell != nil }

// AttachQEMU maps console and power switch of the QEMU boards, where the program, the core's
// memories and its devices leave the addresses free. off is called when the power is switched off.
func (b *Board) AttachQEMU(im *loader.Image, off func()) {
	free := func(base uint32) bool {
		for _, s := range im.Segments {
			if base-s.Addr < uint32(len(s.Data)) || base-s.ZeroAddr < s.Zero {
				return false
			}
		}
		return b.mem.At(base) == nil
	}
	if free(hostio.QEMUConsole) {
		p := &devices.ConsolePort{Console: b.host}
		r := memory.Region{Name: regionConsole, Kind: memory.Device, Base: hostio.QEMUConsole, Size: 4, Port: p}
		if b.mem.Map(r) == nil {
			b.console = p
		}
	}
	if free(hostio.QEMUPower) {
		p := &devices.PowerPort{Off: off}
		r := memory.Region{Name: regionPower, Kind: memory.Device, Base: hostio.QEMUPower, Size: 4, Port: p}
		if b.mem.Map(r) == nil {
			b.power = p
		}
	}
}
