package arcv2dsp

import (
	"fmt"
	"strings"

	"arcv2dsp/isa"
)

// Stats are the counters of a machine since it was made or reset.
type Stats struct {
	Insts  uint64
	Cycles uint64
	Stalls Stalls // they add up to Cycles - Insts
}

// Stats returns the counters.
func (m *Machine) Stats() Stats {
	return Stats{Insts: m.sys.CPU.Insts, Cycles: m.sys.CPU.Cycles, Stalls: m.sys.CPU.Stalls}
}

// Sub returns the counts since an earlier moment.
func (s Stats) Sub(before Stats) Stats {
	d := Stats{Insts: s.Insts - before.Insts, Cycles: s.Cycles - before.Cycles}
	for i := range d.Stalls {
		d.Stalls[i] = s.Stalls[i] - before.Stalls[i]
	}
	return d
}

// IPC is instructions per cycle.
func (s Stats) IPC() float64 {
	if s.Cycles == 0 {
		return 0
	}
	return float64(s.Insts) / float64(s.Cycles)
}

// String is the counters for people: "120 instructions, 200 cycles (30 branch, 50 load-use lost)".
func (s Stats) String() string {
	text := fmt.Sprintf("%d instructions, %d cycles", s.Insts, s.Cycles)
	var lost []string
	for i, n := range s.Stalls {
		if n != 0 {
			lost = append(lost, fmt.Sprintf("%d %s", n, StallReason(i)))
		}
	}
	if len(lost) > 0 {
		text += " (" + strings.Join(lost, ", ") + " lost)"
	}
	return text
}

// Reasons lists the reasons with lost cycles, by name.
func (s Stats) Reasons() map[string]uint64 {
	lost := map[string]uint64{}
	for i, n := range s.Stalls {
		if n != 0 {
			lost[StallReason(i).String()] = n
		}
	}
	return lost
}

// Work says which engine executed how many instructions of a machine, and why machine code did not. What it does not count the
// reference engine executed because it was chosen, or for a trace or a hook.
type Work struct {
	Compiled uint64            // by machine code of the host
	Blocks   uint64            // by the block engine
	Before   uint64            // of all: before compilation began
	Handed   map[string]uint64 // by the reference engine for the block engine, by mnemonic
	Apart    uint64            // by the reference engine between blocks: in a mode that they do not have, before an event or a limit
}

// Work returns what the engines have done since the machine was made.
func (m *Machine) Work() Work {
	did := m.sys.Work()
	w := Work{Compiled: did.Compiled, Blocks: did.Blocks, Before: did.Before, Handed: map[string]uint64{}, Apart: did.Apart}
	for op, n := range did.Handed {
		w.Handed[isa.RowOf(op).Name] += n
	}
	return w
}
