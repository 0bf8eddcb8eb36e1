package machine

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"arcv2dsp/internal/board/hostio"
	"arcv2dsp/loader"
)

// ErrBigEndian is the error of loading a big-endian program.
var ErrBigEndian = errors.New("a big-endian program: the simulator runs little-endian code only")

// Load puts a program into memory, resets the core, sets PC to the entry point, and prepares host
// I/O for the conventions the program shows signs of. Memory stays what it was where the program
// does not define it, and the counters go on: call Reset first to start clean.
func (s *System) Load(im *loader.Image) error {
	if im == nil {
		return errNoProgram
	}
	if im.BigEndian {
		return &loader.Error{Name: im.Name, Err: ErrBigEndian}
	}
	if err := s.suit(im); err != nil {
		return err
	}
	if err := im.Load(s.Mem); err != nil {
		return err
	}
	s.unload()
	s.Image = im
	s.CPU.Reset()
	if im.HasEntry {
		s.CPU.PC = im.Entry
	}
	if err := s.attachHostlink(); err != nil {
		return &loader.Error{Name: im.Name, Err: err}
	}
	if s.cfg.Calls.QEMU && s.Options.Core.RAMEverywhere() {
		s.board.AttachQEMU(im, s.powerOff)
	}
	if end, ok := s.Lookup("_end"); ok {
		s.host.SetHeapStart(end)
	}
	return s.placeArgs()
}

// suit makes the core fit the program's family, or says that it does not.
func (s *System) suit(im *loader.Image) error {
	family := FamilyOf(im)
	if family == "" || family == s.Options.Core.Family {
		return nil
	}
	if s.byProgram {
		return s.build(family)
	}
	s.cfg.Notice(fmt.Sprintf("%s is built for ARC %s, the core is %s", im.Name, strings.ToUpper(strings.TrimPrefix(string(family), "av2")), s.Options.Core.Template))
	return nil
}

// Symbols returns the symbols of the program, none when there is no program.
func (s *System) Symbols() *loader.Symbols {
	if s.Image == nil || s.Image.Symbols == nil {
		return &loader.Symbols{}
	}
	return s.Image.Symbols
}

// Lookup returns the address of a symbol.
func (s *System) Lookup(symbol string) (addr uint32, ok bool) {
	found, ok := s.Symbols().Lookup(symbol)
	return found.Addr, ok
}

// attachHostlink serves the hostlink block of a program that has one.
func (s *System) attachHostlink() error {
	block, ok := s.Lookup(hostio.HostlinkSymbol)
	if !ok || !s.cfg.Calls.Hostlink {
		return nil
	}
	return s.board.AttachHostlink(block, func(packet uint32) bool {
		if s.hooks.Syscall != nil {
			s.hooks.Syscall(s.syscall("hostlink", packet))
		}
		return s.host.ServeHostlink(s.Mem, block, packet)
	})
}

// placeArgs gives the program its arguments. A program that was given none and is not linked with newlib
// starts with its registers clear.
func (s *System) placeArgs() error {
	args := s.cfg.Args
	if len(args) == 0 {
		args = []string{filepath.Base(s.Image.Name)}
	}
	s.host.SetArgs(args)
	if _, newlib := s.Lookup("_impure_ptr"); !newlib && len(s.cfg.Args) == 0 {
		return nil
	}
	return s.board.PlaceArgs(s.Image, args, s.Options.Core.RAMEverywhere())
}

// SetArgs replaces argv for the next Load.
func (s *System) SetArgs(args []string) { s.cfg.Args = args }

// SetInput replaces the program's standard input.
func (s *System) SetInput(r io.Reader) { s.host.SetInput(hostio.NewInput(r)) }
