package debug

import (
	"errors"
	"fmt"
	"strings"

	"arcv2dsp"
	"arcv2dsp/internal/debug/cexpr"
	"arcv2dsp/internal/program/dwarf"
	"arcv2dsp/internal/program/source"
	"arcv2dsp/loader"
)

// Debugger controls one machine. It is not safe for use by several goroutines at once.
type Debugger struct {
	*cexpr.Language // the expressions of the user

	m      *arcv2dsp.Machine
	opt    Options
	image  *loader.Image
	lines  *dwarf.Info      // nil without line information
	vars   *dwarf.Variables // nil without debug information
	frames *dwarf.Frames    // nil without frame information

	points    []*Point // breakpoints and watchpoints by number
	nextPoint int
	byAddr    map[uint32][]*Point
	inserted  map[uint32]bool // breakpoints the machine has
	watching  bool            // the machine has watchpoints

	exceptions exceptions
	report     func(Progress) // told how far a search is; nil without anybody to tell
	history    history
	origin     moment // where the debugger took over
	last       Stop
	running    bool // between begin and end of a run
	calls      calls

	rtos       system    // the operating system of the program, nil when none is known
	soughtRTOS bool      // it was looked for
	view       *taskView // the task that frames and registers are of; nil is the running one

	stack    []*Frame // of the present moment; nil when it must be found out
	selected int
	hidden   int // inlined calls at the present instruction that the user is still in front of

	sources *source.Files

	checkpoints []*Checkpoint
	nextCheck   int
	since       arcv2dsp.Stats // at the last stop
	ran         arcv2dsp.Stats // from the stop before to the last one
	trace       *activeTrace
	profile     *Profile
	lister      listPlace
}

// Options are the choices of a debugging session.
type Options struct {
	HistoryBytes uint64   // memory for snapshots, 0 is DefaultHistoryBytes
	NoHistory    bool     // no going back; runs at full speed
	SourceDirs   []string // where to look for source files that are not where the compiler found them
	Notice       func(text string)
}

// DefaultHistoryBytes bounds the memory that running backwards needs.
const DefaultHistoryBytes = 256 << 20

// New returns a debugger for a machine with a program. Mistakes in the program's debug information are told to
// Options.Notice; the debugger then does without it.
func New(m *arcv2dsp.Machine, opt Options) (*Debugger, error) {
	im := m.Image()
	if im == nil {
		return nil, errors.New("no program is loaded")
	}
	if opt.Notice == nil {
		opt.Notice = func(string) {}
	}
	if opt.HistoryBytes == 0 {
		opt.HistoryBytes = DefaultHistoryBytes
	}
	d := &Debugger{
		m: m, opt: opt, image: im, nextPoint: 1, nextCheck: 1,
		byAddr: map[uint32][]*Point{}, inserted: map[uint32]bool{},
		sources: source.New(im.Name, opt.SourceDirs),
	}
	debug, err := dwarf.Open(im.Name, im.ELF)
	if err != nil {
		return nil, err
	}
	if d.lines, err = debug.Lines(); err != nil {
		opt.Notice("no source lines: " + err.Error())
	}
	if d.vars, err = debug.Variables(); err != nil {
		opt.Notice("no variables: " + err.Error())
	}
	if d.frames, err = debug.Frames(); err != nil {
		opt.Notice("no call frames: " + err.Error())
	}
	d.Language = cexpr.New(target{d}, d.vars, d.frames)
	d.origin = moment{Position: d.Position(), snap: m.Snapshot(), pinned: true}
	if !opt.NoHistory {
		d.StartHistory()
	}
	d.history.whole = !opt.NoHistory
	d.last = Stop{Stop: arcv2dsp.Stop{Reason: AtStart, PC: m.PC()}}
	d.since = m.Stats()
	return d, nil
}

// Close ends traces and profiles and removes what the debugger put into the machine.
func (d *Debugger) Close() error {
	err := d.StopTrace()
	d.withdraw()
	return err
}

// Program returns the name of the program's file.
func (d *Debugger) Program() string { return d.image.Name }

// HasProgram reports whether the machine had a program when the debugger took over; gdb can load one later.
func (d *Debugger) HasProgram() bool { return len(d.image.Segments) > 0 }

// Core returns the name of the core.
func (d *Debugger) Core() string { return d.m.Core().Name }

// HasLines reports whether the program has source lines.
func (d *Debugger) HasLines() bool { return d.lines != nil }

// PC returns the address of the next instruction.
func (d *Debugger) PC() uint32 { return d.m.PC() }

// Last returns why the program stopped last.
func (d *Debugger) Last() Stop { return d.last }

// Registers returns the core registers, accumulator lanes, pc and status32.
func (d *Debugger) Registers() []Register { return d.m.Registers(arcv2dsp.CoreRegisters) }

