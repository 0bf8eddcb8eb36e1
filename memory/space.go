package memory

import (
	"math/bits"
	"unsafe"
)

// The division of the address space into pages of PageSize bytes.
const (
	PageSize  = 1 << pageShift
	Pages     = 1 << (32 - pageShift)
	pageShift = 12
	pageMask  = PageSize - 1
	leafPages = 1 << 10
)

// DefaultLimit is the amount of guest memory a run may write to unless it is told otherwise.
const DefaultLimit = 1 << 30

// Space is the address space. The exported tables are indexed by addr>>12.
type Space struct {
	Read   *[Pages]uintptr // host address of the page for loads, 0 = call Load
	Write  *[Pages]uintptr // host address of the page for stores, 0 = call Store
	Kinds  *[Pages]Kind    // kind of memory, for bank conflicts and wait states
	Parts  *Parts          // of pages that have no address there, by numbers that KeepPart has got
	Parted uint32          // accesses in parts of pages that have not taken the fast path

	Aligned bool   // misaligned accesses fault
	Stall   uint32 // wait states met since the caller last took them
	cached  bool   // a cache meets the wait states of RAM

	guard   Guard
	onCode  func(page uint32)
	onWatch func(Event)
	onTouch func(Event)
	watches []Watch

	background Kind
	regions    []*Region
	dir        [Pages / leafPages]*[leafPages]entry
	backed     uint32 // pages with storage of their own
	limit      uint32 // most pages that may have it
	zero       *[PageSize]byte
	base       View    // in use unless another one is
	view       *View   // in use
	views      []*View // those with tables
	uses       uint64
	noticed    noticed
	fault      Fault
}

// entry describes one page.
type entry struct {
	data   *[PageSize]byte // nil until first written
	code   uint64          // 64-byte lines holding decoded instructions
	watch  Access          // accesses somebody watches
	shared bool            // a snapshot holds data too: copy before writing
	views  uint32          // those of Space.views that list it
}

// Guard decides about accesses that the memory itself would allow: the MPU. While one is set an access takes the fast
// path in pages where it passes anywhere.
type Guard interface {
	Allow(addr, size uint32, a Access) bool
	// Rights are the accesses that pass anywhere in a page.
	Rights(page uint32) Access
	// Part is the addresses around one where the same accesses pass, and which.
	Part(addr uint32) (first, last uint32, rights Access)
}

// New returns an empty space. background is RAM for a space in which every address is memory, None
// for one in which only mapped regions answer. limit is the number of bytes that may be written to
// (rounded up to pages); 0 means DefaultLimit.
func New(background Kind, limit uint64) *Space {
	if limit == 0 {
		limit = DefaultLimit
	}
	s := &Space{
		background: background,
		limit:      uint32(min((limit+pageMask)>>pageShift, Pages)),
		zero:       new([PageSize]byte),
	}
	dropTables()
	s.Use(nil)
	if background != RAM {
		for page := range s.Kinds {
			s.Kinds[page] = background
		}
	}
	return s
}

// SetGuard installs or removes (nil) the guard. Where it decides in another way than before, another view is to be used.
func (s *Space) SetGuard(g Guard) { s.guard = g }

// Load reads size (1, 2, 4 or 8) bytes, zero-extended. The fault is valid until the next access.
func (s *Space) Load(addr, size uint32) (uint64, *Fault) {
	if s.Aligned && addr&(size-1) != 0 && addr&(min(size, 4)-1) != 0 {
		return 0, s.fail(addr, size, Read, CauseMisaligned)
	}
	return s.LoadAny(addr, size)
}

