package arcv2dsp

import (
	"errors"
	"fmt"
	"path/filepath"

	"arcv2dsp/internal/config"
	"arcv2dsp/internal/devices"
	"arcv2dsp/internal/hostio"
	"arcv2dsp/loader"
	"arcv2dsp/memory"
)

// Names of the regions that stand for the convention of a program, not for the core.
const (
	regionDoorbell = "hostlink"
	regionConsole  = "qemu-console"
	regionPower    = "qemu-power"
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
	m.attachQEMU()
	if end, ok := m.lookup("_end"); ok {
		m.host.SetHeapStart(end)
	}
	return m.placeArgs()
}

// The processor in e_flags.
const (
	flagsCPU = 0xff
	flagsEM  = 5
	flagsHS  = 6
)

// suit makes the core fit the program's family, or says that it does not.
func (m *Machine) suit(im *loader.Image) error {
	family, name := config.Family(""), ""
	switch im.Flags & flagsCPU {
	case flagsEM:
		family, name = config.EM, "EM"
	case flagsHS:
		family, name = config.HS, "HS"
	}
	if im.Format != loader.FormatELF || family == "" || family == m.opts.Core.Family {
		return nil
	}
	if m.byProgram {
		return m.build(family)
	}
	m.notice(fmt.Sprintf("%s is built for ARC %s, the core is %s", im.Name, name, m.Core()))
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

// attachHostlink puts a doorbell over the hostlink block of a program that has one.
func (m *Machine) attachHostlink() error {
	block, ok := m.lookup(hostio.HostlinkSymbol)
	if !ok || !m.cfg.HostIO.allows(MetaWare) {
		return nil
	}
	var words [8]byte
	if err := m.mem.Peek(block+hostio.HostlinkDoorbell, words[:]); err != nil {
		return fmt.Errorf("symbol %s: %w", hostio.HostlinkSymbol, err)
	}
	d := &devices.Doorbell{}
	for i := range 8 {
		d.Words[i/4] |= uint32(words[i]) << (8 * (i % 4))
	}
	d.Serve = func(packet uint32) bool {
		if m.hooks.Syscall != nil {
			m.hooks.Syscall(m.syscall("hostlink", packet))
		}
		return m.host.ServeHostlink(m.mem, block, packet)
	}
	err := m.mem.Map(memory.Region{
		Name: regionDoorbell, Kind: memory.Device,
		Base: block + hostio.HostlinkDoorbell, Size: devices.DoorbellSize, Port: d,
	})
	if err != nil {
		return fmt.Errorf("symbol %s: %w", hostio.HostlinkSymbol, err)
	}
	m.doorbell = d
	return nil
}

// attachQEMU maps console and power switch of the QEMU boards, where the program, the core's
// memories and its devices leave the addresses free.
func (m *Machine) attachQEMU() {
	if !m.cfg.HostIO.allows(QEMU) || !m.opts.Core.RAMEverywhere() {
		return
	}
	free := func(base uint32) bool {
		for _, s := range m.image.Segments {
			if base-s.Addr < uint32(len(s.Data)) || base-s.ZeroAddr < s.Zero {
				return false
			}
		}
		return m.mem.At(base) == nil
	}
	if free(hostio.QEMUConsole) {
		p := &devices.ConsolePort{Console: m.host}
		r := memory.Region{Name: regionConsole, Kind: memory.Device, Base: hostio.QEMUConsole, Size: 4, Port: p}
		if m.mem.Map(r) == nil {
			m.console = p
		}
	}
	if free(hostio.QEMUPower) {
		p := &devices.PowerPort{Off: m.powerOff}
		r := memory.Region{Name: regionPower, Kind: memory.Device, Base: hostio.QEMUPower, Size: 4, Port: p}
		if m.mem.Map(r) == nil {
			m.power = p
		}
	}
}

// powerOff ends the run after the instruction being executed.
func (m *Machine) powerOff() {
	m.off = true
	m.cpu.InstLimit = 0
	m.cpu.Attention()
}

// placeArgs puts argv where the program has nothing and leaves argc in r0, argv in r1 and a stack
// below in sp, as start files of programs with GNU I/O expect them. A program that was given no
// arguments and is not linked with newlib starts with its registers clear.
func (m *Machine) placeArgs() error {
	args := m.cfg.Args
	if len(args) == 0 {
		args = []string{filepath.Base(m.image.Name)}
	}
	m.host.SetArgs(args)
	if _, newlib := m.lookup("_impure_ptr"); !newlib && len(m.cfg.Args) == 0 {
		return nil
	}
	size := uint32(len(hostio.ArgBlock(0, args)))
	if size > maxArgs {
		return fmt.Errorf("the arguments take %d bytes, at most %d are possible", size, maxArgs)
	}
	addr, ok := m.argsRoom(size)
	if !ok {
		if len(args) > 1 {
			return fmt.Errorf("there is no memory for the %d bytes of arguments", size)
		}
		return nil
	}
	if err := m.mem.Poke(addr, hostio.ArgBlock(addr, args)); err != nil {
		return err
	}
	m.cpu.SetReg(0, uint32(len(args)))
	m.cpu.SetReg(1, addr)
	m.cpu.SetReg(28, addr)
	return nil
}

const (
	maxArgs = 128 << 10

	// stackRoom is kept free below the arguments for programs that do not set up a stack.
	stackRoom = 1 << 20
)

// argsRoom finds memory for argv that neither the program's image nor the heap and stack its
// linker script sets aside lay claim to.
func (m *Machine) argsRoom(size uint32) (addr uint32, ok bool) {
	var top uint64
	for _, s := range m.image.Segments {
		top = max(top, uint64(s.Addr)+uint64(len(s.Data)), uint64(s.ZeroAddr)+uint64(s.Zero))
	}
	for _, name := range []string{"_end", "__stack_top", "__end_heap", "__bss_end"} {
		if a, ok := m.lookup(name); ok {
			top = max(top, uint64(a))
		}
	}
	if m.opts.Core.RAMEverywhere() {
		at := (top+stackRoom+0xffff)&^0xffff - uint64(size+7)&^7
		if r := m.mem.At(uint32(at)); at+uint64(size) < 1<<32 && r == nil {
			return uint32(at), true
		}
	}
	// In a restricted memory: the end of the region that holds the most of the data.
	for _, name := range []string{"dccm", "iccm"} {
		r := m.mem.Region(name)
		if r == nil {
			continue
		}
		at := (r.End() - uint64(size)) &^ 7
		if top <= at || top > r.End() || top <= uint64(r.Base) {
			return uint32(at), true
		}
	}
	return 0, false
}
