package cpu

import (
	"encoding/binary"
	"math"
	"slices"

	"arcv2dsp/memory"
)

// protection holds the rights that follow from the registers of the MPU, in an order in which they are found quickly.
// Programs that set regions for each task come back to a few settings, which are remembered.
type protection struct {
	*layout
	layouts    map[mpuWords]*layout
	made       []*layout               // those of layouts
	seen       map[string]*memory.View // those of layout.views, by the borders of what may be read and written
	executable executable
	here       [2]executed // by the kernel and in user mode
}

// executed is the area of the instruction executed last where the same addresses may be executed, for the next one.
type executed struct {
	exec        uint16 // see layout
	first, last uint32
}

// layout is what follows from the settings of the MPU. There is one for each.
type layout struct {
	areas []area          // by their starts, the first at 0; none while the MPU is off
	exec  [2]uint16       // numbers of what the kernel and user mode may execute, see executable; 0 while the MPU is off
	met   int             // pages of executable that they are about
	views [2]*memory.View // of the kernel and of user mode, nil where all may be read and written
	moves [16]move        // where writes have led, by their hash
}

// written is a register of the MPU, or other state that a layout follows from, with what has been written to it. The zero value is
// no register.
type written struct {
	what uint8
	v    uint32
}

// Registers that may be written.
const (
	mpuBase    = 1
	mpuEnd     = mpuBase + mpuMaxRegions
	mpuPerm    = mpuEnd + mpuMaxRegions
	mpuDefault = mpuPerm + mpuMaxRegions
	mpuWorld   = mpuDefault + 1
)

// move is the layout that a write leads to.
type move struct {
	written
	to *layout
}

// move is where the layout after a write is remembered.
func (l *layout) move(w written) *move {
	return &l.moves[(w.v^uint32(w.what)<<16)*0x9e3779b1>>28]
}

// mpuWords are the registers and the state that a layout follows from.
type mpuWords struct {
	rights          uint32
	base, end, perm [mpuMaxRegions]uint32
	secure          bool
}

// area is a part of memory with the same rights, up to the start of the next one.
type area struct {
	start  uint32
	region int              // that decides, -1 for the default rights
	rights [2]memory.Access // of the kernel and of user mode
}

// maxLayouts and maxViews bound what is remembered, for programs that set up ever other regions.
const (
	maxLayouts = 1024
	maxViews   = 256
)

// unprotected is the layout while the MPU is off.
var unprotected layout

// protect finds the rights after a write, or after any change of the MPU, and has accesses take the fast path by them.
func (c *CPU) protect(w written) {
	p := &c.protection
	before := p.layout
	m := before.move(w)
	switch {
	case !c.mpu.enabled:
		p.layout = &unprotected
	case w.what != 0 && m.written == w:
		p.layout = m.to
	default:
		p.layout = c.layout()
		if w.what != 0 && before != &unprotected { // processors share that one
			*m = move{written: w, to: p.layout}
		}
	}
	c.look()
}

// layout is that of the MPU as it is set.
func (c *CPU) layout() *layout {
	p, m := &c.protection, &c.mpu
	w := mpuWords{rights: m.rights, base: m.base, end: m.end, perm: m.perm, secure: c.Status&StatusS != 0}
	if l := p.layouts[w]; l != nil {
		return l
	}
	if len(p.layouts) >= maxLayouts || len(p.seen) >= maxViews || p.layouts == nil {
		p.layouts, p.made, p.seen = map[mpuWords]*layout{}, nil, map[string]*memory.View{}
	}
	l := &layout{areas: c.areas(nil), met: len(p.executable.pages)}
	for user := range l.exec {
		l.exec[user], l.views[user] = p.executable.number(l, user), p.view(l, user)
	}
	p.layouts[w] = l
	p.made = append(p.made, l)
	return l
}

// look has accesses take the fast path by the rights in force.
func (c *CPU) look() {
	p := &c.protection
	if p.executable.full {
		p.executable, p.layouts, p.here = executable{}, nil, [2]executed{}
		c.FlushCode()
		if p.layout != &unprotected {
			p.layout = c.layout()
		}
	}
	c.Mem.Use(p.layout.views[c.level()])
}

// asKernel says whether the core itself accesses memory in user mode: interrupt frames, tables of the secure world.
func (c *CPU) asKernel(on bool) {
	c.mpu.asKernel = on
	c.look()
}

// areas divides memory where the rights may change.
func (c *CPU) areas(list []area) []area {
	list = append(list, area{})
	for i := range int(c.Config.MPURegions) {
		if first, last, ok := c.regionBounds(i); ok {
			list = append(list, area{start: first})
			if last != 1<<32-1 {
				list = append(list, area{start: last + 1})
			}
		}
	}
	slices.SortFunc(list, func(a, b area) int { return int(int64(a.start) - int64(b.start)) })
	list = slices.CompactFunc(list, func(a, b area) bool { return a.start == b.start })
	for i := range list {
		a := &list[i]
		a.region = c.regionOf(a.start)
		perm := c.mpu.rights
		if a.region >= 0 {
			perm = c.mpu.perm[a.region]
		}
		for user := range a.rights {
			bits := perm >> (6 - 3*user) // X, W, R
			a.rights[user] = memory.Access(bits&1)*memory.Exec | memory.Access(bits>>1&1)*memory.Write | memory.Access(bits>>2&1)*memory.Read
		}
		c.world(perm, &a.rights)
	}
	return list
}

