package cpu

// maxSmaRT is the largest trace buffer.
const maxSmaRT = 64

// SMART_CONTROL fields.
const (
	smartEnable     = 1 << 0
	smartSelect     = 8 // bits 9:8: the word of an entry that SMART_DATA shows
	smartIndex      = 10
	smartIndexMask  = maxSmaRT - 1
	smartSource     = 0 // SMART_DATA: address of the instruction that was left
	smartTarget     = 1 // address that followed
	smartFlags      = 2
	flagSmartUser   = 1 << 8  // the instruction was one of user mode
	flagSmartVector = 1 << 9  // an exception or an interrupt
	flagSmartRepeat = 1 << 10 // the same as before, once more
	flagSmartValid  = 1 << 31
)

// smart is the trace buffer SmaRT: the last places where the program did not go on with the next
// instruction. It costs a program no cycles.
//
// DEVIATION(224): entry 0 is the youngest. A branch to where it went before, with nothing in between, marks
// its entry as repeated instead of filling the buffer. The positions of the fields are assumed: registers and
// their addresses are public, a description of version 3 is not.
type smart struct {
	on      bool
	control uint32
	next    uint32 // entry that is filled next
	entries [maxSmaRT]smartEntry
}

type smartEntry struct{ source, target, flags uint32 }

func hasSmaRT(c *Config) bool { return c.SmaRT > 0 }

// auxSmaRT are the registers of the trace buffer.
var auxSmaRT = []auxReg{
	buildReg(0xff, "SMART_BUILD", func(c *Config) uint32 { return present(c.SmaRT > 0, 3|uint32(c.SmaRT)<<10) }),
	{Addr: 0x700, Name: "SMART_CONTROL", Has: hasSmaRT,
		Read: func(c *CPU) uint32 { return c.smart.control },
		Write: func(c *CPU, v uint32) {
			c.smart.control = v & (smartEnable | 3<<smartSelect | smartIndexMask<<smartIndex)
			c.smart.on = v&smartEnable != 0
			c.updateChecks()
		}},
	{Addr: 0x701, Name: "SMART_DATA", Has: hasSmaRT, Read: (*CPU).smartData},
}

// smartData is the part of the entry that SMART_CONTROL selects.
func (c *CPU) smartData() uint32 {
	s := &c.smart
	size := uint32(c.Config.SmaRT)
	index := s.control >> smartIndex & smartIndexMask
	if index >= size {
		return 0
	}
	e := s.entries[(s.next+2*size-1-index)%size]
	switch s.control >> smartSelect & 3 {
	case smartSource:
		return e.source
	case smartTarget:
		return e.target
	case smartFlags:
		return e.flags
	}
	return 0
}

// noteFlow enters a change of the flow into the trace buffer.
func (c *CPU) noteFlow(source, target, flags uint32) {
	s := &c.smart
	size := uint32(c.Config.SmaRT)
	e := smartEntry{source: source, target: target, flags: flags | flagSmartValid | b2u(c.User())*flagSmartUser}
	last := &s.entries[(s.next+size-1)%size]
	if last.flags&^flagSmartRepeat == e.flags && last.source == source && last.target == target {
		last.flags |= flagSmartRepeat
		return
	}
	s.entries[s.next%size] = e
	s.next = (s.next + 1) % size
}
