package memory

// Event is an access that somebody asked to see, reported after it happened.
type Event struct {
	Addr   uint32
	Size   uint32
	Access Access
	Value  uint64 // read or written
	Old    uint64 // what a store replaced, 0 for devices
}

// Watch asks for the accesses to [Addr, Addr+Size).
type Watch struct {
	Addr   uint32
	Size   uint32
	Access Access // Read, Write or both
}

func (w *Watch) hit(ev *Event) bool {
	return w.Access&ev.Access != 0 && ev.Addr-w.Addr < w.Size || // starts inside
		w.Access&ev.Access != 0 && w.Addr-ev.Addr < ev.Size // covers the start
}

// OnWatch registers the function that watched accesses are reported to.
func (s *Space) OnWatch(f func(Event)) { s.onWatch = f }

// OnAccess reports every load and store to f, nil ends it. No access takes the fast path
// meanwhile.
func (s *Space) OnAccess(f func(Event)) {
	s.onTouch = f
	s.Flush()
}

// SetWatches replaces the set of watched ranges.
func (s *Space) SetWatches(ws []Watch) {
	for _, w := range s.watches {
		s.eachPage(w, func(e *entry) { e.watch = 0 })
	}
	s.watches = append(s.watches[:0:0], ws...)
	for _, w := range s.watches {
		s.eachPage(w, func(e *entry) { e.watch |= w.Access })
	}
	s.Flush()
}

// Watches returns the watched ranges.
func (s *Space) Watches() []Watch { return s.watches }

func (s *Space) eachPage(w Watch, f func(*entry)) {
	if w.Size == 0 {
		return
	}
	first, last := w.Addr>>pageShift, (w.Addr+w.Size-1)>>pageShift
	if last < first {
		last = Pages - 1
	}
	for page := first; page <= last; page++ {
		f(s.entry(page))
	}
}

func (s *Space) notify(e *entry, ev Event) {
	if s.onTouch != nil {
		s.onTouch(ev)
	}
	if e.watch&ev.Access == 0 || s.onWatch == nil {
		return
	}
	for i := range s.watches {
		if s.watches[i].hit(&ev) {
			s.onWatch(ev)
			return
		}
	}
}
