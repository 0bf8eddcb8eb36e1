package debug

import (
	"errors"
	"sort"

	"arcv2dsp"
	"arcv2dsp/internal/term/hostfile"
	"arcv2dsp/isa"
)

// activeTrace is a trace being written.
type activeTrace struct {
	trace *arcv2dsp.Trace
	file  *hostfile.File
	path  string
}

var errObserved = errors.New("a trace and a profile cannot be taken at once")

// StartTrace begins to write each instruction to a file: text, csv or jsonl.
func (d *Debugger) StartTrace(path, format string) error {
	if d.trace != nil {
		return errors.New("a trace is already being written to " + d.trace.path)
	}
	if d.profile != nil {
		return errObserved
	}
	f, err := arcv2dsp.ParseTraceFormat(format)
	if err != nil {
		return err
	}
	file, err := hostfile.Create(path)
	if err != nil {
		return err
	}
	d.trace = &activeTrace{trace: d.m.StartTrace(file, f), file: file, path: path}
	return nil
}

// Tracing returns the file that the trace goes to, "" when there is none.
func (d *Debugger) Tracing() string {
	if d.trace == nil {
		return ""
	}
	return d.trace.path
}

// StopTrace ends the trace.
func (d *Debugger) StopTrace() error {
	if d.trace == nil {
		return nil
	}
	trace := d.trace
	d.trace = nil
	defer trace.file.Discard()
	if err := trace.trace.Close(); err != nil {
		return err
	}
	return trace.file.Commit()
}

// Profile counts instructions and cycles by function.
type Profile struct {
	d     *Debugger
	cost  map[uint32]*Cost // by the start of the function
	cache map[uint32]*Cost // by instruction
	last  arcv2dsp.Stats
	end   func() // stops observing
}

// Cost is the calls and cycles of a function.
type Cost struct {
	Name   string
	Insts  uint64
	Cycles uint64
}

// StartProfile begins to count; earlier counts are forgotten.
func (d *Debugger) StartProfile() error {
	if d.trace != nil {
		return errObserved
	}
	p := &Profile{d: d, cost: map[uint32]*Cost{}, cache: map[uint32]*Cost{}, last: d.m.Stats()}
	d.profile = p
	p.end = d.m.Observe(arcv2dsp.Hooks{After: p.after})
	return nil
}

// StopProfile ends counting and returns what was counted, the most expensive function first.
func (d *Debugger) StopProfile() []Cost {
	list := d.ProfileSoFar()
	if d.profile != nil {
		d.profile.end()
		d.profile = nil
	}
	return list
}

// Profiling reports whether a profile is being taken.
func (d *Debugger) Profiling() bool { return d.profile != nil }

// ProfileSoFar returns what was counted, the most expensive function first.
func (d *Debugger) ProfileSoFar() []Cost {
	if d.profile == nil {
		return nil
	}
	var list []Cost
	for _, c := range d.profile.cost {
		list = append(list, *c)
	}
	sort.Slice(list, func(i, j int) bool {
		if list[i].Cycles != list[j].Cycles {
			return list[i].Cycles > list[j].Cycles
		}
		return list[i].Name < list[j].Name
	})
	return list
}

func (p *Profile) after(pc uint32, _ *isa.Inst) {
	c := p.cache[pc]
	if c == nil {
		at, name := pc, "(no symbol)"
		if s, _, ok := p.d.m.Symbols().At(pc); ok {
			at, name = s.Addr, s.Name
		}
		if c = p.cost[at]; c == nil {
			c = &Cost{Name: name}
			p.cost[at] = c
		}
		p.cache[pc] = c
	}
	now := p.d.m.Stats()
	if now.Insts > p.last.Insts { // else the program was taken back
		c.Insts += now.Insts - p.last.Insts
		c.Cycles += now.Cycles - p.last.Cycles
	}
	p.last = now
}
