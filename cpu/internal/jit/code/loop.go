package code

import "arcv2dsp/cpu/internal/jit/ssa"

// loop is how a block of a unit runs many times in a row. Its code is a unit of its own, so that registers hold
// what the iterations need; it begins and ends with everything in memory.
type loop struct {
	*Unit
	from *ssa.Loop
	at   Label // where it begins
	past Label // where the block begins without it
}

// newLoop places the values of a loop, nil when there is none or it needs too much of the frame.
func (u *Unit) newLoop(from *ssa.Loop) *loop {
	if from == nil {
		return nil
	}
	v := u.c.unit(u.Layout, from.Locs)
	blocks, ways, stop := append(v.own[:0], Block{Block: from.Pre}), v.ways[:0], 0
	for i, w := range from.Ways {
		for _, b := range [...]Block{{Block: w.Enter}, {Block: w.Body, Weight: 100 >> (4 * i)}, {Block: w.Post}} {
			if b.Block != nil {
				blocks = append(blocks, b)
			}
		}
		if w.Stop != nil {
			stop = len(blocks)
			blocks = append(blocks, Block{Block: w.Stop})
		}
		ways = append(ways, len(blocks))
	}
	v.own, v.ways = blocks, ways
	v.arrange(blocks)
	v.frame, v.stop = from.Frame, stop
	if from.Frame > Slots/2 || !v.assign(v.candidates(), u.c.regs.LoopPins) {
		return nil
	}
	v.loop = loop{Unit: v, from: from, at: u.Label(), past: u.Label()}
	return &v.loop
}

// enterLoop goes to a loop that may run, from the beginning of its block.
func (u *Unit) enterLoop(l *loop) {
	u.mayRun(l, u.place, l.past)
	u.WriteHome()
	u.t.Jump(l.at)
	u.Bind(l.past)
}

// mayRun jumps past a loop that does not run, as what is somewhere in memory or in a register says.
func (u *Unit) mayRun(l *loop, place func(ssa.Loc) Place, past Label) {
	if l.from.Count.Size != 0 {
		u.t.UpTo(place(l.from.Count), l.from.Few, past)
	}
	for _, a := range l.from.Areas { // here, where it costs little to go on without the loop
		u.t.Beyond(place(a.Loc), a.Add, 1<<a.PageBits-1, a.Most, past)
	}
}

// place is where a location is.
func (u *Unit) place(l ssa.Loc) Place {
	for _, p := range u.pins {
		if u.Locs[p.loc] == l {
			return In(p.reg)
		}
	}
	return u.c.regs.Home(l)
}

// emitLoop writes the code of a loop, and where its block is entered. In front of it stands how it is left, near to the
// questions with which it begins.
func (u *Unit) emitLoop(l *loop) (entry Label) {
	l.refuse = l.Label()
	for range l.blocks {
		l.starts = append(l.starts, l.Label())
	}
	l.Bind(l.refuse)
	u.ReadHome()
	u.t.Jump(l.past)
	entry = u.Label()
	u.Bind(entry)
	u.mayRun(l, u.c.regs.Home, l.refuse) // from outside, where all is in memory
	u.Bind(l.at)
	l.ReadHome()
	done := l.Label()
	for i := range l.blocks {
		if i > 0 && i == l.stop {
			continue
		}
		l.Bind(l.starts[i])
		l.block(i)
		if len(l.ways) < 2 {
			continue
		}
		switch i + 1 {
		case 1:
			l.t.NotZero(l.place(l.from.Choice), l.starts[l.ways[0]])
		case l.ways[0]:
			l.t.Jump(done)
		}
	}
	l.Bind(done)
	l.WriteHome()
	u.t.Jump(l.refuse)
	if l.stop > 0 {
		l.Bind(l.starts[l.stop])
		l.block(l.stop)
		u.t.Jump(done)
	}
	return entry
}
