package memory

import (
	"fmt"
	"maps"
	"slices"
	"sort"
)

// Kind is the sort of memory behind a page, as the bank-conflict and wait-state rules see it.
type Kind uint8

const (
	RAM  Kind = iota // ordinary memory; the background of an unrestricted space
	None             // nothing: every access faults
	ICCM
	DCCM
	XCCM
	YCCM
	Device // at least one device lives in the page
)

func (k Kind) String() string {
	names := [...]string{"RAM", "none", "ICCM", "DCCM", "XCCM", "YCCM", "device"}
	if int(k) < len(names) {
		return names[k]
	}
	return fmt.Sprintf("kind(%d)", uint8(k))
}

// Region is a stretch of the address space with its own kind, rights or device. Memory regions
// consist of whole pages; a device may be smaller, the rest of its page stays what it was.
type Region struct {
	Name   string
	Kind   Kind
	Base   uint32
	Size   uint64 // bytes, up to 4 GiB
	Rights Access // Read|Write|Exec; 0 means all
	Wait   uint8  // extra cycles of an access, counted in Space.Stall
	Next   uint8  // extra cycles of each word after the first in a burst
	Port   Port   // answers the accesses of a Device region
}

// End is the first address after the region, 1<<32 for one that reaches the end of the space.
func (r *Region) End() uint64 { return uint64(r.Base) + r.Size }

// Port is a device as the address space sees it. Offsets count from the base of its region, sizes
// are 1, 2 or 4, values occupy the low bits. ok = false makes the access a fault.
type Port interface {
	ReadPort(offset, size uint32) (value uint32, ok bool)
	WritePort(offset, size, value uint32) (ok bool)
}

// Map adds a region. Regions must not overlap; a space with a RAM background is overlaid.
func (s *Space) Map(r Region) error {
	switch {
	case r.Size == 0 || r.End() > 1<<32:
		return fmt.Errorf("region %s: 0x%x bytes at 0x%08x do not fit the address space", r.Name, r.Size, r.Base)
	case r.Kind == Device && r.Port == nil:
		return fmt.Errorf("region %s: a device needs a port", r.Name)
	case r.Kind != Device && (r.Base|uint32(r.Size))&pageMask != 0:
		return fmt.Errorf("region %s: base 0x%08x and size 0x%x must be multiples of %d", r.Name, r.Base, r.Size, PageSize)
	}
	for _, o := range s.regions {
		if uint64(r.Base) < o.End() && uint64(o.Base) < r.End() {
			if r.Kind == Device && o.Kind != Device {
				continue // devices sit on top of memory
			}
			return fmt.Errorf("region %s at 0x%08x overlaps %s at 0x%08x", r.Name, r.Base, o.Name, o.Base)
		}
	}
	if r.Rights == 0 {
		r.Rights = Read | Write | Exec
	}
	s.regions = append(s.regions, &r)
	sort.SliceStable(s.regions, func(i, j int) bool { return s.regions[i].Base < s.regions[j].Base })
	s.retag(r.Base, r.End())
	return nil
}

// Unmap removes the region with the given name and forgets its contents.
func (s *Space) Unmap(name string) {
	for i, r := range s.regions {
		if r.Name != name {
			continue
		}
		s.regions = append(s.regions[:i:i], s.regions[i+1:]...)
		if r.Kind != Device {
			for page := r.Base >> pageShift; uint64(page)<<pageShift < r.End(); page++ {
				s.drop(page)
			}
		}
		s.retag(r.Base, r.End())
		return
	}
}

// Rebase moves a memory region, contents included, as a write to a CCM base register does.
// A base that is not a multiple of the page size or that would overlap another region leaves
// everything as it was and returns an error.
func (s *Space) Rebase(name string, base uint32) error {
	return s.Arrange(map[string]uint32{name: base})
}

// Arrange moves several memory regions at once, contents included: each to the base under its name. One may go
// where another was. If any of them cannot move, none does, and the error names it.
func (s *Space) Arrange(bases map[string]uint32) error {
	type move struct {
		r        *Region
		from, to uint32
		pages    []*[PageSize]byte
	}
	var moves []move
	for _, name := range slices.Sorted(maps.Keys(bases)) {
		base := bases[name]
		r := s.Region(name)
		switch {
		case r == nil:
			return fmt.Errorf("region %s: not mapped", name)
		case base == r.Base:
			continue
		case base&pageMask != 0 || uint64(base)+r.Size > 1<<32:
			return fmt.Errorf("region %s: cannot move to 0x%08x", name, base)
		}
		for _, o := range s.regions {
			there := o.Base
			if b, ok := bases[o.Name]; ok {
				there = b
			}
			if o != r && o.Kind != Device && uint64(base) < uint64(there)+o.Size && uint64(there) < uint64(base)+r.Size {
				return fmt.Errorf("region %s: 0x%08x overlaps %s", name, base, o.Name)
			}
		}
		moves = append(moves, move{r: r, from: r.Base, to: base, pages: make([]*[PageSize]byte, r.Size>>pageShift)})
	}
	for _, m := range moves {
		for n := range m.pages {
			page := m.from>>pageShift + uint32(n)
			if e := s.peekEntry(page); e != nil {
				m.pages[n] = e.data
			}
			s.invalidate(page)
			s.drop(page)
		}
	}
	for _, m := range moves {
		m.r.Base = m.to
		for n, data := range m.pages {
			page := m.to>>pageShift + uint32(n)
			s.invalidate(page)
			s.drop(page)
			if data != nil {
				e := s.entry(page)
				e.data, e.shared = data, true // shared: the next write copies, whoever else holds it
				s.backed++
			}
		}
	}
	sort.SliceStable(s.regions, func(i, j int) bool { return s.regions[i].Base < s.regions[j].Base })
	for _, m := range moves {
		s.retag(m.from, uint64(m.from)+m.r.Size)
		s.retag(m.to, m.r.End())
	}
	return nil
}

// Region returns the region with the given name, or nil.
func (s *Space) Region(name string) *Region {
	for _, r := range s.regions {
		if r.Name == name {
			return r
		}
	}
	return nil
}

// Regions returns the regions in address order. The background is not among them.
func (s *Space) Regions() []*Region { return s.regions }

// At returns the region that answers at addr; nil means the background.
func (s *Space) At(addr uint32) *Region {
	var memory *Region
	for _, r := range s.regions {
		if r.Base <= addr && uint64(addr) < r.End() {
			if r.Kind == Device {
				return r
			}
			memory = r
		}
	}
	return memory
}

// retag recomputes the kind of every page in [from, to) and takes every page off the fast path.
func (s *Space) retag(from uint32, to uint64) {
	s.Flush()
	for page := from >> pageShift; uint64(page)<<pageShift < to; page++ {
		kind := s.background
		for _, r := range s.regions {
			if r.Base>>pageShift <= page && uint64(page)<<pageShift < r.End() {
				kind = r.Kind
				if kind == Device {
					break
				}
			}
		}
		for _, v := range s.views {
			v.kinds[page] = kind
		}
	}
}
