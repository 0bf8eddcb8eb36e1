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
	layouts map[mpuWords]*layout
	known   map[string]uint8 // numbers of layout.exec, by the addresses where execution begins and ends to be allowed
	here    executed
}

// executed is the area of the instruction executed last, for the next one.
type executed struct {
	*layout
	user        uint32
	first, last uint32
}

// layout is what follows from the settings of the MPU.
type layout struct {
	areas []area         // by their starts, the first at 0; none while the MPU is off
	exec  [2]uint8       // see execution
	pages [64]pageRights // found last, by the low bits of their numbers
}

// pageRights are what passes anywhere in a page.
type pageRights struct {
	page           uint32        // its number plus one; 0 for none
	kernel, always memory.Access // in the kernel, and in user mode as well
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

// maxExecs bounds the numbers of layout.exec, and maxLayouts what is remembered, for programs that set up ever other
// regions.
const (
	maxExecs   = 200
	maxLayouts = 256
)

// unprotected is the layout while the MPU is off.
var unprotected layout

// protect works out the rights between two addresses, outside of which they have stayed the same, and has the pages there be
// on the fast path by them.
func (c *CPU) protect(first, last uint32) {
	p, m := &c.protection, &c.mpu
	if !m.enabled {
		p.layout = &unprotected
		c.Mem.Review(first, last)
		return
	}
	w := mpuWords{rights: m.rights, base: m.base, end: m.end, perm: m.perm, secure: c.Status&StatusS != 0}
	if p.layout = p.layouts[w]; p.layout == nil {
		if len(p.known) >= maxExecs || len(p.layouts) >= maxLayouts || p.layouts == nil {
			p.known, p.layouts = map[string]uint8{}, map[mpuWords]*layout{}
			c.FlushCode()
		}
		l := &layout{areas: c.areas(nil)}
		p.layout, p.layouts[w] = l, l
		l.exec = [2]uint8{p.execution(0), p.execution(1)}
	}
	c.Mem.Review(first, last)
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

// execution is the number of the set of addresses that may be executed, 0 for all of memory.
func (p *protection) execution(user int) uint8 {
	var flips []byte
	allowed := false
	for i := range p.areas {
		if a := &p.areas[i]; a.rights[user]&memory.Exec != 0 != allowed {
			allowed = !allowed
			flips = binary.LittleEndian.AppendUint32(flips, a.start)
		}
	}
	if len(p.areas) == 0 || string(flips) == "\x00\x00\x00\x00" {
		return 0
	}
	n, ok := p.known[string(flips)]
	if !ok {
		n = uint8(len(p.known) + 1)
		p.known[string(flips)] = n
	}
	return n
}

// at is the number of the area of an address.
func (p *protection) at(addr uint32) int {
	first, n := 0, len(p.areas) // sort.Search takes three times as long, and a switch of tasks asks for dozens of pages
	for n > 1 {
		if half := n / 2; p.areas[first+half].start <= addr {
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

// Rights are the accesses that the MPU lets pass anywhere in a page: now, and whatever the privilege. In user mode they
// are not more than those of the kernel.
func (c *CPU) Rights(page uint32) (now, always memory.Access) {
	p := &c.protection
	const all = memory.Read | memory.Write | memory.Exec
	if len(p.areas) == 0 {
		return all, all
	}
	x := &p.pages[page%uint32(len(p.pages))]
	if x.page != page+1 {
		kernel, user := all, all
		from := page * memory.PageSize
		for i := p.at(from); i < len(p.areas) && (p.areas[i].start <= from || p.areas[i].start-from < memory.PageSize); i++ {
			kernel &= p.areas[i].rights[0]
			user &= p.areas[i].rights[1]
		}
		*x = pageRights{page: page + 1, kernel: kernel, always: kernel & user}
	}
	if c.level() != 0 {
		return x.always, x.always
	}
	return x.kernel, x.always
}

// Part is the area of an address, and what Rights says of all of it.
func (c *CPU) Part(addr uint32) (first, last uint32, now, always memory.Access) {
	p := &c.protection
	i := p.at(addr)
	x := &p.areas[i]
	last = math.MaxUint32
	if i+1 < len(p.areas) {
		last = p.areas[i+1].start - 1
	}
	always = x.rights[0] & x.rights[1]
	if c.level() != 0 {
		return x.start, last, always, always
	}
	return x.start, last, x.rights[0], always
}

// mayExecute checks the instruction that is about to execute, which may have been decoded when
// other rights were in force.
func (c *CPU) mayExecute(d *decoded) bool {
	p, user, size := &c.protection, b2u(c.User()), uint32(d.in.Len)
	if h := &p.here; p.exec[user] == 0 || h.layout == p.layout && h.user == user && d.pc >= h.first && d.pc <= h.last && size <= h.last-d.pc {
		return true
	}
	if c.Allow(d.pc, size, memory.Exec) {
		i := p.at(d.pc)
		p.here = executed{layout: p.layout, user: user, first: p.areas[i].start, last: math.MaxUint32}
		if i+1 < len(p.areas) {
			p.here.last = p.areas[i+1].start - 1
		}
		return true
	}
	f := memory.Fault{Addr: d.pc, Size: uint32(d.in.Len), Access: memory.Exec, Cause: memory.CauseGuard}
	if c.leaves(&f) {
		return true
	}
	c.raiseFault(&f)
	return false
}
