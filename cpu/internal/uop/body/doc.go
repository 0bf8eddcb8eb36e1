// Package body says what the micro-operations do that are no instruction functions: those that touch memory, ports,
// auxiliary registers and the flow of control. The generator cpu/internal/gen reads the functions and writes
// their bodies into the leaf and into the programs of the compiler; nothing calls them.
//
// A function with a name in capitals is the micro-operation of that name; what follows the name in its comment
// describes it in the list of numbers. Other exported functions are parts that the generator puts together: each load
// and store from an address, a page and an access, each port of an instruction from what finds, charges and
// converts it. The rest are helpers of these.
//
// # Binding
//
// Parameters are bound by name; a function takes only what it needs, in this order.
//
//	c    *cpu.CPU     the processor
//	e    *uop.State   the state of the engine
//	blk  *uop.Block   the block
//	u    *uop.Uop     the micro-operation
//
// A micro-operation returns nothing, and the next one follows, or (ex *uop.Edge, nb *uop.Block): the block is left by ex,
// and nb is next. Parts and helpers take and return what they like.
//
// # Rules
//
// Those of cpu/internal/semantics (one return, at the end; no loops; masked, unsigned shift counts; no division by a
// variable), except that memory may be read and written, and that an if may end in leaving (leave.go). An operation
// that leaves has done nothing that the reference engine would repeat. Calls are to functions of this package, where
// they are a statement of their own, all of what is assigned, or one expression; to those of cpu/internal/uop that are one
// expression; to math/bits and unsafe.
//
// The line //leaf:large in the comment of a function says that its case needs many registers; //leaf:unpark stands in its
// body where it no longer does (see frame.go of the generator).
package body
