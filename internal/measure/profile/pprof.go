package profile

import (
	"fmt"
	"io"
	"time"

	pprof "github.com/google/pprof/profile"

	"arcv2dsp/internal/program/dwarf"
)

// Sample types, before those of the reasons.
const (
	typeCycles = iota
	typeInsts
	typeStalls // of the first reason
)

// WritePprof writes the profile in the format of pprof, compressed.
func (p *Profile) WritePprof(w io.Writer) error {
	out := p.pprof()
	if err := out.CheckValid(); err != nil {
		return fmt.Errorf("profile: %w", err)
	}
	return out.Write(w)
}

// pprofBuilder makes the tables of a pprof profile.
type pprofBuilder struct {
	names     *names
	out       *pprof.Profile
	mapping   *pprof.Mapping
	locations map[uint32]*pprof.Location
	functions map[string]*pprof.Function // by file and name
}

func (p *Profile) pprof() *pprof.Profile {
	b := &pprofBuilder{
		names: p.names, locations: map[uint32]*pprof.Location{}, functions: map[string]*pprof.Function{},
		mapping: &pprof.Mapping{
			ID: 1, Limit: 1 << 32, File: p.Program, HasFunctions: true, HasFilenames: true,
			HasLineNumbers: true, HasInlineFrames: true,
		},
		out: &pprof.Profile{
			SampleType: []*pprof.ValueType{
				typeCycles: {Type: "cycles", Unit: "count"},
				typeInsts:  {Type: "instructions", Unit: "count"},
			},
			DefaultSampleType: "cycles",
			PeriodType:        &pprof.ValueType{Type: "cycles", Unit: "count"},
			Period:            1,
			DurationNanos:     int64(float64(p.Total.Cycles) / float64(p.m.Core().ClockHz) * float64(time.Second)),
			Comments:          []string{"cycles as " + p.m.Core().Timing.Core},
		},
	}
	b.out.Mapping = []*pprof.Mapping{b.mapping}
	for _, r := range reasons() {
		b.out.SampleType = append(b.out.SampleType, &pprof.ValueType{Type: r.String(), Unit: "count"})
	}
	handlers := &pprof.Location{
		ID: 1, Mapping: b.mapping,
		Line: []pprof.Line{{Function: b.function("[handlers]", dwarf.Position{}, 0)}},
	}
	b.out.Location = append(b.out.Location, handlers)
	for _, c := range p.chains {
		var callers []*pprof.Location
		for _, call := range c.Calls {
			callers = append(callers, b.location(call))
		}
		if c.Handler {
			callers = append(callers, handlers)
		}
		for i := range c.Costs {
			cost := &c.Costs[i]
			s := &pprof.Sample{
				Location: append([]*pprof.Location{b.location(cost.PC)}, callers...),
				Value:    []int64{typeCycles: int64(cost.Cycles()), typeInsts: int64(cost.Insts)},
			}
			for _, n := range cost.Stalls {
				s.Value = append(s.Value, int64(n))
			}
			b.out.Sample = append(b.out.Sample, s)
		}
	}
	return b.out
}

// location returns the location of an instruction, with the calls that were inlined there.
func (b *pprofBuilder) location(pc uint32) *pprof.Location {
	if l := b.locations[pc]; l != nil {
		return l
	}
	l := &pprof.Location{ID: uint64(len(b.out.Location) + 1), Mapping: b.mapping, Address: uint64(pc)}
	frames := b.names.at(pc)
	for i, f := range frames {
		start := 0
		if i == len(frames)-1 && b.names.lines != nil {
			if fn := b.names.lines.Function(pc); fn != nil {
				start = fn.Decl().Line
			}
		}
		l.Line = append(l.Line, pprof.Line{
			Function: b.function(f.Function, f.At, start), Line: int64(f.At.Line), Column: int64(f.At.Column),
		})
	}
	b.locations[pc] = l
	b.out.Location = append(b.out.Location, l)
	return l
}

func (b *pprofBuilder) function(name string, at dwarf.Position, start int) *pprof.Function {
	key := at.File + "\x00" + name
	f := b.functions[key]
	if f == nil {
		f = &pprof.Function{
			ID: uint64(len(b.out.Function) + 1), Name: name, SystemName: name, Filename: at.File,
		}
		b.functions[key] = f
		b.out.Function = append(b.out.Function, f)
	}
	if start != 0 {
		f.StartLine = int64(start)
	}
	return f
}
