// Package exec holds machine code and calls it. Where the host allows, code is written through one mapping
// and executed through another, so that no memory is writable and executable at once.
package exec

import (
	"errors"

	"github.com/klauspost/cpuid/v2"
)

// ErrHost says that there is no code generator for the kind of host.
var ErrHost = errors.New("there is no code generator for this kind of host")

// ErrFeatures says that the processor lacks instructions that compiled code needs.
var ErrFeatures = errors.New("the host's processor lacks BMI2 or LZCNT")

// Supported reports whether the processor has what compiled code needs.
func Supported() bool {
	return cpuid.CPU.Supports(cpuid.BMI1, cpuid.BMI2, cpuid.LZCNT, cpuid.CMOV)
}

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

// Area is memory for code.
type Area struct {
	write, run []byte
	used       int
}

// New returns an area of a number of bytes.
func New(size int) (*Area, error) {
	if err := Usable(); err != nil {
		return nil, err
	}
	write, run, err := mapCode(size)
	if err != nil {
		return nil, err
	}
	return &Area{write: write, run: run}, nil
}

// alignment of code, in bytes.
const alignment = 32

// Put copies code into the area and returns where it can be called; false when the area is full.
func (a *Area) Put(code []byte) (uintptr, bool) {
	if len(a.run)-a.used < len(code) {
		return 0, false
	}
	if err := a.open(); err != nil {
		return 0, false
	}
	copy(a.write[a.used:], code)
	if err := a.seal(); err != nil {
		return 0, false
	}
	at := address(a.run) + uintptr(a.used)
	a.used = (a.used + len(code) + alignment - 1) &^ (alignment - 1)
	return at, true
}

// Used is the number of bytes in use.
func (a *Area) Used() int { return a.used }

// Reset forgets all code.
func (a *Area) Reset() { a.used = 0 }

// Close gives the memory back.
func (a *Area) Close() { unmapCode(a.write, a.run) }
