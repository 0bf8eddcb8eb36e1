package cexpr

import "arcv2dsp/internal/program/dwarf"

// Target is the program that expressions are about, stopped, with a frame selected.
type Target interface {
	ReadMemory(addr uint32, buf []byte) error
	WriteMemory(addr uint32, data []byte) error
	CString(addr uint32) (text string, size uint32, err error)

	PC() uint32
	Reg(n uint8) uint32 // core register n of the innermost frame
	SetReg(n uint8, v uint32)
	Register(name string) (uint64, error) // any register
	SetRegister(name string, v uint64) error
	Accumulators() (lo, hi int64) // lanes of 40 bits, sign-extended
	Held() bool                   // registers are of a task that does not run: they cannot be changed
	Changed()                     // memory or a register was changed

	Here() Scope                    // of the selected frame
	Selected() int                  // its level
	Frame(level int) (Frame, error) // 0 is the innermost
	Variable(v *dwarf.Variable, t *Type, level int) (Value, error)

	// Call calls a function of the program with arguments in registers and returns r0 and r1.
	Call(addr uint32, arguments []uint32) (result []byte, err error)

	Symbol(name string, pc uint32) (addr uint32, ok bool) // of several the one that code at pc means
	IsCode(addr uint32) bool
	Functions(name string) []uint32 // where functions of a name begin
	Nearest(name string) string     // the symbol spelled most like a name, "" when none is
	Place(addr uint32) string       // an address with its symbol
}

// Frame is one level of calls.
type Frame interface {
	Reg(n uint8) (v uint32, ok bool) // ok is false when it is lost
	Next() uint32                    // address of the next instruction
	Of() string                      // the function
}

// Language compiles and evaluates expressions about a target. It keeps what the user has named: the values
// of earlier expressions and the convenience variables.
type Language struct {
	Style Style // the layout of values

	t      Target
	vars   *dwarf.Variables // nil without debug information
	frames *dwarf.Frames    // nil without frame information
	types  *typeNames

	results []Value          // value history: $1, $2 ...
	conv    map[string]Value // convenience variables
	trail   *Trail           // what expressions read, nil unless they are collected
}

// New returns a language for a target.
func New(t Target, vars *dwarf.Variables, frames *dwarf.Frames) *Language {
	return &Language{Style: Style{Elements: MaxShown}, t: t, vars: vars, frames: frames, types: newTypeNames(vars), conv: map[string]Value{}}
}

// Span is a piece of memory.
type Span struct{ Addr, Size uint32 }

// Meets reports whether two pieces have a byte in common.
func (s Span) Meets(t Span) bool { return s.Addr-t.Addr < t.Size || t.Addr-s.Addr < s.Size }

// Trail is the places that the evaluation of an expression read.
type Trail struct {
	Loads     []Span // numbers in memory
	Registers bool   // any register
}

// UsesRegister notes that an expression reads a register.
func (l *Language) UsesRegister() {
	if l.trail != nil {
		l.trail.Registers = true
	}
}

// Follow evaluates an expression and notes what it read.
func (l *Language) Follow(x *Expr) (Value, Trail, error) {
	var t Trail
	l.trail = &t
	v, err := x.Eval()
	l.trail = nil
	return v, t, err
}
