package fast

import (
	"unsafe"

	"arcv2dsp/cpu"
	"arcv2dsp/cpu/internal/uop"
	"arcv2dsp/dspunit"
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
	plain, plainZ, conv, bytesX, bytesY, bytesXY func(c *cpu.CPU, n uint32, p, q *flow) (last uint32)
}

// choose returns the variant for two streams; nil when there is none: results of converting loads are dropped.
func (l *fusedLoop) choose(p, q *flow, dropped bool) func(c *cpu.CPU, n uint32, p, q *flow) uint32 {
	switch {
	case p.plain && q.plain && dropped:
		return l.plain
	case p.plain && q.plain:
		return l.plainZ
	case !dropped:
		return nil
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

// fuse runs iterations of a block that leads to itself, all but the last at most.
func (e *Engine) fuse(c *cpu.CPU, b *uop.Block) {
	for e.stretch(c, b) && c.R[cpu.SlotLPCount] > uop.FuseAbove {
	}
}

// stretch runs as many iterations as one page and one cache line of each stream allow. It reports whether
// there may be more.
func (e *Engine) stretch(c *cpu.CPU, b *uop.Block) bool {
	f, back := b.Fused, &b.Exits[1]
	if back.To != b || c.LPEnd != f.End || c.LPStart != b.Key.PC || c.Status&cpu.StatusL != 0 ||
		!b.Steady(c) {
		return false
	}
	n := c.R[cpu.SlotLPCount] - 1
	p, q := &e.flows[0], &e.flows[1]
	*p, *q = flow{}, flow{}
	var pair uint32
	cost := uint32(back.Acct)
	if f.Ports {
		x, y := &c.AGU.Port[f.X.Port], &c.AGU.Port[f.Y.Port]
		if !x.Simple || !y.Simple || x.AP == y.AP || e.splits(c, x) || e.splits(c, y) ||
			!p.openPort(c, x, &n) || !q.openPort(c, y, &n) {
			return false
		}
		pair = e.kindAt(c, c.AGU.AP[x.AP])<<3 | e.kindAt(c, c.AGU.AP[y.AP])
		cost += e.code.PairCost[pair]
	} else if !p.openLoad(c, &f.X, &n) || !q.openLoad(c, &f.Y, &n) {
		return false
	}
	run := fusedLoops[f.Op].choose(p, q, f.Dest == cpu.SlotNull)
	if run == nil {
		return false
	}
	if !f.Ports && b.Key.Mode&cpu.ModeData != 0 &&
		(!e.code.Bring(c, b, p.at, q.at) || !p.line(c, p.at, f.X.Size, &n) || !q.line(c, q.at, f.Y.Size, &n)) {
		return false
	}
	left := e.code.Limit - uint32(e.code.Acct) - b.Real // the iteration that follows must fit, too
	if n = min(n, left/cost); n < 2 || int32(left) < 0 {
		return false
	}

	z := run(c, n, p, q)

	if f.Ports {
		c.AGU.AP[c.AGU.Port[f.X.Port].AP] += n * p.step
		c.AGU.AP[c.AGU.Port[f.Y.Port].AP] += n * q.step
		if e.code.PairCost[pair] != 0 {
			e.code.Paired[pair] += uint64(n)
		}
	} else {
		p.close(c, &f.X, n)
		q.close(c, &f.Y, n)
	}
	if f.Dest != cpu.SlotNull {
		c.R[f.Dest] = z
	}
	c.R[cpu.SlotLPCount] -= n
	back.N += uint64(n)
	e.code.Acct += uint64(n) * (back.Acct + uint64(cost-uint32(back.Acct)))
	return true
}

func (e *Engine) kindAt(c *cpu.CPU, addr uint32) uint32 { return uint32(c.Mem.Kinds[addr>>12] & 7) }

// splits reports whether accesses of a linear port may lose cycles because they are unaligned.
func (e *Engine) splits(c *cpu.CPU, p *dspunit.Port) bool {
	addr := c.AGU.AP[p.AP]
	return (addr|p.Step)&(uint32(p.Size)-1)&e.code.SplitMask[e.kindAt(c, addr)] != 0
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
func (s *flow) openLoad(c *cpu.CPU, l *uop.FusedSource, n *uint32) bool {
	addr := c.R[l.Base]
	if (addr|l.Step)&(l.Size-1) != 0 {
		return false
	}
	switch l.Size {
	case 4:
		s.m1, s.plain = 0xffffffff, true
	case 2:
		s.m1 = 0xffff
		if l.Sign {
			s.sb, s.mul = 0x8000, 0x1fffe
		}
	case 1:
		s.m1 = 0xff
		if l.Sign {
			s.sb, s.mul = 0x80, 0x1fffffe
		}
	default:
		return false
	}
	return s.page(c, addr, l.Step, n)
}

// close leaves the registers of a load as the last of n iterations did.
func (s *flow) close(c *cpu.CPU, l *uop.FusedSource, n uint32) {
	last := s.at + (n-1)*s.step
	v := *(*uint32)(unsafe.Add(s.host, last&(memory.PageSize-1)))
	v = v&s.m1 | v<<(s.s2&31)&s.m2
	c.R[l.Load] = v + (v&s.sb)*s.mul
	c.R[l.Base] = last + s.step
}

// line limits n to the accesses of a stream that stay inside their cache line, which must be in front.
func (s *flow) line(c *cpu.CPU, addr, size uint32, n *uint32) bool {
	if !c.CachesAt(addr) {
		return true
	}
	tags, shift, mask := c.DataCache().Front()
	if tags[addr>>shift&mask] != addr>>shift+1 {
		return false
	}
	bytes := uint32(1) << shift
	off := addr & (bytes - 1)
	switch {
	case int32(s.step) > 0:
		*n = min(*n, (bytes-size-off)/s.step+1)
	case s.step != 0:
		*n = min(*n, off/-s.step+1)
	}
	return true
}
