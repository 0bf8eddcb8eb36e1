package machine

import (
	"io"
	"slices"
	"sync"
	"time"

	"arcv2dsp/cpu"
	"arcv2dsp/cpu/fast"
	"arcv2dsp/internal/board/config"
	"arcv2dsp/internal/board/hostio"
	"arcv2dsp/isa"
	"arcv2dsp/loader"
	"arcv2dsp/memory"
)

// System is a core with all around it: memory, board, the services of the host, and the program.
type System struct {
	Options *config.Config
	CPU     *cpu.CPU
	Mem     *memory.Space
	Image   *loader.Image // nil: no program is loaded

	cfg       Config
	use       use
	byProgram bool // the program's e_flags may choose another core
	fast      *fast.Engine
	host      *hostio.Host
	board     *Board
	decoder   *isa.Decoder // of Decode, made when first needed

	told      []string // notices given
	observers []*observer
	hooks     Hooks  // of all observers
	nextTick  uint64 // cycle at which devices look for input again
	exited    bool   // the program asked to end, with exitCode
	exitCode  uint32
	off       bool            // the power switch was used
	found     *hostio.Pattern // the output has it, and the run has still to stop for it
	unserved  bool            // the swi before PC waits for input: its call is still to be served
	pendingPC uint32          // PC while unserved
}

// Config says of what a system is made.
type Config struct {
	Wish
	Engine  Engine
	Calls   Calls
	Memory  uint64           // how many bytes the program may write to
	Wait    map[string]uint8 // extra cycles per access, by memory
	Devices []OwnDevice
	Regions []memory.Region

	Stdin          io.Reader // nil: empty
	Stdout, Stderr io.Writer
	UART           io.ReadWriter // nil: Stdin and Stdout
	FileRoot       string        // directory the program sees as "/"; empty: no file access
	Args           []string
	Until          []Until // texts in the output that end a run
}

// Until is a text in the output that ends a run with a status.
type Until struct {
	Text   string // a regular expression
	Status uint32
}

// New returns a system without a program.
func New(cfg Config) (*System, error) {
	s := &System{cfg: cfg}
	s.cfg.Notice = s.once(cfg.Notice)
	var stdin *hostio.Input
	if cfg.Stdin != nil {
		stdin = hostio.NewInput(cfg.Stdin)
	}
	watch, err := s.watch()
	if err != nil {
		return nil, err
	}
	var line *hostio.Line
	if cfg.UART != nil {
		line = hostio.NewLine(cfg.UART)
	}
	host, err := hostio.New(hostio.Config{
		Stdin: stdin, Line: line, Stdout: cfg.Stdout, Stderr: cfg.Stderr, Root: cfg.FileRoot,
		Args: cfg.Args, Notice: s.cfg.Notice, Now: s.Time, Watch: watch,
	})
	if err != nil {
		return nil, err
	}
	s.host = host
	if err := s.build(""); err != nil {
		_ = host.Close() // the first error counts
		return nil, err
	}
	return s, nil
}

// once returns a function that tells the user something the first time only.
func (s *System) once(notice func(text string)) func(text string) {
	return func(text string) {
		if notice != nil && !slices.Contains(s.told, text) {
			s.told = append(s.told, text)
			notice(text)
		}
	}
}

// build makes core, memory and devices for a program of the given family.
func (s *System) build(family config.Family) error {
	opts, byProgram, err := s.cfg.Options(family)
	if err != nil {
		return err
	}
	mem, err := Space(&opts.Core, s.cfg.Memory)
	if err != nil {
		return err
	}
	for _, r := range mem.Regions() {
		if wait, ok := s.cfg.Wait[r.Name]; ok {
			r.Wait = wait
		}
		if opts.Core.Timing == cpu.TimingOne {
			r.Wait, r.Next = 0, 0
		}
	}
	core, err := cpu.New(Processor(&opts.Core), mem)
	if err != nil {
		return err
	}
	was, wasMem := s.CPU, s.Mem
	s.Options, s.byProgram, s.Mem, s.CPU = opts, byProgram, mem, core
	core.Host = swi{s}
	s.fast, s.decoder = nil, nil
	if s.cfg.Engine != Reference {
		s.SetEngine(s.cfg.Engine)
	}
	s.stopAsConfigured()
	if was != nil {
		s.keepStops(was, wasMem)
		s.rehook()
	}
	for _, r := range s.cfg.Regions {
		if err := mem.Map(r); err != nil {
			return err
		}
	}
	s.board, err = NewBoard(core, mem, s.host, s.ClockHz(), opts.Core.Devices, s.cfg.Devices)
	if err != nil {
		return err
	}
	s.unload()
	return nil
}

