package x86

import "arcv2dsp/cpu/internal/jit/ssa"

// loop is how a block of a unit runs many times in a row. Its code is a unit of its own, so that registers hold
// what the iterations need; it begins and ends with everything in memory.
type loop struct {
	*unit
	from *ssa.Loop
	ways []int // behind the last block of each way
	at   label // where it begins
	past label // where the block begins without it
}

// maxLoopPins bounds the locations with registers in a loop.
const maxLoopPins = 8

// newLoop places the values of a loop, nil when there is none or it needs too much of the frame.
func (u *unit) newLoop(from *ssa.Loop) *loop {
	if from == nil {
		return nil
	}
	blocks := []Block{{Block: from.Pre}}
	l := &loop{from: from}
	for i, w := range from.Ways {
		for _, b := range [...]Block{{Block: w.Enter}, {Block: w.Body, Weight: 100 >> (4 * i)}, {Block: w.Post}} {
			if b.Block != nil {
				blocks = append(blocks, b)
			}
		}
		l.ways = append(l.ways, len(blocks))
	}
	l.unit = u.c.unit(u.Layout, from.Locs, blocks)
	l.frame = from.Frame
	if from.Frame > slots/2 || !l.assign(l.candidates(), maxLoopPins) {
		return nil
	}
	l.at, l.past = u.label(), u.label()
	return l
}

// enterLoop goes to a loop that may run, from the beginning of its block.
func (u *unit) enterLoop(l *loop) {
	if l.from.Count.Size != 0 {
		u.aluImm(false, aluCmp, u.place(l.from.Count), int32(l.from.Few))
		u.jumpIf(byte(ssa.BelowEqual), l.past)
	}
	for _, a := range l.from.Areas { // here, where it costs little to go on without the loop
		u.mov(false, AX, u.place(a.Loc))
		if a.Add != 0 {
			u.aluImm(false, aluAdd, inReg(AX), int32(a.Add))
		}
		u.aluImm(false, aluAnd, inReg(AX), 1<<a.PageBits-1)
		u.aluImm(false, aluCmp, inReg(AX), int32(a.Most))
		u.jumpIf(byte(ssa.Above), l.past)
	}
	u.writeHome()
	u.jump(l.at)
	u.bind(l.past)
}

// place is where a location is.
func (u *unit) place(l ssa.Loc) rm {
	for _, p := range u.pins {
		if u.locs[p.loc] == l {
			return inReg(p.reg)
		}
	}
	return home(l)
}

// emitLoop writes the code of a loop.
func (u *unit) emitLoop(l *loop) {
	l.refuse = l.label()
	for range l.blocks {
		l.starts = append(l.starts, l.label())
	}
	u.bind(l.at)
	l.readHome()
	done := l.label()
	for i := range l.blocks {
		l.bind(l.starts[i])
		(&emitter{unit: l.unit, plan: l.plans[i], n: i, b: &l.blocks[i]}).block()
		if len(l.ways) < 2 {
			continue
		}
		switch i + 1 {
		case 1:
			l.aluImm(false, aluCmp, l.place(l.from.Choice), 0)
			l.jumpIf(byte(ssa.NotEqual), l.starts[l.ways[0]])
		case l.ways[0]:
			l.jump(done)
		}
	}
	l.bind(done)
	l.writeHome()
	l.bind(l.refuse)
	u.readHome()
	u.jump(l.past)
}
