package arcv2dsp

import "arcv2dsp/cpu/timing"

// Stats are the counters of a machine since it was made or reset.
type Stats struct {
	Insts  uint64
	Cycles uint64
	Stalls Stalls // they add up to Cycles - Insts
}

// Stalls are lost cycles by reason.
type Stalls = timing.Stalls

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

// LineFill returns how many cycles the instruction and the data cache take to read a line, 0 for a cache that the core
// does not have. Stalls for ICache and DCache divided by it are lines that were read.
func (m *Machine) LineFill() (instructions, data uint32) {
	i, d := m.sys.CPU.CacheModels()
	if i != nil {
		instructions = i.Fill()
	}
	if d != nil {
		data = d.Fill()
	}
	return instructions, data
}
