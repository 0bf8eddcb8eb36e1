package machine

import (
	"errors"

	"arcv2dsp/cpu"
	"arcv2dsp/internal/board/hostio"
)

// Calls are the conventions by which the program may ask its host for something.
type Calls struct {
	GNU      bool // swi with the number of a call in r8
	LongSWI  bool // of these only the 32-bit swi; swi_s is left to the program's handlers of exceptions
	Hostlink bool
	QEMU     bool // console and power-off addresses
}

// Syscall is a host call.
type Syscall struct {
	Name   string    // "write"; "hostlink" for a packet of that convention
	Number uint32    // r8; the address of a hostlink packet
	Args   [5]uint32 // r0 to r4
}

func (s *System) syscall(name string, number uint32) Syscall {
	call := Syscall{Name: name, Number: number}
	for i := range call.Args {
		call.Args[i] = s.CPU.Reg(uint8(i))
	}
	return call
}

// swi connects the processor with host I/O.
type swi struct{ s *System }

// SWI implements cpu.Host.
func (w swi) SWI(c *cpu.CPU) (handled, stop bool) {
	s := w.s
	if !s.cfg.Calls.GNU || s.cfg.Calls.LongSWI && !s.atLongSWI() {
		return false, false
	}
	number := c.Reg(8)
	if s.hooks.Syscall != nil {
		if name := s.host.GNUCallName(number); name != "" {
			s.hooks.Syscall(s.syscall(name, number))
		}
	}
	out := s.host.ServeGNU(guest{s})
	if out.Again {
		s.unserved = true
		return true, true
	}
	return out.Known, s.finish(out)
}

// finish notes the outcome of a host call and reports whether the run ends.
func (s *System) finish(out hostio.Outcome) bool {
	if out.Exit {
		s.exited, s.exitCode = true, out.Status
	}
	return out.Exit
}

// atLongSWI reports whether the instruction at PC is the 32-bit swi.
func (s *System) atLongSWI() bool {
	var half [2]byte
	err := s.Mem.Peek(s.CPU.PC, half[:])
	return err == nil && half[1]>>3 < 8 // the major opcode: those below 8 have 32 bits
}

// powerOff is the power switch: the program has ended.
func (s *System) powerOff() {
	s.off = true
	s.endSoon()
}

// endSoon ends the run after the instruction being executed.
func (s *System) endSoon() {
	s.CPU.InstLimit = 0
	s.CPU.Attention()
}

// watch is what looks for texts in the output, nil when there is nothing to look for.
func (s *System) watch() (*hostio.Watch, error) {
	if len(s.cfg.Until) == 0 {
		return nil, nil
	}
	w := &hostio.Watch{Found: func(p *hostio.Pattern) {
		s.found = p
		s.endSoon()
	}}
	for _, u := range s.cfg.Until {
		p, err := hostio.NewPattern(u.Text, u.Status)
		if err != nil {
			return nil, err
		}
		w.Until = append(w.Until, p)
	}
	return w, nil
}

// guest is the system as host I/O sees it.
type guest struct{ s *System }

func (g guest) Reg(n uint8) uint32                  { return g.s.CPU.Reg(n) }
func (g guest) SetReg(n uint8, v uint32)            { g.s.CPU.SetReg(n, v) }
func (g guest) Peek(addr uint32, buf []byte) error  { return g.s.Mem.Peek(addr, buf) }
func (g guest) Poke(addr uint32, data []byte) error { return g.s.Mem.Poke(addr, data) }

// errNoContext is the error of a run without a context: context.Background() is one without an end.
var errNoContext = errors.New("a run needs a context, it is nil")

// errNoProgram is the error of operations that need a program.
var errNoProgram = errors.New("no program is loaded")
