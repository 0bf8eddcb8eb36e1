package profile

import (
	"cmp"
	"debug/elf"
	"maps"
	"slices"

	"arcv2dsp/internal/measure/report"
	"arcv2dsp/isa"
)

// loop is code that a backward branch or a zero-overhead loop repeats.
type loop struct {
	start, end uint32
	times      uint64   // executions of its first instruction
	own        []uint32 // instructions that are in no smaller loop
	cycles     uint64   // of these
}

// loops finds the loops that were executed more than once. Each instruction belongs to the smallest loop that it is
// in. Loops with the most cycles come first.
func (p *Profile) loops() []*loop {
	flat := p.flat()
	byStart := map[uint32]*loop{}
	for pc, c := range flat {
		in, err := p.m.Decode(pc)
		if err != nil || c.Insts < 2 && in.Op != isa.LP || in.Calls() {
			continue
		}
		start, end, ok := p.repeated(pc, &in)
		if !ok || flat[start] == nil || flat[start].Insts < 2 {
			continue
		}
		if l := byStart[start]; l == nil {
			byStart[start] = &loop{start: start, end: end, times: flat[start].Insts}
		} else {
			l.end = max(l.end, end) // continue statements go back, too
		}
	}
	list := slices.SortedFunc(maps.Values(byStart), func(a, b *loop) int {
		return cmp.Or(cmp.Compare(a.end-a.start, b.end-b.start), cmp.Compare(a.start, b.start))
	})
	pcs := slices.Sorted(maps.Keys(flat))
	free := make([]int, len(pcs)+1) // the first instruction from here on that has no loop yet, or a step towards it
	for i := range free {
		free[i] = i
	}
	next := func(i int) int {
		for free[i] != i {
			free[i] = free[free[i]]
			i = free[i]
		}
		return i
	}
	for _, l := range list {
		i, _ := slices.BinarySearch(pcs, l.start)
		for i = next(i); i < len(pcs) && pcs[i] < l.end; i = next(i) {
			l.own = append(l.own, pcs[i])
			l.cycles += flat[pcs[i]].Cycles()
			free[i] = i + 1
		}
	}
	slices.SortFunc(list, func(a, b *loop) int { return cmp.Or(cmp.Compare(b.cycles, a.cycles), cmp.Compare(a.start, b.start)) })
	return list
}

// repeated returns the code that an instruction repeats: up to its delay slot when it branches backwards, behind it
// up to its target when it sets a loop up.
func (p *Profile) repeated(pc uint32, in *isa.Inst) (start, end uint32, ok bool) {
	for _, arg := range in.Args[:in.N] {
		if arg.Kind != isa.OpTarget {
			continue
		}
		target, next := pc&^3+uint32(arg.Val), pc+uint32(in.Len)
		switch {
		case in.Op == isa.LP:
			return next, target, target > next
		case target <= pc && !p.tailCall(pc, target):
			if in.Delay {
				if slot, err := p.m.Decode(next); err == nil {
					next += uint32(slot.Len)
				}
			}
			return target, next, true
		}
	}
	return 0, 0, false
}

// tailCall reports whether a branch leads to another function.
func (p *Profile) tailCall(pc, target uint32) bool {
	s, off, ok := p.m.Symbols().At(target)
	return ok && off == 0 && s.Type == elf.STT_FUNC && p.names.function(pc).entry != target
}

// Bounds of the loops of a page.
const (
	maxLoops     = 8
	maxLoopLines = 96
	leastShare   = 0.005 // of all cycles
)

// HotLoop is the loop whose own instructions cost most, if there is one.
func (p *Profile) HotLoop() (l report.Loop, ok bool) {
	list := p.hotLoops()
	if len(list) == 0 {
		return l, false
	}
	return list[0], true
}

// hotLoops are the loops for a page. Instructions of loops inside are not hot there.
func (p *Profile) hotLoops() []report.Loop {
	var list []report.Loop
	flat := p.flat()
	pcs := slices.Sorted(maps.Keys(flat))
	for _, l := range p.loops() {
		if len(list) == maxLoops || l.cycles == 0 || float64(l.cycles) < leastShare*float64(p.Total.Cycles) {
			break
		}
		page := report.Loop{Name: p.place(l.start), Times: l.times, Cycles: l.cycles}
		first, _ := slices.BinarySearch(pcs, l.start)
		last, _ := slices.BinarySearch(pcs, l.end)
		for _, pc := range pcs[first:min(last, first+maxLoopLines)] {
			line := p.hotLine(pc, flat[pc])
			_, line.Hot = slices.BinarySearch(l.own, pc)
			page.Lines = append(page.Lines, line)
		}
		page.Left = max(0, last-first-maxLoopLines)
		list = append(list, page)
	}
	return list
}