// LoadAny is Load without the alignment rule, for accesses that are always allowed to be
// misaligned (AGU ports).
func (s *Space) LoadAny(addr, size uint32) (v uint64, f *Fault) {
	off := addr & pageMask
	if off+size > PageSize {
		return s.loadSplit(addr, size)
	}
	page := addr >> pageShift
	if p := *(*unsafe.Pointer)(unsafe.Pointer(&s.Read[page])); p != nil {
		return loadHost(unsafe.Add(p, off), size), nil
	}
	if p := s.part(addr, size, Read); p != nil {
		return loadHost(p.at(off), size), nil
	}
	r, f := s.check(addr, size, Read)
	if f != nil {
		return 0, f
	}
	s.wait(r)
	e := s.entry(page)
	if r != nil && r.Kind == Device {
		if v, f = s.loadPort(r, addr, size); f == nil {
			s.notify(e, Event{Addr: addr, Size: size, Access: Read, Value: v})
		}
		return v, f
	}
	p := s.zero
	if e.data != nil {
		p = e.data
	}
	v = loadHost(unsafe.Pointer(&p[off]), size)
	s.fill(addr, e, r)
	s.notify(e, Event{Addr: addr, Size: size, Access: Read, Value: v})
	return v, nil
}

// Store writes the low size (1, 2, 4 or 8) bytes of v. The fault is valid until the next access.
func (s *Space) Store(addr, size uint32, v uint64) *Fault {
	if s.Aligned && addr&(size-1) != 0 && addr&(min(size, 4)-1) != 0 {
		return s.fail(addr, size, Write, CauseMisaligned)
	}
	return s.StoreAny(addr, size, v)
}

// StoreAny is Store without the alignment rule.
func (s *Space) StoreAny(addr, size uint32, v uint64) *Fault {
	off := addr & pageMask
	if off+size > PageSize {
		return s.storeSplit(addr, size, v)
	}
	page := addr >> pageShift
	if p := *(*unsafe.Pointer)(unsafe.Pointer(&s.Write[page])); p != nil {
		storeHost(unsafe.Add(p, off), size, v)
		return nil
	}
	if p := s.part(addr, size, Write); p != nil {
		storeHost(p.at(off), size, v)
		return nil
	}
	r, f := s.check(addr, size, Write)
	if f != nil {
		return f
	}
	s.wait(r)
	e := s.entry(page)
	if r != nil && r.Kind == Device {
		if f = s.storePort(r, addr, size, v); f == nil {
			s.notify(e, Event{Addr: addr, Size: size, Access: Write, Value: v})
		}
		return f
	}
	before := e.data
	if !s.own(e) {
		return s.fail(addr, size, Write, CauseLimit)
	}
	if e.data != before {
		s.takeOff(page, Read|Write)
	}
	s.touchCode(page, e, off, size)
	old := loadHost(unsafe.Pointer(&e.data[off]), size)
	storeHost(unsafe.Pointer(&e.data[off]), size, v)
	s.fill(addr, e, r)
	s.notify(e, Event{Addr: addr, Size: size, Access: Write, Value: v, Old: old})
	return nil
}

// Words returns the n words at an address as the host has them, for as long as nothing else happens. It returns nil
// unless all of them are in one page whose accesses nobody checks, counts or watches, and aligned.
func (s *Space) Words(addr, n uint32, a Access) []uint32 {
	off := addr & pageMask
	if off&3 != 0 || n > (PageSize-off)/4 {
		return nil
	}
	table := s.Read
	if a == Write {
		table = s.Write
	}
	p := *(*unsafe.Pointer)(unsafe.Pointer(&table[addr>>pageShift]))
	if p == nil {
		return nil
	}
	return unsafe.Slice((*uint32)(unsafe.Add(p, off)), n)
}

// Fetch reads one halfword of an instruction.
func (s *Space) Fetch(addr uint32) (uint16, *Fault) {
	r, f := s.check(addr, 2, Exec)
	if f != nil {
		return 0, f
	}
	if r != nil && r.Kind == Device {
		return 0, s.fail(addr, 2, Exec, CausePermission)
	}
	page, off := addr>>pageShift, addr&pageMask&^1
	e := s.peekEntry(page)
	if e == nil || e.data == nil {
		return 0, nil
	}
	return uint16(e.data[off]) | uint16(e.data[off+1])<<8, nil
}

