package uop

// Exit says why an executor returned to the driver.
type Exit uint8

// The reasons.
const (
	ExitEdge       Exit = iota // the edge leads to an unknown block or to one that may take too long
	ExitSlow                   // the reference engine must execute the instruction
	ExitHand                   // the same, between blocks
	ExitJump                   // the target of a jump is not in the table
	ExitLoop                   // the loop does not start where it used to
	ExitAuxRead                // an auxiliary register without side effects is to be read
	ExitAuxWrite               // or written
	ExitTimedRead              // an auxiliary register of the kernel is to be read in the cycle of its instruction
	ExitTimedWrite             // or written
	ExitFetch                  // the instruction cache must be asked for the line with tag Imm
	ExitData                   // the data cache must be asked for the address touched
	ExitStore                  // the same, for a store
	ExitMethod                 // the method of an instruction is to be called
	ExitFunction               // a floating-point instruction or a division is to be computed
	ExitCut                    // execution shall go no further: Cut
	ExitPages                  // the end of a page lies among accesses that machine code takes together; the leaf does not
)
