package bench

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"arcv2dsp"
	"arcv2dsp/benchmarks"
	"arcv2dsp/isa"
)

// settings are the properties of a point, and those that give the data of a program a memory of its
// own when that is to be slow.
func (p Point) settings() []arcv2dsp.Setting {
	list := p.Settings
	if p.Wait != 0 {
		list = append([]string{"ram=all", fmt.Sprintf("dccm_base=%#x", uint32(benchmarks.DataBase)),
			fmt.Sprintf("dccm_size=%#x", uint32(benchmarks.DataSize))}, list...)
	}
	if p.NoAGU {
		list = append(slices.Clone(noAGU), list...)
	}
	return append(slices.Clone(p.Base), asSettings(list)...)
}

// noAGU are the properties of a core without address generation and its memories.
var noAGU = []string{"agu_size=none", "xy=0"}

func asSettings(list []string) []arcv2dsp.Setting {
	var all []arcv2dsp.Setting
	for _, s := range list {
		all = append(all, arcv2dsp.Setting{Property: s, Origin: "option of the sweep"})
	}
	return all
}

// machine makes a core for a program.
func (p Point) machine(out *bytes.Buffer) (*arcv2dsp.Machine, error) {
	cfg := arcv2dsp.Config{Core: p.template(), Settings: p.settings(), Stdout: out, Wait: map[string]uint8{"dccm": p.Wait}}
	if p.Wait != 0 {
		cfg.Engine = arcv2dsp.EngineReference // the block engine has no wait states
	}
	return arcv2dsp.New(cfg)
}

// features are the instruction options of the core.
func (p Point) features() (isa.Feature, error) {
	m, err := arcv2dsp.New(arcv2dsp.Config{Core: p.template(), Settings: p.settings()})
	if err != nil {
		return 0, err
	}
	return m.Core().Features, m.Close()
}

// runProgram counts the cycles of a program between its marks, or all of them without marks.
func (w *worker) runProgram(ctx context.Context, s Subject, p Point, r *Result) (err error) {
	var out bytes.Buffer
	m, err := p.machine(&out)
	if err != nil {
		return err
	}
	defer func() {
		if e := m.Close(); err == nil {
			err = e
		}
	}()
	if s.Kind == File {
		err = m.LoadFile(s.path)
	} else {
		if needs := s.program.Needs; !m.Core().Features.Has(needs) {
			return &skipError{"needs " + needs.String()}
		}
		image, e := s.program.Build()
		if e != nil {
			return e
		}
		err = m.Load(image)
	}
	if err != nil {
		return err
	}
	counted, stop, err := w.count(ctx, m)
	if err != nil {
		return err
	}
	r.Cycles, r.Insts, r.Stalls = counted.Cycles, counted.Insts, counted.Reasons()
	if stop.Reason != arcv2dsp.StopExited {
		return fmt.Errorf("did not end: %s at %s", stop.Reason, m.Locate(stop.PC))
	}
	if code := stop.ExitCode(); code != 0 && s.Kind == Program {
		return fmt.Errorf("ended with status %d", code)
	}
	if s.Kind == Program && out.String() != s.program.Output {
		return fmt.Errorf("printed %q", strings.TrimSpace(out.String()))
	}
	return nil
}

// count runs the program to its end. Only what happens between the first time the begin mark is
// reached and the end mark after it is counted, when the program has both.
func (w *worker) count(ctx context.Context, m *arcv2dsp.Machine) (arcv2dsp.Stats, arcv2dsp.Stop, error) {
	lim := arcv2dsp.Limits{Cycles: w.limit}
	begin, hasBegin := m.Symbol(benchmarks.BeginSymbol)
	end, hasEnd := m.Symbol(benchmarks.EndSymbol)
	if !hasBegin || !hasEnd {
		stop, err := m.Run(ctx, lim)
		return m.Stats(), stop, err
	}
	var marks [2]arcv2dsp.Stats
	for i, addr := range []uint32{begin, end} {
		m.SetBreakpoint(addr)
		stop, err := m.Run(ctx, lim)
		marks[i] = m.Stats()
		if err != nil || stop.Reason != arcv2dsp.StopBreakpoint || stop.PC != addr {
			return marks[i], stop, err
		}
		m.ClearBreakpoint(addr)
	}
	stop, err := m.Run(ctx, lim)
	return marks[1].Sub(marks[0]), stop, err
}