// Probe reports whether an access would fault, without performing it: AGU ports are all probed before
// the first of them moves.
func (s *Space) Probe(addr, size uint32, a Access) *Fault {
	off := addr & pageMask
	tab := s.Read
	if a == Write {
		tab = s.Write
	}
	if off+size <= PageSize && tab[addr>>pageShift] != 0 {
		return nil
	}
	for i := uint32(0); i < size; i++ {
		if i != 0 && (addr+i)&pageMask != 0 {
			continue
		}
		if _, f := s.check(addr+i, 1, a); f != nil {
			f.Addr, f.Size = addr, size
			return f
		}
	}
	return nil
}

// check applies the guard and the rights of the region that answers, which it returns; nil is the
// background.
func (s *Space) check(addr, size uint32, a Access) (*Region, *Fault) {
	if s.guard != nil && !s.guard.Allow(addr, size, a) {
		return nil, s.fail(addr, size, a, CauseGuard)
	}
	r := s.At(addr)
	switch {
	case r == nil && s.background == None || r != nil && r.Kind == None:
		return nil, s.fail(addr, size, a, CauseUnmapped)
	case r != nil && r.Rights&a == 0:
		return nil, s.fail(addr, size, a, CausePermission)
	}
	return r, nil
}

func (s *Space) wait(r *Region) {
	if r != nil && !(s.cached && r.Kind == RAM) {
		s.Stall += uint32(r.Wait)
	}
}

// SetCached says whether a cache stands before RAM: accesses to it do not meet its wait states then, for the cache does.
func (s *Space) SetCached(on bool) {
	if s.cached != on {
		s.cached = on
		s.Flush()
	}
}

// Waits are the wait states of an access to an address that no cache serves.
func (s *Space) Waits(addr uint32) uint32 {
	if r := s.At(addr); r != nil {
		return uint32(r.Wait)
	}
	return 0
}

// FetchWaits are what the words of an instruction cost to fetch from memory that no cache serves: words follow one another in a
// burst, and a jump begins a new one.
func (s *Space) FetchWaits(addr, size uint32) (words, jump uint32) {
	r := s.At(addr)
	if r == nil || r.Wait == 0 {
		return 0, 0
	}
	next := min(r.Next, r.Wait)
	n := (addr+size+3)>>2 - (addr+3)>>2
	return n * uint32(next), uint32(r.Wait - next)
}

func (s *Space) fail(addr, size uint32, a Access, c Cause) *Fault {
	s.fault = Fault{Addr: addr, Size: size, Access: a, Cause: c}
	return &s.fault
}

// fill puts the page of an address on the fast path as far as nothing needs to see its accesses, or the part of it around
// the address.
func (s *Space) fill(addr uint32, e *entry, r *Region) {
	page := addr >> pageShift
	if s.onTouch != nil || s.Kinds[page] == Device {
		return
	}
	rights := Read | Write
	if r != nil {
		if r.Wait != 0 && !(s.cached && r.Kind == RAM) {
			return
		}
		rights = r.Rights
	}
	if s.guard != nil {
		now := s.guard.Rights(page)
		if rest := rights &^ now & (Read | Write); rest != 0 {
			first, last, now := s.guard.Part(addr)
			if rest = s.plain(e, rest&now); rest != 0 {
				s.find(within(s.data(e), max(first, addr&^pageMask), min(last, addr|pageMask)), rest)
			}
		}
		rights &= now
	}
	rights = s.plain(e, rights)
	if rights&Read != 0 {
		s.Read[page] = uintptr(unsafe.Pointer(s.data(e)))
	}
	if rights&Write != 0 {
		s.Write[page] = uintptr(unsafe.Pointer(s.data(e)))
	}
	s.view.list(page, e)
}

// plain are those of some accesses that are nothing but accesses of the storage of a page.
func (s *Space) plain(e *entry, a Access) Access {
	if e.code != 0 || e.data == nil || e.shared {
		a &^= Write
	}
	return a &^ e.watch
}

// data is the storage of a page, zeros when it has none.
func (s *Space) data(e *entry) *[PageSize]byte {
	if e.data == nil {
		return s.zero
	}
	return e.data
}