// AuxRegisters returns the auxiliary registers that can be read.
func (d *Debugger) AuxRegisters() (list []Register) {
	d.withoutEffect(func() { list = d.m.Registers(arcv2dsp.AuxRegisters) })
	return list
}

// withoutEffect does something and undoes its effect on the machine: even reading a register may have one, as the low half of
// the real-time counter latches the high half for the program.
func (d *Debugger) withoutEffect(do func()) {
	snap := d.m.Snapshot()
	do()
	if err := d.m.Restore(snap); err != nil {
		panic(err) // a snapshot just taken fits
	}
}

// Register is a register with its value.
type Register = arcv2dsp.Register

// Stats are counters of the machine.
type Stats = arcv2dsp.Stats

// Register reads a register by name, of the innermost frame.
func (d *Debugger) Register(name string) (Register, error) {
	return d.m.Register(strings.ToLower(name))
}

// SetRegister writes a register by name.
func (d *Debugger) SetRegister(name string, v uint64) error {
	if err := d.m.SetRegister(strings.ToLower(name), v); err != nil {
		return err
	}
	d.changed()
	return nil
}

// CoreReg reads core register n.
func (d *Debugger) CoreReg(n uint8) uint32 { return d.m.Reg(n) }

// Aux reads an auxiliary register by number.
func (d *Debugger) Aux(addr uint32) (v uint32, ok bool) {
	if addr >= auxRTCFirst && addr <= auxRTCLast {
		d.withoutEffect(func() { v, ok = d.m.Aux(addr) })
		return v, ok
	}
	return d.m.Aux(addr)
}

// The real-time counter, whose registers do something when they are read.
const (
	auxRTCFirst = 0x103
	auxRTCLast  = 0x105
)

// Stats returns the counters, and what was counted between the last two stops.
func (d *Debugger) Stats() (total, ran Stats) { return d.m.Stats(), d.ran }

// Timing returns the core whose cycle table applies, and whether the table is provisional.
func (d *Debugger) Timing() (core string, provisional bool) {
	return d.m.Core().Timing.Core, d.m.Core().Timing.Provisional
}

// changed is called when the user changed the state of the machine: the past can be repeated up to
// here only, and from here on with the change in it.
func (d *Debugger) changed() {
	d.stack, d.view = nil, nil
	if d.m.PC() != d.last.PC {
		d.hidden = 0
	}
	d.history.cut(d)
}

// moved is called when the machine went somewhere.
func (d *Debugger) moved() {
	d.stack, d.selected, d.hidden, d.view = nil, 0, 0, nil
	d.lister = listPlace{}
}

// Symbols returns names that start with a prefix: symbols, globals.
func (d *Debugger) Symbols(prefix string, limit int) []string {
	return d.m.Symbols().WithPrefix(prefix, limit)
}

// Locate writes an address with its symbol: 0x00001234 <main+0x10>.
func (d *Debugger) Locate(addr uint32) string { return d.m.Locate(addr) }

// Symbol describes the symbol that covers an address.
func (d *Debugger) Symbol(addr uint32) string {
	s, off, ok := d.m.Symbols().At(addr)
	switch {
	case !ok:
		return fmt.Sprintf("no symbol at 0x%08x", addr)
	case off == 0:
		return fmt.Sprintf("%s in section %s", s.Name, s.Section)
	}
	return fmt.Sprintf("%s + %d in section %s", s.Name, off, s.Section)
}

// Functions returns the functions whose name contains text, by address.
func (d *Debugger) Functions(text string) []Named {
	var list []Named
	for _, f := range d.m.Symbols().Functions() {
		if strings.Contains(f.Name, text) {
			list = append(list, Named{Name: f.Name, Addr: f.Addr, Size: f.Size})
		}
	}
	return list
}

// Named is a name with a place.
type Named struct {
	Name string
	Addr uint32
	Size uint32
}

// Globals returns the variables outside functions whose name contains text.
func (d *Debugger) Globals(text string) []string {
	var list []string
	for _, name := range d.vars.Globals() {
		if strings.Contains(name, text) {
			list = append(list, name)
		}
	}
	return list
}

// Entry returns the program's entry point.
func (d *Debugger) Entry() (uint32, bool) { return d.image.Entry, d.image.HasEntry }

// Regions returns the memories and devices beside plain RAM.
func (d *Debugger) Regions() []arcv2dsp.Region { return d.m.Regions() }

// Sections returns the sections of the program.
func (d *Debugger) Sections() []Named {
	var list []Named
	for _, s := range d.image.Sections {
		list = append(list, Named{Name: s.Name, Addr: s.Addr, Size: s.Size})
	}
	return list
}

// Settings returns the options of the core, each as name=value.
func (d *Debugger) Settings() []string {
	var list []string
	for _, s := range d.m.Core().Options() {
		list = append(list, fmt.Sprintf("%s=%s", s.Name, s.Value))
	}
	return list
}