// stopAsConfigured makes runs stop at the exceptions that the properties name, and at no others.
func (s *System) stopAsConfigured() {
	s.CPU.StopOn, s.CPU.EnterOn = 0, 0
	if !s.Options.Run.InstructionErrors {
		s.CPU.StopOn |= 1 << cpu.VecInstruction
	}
	if !s.Options.Run.MemoryErrors {
		s.CPU.StopOn |= 1 << cpu.VecMemoryError
	}
}

// keepStops gives a new core and its memory the places and events at which runs of the former ones stop.
func (s *System) keepStops(was *cpu.CPU, mem *memory.Space) {
	for _, addr := range was.Breakpoints() {
		s.CPU.SetBreakpoint(addr)
	}
	s.CPU.StopOn, s.CPU.EnterOn = was.StopOn, was.EnterOn
	s.Mem.SetWatches(mem.Watches())
}

// use is the part of a system that Close shares with a run in another goroutine.
type use struct {
	mu      sync.Mutex
	end     func() // ends the run; nil while nothing runs
	closing bool   // Close came during the run
}

// occupy notes that a run begins. The function it returns ends that, and releases the system when Close came meanwhile.
func (s *System) occupy(end func()) (leave func()) {
	s.use.mu.Lock()
	s.use.end = end
	s.use.mu.Unlock()
	return func() {
		s.use.mu.Lock()
		defer s.use.mu.Unlock()
		s.use.end = nil
		if s.use.closing {
			s.use.closing = false
			_ = s.release() // nobody is left to be told
		}
	}
}

// Close releases what the system holds of its host: files, directories and memory for machine code. It may be called
// during a run in another goroutine, which it ends, and whose end releases. Whoever runs the system nevertheless has the
// block engine.
func (s *System) Close() error {
	s.use.mu.Lock()
	defer s.use.mu.Unlock()
	if s.use.end != nil {
		s.use.closing = true
		s.use.end()
		return nil
	}
	return s.release()
}

func (s *System) release() error {
	if s.fast != nil {
		s.fast.Interpret()
		if s.cfg.Engine == JIT {
			s.cfg.Engine = Fast
		}
	}
	return s.host.Close()
}

// Reset returns the system to its state after New, without making core and devices again.
func (s *System) Reset() {
	s.observers = nil
	s.rehook()
	for _, addr := range s.CPU.Breakpoints() {
		s.CPU.ClearBreakpoint(addr)
	}
	s.stopAsConfigured()
	s.Mem.SetWatches(nil)
	s.Mem.Restore(memory.NewSnapshot())
	s.replaceMemories()
	s.unload()
	s.CPU.EmptyCaches()
	s.CPU.ResetCounters()
	s.CPU.Reset()
	s.CPU.FlushCode()
	s.board.Reset()
	s.host.Reset()
	s.told = nil
}

// replaceMemories puts the closely coupled memories back to where they are after power-on.
func (s *System) replaceMemories() {
	bases := map[string]uint32{}
	for _, r := range memories(&s.Options.Core) {
		bases[r.Name] = r.Base
	}
	if err := s.Mem.Arrange(bases); err != nil {
		panic(err) // they were there when the system was built, and nothing else was mapped since
	}
}

// unload forgets the program and what it made the system do.
func (s *System) unload() {
	s.board.Detach()
	s.Image = nil
	s.exited, s.exitCode, s.off, s.unserved, s.found = false, 0, false, false, nil
	s.nextTick = tickCycles
}

// Time is the guest's time since its start: its cycles at ClockHz.
func (s *System) Time() time.Duration {
	hz, cycles := s.ClockHz(), s.CPU.Cycles
	return time.Duration(cycles/hz)*time.Second + time.Duration(cycles%hz*uint64(time.Second)/hz)
}

// ClockHz is the clock of the core, by which the guest's time follows from its cycles: 100 MHz unless the
// property clock or a board says otherwise.
func (s *System) ClockHz() uint64 { return uint64(s.Options.Core.Clock) * 1_000_000 }

// CyclesOf is how many cycles of a clock a time takes, at least one.
func CyclesOf(t time.Duration, hz uint64) uint64 {
	const sec = uint64(time.Second)
	whole, part := uint64(t)/sec, uint64(t)%sec
	return max(whole*hz+part*hz/sec, 1)
}

// Record makes the host remember what it tells the program, for runs after Restore, or forget it.
func (s *System) Record(on bool) {
	if on {
		s.host.Record()
	} else {
		s.host.StopRecording()
	}
}
