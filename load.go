package arcv2dsp

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"arcv2dsp/internal/hostio"
	"arcv2dsp/internal/machine"
	"arcv2dsp/loader"
)

// LoadFile loads an ELF or Intel hex file.
func (m *Machine) LoadFile(path string) error {
	im, err := loader.Open(path)
	if err != nil {
		return err
	}
	return m.Load(im)
}

// ErrBigEndian is the error of loading a big-endian program: those are assembled, linked and
// inspected, but not run.
var ErrBigEndian = errors.New("a big-endian program: the simulator runs little-endian code only")

// Load puts a program into memory, resets the core, sets PC to the entry point, and prepares host
// I/O for the conventions the program shows signs of. Memory stays what it was where the program
// does not define it, and the counters go on: call Reset first to start clean.
func (m *Machine) Load(im *loader.Image) error {
	if im.BigEndian {
		return &loader.Error{Name: im.Name, Err: ErrBigEndian}
	}
	if err := m.suit(im); err != nil {
		return err
	}
	if err := im.Load(m.mem); err != nil {
		return err
	}
	m.unload()
	m.image, m.symbols = im, im.Symbols
	m.cpu.Reset()
	if im.HasEntry {
		m.cpu.PC = im.Entry
	}
	if err := m.attachHostlink(); err != nil {
		return &loader.Error{Name: im.Name, Err: err}
	}
	if m.cfg.HostIO.allows(HostQEMU) && m.opts.Core.RAMEverywhere() {
		m.board.AttachQEMU(im, m.powerOff)
	}
	if end, ok := m.lookup("_end"); ok {
		m.host.SetHeapStart(end)
	}
	return m.placeArgs()
}

// suit makes the core fit the program's family, or says that it does not.
func (m *Machine) suit(im *loader.Image) error {
	family := machine.FamilyOf(im)
	if family == "" || family == m.opts.Core.Family {
		return nil
	}
	if m.byProgram {
		return m.build(family)
	}
	m.notice(fmt.Sprintf("%s is built for ARC %s, the core is %s", im.Name, strings.ToUpper(strings.TrimPrefix(string(family), "av2")), m.Core()))
	return nil
}

// Image returns the program, nil when none is loaded.
func (m *Machine) Image() *loader.Image { return m.image }

func (m *Machine) lookup(symbol string) (uint32, bool) {
	if m.symbols == nil {
		return 0, false
	}
	s, ok := m.symbols.Lookup(symbol)
	return s.Addr, ok
}

// attachHostlink serves the hostlink block of a program that has one.
func (m *Machine) attachHostlink() error {
	block, ok := m.lookup(hostio.HostlinkSymbol)
	if !ok || !m.cfg.HostIO.allows(HostMetaWare) {
		return nil
	}
	return m.board.AttachHostlink(block, func(packet uint32) bool {
		if m.hooks.Syscall != nil {
			m.hooks.Syscall(m.syscall("hostlink", packet))
		}
		return m.host.ServeHostlink(m.mem, block, packet)
	})
}

// powerOff ends the run after the instruction being executed.
func (m *Machine) powerOff() {
	m.off = true
	m.cpu.InstLimit = 0
	m.cpu.Attention()
}

// placeArgs gives the program its arguments. A program that was given none and is not linked with newlib
// starts with its registers clear.
func (m *Machine) placeArgs() error {
	args := m.cfg.Args
	if len(args) == 0 {
		args = []string{filepath.Base(m.image.Name)}
	}
	m.host.SetArgs(args)
	if _, newlib := m.lookup("_impure_ptr"); !newlib && len(m.cfg.Args) == 0 {
		return nil
	}
	return m.board.PlaceArgs(m.image, args, m.opts.Core.RAMEverywhere())
}
