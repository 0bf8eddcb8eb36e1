package mlikernels

import (
	"arcv2dsp"
	"arcv2dsp/internal/program/cstruct"
	"arcv2dsp/mlikernels/internal/arcq"
	"arcv2dsp/mlikernels/internal/kernel"
	"arcv2dsp/mlikernels/internal/mli11"
	"arcv2dsp/mlikernels/internal/mli20"
	"arcv2dsp/nn"
)

// Kernels, and the machines that run them.
type (
	// Kernel is assembly that computes operators: symbol, source, calling form, cases.
	Kernel = kernel.Kernel
	// ABI is a calling form: it lays a call out and reads it back.
	ABI = kernel.ABI
	// Source is the assembly of a kernel.
	Source = kernel.Source
	// Layout is a call in simulated memory, Buffer and Piece are its parts, Reader takes results from it.
	Layout = kernel.Layout
	Buffer = kernel.Buffer
	Piece  = kernel.Piece
	Reader = kernel.Reader
	// Memory names where buffers lie.
	Memory = kernel.Memory
	// Strides are the steps between the elements of a tensor.
	Strides = kernel.Strides
	// Collection is the kernels of a library with what they share.
	Collection = kernel.Collection
	// Variant names the core and the rounding that a library is built for.
	Variant = kernel.Variant
	// Object is an assembled source, Program a library that C programs link, Lines its source lines.
	Object  = kernel.Object
	Program = kernel.Program
	Lines   = kernel.Lines
	// Own is a source of a user that becomes part of a library, Export what a C program gets of one.
	Own    = kernel.Own
	Export = kernel.Export
	// Library is the assembled kernels of a variant.
	Library = kernel.Library
	// Job is a call with what its check needs, Report the outcome.
	Job    = kernel.Job
	Report = kernel.Report
	// RunawayError says that a kernel did not return.
	RunawayError = kernel.RunawayError
	// Case is a call by its name, Work its amount, Notation the way in which shapes are written.
	Case     = kernel.Case
	Work     = kernel.Work
	Notation = kernel.Notation
	// Machine is a core with a library.
	Machine        = kernel.Machine
	MachineOptions = kernel.MachineOptions
	// Board is a core with its properties, BoardMemory one of its memories.
	Board       = kernel.Board
	BoardMemory = kernel.BoardMemory
	// Foreign is a library from elsewhere, ForeignFile its file, Conventions the demands of its functions.
	Foreign     = kernel.Foreign
	ForeignFile = kernel.ForeignFile
	Conventions = kernel.Conventions
	// AGU is an address generation unit as kernels tell them apart, DMA a micro-DMA controller.
	AGU = kernel.AGU
	DMA = kernel.DMA
	// Part is a piece of data of a call in C, Pointer a place in it that holds an address.
	Part        = kernel.Part
	Pointer     = kernel.Pointer
	Relocatable = kernel.Relocatable
	// Struct is a structure of a C interface, Field one of its fields, FieldType the type of that.
	Struct    = cstruct.Struct
	Field     = cstruct.Field
	FieldType = cstruct.Type
)

// NewMachine makes a core with the kernels of a library.
func NewMachine(o MachineOptions) (*Machine, error) { return kernel.NewMachine(o) }

// NewBoard makes a board of a core and settings, CheckBoard only checks that the kernels fit it.
func NewBoard(core string, settings ...arcv2dsp.Setting) (*Board, error) {
	return kernel.NewBoard(core, settings...)
}

// CheckBoard checks that kernels can run on a core with settings.
func CheckBoard(core string, settings ...arcv2dsp.Setting) (*Board, error) {
	return kernel.Check(core, settings...)
}

// Cores lists the cores with kernels, Boards the boards.
func Cores() []string { return kernel.Cores() }

// Boards lists the boards with kernels.
func Boards() []string { return kernel.Boards() }

// The address generation units.
const (
	NoAGU    = kernel.NoAGU
	SmallAGU = kernel.SmallAGU
	LargeAGU = kernel.LargeAGU
)

// AGUOf is the address generation unit of a core.
func AGUOf(core string) AGU { return kernel.AGUOf(core) }

// Properties lists the properties that a machine for kernels sets.
func Properties(agu AGU) []string { return kernel.Properties(agu) }

// Settings returns settings with those that kernels need.
func Settings(of []arcv2dsp.Setting, agu AGU) []arcv2dsp.Setting { return kernel.Settings(of, agu) }

// NewJob makes the job of a call, with the results of the golden function.
func NewJob(c *nn.Call) (*Job, error) { return kernel.NewJob(c) }

// Difference says where a tensor differs from the wanted one.
func Difference(got, want *nn.Tensor) error { return kernel.Difference(got, want) }

// Elements returns the bytes of a tensor in the core's memory.
func Elements(t *nn.Tensor) []byte { return kernel.Elements(t) }

// Relocate lays the data of a call out for a C program.
func Relocate(k *Kernel, c, again *nn.Call) (*Relocatable, error) {
	return kernel.Relocate(k, c, again)
}

// Built returns the core that an object was built for.
func Built(data []byte) string { return kernel.Built(data) }

// ForeignCollection makes a collection of the functions of a foreign library.
func ForeignCollection(f *Foreign, of []*Collection) (*Collection, error) {
	return kernel.ForeignCollection(f, of)
}

// MLI11 and MLI20 return the collections of both versions of MLI.
func MLI11() *Collection { return mli11.Collection() }

// MLI20 returns the collection of MLI 2.0.
func MLI20() *Collection { return mli20.Collection() }

// ARCQ returns the collection of quantized-integer kernels.
func ARCQ() *Collection { return arcq.Collection() }

// TFLM returns the kernel folder for TensorFlow Lite Micro that calls the quantized-integer kernels: files by name.
func TFLM() (map[string][]byte, error) { return arcq.TFLM() }

// Seed is the seed of the data nobody chose one for.
const Seed = kernel.Seed

// The units in which the work of a kernel is counted.
const (
	MAC     = kernel.MAC
	Element = kernel.Element
)
