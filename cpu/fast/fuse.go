package fast

import (
	"unsafe"

	"arcv2dsp/cpu"
	"arcv2dsp/dspunit"
	"arcv2dsp/isa"
	"arcv2dsp/memory"
)

// Zero-overhead loops around one operation whose sources come from two AGU ports, or from two loads
// with post-increment, run outside the leaf: a fused loop makes all but the last iteration, as far
// as the pages of its two streams, the loop count and the deadline allow.

// flow is a stream of source operands within one page: see dspunit.Port for the conversion.
type flow struct {
	host            unsafe.Pointer // of the page
	at, step        uint32
	m1, m2, sb, mul uint32
	s2              uint8
	plain           bool
	bytes           bool // two signed bytes into two lanes
}

// fusedLoop are the variants of the fused loop of an operation. Each runs n iterations and returns
// the last result, or 0 when it is to be dropped.
type fusedLoop struct {
	plain, plainZ, conv, convZ, bytesX, bytesY, bytesXY func(c *cpu.CPU, n uint32, p, q *flow) (last uint32)
}

// choose returns the variant for two streams.
func (l *fusedLoop) choose(p, q *flow, dropped bool) func(c *cpu.CPU, n uint32, p, q *flow) uint32 {
	switch {
	case p.plain && q.plain && dropped:
		return l.plain
	case p.plain && q.plain:
		return l.plainZ
	case !dropped:
		return l.convZ
	case l.bytesX == nil:
		return l.conv
	case p.bytes && q.plain:
		return l.bytesX
	case p.plain && q.bytes:
		return l.bytesY
	case p.bytes && q.bytes:
		return l.bytesXY
	}
	return l.conv
}

// fusion is a block that is the body of a loop that can be fused.
type fusion struct {
	loop  fusedLoop
	end   uint32 // address behind the body
	dest  uint8  // slot of the result, the null slot when it is dropped
	ports bool
	x, y  fusedSource
}

// fusedSource is where a source of the operation comes from: a port, or a load.
type fusedSource struct {
	port uint8 // number of the port
	load uint8 // slot that is loaded
	base uint8 // slot of the pointer
	step uint32
	size uint32
	sign bool
}

// fuseAbove is the loop count above which leaving the leaf for a fused loop pays.
const fuseAbove = 4

// fusionOf recognises a loop body that can be fused.
func fusionOf(b *cpu.Block) *fusion {
	n := len(b.Insts)
	if b.End != cpu.EndLoop || b.Exits[1].PC != b.PC || n != 1 && n != 3 {
		return nil
	}
	in := &b.Insts[n-1]
	loop, ok := fusedLoops[in.Exec()]
	if !ok || in.Cond != isa.CondAL || in.SetFlags || in.N != 3 || in.Args[1].Kind != isa.OpReg || in.Args[2].Kind != isa.OpReg {
		return nil
	}
	f := &fusion{loop: loop, end: b.Exits[0].PC, dest: cpu.SlotNull}
	if a := in.Args[0]; a.Kind == isa.OpReg {
		if f.dest = cpu.Slot(a.Reg); a.Reg >= dspunit.FirstPort || in.Row().Pair != 0 {
			return nil
		}
	}
	switch {
	case n == 1 && cpu.Ports(&in.Inst) == 0b110:
		f.ports = true
		f.x.port = in.Args[1].Reg - dspunit.FirstPort
		f.y.port = in.Args[2].Reg - dspunit.FirstPort
	case n == 3 && cpu.Ports(&in.Inst) == 0:
		p, ok1 := loadOf(&b.Insts[0])
		q, ok2 := loadOf(&b.Insts[1])
		f.x, f.y = p, q
		if x, y := in.Args[1].Reg, in.Args[2].Reg; x == q.load && y == p.load {
			f.x, f.y = q, p
		} else if x != p.load || y != q.load {
			return nil
		}
		regs := map[uint8]bool{p.load: true, q.load: true, p.base: true, q.base: true}
		if !ok1 || !ok2 || len(regs) != 4 || f.dest == p.base || f.dest == q.base {
			return nil
		}
	default:
		return nil
	}
	return f
}

// loadOf recognises a load with post-increment by a literal.
func loadOf(in *cpu.BlockInst) (s fusedSource, ok bool) {
	if in.Exec() != isa.LD || in.Cond != isa.CondAL || in.Addr != isa.AddrPost || cpu.Ports(&in.Inst) != 0 ||
		in.Args[0].Kind != isa.OpReg || in.Args[1].Kind != isa.OpReg || in.Args[2].Kind != isa.OpImm ||
		in.Args[0].Reg >= 32 || in.Args[1].Reg >= 32 {
		return s, false
	}
	return fusedSource{
		load: in.Args[0].Reg, base: in.Args[1].Reg, step: uint32(in.Args[2].Val),
		size: in.Size.Bytes(), sign: in.SignExtend,
	}, true
}

// fuse runs iterations of a block that leads to itself, all but the last at most.
func (e *Engine) fuse(c *cpu.CPU, b *block) {
	for e.stretch(c, b) && c.R[cpu.SlotLPCount] > fuseAbove {
	}
}

