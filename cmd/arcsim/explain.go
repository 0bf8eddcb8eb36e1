package main

import (
	"fmt"
	"strings"

	"arcv2dsp"
	render "arcv2dsp/internal/measure/report"
	"arcv2dsp/internal/term/cli"
)

// explain says why a run ended, unless the program ended by itself, and where it stood.
func explain(m *arcv2dsp.Machine, stop arcv2dsp.Stop, ran arcv2dsp.Stats, s cli.Streams) {
	counts := fmt.Sprintf("after %s instructions, %s cycles", render.Thousands(ran.Insts), render.Thousands(ran.Cycles))
	why := ""
	var more []string
	switch stop.Reason {
	case arcv2dsp.StopExited:
		return
	case arcv2dsp.StopOutput:
		if stop.Status == 0 {
			return
		}
		why = "the output has the text that --fail names"
	case arcv2dsp.StopInstLimit:
		why = "instruction limit reached"
	case arcv2dsp.StopCycleLimit:
		why = "cycle limit reached"
	case arcv2dsp.StopTimeLimit:
		why = "time limit reached"
	case arcv2dsp.StopMemoryLimit:
		why = fmt.Sprintf("memory limit reached: the program has written to %d MB, sp = 0x%08x",
			m.MemoryInUse()>>20, m.Reg(28))
	case arcv2dsp.StopInterrupted:
		why = "interrupted"
	case arcv2dsp.StopAsleep:
		why = "the core sleeps and nothing can wake it"
	case arcv2dsp.StopBreakpoint:
		why = "breakpoint without a debugger"
	case arcv2dsp.StopFault:
		chain := stop.Chain(func(e arcv2dsp.Exception) string { return placed(m, e) })
		why, more = "fault: "+chain[0], chain[1:]
		if text := m.Nowhere(stop); text != "" {
			more = append(more, text)
		}
	default:
		why = stop.Reason.String()
	}
	s.Warn("%s, %s", why, counts)
	for _, text := range more {
		s.Warn("%s", text)
	}
	s.Warn("at %s", position(m, stop.PC))
}

// placed is an exception with the function it came in.
func placed(m *arcv2dsp.Machine, e arcv2dsp.Exception) string {
	text := e.String()
	if at := m.Locate(e.PC); strings.Contains(at, "<") {
		text += ", in " + at[strings.Index(at, "<"):]
	}
	return text
}

// position shows an address with its symbol and instruction.
func position(m *arcv2dsp.Machine, pc uint32) string {
	at := m.Locate(pc)
	if text, _, err := m.Disassemble(pc); err == nil {
		at += ": " + text
	}
	return at
}
