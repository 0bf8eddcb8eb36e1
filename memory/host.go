package memory

// Accesses of the host: loaders, host I/O, debuggers. They see memory as it is stored: no rights,
// no guard, no watch, no wait states, and devices do not answer.

// Peek copies memory to buf. Addresses without memory give a fault.
func (s *Space) Peek(addr uint32, buf []byte) error {
	for len(buf) > 0 {
		off := addr & pageMask
		n := min(len(buf), int(PageSize-off))
		if !s.hasMemory(addr) {
			return &Fault{Addr: addr, Size: uint32(n), Access: Read, Cause: CauseUnmapped}
		}
		if e := s.peekEntry(addr >> pageShift); e != nil && e.data != nil {
			copy(buf[:n], e.data[off:])
		} else {
			clear(buf[:n])
		}
		addr, buf = addr+uint32(n), buf[n:]
	}
	return nil
}

// Poke copies data to memory. On a fault the bytes before it have been written.
func (s *Space) Poke(addr uint32, data []byte) error {
	for len(data) > 0 {
		page, off := addr>>pageShift, addr&pageMask
		n := min(len(data), int(PageSize-off))
		if !s.hasMemory(addr) {
			f := &Fault{Addr: addr, Size: uint32(n), Access: Write, Cause: CauseUnmapped}
			if r := s.At(addr); r != nil && r.Kind == Device {
				f.Cause = CauseDevice
			}
			return f
		}
		e := s.entry(page)
		if !s.own(e) {
			return &Fault{Addr: addr, Size: uint32(n), Access: Write, Cause: CauseLimit}
		}
		s.touchCode(page, e, off, uint32(n))
		s.takeOff(page, Read|Write) // own may have moved the page
		copy(e.data[off:], data[:n])
		addr, data = addr+uint32(n), data[n:]
	}
	return nil
}

// hasMemory reports whether bytes can be stored at addr; the memory under a device does not count
// while the device is mapped.
func (s *Space) hasMemory(addr uint32) bool {
	r := s.At(addr)
	if r == nil {
		return s.background != None
	}
	return r.Kind != Device && r.Kind != None
}
