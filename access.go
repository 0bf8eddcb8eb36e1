package arcv2dsp

import (
	"fmt"
	"strings"

	"arcv2dsp/loader"
	"arcv2dsp/memory"
)

// ReadMemory copies guest memory to buf, whatever permissions and the MPU say. Device registers
// cannot be read this way, because reading may change them.
func (m *Machine) ReadMemory(addr uint32, buf []byte) error { return m.sys.Read(addr, buf) }

// WriteMemory copies data to guest memory. Code that was decoded from there is decoded again.
func (m *Machine) WriteMemory(addr uint32, data []byte) error { return m.sys.Mem.Poke(addr, data) }

// ReadWord reads a 32-bit word.
func (m *Machine) ReadWord(addr uint32) (uint32, error) {
	var b [4]byte
	err := m.ReadMemory(addr, b[:])
	return uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16 | uint32(b[3])<<24, err
}

// WriteWord writes a 32-bit word.
func (m *Machine) WriteWord(addr, v uint32) error {
	return m.WriteMemory(addr, []byte{byte(v), byte(v >> 8), byte(v >> 16), byte(v >> 24)})
}

// Regions lists the memories and devices beside plain RAM, by address.
func (m *Machine) Regions() []Region {
	var list []Region
	for _, r := range m.sys.Mem.Regions() {
		own := Region{Name: r.Name, Base: r.Base, Size: r.Size, Wait: r.Wait, Next: r.Next, ROM: r.Rights&memory.Write == 0, Device: r.Port != nil}
		for _, o := range m.sys.Options.Core.Memories {
			if o.Name == r.Name {
				own.Waits = string(o.Waits)
			}
		}
		list = append(list, own)
	}
	return list
}

// Nowhere says which memories there are when a fault came from an access to none of them, and how to have more; empty for
// other stops.
func (m *Machine) Nowhere(stop Stop) string {
	if stop.Reason != StopFault {
		return ""
	}
	for _, e := range append(stop.Handling[:len(stop.Handling):len(stop.Handling)], stop.Exception) {
		if strings.HasSuffix(e.Why, memory.CauseUnmapped.String()) {
			var list []string
			for _, r := range m.Regions() {
				list = append(list, fmt.Sprintf("%s %#x to %#x", r.Name, r.Base, uint64(r.Base)+r.Size-1))
			}
			return fmt.Sprintf("%s has %s and nothing elsewhere; --ram all puts RAM there", m.Core().Name, strings.Join(list, ", "))
		}
	}
	return ""
}

// MemoryInUse returns the number of bytes in the pages of guest memory that have been written to.
func (m *Machine) MemoryInUse() uint64 { return m.sys.Mem.Backed() }

// Symbols returns the symbols of the program; none when nothing is loaded.
func (m *Machine) Symbols() *loader.Symbols { return m.sys.Symbols() }

// Symbol returns the address of a symbol.
func (m *Machine) Symbol(name string) (addr uint32, ok bool) { return m.sys.Lookup(name) }

// Locate returns an address with the nearest symbol, such as 0x00001234 <main+0x10>, or the address
// alone when no symbol is near.
func (m *Machine) Locate(addr uint32) string {
	s, off, ok := m.Symbols().At(addr)
	switch {
	case !ok:
		return fmt.Sprintf("0x%08x", addr)
	case off == 0:
		return fmt.Sprintf("0x%08x <%s>", addr, s.Name)
	}
	return fmt.Sprintf("0x%08x <%s+%#x>", addr, s.Name, off)
}
