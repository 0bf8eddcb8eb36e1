package dspunit

// Region is a closely coupled memory: Size bytes from Base. Size 0 is no memory.
type Region struct {
	Base, Size uint32
}

func (r Region) holds(addr uint32) bool { return addr-r.Base < r.Size }

// Memories are the data memories with a port of their own to the DSP unit. Each serves one access
// per cycle.
type Memories struct {
	DCCM, X, Y Region
}

// bank returns which memory holds addr.
func (m *Memories) bank(addr uint32) uint8 {
	switch {
	case m.X.holds(addr):
		return bankX
	case m.Y.holds(addr):
		return bankY
	case m.DCCM.holds(addr):
		return bankDCCM
	}
	return bankNone
}

const (
	bankNone = iota
	bankX
	bankY
	bankDCCM
	banks
)

// Stalls returns the cycles that the AGU accesses of one instruction cost beyond its own: conflict
// is one for each access after the first to the same memory, miss is one for each access to none of
// the three.
//
// DEVIATION(37): an access outside the three memories is a normal one with one extra stall.
// DEVIATION(38): one stall per extra access to the same memory; a store counts like a load, as if
// the write buffer drained in the cycle of its instruction.
func (m *Memories) Stalls(addrs ...uint32) (conflict, miss uint8) {
	var used [banks]bool
	for _, addr := range addrs {
		b := m.bank(addr)
		switch {
		case b == bankNone:
			miss++
		case used[b]:
			conflict++
		}
		used[b] = true
	}
	return conflict, miss
}
