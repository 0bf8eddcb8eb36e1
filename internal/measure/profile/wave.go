package profile

import (
	"bufio"
	"fmt"
	"io"
	"path"
	"strconv"
	"strings"

	"arcv2dsp"
	"arcv2dsp/isa"
)

// Wave writes the values of registers as a run goes, as a value change dump (VCD) that waveform
// viewers read. A cycle is drawn as 10 ns, whatever the clock.
type Wave struct {
	m       *arcv2dsp.Machine
	w       *bufio.Writer
	signals []signal
	line    []byte
	at      uint64 // time of the last change
	err     error
}

// signal is a register that is watched.
type signal struct {
	name  string
	bits  int
	id    string
	value uint64
	read  func() uint64
}

// reader returns how a register is read, without looking its name up each time.
func reader(m *arcv2dsp.Machine, name string) func() uint64 {
	const lane = 1<<40 - 1
	switch name {
	case "pc":
		return func() uint64 { return uint64(m.PC()) }
	case "acclo":
		return func() uint64 { lo, _ := m.Accumulators(); return uint64(lo) & lane }
	case "acchi":
		return func() uint64 { _, hi := m.Accumulators(); return uint64(hi) & lane }
	}
	if n, ok := isa.RegByName(name); ok {
		return func() uint64 { return uint64(m.Reg(n)) }
	}
	if row, ok := isa.AuxByName(name, m.Core().Features); ok {
		if _, ok := m.Aux(row.Addr); ok {
			return func() uint64 { v, _ := m.Aux(row.Addr); return uint64(v) }
		}
	}
	return func() uint64 { // status32, registers by number
		r, err := m.Register(name)
		if err != nil {
			return 0
		}
		return r.Value
	}
}

// NewWave begins a dump of the registers whose names match one of the patterns, which are as file
// names have them: acc*, r[0-3]. Give its Hooks to the machine before it runs.
func NewWave(m *arcv2dsp.Machine, patterns []string, w io.Writer) (*Wave, error) {
	v := &Wave{m: m, w: bufio.NewWriterSize(w, 1<<16)}
	known := append(m.Registers(arcv2dsp.CoreRegisters), m.Registers(arcv2dsp.AuxRegisters)...)
	have := map[string]bool{}
	add := func(r arcv2dsp.Register) {
		if name := strings.ToLower(r.Name); !have[name] {
			have[name] = true
			v.signals = append(v.signals, signal{name: r.Name, bits: r.Bits, id: identifier(len(v.signals)), value: r.Value, read: reader(m, r.Name)})
		}
	}
	for _, p := range patterns {
		p = strings.ToLower(strings.TrimSpace(p))
		found := false
		for _, r := range known {
			ok, err := path.Match(p, strings.ToLower(r.Name))
			if err != nil {
				return nil, fmt.Errorf("signal %q: %w", p, err)
			}
			if ok {
				found = true
				add(r)
			}
		}
		if found {
			continue
		}
		r, err := m.Register(p) // other names of registers
		if err != nil {
			return nil, fmt.Errorf("signal %q: %w", p, err)
		}
		r.Name = p
		add(r)
	}
	v.header()
	return v, nil
}

// identifier is the n-th short name of a signal.
func identifier(n int) string {
	const first, count = '!', '~' - '!' + 1
	id := string(rune(first + n%count))
	if n >= count {
		id += identifier(n/count - 1)
	}
	return id
}

func (v *Wave) header() {
	v.text("$version arcsim $end\n$comment one cycle is drawn as 10 ns $end\n")
	v.text("$timescale 10 ns $end\n$scope module core $end\n")
	for _, s := range v.signals {
		v.text(fmt.Sprintf("$var reg %d %s %s $end\n", s.bits, s.id, strings.ReplaceAll(s.name, " ", "_")))
	}
	v.text("$upscope $end\n$enddefinitions $end\n")
	v.at = v.m.Stats().Cycles
	v.text(fmt.Sprintf("#%d\n$dumpvars\n", v.at))
	for i := range v.signals {
		v.put(&v.signals[i])
	}
	v.text("$end\n")
}

func (v *Wave) text(s string) {
	if _, err := v.w.WriteString(s); err != nil && v.err == nil {
		v.err = err
	}
}

// put writes the value of a signal.
func (v *Wave) put(s *signal) {
	v.line = append(v.line[:0], 'b')
	v.line = strconv.AppendUint(v.line, s.value&(1<<s.bits-1), 2)
	v.line = append(append(append(v.line, ' '), s.id...), '\n')
	if _, err := v.w.Write(v.line); err != nil && v.err == nil {
		v.err = err
	}
}

// Hooks observe the machine for the dump.
func (v *Wave) Hooks() arcv2dsp.Hooks {
	return arcv2dsp.Hooks{
		After:     func(uint32, *isa.Inst) { v.sample() },
		Exception: func(arcv2dsp.Exception) { v.sample() },
	}
}

// sample writes what has changed.
func (v *Wave) sample() {
	for i := range v.signals {
		s := &v.signals[i]
		value := s.read()
		if value == s.value {
			continue
		}
		s.value = value
		if now := v.m.Stats().Cycles; now != v.at {
			v.at = now
			v.line = append(strconv.AppendUint(append(v.line[:0], '#'), now, 10), '\n')
			if _, err := v.w.Write(v.line); err != nil && v.err == nil {
				v.err = err
			}
		}
		v.put(s)
	}
}

// Close ends the dump at the cycle the machine has come to.
func (v *Wave) Close() error {
	if now := v.m.Stats().Cycles; now != v.at {
		v.text(fmt.Sprintf("#%d\n", now))
	}
	if err := v.w.Flush(); v.err == nil {
		v.err = err
	}
	return v.err
}
