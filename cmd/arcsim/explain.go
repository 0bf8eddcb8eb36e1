package main

import (
	"fmt"

	"arcv2dsp"
	"arcv2dsp/internal/debug"
	render "arcv2dsp/internal/measure/report"
	"arcv2dsp/internal/term/cli"
)

// explain says why a run ended, unless the program ended by itself, and where it stood.
func explain(m *arcv2dsp.Machine, stop arcv2dsp.Stop, ran arcv2dsp.Stats, s cli.Streams) {
	counts := fmt.Sprintf("after %s instructions, %s cycles", render.Thousands(ran.Insts), render.Thousands(ran.Cycles))
	why := stop.Why()
	var more []string
	switch stop.Reason {
	case arcv2dsp.StopExited:
		return
	case arcv2dsp.StopOutput:
		if stop.Status == 0 {
			return
		}
		why = "the output has the text that --fail names"
	case arcv2dsp.StopMemoryLimit:
		why += fmt.Sprintf(": the program has written to %d MB, sp = 0x%08x", m.MemoryInUse()>>20, m.Reg(28))
	case arcv2dsp.StopBreakpoint:
		why += " without a debugger"
	case arcv2dsp.StopFault:
		chain := stop.Chain(func(e arcv2dsp.Exception) string { return debug.Placed(m, e) })
		why, more = "fault: "+chain[0], chain[1:]
		if text := m.Nowhere(stop); text != "" {
			more = append(more, text)
		}
	}
	s.Warn("%s, %s", why, counts)
	for _, text := range more {
		s.Warn("%s", text)
	}
	s.Warn("at %s", position(m, stop.PC))
}

// position shows an address with its symbol and instruction.
func position(m *arcv2dsp.Machine, pc uint32) string {
	at := m.Locate(pc)
	if text, _, err := m.Disassemble(pc); err == nil {
		at += ": " + text
	}
	return at
}