// stretch runs as many iterations as one page and one cache line of each stream allow. It reports whether
// there may be more.
func (e *Engine) stretch(c *cpu.CPU, b *block) bool {
	f, back := b.fused, &b.exits[1]
	if back.to != b || c.LPEnd != f.end || c.LPStart != b.key.pc || c.Status&cpu.StatusL != 0 ||
		!b.steady(c) {
		return false
	}
	n := c.R[cpu.SlotLPCount] - 1
	p, q := &e.flows[0], &e.flows[1]
	*p, *q = flow{}, flow{}
	var pair uint32
	cost := uint32(back.acct)
	if f.ports {
		x, y := &c.AGU.Port[f.x.port], &c.AGU.Port[f.y.port]
		if !x.Simple || !y.Simple || x.AP == y.AP || e.splits(c, x) || e.splits(c, y) ||
			!p.openPort(c, x, &n) || !q.openPort(c, y, &n) {
			return false
		}
		pair = e.kindAt(c, c.AGU.AP[x.AP])<<3 | e.kindAt(c, c.AGU.AP[y.AP])
		cost += e.pairCost[pair]
	} else if !p.openLoad(c, &f.x, &n) || !q.openLoad(c, &f.y, &n) {
		return false
	} else if b.key.mode&cpu.ModeData != 0 &&
		(!e.bring(c, b, p.at, q.at) || !p.line(c, p.at, f.x.size, &n) || !q.line(c, q.at, f.y.size, &n)) {
		return false
	}
	left := e.limit - uint32(e.acct) - b.real // the iteration that follows must fit, too
	if n = min(n, left/cost); n < 2 || int32(left) < 0 {
		return false
	}

	z := f.loop.choose(p, q, f.dest == cpu.SlotNull)(c, n, p, q)

	if f.ports {
		c.AGU.AP[c.AGU.Port[f.x.port].AP] += n * p.step
		c.AGU.AP[c.AGU.Port[f.y.port].AP] += n * q.step
		if e.pairCost[pair] != 0 {
			e.paired[pair] += uint64(n)
		}
	} else {
		p.close(c, &f.x, n)
		q.close(c, &f.y, n)
	}
	if f.dest != cpu.SlotNull {
		c.R[f.dest] = z
	}
	c.R[cpu.SlotLPCount] -= n
	back.n += uint64(n)
	e.acct += uint64(n) * (back.acct + uint64(cost-uint32(back.acct)))
	return true
}

func (e *Engine) kindAt(c *cpu.CPU, addr uint32) uint32 { return uint32(c.Mem.Kinds[addr>>12] & 7) }

// splits reports whether accesses of a linear port may lose cycles because they are unaligned.
func (e *Engine) splits(c *cpu.CPU, p *dspunit.Port) bool {
	addr := c.AGU.AP[p.AP]
	return (addr|p.Step)&(uint32(p.Size)-1)&e.splitMask[e.kindAt(c, addr)] != 0
}

// page finds the page of the first access and limits n to the accesses that stay inside.
func (s *flow) page(c *cpu.CPU, addr, step uint32, n *uint32) bool {
	s.host = *(*unsafe.Pointer)(unsafe.Pointer(&c.Mem.Read[addr>>12]))
	s.at, s.step = addr, step
	off := addr & (memory.PageSize - 1)
	const last = memory.PageSize - 4 // accesses read four bytes
	if s.host == nil || off > last {
		return false
	}
	switch {
	case int32(step) > 0:
		*n = min(*n, (last-off)/step+1)
	case step != 0:
		*n = min(*n, off/-step+1)
	}
	return true
}

// openPort makes the stream of a simple port.
func (s *flow) openPort(c *cpu.CPU, p *dspunit.Port, n *uint32) bool {
	s.m1, s.m2, s.s2, s.sb, s.mul, s.plain = p.M1, p.M2, p.S2, p.Sb, p.Mul, p.Plain
	s.bytes = p.M1 == 0xff && p.S2 == 8 && p.M2 == 0xff0000 && p.Sb == 0x800080 && p.Mul == 0x1fe
	return s.page(c, c.AGU.AP[p.AP], p.Step, n)
}

// openLoad makes the stream of a load.
func (s *flow) openLoad(c *cpu.CPU, l *fusedSource, n *uint32) bool {
	addr := c.R[l.base]
	if (addr|l.step)&(l.size-1) != 0 {
		return false
	}
	switch l.size {
	case 4:
		s.m1, s.plain = 0xffffffff, true
	case 2:
		s.m1 = 0xffff
		if l.sign {
			s.sb, s.mul = 0x8000, 0x1fffe
		}
	case 1:
		s.m1 = 0xff
		if l.sign {
			s.sb, s.mul = 0x80, 0x1fffffe
		}
	default:
		return false
	}
	return s.page(c, addr, l.step, n)
}

// close leaves the registers of a load as the last of n iterations did.
func (s *flow) close(c *cpu.CPU, l *fusedSource, n uint32) {
	last := s.at + (n-1)*s.step
	v := *(*uint32)(unsafe.Add(s.host, last&(memory.PageSize-1)))
	v = v&s.m1 | v<<(s.s2&31)&s.m2
	c.R[l.load] = v + (v&s.sb)*s.mul
	c.R[l.base] = last + s.step
}
