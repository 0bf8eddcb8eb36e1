package fast

import (
	"slices"

	"arcv2dsp/cpu"
	"arcv2dsp/cpu/timing"
)

// build makes the block at a key.
func (e *Engine) build(c *cpu.CPU, k key) *block {
	var src *cpu.Block
	if k.loop {
		src = c.LoopBlock(k.pc, k.pipe, e.ends)
	} else {
		var ends []uint32
		src, ends = c.BuildBlock(k.pc, k.pipe, e.ends, lowers)
		for _, end := range ends {
			e.splitAt(end)
		}
	}
	b := &block{src: src, key: k}
	how := lowering{core: &c.Config, ports: e.ports, relaxed: e.relaxed[k]}
	if !how.relaxed {
		b.fused = fusionOf(src, e.ports)
		how.fused = b.fused != nil
	}
	b.uops, b.start = lower(src, how)
	b.uops = append(b.uops, uop{op: uSLOW})
	b.first = &b.uops[0]
	b.left = make([]uint64, len(src.Insts)+1)
	b.joined = make([]uint64, len(src.Insts)+1)
	for i := range b.exits {
		x := &src.Exits[i]
		b.exits[i] = edge{
			to: &e.none, acct: uint64(len(src.Insts))<<32 + uint64(x.Cycles),
			pc: x.PC, pipe: x.Pipe, loop: x.Loop, stalls: src.Stalls(i),
		}
		b.need = max(b.need, x.Cycles)
	}
	b.need += worst(c.Timing, src)
	if src.End == cpu.EndHand {
		b.need++ // for the instruction that is handed over
	}
	e.blocks[k] = b
	e.list = append(e.list, b)
	e.file(b)
	return b
}

// file enters a block in the lists of the pages its code comes from.
func (e *Engine) file(b *block) {
	pages := []uint32{b.key.pc >> 12}
	for i := range b.src.Insts {
		in := &b.src.Insts[i]
		for _, page := range [...]uint32{in.PC >> 12, (in.Next - 1) >> 12} {
			if !slices.Contains(pages, page) {
				pages = append(pages, page)
			}
		}
	}
	for _, page := range pages {
		list := e.pages[page]
		if len(list) == cap(list) {
			list = slices.DeleteFunc(list, func(b *block) bool { return b.dead })
		}
		e.pages[page] = append(list, b)
	}
}

// worst returns the most cycles that the AGU accesses of a block can lose.
func worst(m *timing.Model, src *cpu.Block) (n uint32) {
	for i := range src.Insts {
		for ports := cpu.Ports(&src.Insts[i].Inst); ports != 0; ports &= ports - 1 {
			n += uint32(max(m.PortMiss, m.PortConflict, 1))
		}
	}
	return n
}
