package body

import "arcv2dsp/cpu/internal/uop"

// These leave a micro-operation. The generator puts a jump or a return in their place.

// slow leaves the instruction to the reference engine.
func slow() { exit(uop.ExitSlow) }

// skip goes on Imm bytes of micro-operations ahead.
func skip() { exit(uop.ExitEdge) }

// exit leaves for the driver.
func exit(why uop.Exit) { exitBy(why, nil) }

// exitBy leaves for the driver, which goes on by ex.
func exitBy(why uop.Exit, ex *uop.Edge) { panic(left{why, ex}) }

// left is the value of the panic of a micro-operation that is called as Go.
type left struct {
	why uop.Exit
	by  *uop.Edge
}
