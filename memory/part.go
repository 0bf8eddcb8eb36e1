package memory

import "unsafe"

// MaxParts is how many pages have a part at once, each in the place that the low bits of its number say.
const MaxParts = 64

// Parts are parts of pages in which accesses take the fast path, while a guard keeps the page as a whole from it.
type Parts struct {
	Read, Write [MaxParts]Part
}

// Part is consecutive addresses in a page.
type Part struct {
	Host        uintptr // host address of the page, 0 when there is no part
	First, Size uint32
}

// set has accesses take the fast path that lie between two addresses in the page of one.
func (p *Parts) set(addr, first, last uint32, data *[PageSize]byte, a Access) {
	first, last = max(first, addr&^pageMask), min(last, addr|pageMask)
	x := Part{Host: uintptr(unsafe.Pointer(data)), First: first, Size: last - first + 1}
	i := addr >> pageShift % MaxParts
	if a&Read != 0 {
		p.Read[i] = x
	}
	if a&Write != 0 {
		p.Write[i] = x
	}
}

// drop takes the part of a page off the fast path.
func (p *Parts) drop(page uint32, a Access) {
	i := page % MaxParts
	if a&Read != 0 {
		p.Read[i].Host = 0
	}
	if a&Write != 0 {
		p.Write[i].Host = 0
	}
}
