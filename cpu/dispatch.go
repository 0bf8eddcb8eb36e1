package cpu

import "arcv2dsp/isa"

// executor returns the method that executes an operation which is more than a function of its
// operands; nil when there is none.
func executor(op isa.Op) func(*Ref, *CPU, *decoded) {
	switch op {
	case isa.LD, isa.LDD:
		return (*Ref).execLoad
	case isa.ST, isa.STD:
		return (*Ref).execStore
	case isa.PREFETCH, isa.PREFETCHW, isa.PREALLOC:
		return (*Ref).execPrefetch
	case isa.LDI:
		return (*Ref).execLoadIndexed
	case isa.EX:
		return (*Ref).execExchange
	case isa.LLOCK, isa.LLOCKD:
		return (*Ref).execLoadLocked
	case isa.SCOND, isa.SCONDD:
		return (*Ref).execStoreConditional
	case isa.ENTER_S:
		return (*Ref).execEnter
	case isa.LEAVE_S:
		return (*Ref).execLeave
	case isa.B:
		return (*Ref).execBranch
	case isa.BL:
		return (*Ref).execBranchLink
	case isa.BREQ, isa.BRNE, isa.BRLT, isa.BRGE, isa.BRLO, isa.BRHS, isa.BBIT0, isa.BBIT1:
		return (*Ref).execCompareBranch
	case isa.DBNZ:
		return (*Ref).execDecrementBranch
	case isa.J:
		return (*Ref).execJump
	case isa.JL:
		return (*Ref).execJumpLink
	case isa.BI, isa.BIH:
		return (*Ref).execBranchIndexed
	case isa.JLI_S:
		return (*Ref).execJumpLinkIndexed
	case isa.EI_S:
		return (*Ref).execIndexed
	case isa.LP:
		return (*Ref).execLoop
	case isa.DIV, isa.DIVU, isa.REM, isa.REMU:
		return (*Ref).execDivide
	case isa.NOP, isa.SYNC, isa.DSYNC, isa.DMB:
		return (*Ref).execNothing
	case isa.FLAG, isa.KFLAG:
		return (*Ref).execFlag
	case isa.SETI:
		return (*Ref).execSetInterrupts
	case isa.CLRI:
		return (*Ref).execClearInterrupts
	case isa.SLEEP:
		return (*Ref).execSleep
	case isa.WEVT, isa.WLFC:
		return (*Ref).execEvent
	case isa.LR:
		return (*Ref).execLoadAux
	case isa.SR:
		return (*Ref).execStoreAux
	case isa.AEX:
		return (*Ref).execExchangeAux
	case isa.SWI:
		return (*Ref).execSWI
	case isa.TRAP_S:
		return (*Ref).execTrap
	case isa.UNIMP_S:
		return (*Ref).execUnimplemented
	case isa.RTIE:
		return (*Ref).execReturn
	case isa.BSPUSH:
		return (*Ref).execBitPush
	case isa.BSPEEK, isa.BSPOP:
		return (*Ref).execBitPeek
	case isa.MODAPP, isa.MODIF:
		return (*Ref).execModify
	case isa.DEXCL1, isa.DEXCL2:
		return (*Ref).execDoubleExchange
	}
	if _, ok := doubleOps[op]; ok {
		return (*Ref).execDouble
	}
	return nil
}