// own gives the page storage that no snapshot shares; false when the memory limit forbids it.
func (s *Space) own(e *entry) bool {
	switch {
	case e.data == nil:
		if s.backed >= s.limit {
			return false
		}
		s.backed++
		e.data = new([PageSize]byte)
	case e.shared:
		data := new([PageSize]byte)
		*data = *e.data
		e.data, e.shared = data, false
	}
	return true
}

// drop forgets the contents of a page.
func (s *Space) drop(page uint32) {
	s.takeOff(page, Read|Write)
	if e := s.peekEntry(page); e != nil && e.data != nil {
		e.data, e.shared = nil, false
		s.backed--
	}
}

func (s *Space) entry(page uint32) *entry {
	leaf := s.dir[page/leafPages]
	if leaf == nil {
		leaf = new([leafPages]entry)
		s.dir[page/leafPages] = leaf
	}
	return &leaf[page%leafPages]
}

// peekEntry is entry without making one.
func (s *Space) peekEntry(page uint32) *entry {
	if leaf := s.dir[page/leafPages]; leaf != nil {
		return &leaf[page%leafPages]
	}
	return nil
}

// Backed returns how many bytes of guest memory have host storage.
func (s *Space) Backed() uint64 { return uint64(s.backed) << pageShift }

// Limit returns how many bytes of guest memory may have host storage.
func (s *Space) Limit() uint64 { return uint64(s.limit) << pageShift }

func (s *Space) loadSplit(addr, size uint32) (v uint64, f *Fault) {
	if f := s.Probe(addr, size, Read); f != nil {
		return 0, f
	}
	for i := range size {
		b, f := s.LoadAny(addr+i, 1)
		if f != nil {
			f.Addr, f.Size = addr, size
			return 0, f
		}
		v |= b << (8 * i)
	}
	return v, nil
}

// storeSplit writes across a page border; nothing is written when either page refuses.
func (s *Space) storeSplit(addr, size uint32, v uint64) *Fault {
	if f := s.Probe(addr, size, Write); f != nil {
		return f
	}
	for i := range size {
		if f := s.StoreAny(addr+i, 1, v>>(8*i)&0xff); f != nil {
			f.Addr, f.Size = addr, size
			return f
		}
	}
	return nil
}

func (s *Space) loadPort(r *Region, addr, size uint32) (v uint64, f *Fault) {
	if uint64(addr)+uint64(size) > r.End() {
		return 0, s.fail(addr, size, Read, CauseDevice)
	}
	for done := uint32(0); done < size; done += 4 {
		n := min(size-done, 4)
		part, ok := r.Port.ReadPort(addr+done-r.Base, n)
		if !ok {
			return 0, s.fail(addr, size, Read, CauseDevice)
		}
		v |= uint64(part) & (1<<(8*n) - 1) << (8 * done)
	}
	return v, nil
}

func (s *Space) storePort(r *Region, addr, size uint32, v uint64) *Fault {
	if uint64(addr)+uint64(size) > r.End() {
		return s.fail(addr, size, Write, CauseDevice)
	}
	for done := uint32(0); done < size; done += 4 {
		n := min(size-done, 4)
		if !r.Port.WritePort(addr+done-r.Base, n, uint32(v>>(8*done)&(1<<(8*n)-1))) {
			return s.fail(addr, size, Write, CauseDevice)
		}
	}
	return nil
}

func loadHost(p unsafe.Pointer, size uint32) uint64 {
	switch size {
	case 1:
		return uint64(*(*uint8)(p))
	case 2:
		return uint64(*(*uint16)(p))
	case 4:
		return uint64(*(*uint32)(p))
	}
	return *(*uint64)(p)
}

func storeHost(p unsafe.Pointer, size uint32, v uint64) {
	switch size {
	case 1:
		*(*uint8)(p) = uint8(v)
	case 2:
		*(*uint16)(p) = uint16(v)
	case 4:
		*(*uint32)(p) = uint32(v)
	default:
		*(*uint64)(p) = v
	}
}

// lines returns the 64-byte lines of a page that [off, off+size) touches.
func lines(off, size uint32) uint64 {
	first, last := off>>6, (off+size-1)>>6
	return bits.RotateLeft64(^uint64(0)>>(63-(last-first)), int(first))
}
