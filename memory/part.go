package memory

import (
	"math/bits"
	"unsafe"
)

// MaxParts is how many parts of pages a view has at once.
const MaxParts = 32

// Parts are parts of pages in which accesses take the fast path, while a guard keeps the page as a whole from it.
type Parts struct {
	Read, Write [MaxParts]Part
}

// Part is consecutive addresses in a page.
type Part struct {
	Host   uintptr // host address of the page
	First  uint32
	Within [4]uint32 // how many addresses from the first on an access of 1, 2, 4 and 8 bytes may begin at
}

// within is the part of a page between two addresses.
func within(page *[PageSize]byte, first, last uint32) Part {
	p := Part{Host: uintptr(unsafe.Pointer(page)), First: first}
	for log := range p.Within {
		if more := uint32(1)<<log - 1; last-first >= more {
			p.Within[log] = last - first - more + 1
		}
	}
	return p
}

// at is the host address of an offset in the page.
func (p *Part) at(off uint32) unsafe.Pointer {
	return unsafe.Add(*(*unsafe.Pointer)(unsafe.Pointer(&p.Host)), off)
}

// of are the parts for reading or writing.
func (p *Parts) of(a Access) *[MaxParts]Part {
	if a == Write {
		return &p.Write
	}
	return &p.Read
}

// parted is the place of the part of a page. Another one with the same low bits may have it.
func (v *View) parted(page uint32, a Access) *Part {
	return &v.found.of(a)[page%MaxParts]
}

// part is the part of its page that an access lies in, nil for none.
func (s *Space) part(addr, size uint32, a Access) *Part {
	if !s.view.some {
		return nil
	}
	p := s.view.parted(addr>>pageShift, a)
	if addr-p.First >= p.Within[bits.TrailingZeros32(size)&3] {
		return nil
	}
	s.notice(p, a)
	return p
}

// find makes a part of a page one in which some accesses take the fast path.
func (s *Space) find(p Part, a Access) {
	for _, one := range [...]Access{Read, Write} {
		if a&one != 0 {
			at := s.view.parted(p.First>>pageShift, one)
			*at = p
			s.notice(at, one)
		}
	}
	s.view.some = true
}

// noticed is the part in which the last access was that did not take the fast path of whole pages.
type noticed struct {
	view   *View
	part   *Part
	access Access
}

func (s *Space) notice(p *Part, a Access) {
	s.noticed = noticed{view: s.view, part: p, access: a}
	s.Parted++
}

// KeepPart has compiled code find the part in which the last access was that Parted has counted, by a number.
func (s *Space) KeepPart(number uint8) {
	if n := &s.noticed; n.view == s.view {
		s.Parts.of(n.access)[number%MaxParts] = *n.part
	}
}

// dropParts takes the parts of a page off the fast path.
func (v *View) dropParts(page uint32, a Access) {
	for _, one := range [...]Access{Read, Write} {
		if a&one == 0 || !v.some {
			continue
		}
		for _, list := range [...]*[MaxParts]Part{v.found.of(one), v.parts.of(one)} {
			for i := range list {
				if list[i].First>>pageShift == page {
					list[i] = Part{}
				}
			}
		}
	}
}
