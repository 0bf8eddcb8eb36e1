package fast

import (
	"slices"
	"unsafe"

	"arcv2dsp/cpu"
	"arcv2dsp/cpu/calls"
	"arcv2dsp/cpu/timing"
	"arcv2dsp/isa"
)

// build makes the block at a key.
func (e *Engine) build(c *cpu.CPU, k key) *block {
	b := &block{key: k}
	if e.prof == nil || e.relaxed[k] || !e.prof.shape(b) {
		e.shape(c, b)
	}
	for i := range b.exits {
		x := &b.src.Exits[i]
		b.exits[i] = edge{
			out: b, to: &e.none, acct: uint64(len(b.src.Insts))<<32 + uint64(x.Cycles),
			pc: x.PC, pipe: x.Pipe, loop: x.Loop, stalls: b.exits[i].stalls,
		}
	}
	b.left = make([]uint64, len(b.src.Insts)+1)
	b.joined = make([]uint64, len(b.src.Insts)+1)
	if e.prof != nil {
		e.prof.watch(b)
	}
	e.blocks[k] = b
	e.held += len(b.src.Insts)
	b.number = uint32(len(e.list))
	e.list = append(e.list, b)
	e.numbered = unsafe.Pointer(&e.list[0])
	e.file(b)
	return b
}

// shape gives a block its instructions, micro-operations and costs.
func (e *Engine) shape(c *cpu.CPU, b *block) {
	k := b.key
	var src *cpu.Block
	if k.loop {
		src = c.LoopBlock(k.pc, k.pipe, e.ends)
	} else {
		var ends []uint32
		var last func(*isa.Inst) bool
		can := lowers
		if e.prof != nil {
			can, last = runs, lastProfiled
		}
		src, ends = c.BuildBlockTo(k.pc, k.pipe, e.ends, can, last)
		for _, end := range ends {
			e.splitAt(end)
		}
	}
	b.src = src
	how := lowering{cpu: c, relaxed: e.relaxed[k] || e.split, split: e.split, mode: k.mode, warm: k.warm}
	if e.prof != nil {
		how.hand = calls.MovesStack
	}
	if !e.relaxed[k] {
		b.fused = fusionOf(src)
		how.fused = b.fused != nil
	}
	b.uops, b.start = lower(src, how)
	if k.mode&cpu.ModeFetch != 0 {
		b.lines = linesOf(c, src)
	}
	b.uops = append(b.uops, uop{op: uSLOW})
	b.first = &b.uops[0]
	for i := range b.exits {
		b.exits[i].stalls = src.Stalls(i)
		b.need = max(b.need, src.Exits[i].Cycles)
	}
	b.need += worst(c.Timing, src)
	if src.End == cpu.EndHand {
		b.need++ // for the instruction that is handed over
	}
	b.real = b.need
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
