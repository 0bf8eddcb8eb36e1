package cpu

import (
	"encoding/binary"

	"arcv2dsp/memory"
)

// executable gives numbers to what may be executed. Decoding asks the MPU, so decoded code is for those who may execute the same. Regions of
// data move with each task, and seldom let execute, or forbid, where there is code: so the number says what may be executed
// in the pages in which code has been met, and nothing of others. It follows from the rights in one page after the other.
type executable struct {
	pages []uint32 // where code has been met, in that order
	met   map[uint32]bool
	last  uint32 // the page met last
	steps map[step]uint16
	parts map[string]uint8 // rights in pages of which some may be executed, by the borders there
	given uint16           // numbers so far; 0 is that of unprotected memory
	full  bool             // all shall be forgotten
}

// step is from a number to the next one by the rights in a page.
type step struct {
	page   int // in executable.pages
	from   uint16
	rights uint8
}

// Rights in a page.
const (
	noneOf = iota
	allOf
	partOf // and above
	anyOf  = 0xff
)

// Bounds of what is remembered. A number is part of Mode.
const (
	maxExecutable = 8000
	maxCodePages  = 1 << 14
)

// markCode notes that an instruction has been decoded.
func (c *CPU) markCode(pc, size uint32) {
	c.Mem.MarkCode(pc, size)
	if !hasMPU(&c.Config) {
		return
	}
	for _, page := range [...]uint32{pc / memory.PageSize, (pc + size - 1) / memory.PageSize} {
		if x := &c.protection.executable; (page != x.last || len(x.pages) == 0) && !x.met[page] {
			c.protection.meet(page, int(b2u(c.User())))
		}
		c.protection.executable.last = page
	}
}

// meet has numbers differ where rights in a page do. Code there has the number of the rights in force, which stays.
func (p *protection) meet(page uint32, user int) {
	x := &p.executable
	if x.met == nil {
		x.met, x.steps, x.parts, x.given = map[uint32]bool{}, map[step]uint16{}, map[string]uint8{}, 1
	}
	x.met[page] = true
	x.pages = append(x.pages, page)
	at := len(x.pages) - 1
	for _, l := range append([]*layout{p.layout}, p.made...) {
		for _, u := range [...]int{user, 1 - user} {
			if len(l.areas) > 0 && l.met <= at {
				l.exec[u] = x.step(at, l.exec[u], l.executable(x, page, u))
			}
		}
		if l != &unprotected {
			l.met = at + 1
		}
	}
	x.full = x.full || len(x.pages) >= maxCodePages
}

// number is the number of a layout for the kernel or user mode.
func (x *executable) number(l *layout, user int) uint16 {
	n := uint16(1)
	for at, page := range x.pages {
		n = x.step(at, n, l.executable(x, page, user))
	}
	return n
}

// step is the number behind a page: the same for the first rights that come there with a number, new ones for others.
func (x *executable) step(page int, from uint16, rights uint8) uint16 {
	k := step{page: page, from: from, rights: rights}
	n, ok := x.steps[k]
	if ok {
		return n
	}
	n = from
	if first := (step{page: page, from: from, rights: anyOf}); x.steps[first] == 0 {
		x.steps[first] = from
	} else {
		x.given++
		n, x.full = x.given, x.full || x.given >= maxExecutable
	}
	x.steps[k] = n
	return n
}

// executable says how much of a page may be executed.
func (l *layout) executable(x *executable, page uint32, user int) uint8 {
	first, last := page*memory.PageSize, page*memory.PageSize+memory.PageSize-1
	i := l.at(first)
	rights := func() uint8 { return uint8(l.areas[i].rights[user] & memory.Exec / memory.Exec) } // noneOf or allOf
	if i+1 == len(l.areas) || l.areas[i+1].start > last {
		return rights()
	}
	var borders []byte
	for ; i < len(l.areas) && l.areas[i].start <= last; i++ {
		borders = append(binary.LittleEndian.AppendUint32(borders, max(l.areas[i].start, first)), rights())
	}
	n, ok := x.parts[string(borders)]
	if !ok {
		n = partOf + uint8(len(x.parts))
		x.parts[string(borders)] = n
		x.full = x.full || n+1 >= anyOf
	}
	return n
}
