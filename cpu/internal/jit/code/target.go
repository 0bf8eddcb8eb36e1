package code

import "arcv2dsp/cpu/internal/jit/ssa"

// Reg is a register of the host.
type Reg uint8

// NoReg says that a location has no register.
const NoReg Reg = 0xff

// Registers say what a kind of host uses its registers for, and which jumps it has.
type Registers struct {
	Bases    [3]Reg // the addresses of the first objects
	Acct     Reg    // the count of what has been executed
	Stack    Reg
	Scratch  Reg   // what a value that has no register is computed in
	Pool     []Reg // for values, and from its end for locations
	Pins     int   // of them for locations, at most
	LoopPins int   // the same in a loop
	Jumps    []Jump
	Fill     byte // what stands between the code and its constants
}

// Target writes the instructions of a kind of host. From one method to the next no register holds
// anything but those of Pool for values and locations, if nothing else is said.
type Target interface {
	Registers() *Registers

	// Begin says what is written from now on: code of a unit, of one of its blocks if e is not nil.
	Begin(u *Unit, e *Emitter)

	// Load and Store move a register from and to memory, 8, 4, 2 or 1 bytes of it.
	Load(size int, r Reg, from Place)
	Store(size int, to Place, r Reg)

	// Compute makes the value of node n in a register.
	Compute(x *ssa.Node, n int32, r Reg)
	// StoreLoc and StoreTo write to a location, and size bytes to memory.
	StoreLoc(x *ssa.Node)
	StoreTo(x *ssa.Node, size int)

	Jump(to Label)
	// Test jumps when a comparison or another value, which is no constant, is true or not, as wanted.
	Test(n int32, want bool, to Label)
	// Repeat does what Test does for true, if the flags of the last instruction say it, else nothing.
	Repeat(n int32, to Label) bool
	// UpTo jumps when the 32 bits at a place are at most a number.
	UpTo(p Place, most uint32, to Label)
	// NotZero jumps when the 32 bits at a place are not 0.
	NotZero(p Place, to Label)
	// Beyond jumps when the bits of mask of the sum of a place and a number are more than another one.
	Beyond(p Place, add, mask, most uint32, to Label)

	// Limit jumps when less is left of the limit than a block needs.
	Limit(need uint32, out Label)
	// Count counts what an edge does: acct, and 1 at an address that is not 0.
	Count(acct, at uint64)
	// Same jumps when address node n is the address of an object.
	Same(n int32, object uint64, to Label)
	// Follow brings where code of the object at address node n begins to where Count leaves it and Unit.Follow expects it, or
	// jumps when there is none or the limit does not allow it, with what is about to be counted.
	Follow(n int32, acct uint64, out Label)
	// Link goes to Unit.Next with the object whose address is at a place, and the number of an exit.
	Link(at uint64, exit int)
	// Exit brings the number of an exit to where Unit.Common expects it.
	Exit(number int)
	// Ways writes what is at Unit.Next, Unit.Follow and Unit.Common.
	Ways(u *Unit)

	// WriteJump appends a jump in its long or short form, given the long one, to where it leads.
	WriteJump(out, long []byte, short bool, to int) []byte
	// FillIn completes an instruction whose operand is a constant in the pool.
	FillIn(out []byte, at, end, constant int)
	// FlagTable returns what Layout.FlagTable leads to: a table from flags as the host has them.
	FlagTable() [256]uint8
}
