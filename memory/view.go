package memory

import "math/bits"

// View is the fast path of those with the same rights. A guard has one for each way in which it decides, so that programs that change
// privilege and tasks come back to pages that are there. One that nobody uses for long loses its pages to another one.
type View struct {
	*tables
	number int      // in Space.views
	filled []uint32 // pages that have had an entry since the last flush
	used   uint64   // when it was last, by Space.uses
	found  Parts    // of pages, each in the place that the low bits of its number say
	some   bool     // there have been parts
}

// Use has accesses take the fast path by a view, by that of the space for nil.
func (s *Space) Use(v *View) {
	if v == nil {
		v = &s.base
	}
	if v == s.view {
		return
	}
	if v.tables == nil {
		s.equip(v)
	}
	s.uses++
	v.used, s.view = s.uses, v
	s.Read, s.Write, s.Kinds, s.Parts = &v.read, &v.write, &v.kinds, &v.parts
}

// equip gives a view tables: new ones, or those of the view that has not been used for the longest time.
func (s *Space) equip(v *View) {
	if len(s.views) < maxViews {
		v.tables, v.number = s.newTables(), len(s.views)
		s.views = append(s.views, v)
		if v != &s.base {
			s.copyKinds(v)
		}
		return
	}
	oldest := s.views[1] // the first is the space's own
	for _, x := range s.views[2:] {
		if x.used < oldest.used {
			oldest = x
		}
	}
	s.flush(oldest)
	v.tables, v.number = oldest.tables, oldest.number
	s.views[v.number], oldest.tables = v, nil
}

// copyKinds fills the kinds of a view whose tables are zeros, and leaves alone what is RAM where all but regions is.
func (s *Space) copyKinds(v *View) {
	if s.background != RAM {
		v.kinds = s.base.kinds
		return
	}
	for _, r := range s.regions {
		first, last := r.Base>>pageShift, uint32((r.End()-1)>>pageShift)
		copy(v.kinds[first:last+1], s.base.kinds[first:])
	}
}

// Flush takes every page off the fast path; accesses put them back one by one.
func (s *Space) Flush() {
	for _, v := range s.views {
		s.flush(v)
	}
}

func (s *Space) flush(v *View) {
	for _, page := range v.filled {
		v.read[page], v.write[page] = 0, 0
		s.peekEntry(page).views &^= 1 << v.number
	}
	v.filled = v.filled[:0]
	if v.some {
		v.found, v.parts, v.some = Parts{}, Parts{}, false
	}
}

// list notes that a page has had an entry.
func (v *View) list(page uint32, e *entry) {
	if e.views>>v.number&1 == 0 {
		e.views |= 1 << v.number
		v.filled = append(v.filled, page)
	}
}

// takeOff takes some accesses of a page off the fast path.
func (s *Space) takeOff(page uint32, a Access) {
	e := s.peekEntry(page)
	if e == nil {
		return
	}
	for in := e.views; in != 0; in &= in - 1 {
		s.views[bits.TrailingZeros32(in)].takeOff(page, a)
	}
}

func (v *View) takeOff(page uint32, a Access) {
	if a&Read != 0 {
		v.read[page] = 0
	}
	if a&Write != 0 {
		v.write[page] = 0
	}
	v.dropParts(page, a)
}
