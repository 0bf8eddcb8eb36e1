package timing

// Bank is a memory with a port of its own.
type Bank uint8

const (
	NoBank Bank = iota // ordinary memory: an AGU access outside X, Y and DCCM
	BankX
	BankY
	BankD // DCCM

	NumBanks // how many there are, NoBank included
)

// PortAccess is one memory access of an instruction through an AGU port.
type PortAccess struct {
	Bank      Bank
	Unaligned bool
	Write     bool
}

// WriteBuffers holds the AGU stores that have not reached their bank. A buffered store goes to its
// bank in the first cycle in which the storing instruction itself does not read that bank.
//
// DEVIATION(170): port reads of the instructions in between do not delay the draining.
type WriteBuffers struct {
	Pending [NumBanks]uint8
	Last    [NumBanks]uint64 // cycle up to which Pending is right
}

// PortStalls are the cycles lost by the port accesses of one instruction.
type PortStalls struct {
	Conflict, Miss, Full uint32
}

// Total is the sum.
func (s PortStalls) Total() uint32 { return s.Conflict + s.Miss + s.Full }

// Ports returns the cycles lost by the port accesses of one instruction that issues in cycle now,
// sources before the destination. Loads and stores without ports do not take part.
//
//   - reads: each bank serves one per cycle, each further one is a conflict; DEVIATION(38)
//   - a read or write outside all banks is a miss; DEVIATION(37)
//   - an unaligned access takes its bank twice unless that memory is interleaved
//   - a write goes to the write buffer of its bank and waits only when that is full
func (m *Model) Ports(w *WriteBuffers, now uint64, accesses []PortAccess) (s PortStalls) {
	var reads [NumBanks]uint32
	for _, a := range accesses {
		if a.Bank == NoBank {
			s.Miss += uint32(m.PortMiss)
			continue
		}
		if a.Unaligned {
			s.Conflict += uint32(m.PortUnaligned[a.Bank])
		}
		if a.Write {
			s.Full += m.buffer(w, now, a.Bank, reads[a.Bank])
			continue
		}
		if reads[a.Bank]++; reads[a.Bank] > 1 {
			s.Conflict += uint32(m.PortConflict)
		}
	}
	return s
}

// buffer puts a store into the write buffer of a bank that the same instruction reads the given
// number of times, and returns the cycles it waited for a place.
func (m *Model) buffer(w *WriteBuffers, now uint64, b Bank, reads uint32) (wait uint32) {
	n := uint64(w.Pending[b])
	n -= min(n, now-min(now, w.Last[b]))
	if n >= uint64(m.WriteBuffer) {
		wait, n = 1, n-1
	}
	w.Pending[b] = uint8(n + 1)
	w.Last[b] = now + uint64(reads+wait) // it drains in the cycles after the reads
	return wait
}
