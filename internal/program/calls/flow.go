package calls

import "arcv2dsp/isa"

// Flow is the effect of an instruction on the stack of calls, if it changes the flow of control.
type Flow uint8

// The kinds of flow.
const (
	None            Flow = iota
	Call                 // leaves the address behind it in blink
	Jump                 // to a computed address: may return
	Return               // through blink: is expected to return
	ReturnInterrupt      // from a handler
)

// FlowOf tells what an instruction does.
func FlowOf(in *isa.Inst) Flow {
	switch in.Class() {
	case isa.ClassBranch, isa.ClassJump:
		a := in.Args[0]
		switch {
		case in.Calls():
			return Call
		case a.Kind == isa.OpReg && a.Reg == isa.RegBLINK:
			return Return
		case a.Kind == isa.OpReg:
			return Jump
		}
	case isa.ClassTableEntry:
		if in.Calls() {
			return Call
		}
	case isa.ClassFrame:
		if in.Control() {
			return Return
		}
	case isa.ClassReturn:
		return ReturnInterrupt
	}
	return None
}

// MovesStack reports whether an instruction gives sp a value that does not follow from sp or the frame
// pointer: operating systems change stacks so.
func MovesStack(in *isa.Inst) bool {
	const sp, fp = 1 << isa.RegSP, 1 << isa.RegFP
	if in.Control() || (in.Writes()&^in.Updates())&sp == 0 {
		return false
	}
	return in.Memory() != 0 || in.Reads()&(sp|fp) == 0
}
