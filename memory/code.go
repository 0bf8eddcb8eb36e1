package memory

// Engines decode instructions once and keep them. Marking the lines they came from lets a later
// store find them; pages without marks pay nothing.

// OnCodeWrite registers the function called before a store (or a loader, debugger or snapshot)
// changes a page that holds marked lines. The marks of the page are gone when it is called.
func (s *Space) OnCodeWrite(f func(page uint32)) { s.onCode = f }

// MarkCode notes that [addr, addr+size) has been decoded.
func (s *Space) MarkCode(addr, size uint32) {
	for size > 0 {
		page, off := addr>>pageShift, addr&pageMask
		n := min(size, PageSize-off)
		s.entry(page).code |= lines(off, n)
		s.takeOff(page, Write)
		addr, size = addr+n, size-n
	}
}

// CodeMarked reports whether the page holds decoded instructions.
func (s *Space) CodeMarked(page uint32) bool {
	e := s.peekEntry(page)
	return e != nil && e.code != 0
}

// touchCode tells the engine when a store hits decoded instructions.
func (s *Space) touchCode(page uint32, e *entry, off, size uint32) {
	if e.code&lines(off, size) == 0 {
		return
	}
	s.invalidate(page)
}

// invalidate drops the marks of a page and tells the engine.
func (s *Space) invalidate(page uint32) {
	e := s.peekEntry(page)
	if e == nil || e.code == 0 {
		return
	}
	e.code = 0
	if s.onCode != nil {
		s.onCode(page)
	}
}
