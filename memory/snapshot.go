package memory

// Snapshot is the contents of all memory at one moment. It shares pages with the space it came
// from until one side writes. Devices keep their own state.
type Snapshot struct {
	pages map[uint32]*[PageSize]byte // by addr>>12
}

// Snapshot records the memory. The cost is one table entry per page in use.
func (s *Space) Snapshot() *Snapshot {
	snap := &Snapshot{pages: make(map[uint32]*[PageSize]byte, s.backed)}
	for i, leaf := range s.dir {
		if leaf == nil {
			continue
		}
		for j := range leaf {
			if e := &leaf[j]; e.data != nil {
				page := uint32(i*leafPages + j)
				e.shared = true
				s.takeOff(page, Write)
				snap.pages[page] = e.data
			}
		}
	}
	return snap
}

// Restore makes the memory what it was. Decoded code of pages that change is invalidated; regions,
// watches and marks of unchanged pages stay.
func (s *Space) Restore(snap *Snapshot) {
	for i, leaf := range s.dir {
		if leaf == nil {
			continue
		}
		for j := range leaf {
			page := uint32(i*leafPages + j)
			if e := &leaf[j]; e.data != nil && e.data != snap.pages[page] {
				s.invalidate(page)
				s.drop(page)
			}
		}
	}
	for page, data := range snap.pages {
		e := s.entry(page)
		if e.data == nil {
			s.invalidate(page)
			s.backed++
			e.data = data
		}
		e.shared = true
		s.takeOff(page, Read|Write)
	}
}

// Changed lists the start addresses of the pages whose contents differ from those in a snapshot, in order.
// Pages that both sides still share cost a comparison of addresses.
func (s *Space) Changed(since *Snapshot) []uint32 {
	var pages []uint32
	var empty [PageSize]byte
	for i, leaf := range s.dir {
		if leaf == nil {
			continue
		}
		for j := range leaf {
			e, page := &leaf[j], uint32(i*leafPages+j)
			before := since.pages[page]
			if e.data == before {
				continue
			}
			now := e.data
			if now == nil {
				now = &empty
			}
			if before == nil {
				before = &empty
			}
			if *now != *before {
				pages = append(pages, page<<pageShift)
			}
		}
	}
	return pages
}

// NewSnapshot returns an empty snapshot, to be filled by Put when one is read from a file.
func NewSnapshot() *Snapshot { return &Snapshot{pages: map[uint32]*[PageSize]byte{}} }

// Put sets the page that starts at addr.
func (snap *Snapshot) Put(addr uint32, data *[PageSize]byte) { snap.pages[addr>>pageShift] = data }

// Page returns the page that starts at addr, nil when it was never written. It must not be
// changed.
func (snap *Snapshot) Page(addr uint32) *[PageSize]byte { return snap.pages[addr>>pageShift] }

// Addrs returns the start addresses of the pages, in no particular order.
func (snap *Snapshot) Addrs() []uint32 {
	addrs := make([]uint32, 0, len(snap.pages))
	for page := range snap.pages {
		addrs = append(addrs, page<<pageShift)
	}
	return addrs
}