// borders are the addresses where rights to some accesses change, each with the rights behind it.
func (l *layout) borders(user int, a memory.Access) string {
	var list []byte
	var rights memory.Access
	for i := range l.areas {
		if x := &l.areas[i]; x.rights[user]&a != rights {
			rights = x.rights[user] & a
			list = append(binary.LittleEndian.AppendUint32(list, x.start), byte(rights))
		}
	}
	return string(list)
}

// everywhere are the borders where all of memory has rights.
func everywhere(a memory.Access) string { return "\x00\x00\x00\x00" + string(rune(a)) }

// view is the view of those who may read and write the same.
func (p *protection) view(l *layout, user int) *memory.View {
	b := l.borders(user, memory.Read|memory.Write)
	if b == everywhere(memory.Read|memory.Write) {
		return nil
	}
	v := p.seen[b]
	if v == nil {
		v = new(memory.View)
		p.seen[b] = v
	}
	return v
}

// at is the number of the area of an address.
func (l *layout) at(addr uint32) int {
	first, n := 0, len(l.areas)
	for n > 1 {
		if half := n / 2; l.areas[first+half].start <= addr {
			first, n = first+half, n-half
		} else {
			n = half
		}
	}
	return first
}

// level is the index of rights in force.
func (c *CPU) level() int { return int(b2u(c.User() && !c.mpu.asKernel)) }

// Allow reports whether the MPU lets an access pass; it is the guard of the memory.
func (c *CPU) Allow(addr, size uint32, a memory.Access) bool {
	ok, _ := c.allows(addr, size, a)
	return ok
}

// allows is Allow; with a refusal comes what MPU_ECR shows of it once it is an exception. Looking
// ahead, as decoding does, leaves the register alone.
func (c *CPU) allows(addr, size uint32, a memory.Access) (ok bool, ecr uint32) {
	if !c.mpu.enabled || c.mpu.otherMaster {
		return true, 0
	}
	p := &c.protection
	first := p.at(addr)
	last := first
	if end := addr + size - 1; end < addr || first+1 < len(p.areas) && end >= p.areas[first+1].start {
		last = p.at(end)
	}
	for _, i := range [2]int{first, last} {
		if x := &p.areas[i]; x.rights[c.level()]&a == 0 {
			violation := uint32(0)
			switch a {
			case memory.Read:
				violation = 1
			case memory.Write:
				violation = 2
			}
			return false, violation<<16 | uint32(x.region)&0xff
		}
	}
	return true, 0
}

// Rights are the accesses that the MPU lets pass anywhere in a page.
func (c *CPU) Rights(page uint32) memory.Access {
	p := &c.protection
	rights := memory.Read | memory.Write | memory.Exec
	if len(p.areas) == 0 {
		return rights
	}
	from := page * memory.PageSize
	for i := p.at(from); i < len(p.areas) && (p.areas[i].start <= from || p.areas[i].start-from < memory.PageSize); i++ {
		rights &= p.areas[i].rights[c.level()]
	}
	return rights
}

// Part is the area of an address, and what Rights says of all of it.
func (c *CPU) Part(addr uint32) (first, last uint32, rights memory.Access) {
	p := &c.protection
	i := p.at(addr)
	x := &p.areas[i]
	last = math.MaxUint32
	if i+1 < len(p.areas) {
		last = p.areas[i+1].start - 1
	}
	return x.start, last, x.rights[c.level()]
}

// mayExecute checks the instruction that is about to execute, which may have been decoded when
// other rights were in force.
func (c *CPU) mayExecute(d *decoded) bool {
	p, user, size := &c.protection, b2u(c.User()), uint32(d.in.Len)
	h := &p.here[user]
	if p.exec[user] == 0 || h.exec == p.exec[user] && d.pc >= h.first && d.pc <= h.last && size <= h.last-d.pc {
		return true
	}
	if c.Allow(d.pc, size, memory.Exec) {
		i := p.at(d.pc)
		*h = executed{exec: p.exec[user], first: p.areas[i].start, last: math.MaxUint32}
		if i+1 < len(p.areas) {
			h.last = p.areas[i+1].start - 1
		}
		return true
	}
	for off := uint32(0); off < size; off += 2 { // as decoding fetches
		f := memory.Fault{Addr: d.pc + off, Size: 2, Access: memory.Exec, Cause: memory.CauseGuard}
		if !c.Allow(f.Addr, f.Size, f.Access) && (off > 0 || !c.leaves(&f)) {
			c.raiseFault(&f)
			return false
		}
	}
	return true
}
