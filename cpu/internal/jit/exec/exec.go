// Package exec holds machine code and calls it. Where the host allows, code is written through one mapping
// and executed through another, so that no memory is writable and executable at once.
package exec

import (
	"errors"
	"sync"
)

// ErrHost says that there is no code generator for the kind of host.
var ErrHost = errors.New("there is no code generator for this kind of host")

// ErrFeatures says that the processor lacks instructions that compiled code needs.
var ErrFeatures = errors.New("the host's processor lacks BMI2 or LZCNT")

// Generates reports whether there is a code generator for the kind of host. The linker leaves out what only runs where there is one.
const Generates = available

// Usable says why there cannot be compiled code on this host, nil when there can.
func Usable() error {
	switch {
	case !available:
		return ErrHost
	case !Supported():
		return ErrFeatures
	}
	return nil
}

// ErrUntried says that compiled code has not run on such a host yet, so that it has to be asked for.
var ErrUntried = errors.New("compiled code has not been tried on this kind of host")

// Proven says why there cannot be compiled code on this host that nobody has asked for, nil when there can.
func Proven() error {
	if err := Usable(); err != nil || !untried {
		return err
	}
	return ErrUntried
}

// Area is memory for code, in parts that are filled one after the other.
type Area struct {
	write, run []byte
	part       int  // the one that is filled
	used       int  // of it
	worn       bool // it is not used again
}

// Parts is the number of parts of an area.
const Parts = 8

// New returns an area of a number of bytes.
func New(size int) (*Area, error) {
	if err := Usable(); err != nil {
		return nil, err
	}
	if a := spare.take(size); a != nil {
		return a, nil
	}
	write, run, err := mapCode(size)
	if err != nil {
		return nil, err
	}
	return &Area{write: write, run: run}, nil
}

// alignment of code, in bytes.
const alignment = 32

// Holds reports whether the part that is filled has room for a number of bytes.
func (a *Area) Holds(bytes int) bool { return len(a.run)/Parts-a.used >= bytes }

// Fits reports whether an empty part has room for a number of bytes.
func (a *Area) Fits(bytes int) bool { return len(a.run)/Parts >= bytes }

// ErrFull says that the part that is filled has no room.
var ErrFull = errors.New("the memory for code is full")

// Put copies code into the part that is filled and returns where it can be called. After an error of the host no code
// can be called any more.
func (a *Area) Put(code []byte) (uintptr, error) {
	if !a.Holds(len(code)) {
		return 0, ErrFull
	}
	if err := a.open(); err != nil {
		a.worn = true
		return 0, err
	}
	at := a.part*(len(a.run)/Parts) + a.used
	copy(a.write[at:], code)
	if err := a.seal(at, len(code)); err != nil {
		a.worn = true
		return 0, err
	}
	a.used = (a.used + len(code) + alignment - 1) &^ (alignment - 1)
	return address(a.run) + uintptr(at), nil
}

// Next begins with the next part. The code in it is gone.
func (a *Area) Next() {
	a.part, a.used = (a.part+1)%Parts, 0
	a.worn = true // it has much memory
}

// Part is the number of the part that is filled.
func (a *Area) Part() int { return a.part }

// Reset forgets all code.
func (a *Area) Reset() { a.part, a.used = 0, 0 }

// Close gives the memory back, or keeps it for the next area.
func (a *Area) Close() {
	if a.worn || !spare.keep(a) {
		unmapCode(a.write, a.run)
	}
}

// spare is an area that has been closed. To map one and to have the host provide its first pages takes as long as to
// compile some instructions, and many programs fill no more than these pages.
var spare spareArea

type spareArea struct {
	sync.Mutex
	area *Area // nil for none
}

// keep keeps an area unless there is one.
func (s *spareArea) keep(a *Area) bool {
	s.Lock()
	defer s.Unlock()
	if s.area != nil {
		return false
	}
	s.area = &Area{write: a.write, run: a.run}
	return true
}

// take returns the area, empty, if it has a number of bytes, else nil.
func (s *spareArea) take(size int) *Area {
	s.Lock()
	defer s.Unlock()
	a := s.area
	if a == nil || len(a.run) != size {
		return nil
	}
	s.area = nil
	return a
}
