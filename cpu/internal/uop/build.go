package uop

import (
	"slices"
	"unsafe"

	"arcv2dsp/cpu"
	"arcv2dsp/cpu/internal/timing"
	"arcv2dsp/internal/program/calls"
	"arcv2dsp/isa"
)

// build makes the block at a key.
func (code *Code) build(c *cpu.CPU, k Key) *Block {
	var b *Block
	shared := code.prof != nil && !code.relaxed[k]
	if shared {
		b = code.prof.shape(k, &code.None)
	}
	if b == nil {
		b = code.shape(c, k)
		if shared {
			code.prof.shapes[k.anywhere()] = b
		}
	}
	for i := range b.Exits {
		x, from := &b.Exits[i], &b.Src.Exits[i]
		x.Acct = uint64(len(b.Src.Insts))<<32 + uint64(from.Cycles)
		x.PC, x.Pipe, x.Loop = from.PC, from.Pipe, from.Loop
	}
	if code.prof != nil {
		code.prof.watch(b)
	}
	code.blocks[k] = b
	code.held += len(b.Src.Insts)
	b.Number = uint32(len(code.list))
	code.list = append(code.list, b)
	code.Numbered = unsafe.Pointer(&code.list[0])
	code.file(b)
	if n := code.JumpMask + 1; len(code.blocks) > int(n) && n < maxJumps {
		code.empty(4 * n)
	}
	return b
}

// shape makes a block with its instructions, micro-operations and costs.
func (code *Code) shape(c *cpu.CPU, k Key) *Block {
	var src *cpu.Block
	if k.Loop {
		src = c.LoopBlock(k.PC, k.Pipe, code.ends)
	} else {
		var ends []uint32
		var last func(*isa.Inst) bool
		can := lowers
		if k.Mode&cpu.ModeFetch == 0 { // else what follows must be looked up, see Continue
			last = func(in *isa.Inst) bool { return leaves(c, in) }
		}
		if code.prof != nil {
			can, last = runs, lastProfiled
		}
		src, ends = c.BuildBlockTo(k.PC, k.Pipe, code.ends, can, last)
		for _, end := range ends {
			code.splitAt(end)
		}
	}
	how := lowering{cpu: c, relaxed: code.relaxed[k] || code.split, split: code.split, mode: k.Mode, warm: k.warm}
	if src.End == cpu.EndJump {
		how.manner = code.Manner(k.Mode, src.Exits[1].Pipe)
	}
	if code.prof != nil {
		how.hand = calls.MovesStack
	}
	code.lowered = lower(src, how, code.lowered)
	b := NewBlock(code.lowered.uops, &code.None)
	b.Key, b.Src, b.start = k, src, slices.Clone(code.lowered.start)
	if k.Mode&cpu.ModeFetch != 0 {
		b.lines = linesOf(c, src)
	}
	for i := range b.Exits {
		b.Exits[i].Stalls = src.Stalls(i)
		b.Need = max(b.Need, src.Exits[i].Cycles)
	}
	lost := worst(c.Timing, src)
	b.fixed = lost == 0
	b.Need += lost
	if src.End == cpu.EndHand {
		b.Need++ // for the instruction that is handed over
	}
	b.Real = b.Need
	return b
}

// Passes returns which instruction behind instruction k is at an address, if there is one.
func (b *Block) Passes(pc uint32, k int) (int, bool) {
	for k++; k < len(b.Src.Insts) && !b.Dead; k++ {
		if b.Src.Insts[k].PC == pc {
			return k, true
		}
	}
	return 0, false
}

// file enters a block in the lists of the pages its code comes from.
func (code *Code) file(b *Block) {
	pages := []uint32{b.Key.PC >> 12}
	for i := range b.Src.Insts {
		in := &b.Src.Insts[i]
		for _, page := range [...]uint32{in.PC >> 12, (in.Next - 1) >> 12} {
			if !slices.Contains(pages, page) {
				pages = append(pages, page)
			}
		}
	}
	for _, page := range pages {
		list := code.pages[page]
		if len(list) == cap(list) {
			list = slices.DeleteFunc(list, func(b *Block) bool { return b.Dead })
		}
		code.pages[page] = append(list, b)
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
