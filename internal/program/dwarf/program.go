package dwarf

import (
	"fmt"

	"arcv2dsp/internal/program/elfarc"
)

// Program reads the debug information of a linked program, a kind at a time: who asks for lines alone does not
// pay for variables.
type Program struct {
	name string
	file *elfarc.File // nil when the program is not ELF
}

// Open reads the ELF file of a program; data is nil when the program has none. The name is for messages.
func Open(name string, data []byte) (*Program, error) {
	p := &Program{name: name}
	if data == nil {
		return p, nil
	}
	var err error
	if p.file, err = elfarc.Read(data); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return p, nil
}

// Lines returns the source positions, nil when there is no line information.
func (p *Program) Lines() (*Info, error) { return readOf(p, Read) }

// Variables returns the variables and types, nil when there is no debug information.
func (p *Program) Variables() (*Variables, error) { return readOf(p, ReadVariables) }

// Frames returns the call frame information, nil when there is none.
func (p *Program) Frames() (*Frames, error) { return readOf(p, ReadFrames) }

func readOf[T any](p *Program, read func(*elfarc.File) (*T, error)) (*T, error) {
	if p.file == nil {
		return nil, nil
	}
	v, err := read(p.file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.name, err)
	}
	return v, nil
}
