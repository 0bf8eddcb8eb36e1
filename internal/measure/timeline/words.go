package timeline

import (
	"fmt"
	"strings"

	"arcv2dsp"
	"arcv2dsp/isa"
)

// words describes what an instruction waited for before it issued: the instruction on whose result or
// unit, and the register.
func (r *recorder) words(s *Step) string {
	var parts []string
	for _, l := range s.Before {
		if l.Reason == arcv2dsp.StallICache {
			parts = append(parts, Words(l.Reason))
			continue
		}
		parts = append(parts, r.producer(s, l.Reason))
	}
	return strings.Join(parts, "; ")
}

// producer finds the instruction that s waited for: the last one written by the unit of the reason
// into a register that s reads, else the last one that used the unit.
func (r *recorder) producer(s *Step, reason arcv2dsp.StallReason) string {
	steps := r.trace.Steps
	reads := s.Inst.Reads()
	if reason == arcv2dsp.StallDivide {
		reads |= s.Inst.Writes() // a quotient on its way must not be overtaken
	}
	found, register := -1, uint8(0)
	for reg := range uint8(len(r.writer)) {
		if i := r.writer[reg]; reads.Has(reg) && i > found && delivers(steps[i].Inst.Class(), reason) {
			found, register = i, reg
		}
	}
	if found >= 0 {
		p := &steps[found]
		return fmt.Sprintf("%s is not there yet, from [%d,%d] %s", registerName(register), p.Iteration, p.Index, r.trace.text[p.PC])
	}
	for i := len(steps) - 1; i >= 0; i-- {
		if p := &steps[i]; delivers(p.Inst.Class(), reason) {
			return fmt.Sprintf("the %s is busy with [%d,%d] %s", unitName(reason), p.Iteration, p.Index, r.trace.text[p.PC])
		}
	}
	return Words(reason) + ", from before the recording"
}

// delivers reports whether instructions of a class can be waited for with a reason.
func delivers(c isa.Class, reason arcv2dsp.StallReason) bool {
	switch reason {
	case arcv2dsp.StallLoadUse:
		return c == isa.ClassLoad || c == isa.ClassTableLoad || c == isa.ClassAtomic
	case arcv2dsp.StallDivide:
		switch c {
		case isa.ClassDivide, isa.ClassSqrt, isa.ClassFPUDivide, isa.ClassFPUDivide64:
			return true
		}
	case arcv2dsp.StallFloat:
		switch c {
		case isa.ClassFPU, isa.ClassFPUMul, isa.ClassFPUMAC, isa.ClassFPUConvert, isa.ClassFPX,
			isa.ClassFPXDouble, isa.ClassFPXDoubleMul:
			return true
		}
	case arcv2dsp.StallMultiplier, arcv2dsp.StallMACUse:
		return multiplies(c)
	}
	return false
}

// multiplies reports whether instructions of a class use the multiplier.
func multiplies(c isa.Class) bool {
	switch c {
	case isa.ClassMul16, isa.ClassMul32, isa.ClassMulHigh, isa.ClassMAC, isa.ClassMul64, isa.ClassMulDSP,
		isa.ClassVecMAC, isa.ClassQuad, isa.ClassComplex, isa.ClassButterfly:
		return true
	}
	return false
}

func unitName(reason arcv2dsp.StallReason) string {
	if reason == arcv2dsp.StallDivide {
		return "divider"
	}
	return "multiplier"
}

func registerName(reg uint8) string {
	switch reg {
	case 26:
		return "gp"
	case 27:
		return "fp"
	case 28:
		return "sp"
	case 31:
		return "blink"
	case 60:
		return "lp_count"
	}
	return fmt.Sprintf("r%d", reg)
}

// Words describes what a reason means.
func Words(reason arcv2dsp.StallReason) string {
	switch reason {
	case arcv2dsp.StallLoadUse:
		return "a loaded register is used before it is there"
	case arcv2dsp.StallMultiplier:
		return "the product is not ready, or the multiplier is busy"
	case arcv2dsp.StallMACUse:
		return "the result of a multiply-accumulate is used too soon"
	case arcv2dsp.StallDivide:
		return "the quotient is not ready, or the divider is busy"
	case arcv2dsp.StallFloat:
		return "the floating-point result is not ready"
	case arcv2dsp.StallBranch:
		return "taken branch: the pipeline is refilled"
	case arcv2dsp.StallJump:
		return "taken jump or return: the pipeline is refilled"
	case arcv2dsp.StallFetch:
		return "a table is read first"
	case arcv2dsp.StallBankConflict:
		return "its accesses to one memory follow each other"
	case arcv2dsp.StallXYMiss:
		return "an AGU access outside X, Y and DCCM memory"
	case arcv2dsp.StallWriteBuffer:
		return "the AGU write buffer is full"
	case arcv2dsp.StallWaitState:
		return "the memory or register needs longer"
	case arcv2dsp.StallICache:
		return "instruction cache miss"
	case arcv2dsp.StallDCache:
		return "data cache miss"
	case arcv2dsp.StallLoop:
		return "set-up of the loop"
	case arcv2dsp.StallException:
		return "exception or interrupt: entry or return"
	case arcv2dsp.StallSleep:
		return "asleep"
	}
	return reason.String()
}

// Why describes in words for what cycles were lost at the instruction.
func (s *Step) Why() string {
	var parts []string
	if n := total(s.Gap); n > 0 {
		parts = append(parts, fmt.Sprintf("%s before it: %s", cycles(n), Words(s.Gap[0].Reason)))
	}
	if n := total(s.Before); n > 0 {
		parts = append(parts, fmt.Sprintf("waits %s: %s", cycles(n), s.Wait))
	}
	for _, l := range s.After {
		parts = append(parts, fmt.Sprintf("%s: %s", cycles(l.Cycles), Words(l.Reason)))
	}
	return strings.Join(parts, "; ")
}

func cycles(n uint64) string {
	if n == 1 {
		return "1 cycle"
	}
	return fmt.Sprintf("%d cycles", n)
}
