package arcv2dsp

import (
	"arcv2dsp/internal/board/machine"
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
var ErrBigEndian = machine.ErrBigEndian

// Load puts a program into memory, resets the core, sets PC to the entry point, and prepares host
// I/O for the conventions of which the program shows signs. Memory that the program does not define
// keeps its contents, and the counters go on: call Reset first to start clean.
func (m *Machine) Load(im *loader.Image) error { return m.sys.Load(im) }

// Image returns the program, nil when none is loaded.
func (m *Machine) Image() *loader.Image { return m.sys.Image }
