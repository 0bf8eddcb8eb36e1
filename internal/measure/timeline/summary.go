package timeline

import (
	"cmp"
	"slices"

	"arcv2dsp"
	"arcv2dsp/isa"
)

// Line sums up all executions of one instruction.
type Line struct {
	PC         uint32             `json:"pc"`
	Text       string             `json:"text"`
	Executions uint64             `json:"executions"`
	Cycles     uint64             `json:"cycles"` // of all executions, gaps before them not included
	Min        uint64             `json:"min"`
	Max        uint64             `json:"max"`
	Latency    uint64             `json:"latency"` // cycles from issue until its result can be used
	Why        []string           `json:"why"`     // for what cycles were lost, most frequent first
	Pressure   map[string]float64 `json:"pressure"`

	counts map[string]uint64
}

// Summary is a trace in numbers.
type Summary struct {
	Schema       int                `json:"schema"`
	Core         string             `json:"core"`
	Iterations   int                `json:"iterations"`
	Instructions uint64             `json:"instructions"`
	Cycles       uint64             `json:"cycles"`
	Stalls       map[string]uint64  `json:"stalls"` // with Instructions they add up to Cycles
	IPC          float64            `json:"ipc"`
	PerIteration float64            `json:"cycles_per_iteration"`
	Complete     bool               `json:"complete"`
	Resources    []string           `json:"resources"`
	Pressure     map[string]float64 `json:"pressure"` // cycles a resource is busy per iteration
	Bottleneck   string             `json:"bottleneck"`
	Lines        []*Line            `json:"lines"`
	Steps        []StepJSON         `json:"steps"`
}

// StepJSON is a step of the timeline for other programs.
type StepJSON struct {
	Iteration int    `json:"iteration"`
	Index     int    `json:"index"`
	PC        uint32 `json:"pc"`
	Issue     uint64 `json:"issue"`  // cycle, the first instruction could issue in cycle 0
	Cycles    uint64 `json:"cycles"` // it cost
	Column    uint64 `json:"column"` // of the first letter
	Letters   string `json:"letters"`
	Why       string `json:"why,omitempty"`
}

// resources that every core has, in the order of the tables. Memories come after them.
const (
	resIssue    = "issue"
	resALU      = "alu"
	resMultiply = "multiplier"
	resDivide   = "divider"
	resBranch   = "branch"
)

// pressure is for how many cycles a step keeps each resource busy.
func (t *Trace) pressure(s *Step) map[string]float64 {
	p := map[string]float64{resIssue: 1}
	switch c := s.Inst.Class(); {
	case multiplies(c):
		p[resMultiply] = 1
		if t.blocks {
			p[resMultiply] += float64(s.Late)
		}
	case s.Beside:
		p[resDivide] = 1 + float64(s.Late)
	case s.Inst.Control():
		p[resBranch] = 1
		for _, l := range s.After {
			if _, drawn := occupies(l.Reason); !drawn {
				p[resBranch] += float64(l.Cycles)
			}
		}
	case c == isa.ClassLoad || c == isa.ClassStore || c == isa.ClassAtomic || c == isa.ClassFrame ||
		c == isa.ClassTableLoad || c == isa.ClassPrefetch:
	default:
		p[resALU] = 1
	}
	for _, a := range s.Memory {
		p[a.Memory]++
	}
	return p
}

// Summarize adds a trace up.
func Summarize(t *Trace) *Summary {
	s := &Summary{
		Schema: 1, Core: t.Core, Iterations: t.Iterations, Instructions: uint64(len(t.Steps)), Cycles: t.Cycles,
		Stalls: arcv2dsp.Stats{Stalls: t.Stalls}.Reasons(), Complete: t.Complete, Pressure: map[string]float64{},
		Resources: []string{resIssue, resALU, resMultiply, resDivide, resBranch},
		Lines:     []*Line{}, Steps: []StepJSON{},
	}
	if t.Cycles != 0 {
		s.IPC = float64(s.Instructions) / float64(t.Cycles)
	}
	iterations := float64(max(1, t.Iterations))
	s.PerIteration = float64(t.Cycles) / iterations
	lines := map[uint32]*Line{}
	rows := Draw(t)
	for i := range t.Steps {
		step := &t.Steps[i]
		l := lines[step.PC]
		if l == nil {
			l = &Line{PC: step.PC, Text: t.text[step.PC], Min: step.Cycles(), Latency: 1 + step.Late, Why: []string{},
				Pressure: map[string]float64{}, counts: map[string]uint64{}}
			lines[step.PC] = l
			s.Lines = append(s.Lines, l)
		}
		l.add(step)
		for res, n := range t.pressure(step) {
			if !slices.Contains(s.Resources, res) {
				s.Resources = append(s.Resources, res)
			}
			l.Pressure[res] += n / iterations
			s.Pressure[res] += n / iterations
		}
		s.Steps = append(s.Steps, StepJSON{Iteration: step.Iteration, Index: step.Index, PC: step.PC, Issue: step.Issue(),
			Cycles: step.Cycles(), Column: rows[i].Column, Letters: rows[i].Letters, Why: step.Why()})
	}
	slices.SortFunc(s.Lines, func(a, b *Line) int { return cmp.Compare(a.PC, b.PC) })
	for _, l := range s.Lines {
		for why := range l.counts {
			l.Why = append(l.Why, why)
		}
		slices.SortFunc(l.Why, func(a, b string) int {
			return cmp.Or(cmp.Compare(l.counts[b], l.counts[a]), cmp.Compare(a, b))
		})
	}
	s.Bottleneck = s.bottleneck()
	return s
}

func (l *Line) add(step *Step) {
	n := step.Cycles()
	l.Executions++
	l.Cycles += n
	l.Min, l.Max = min(l.Min, n), max(l.Max, n)
	for _, lost := range slices.Concat(step.Before, step.After) {
		l.counts[lost.Reason.String()] += lost.Cycles
	}
}

// bottleneck is the limit of the loop: the resource that is busy longest, or the reason of most lost cycles when
// that is more than one in ten.
func (s *Summary) bottleneck() string {
	worst := ""
	for _, reason := range reasonsOf(s.Stalls) {
		if worst == "" && s.Stalls[reason]*10 > s.Cycles {
			worst = reason
		}
	}
	if worst != "" {
		return worst
	}
	best := resIssue
	for _, r := range s.Resources {
		if s.Pressure[r] > s.Pressure[best] {
			best = r
		}
	}
	return best
}

// reasonsOf lists reasons, most cycles first.
func reasonsOf(stalls map[string]uint64) []string {
	var names []string
	for name := range stalls {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(stalls[b], stalls[a]), cmp.Compare(a, b))
	})
	return names
}
