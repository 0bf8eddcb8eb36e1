package memory

import "unsafe"

// MaxParts is how many pages have a part at once, each in the place that the low bits of its number say.
const MaxParts = 64

// Parts are parts of pages in which accesses take the fast path, while a guard keeps the page as a whole from it.
type Parts struct {
	Read, Write [MaxParts]Part
	Filled      uint32 // times that there was a new one
}

// Part is consecutive addresses in a page. Where Host is nil there are none.
type Part struct {
	Host        unsafe.Pointer // host address of the page
	First, Size uint32
}

// set has accesses take the fast path that lie between two addresses in the page of one.
func (p *Parts) set(addr, first, last uint32, data *[PageSize]byte, a Access) {
	first, last = max(first, addr&^pageMask), min(last, addr|pageMask)
	x := Part{Host: unsafe.Pointer(data), First: first, Size: last - first + 1}
	i := addr >> pageShift % MaxParts
	if a&Read != 0 {
		p.Read[i] = x
	}
	if a&Write != 0 {
		p.Write[i] = x
	}
	p.Filled++
}

// drop takes the part of a page off the fast path.
func (p *Parts) drop(page uint32) {
	i := page % MaxParts
	p.Read[i].Host, p.Write[i].Host = nil, nil
}

// of is an address in the part that a page has had, its first one when it has had none.
func (p *Parts) of(page uint32) uint32 {
	if x := &p.Read[page%MaxParts]; x.First>>pageShift == page {
		return x.First
	}
	return page << pageShift
}
