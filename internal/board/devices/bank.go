package devices

import "encoding/json"

// Bank is a bank of registers that remember what is written to them: clocks, resets and pins of a board, which software sets
// up and whose effect is outside the core. Some read as the board has made them, such as the lock of a clock, whatever is
// written.
type Bank struct {
	size  uint32
	reads map[uint32]uint32 // by offset
	words map[uint32]uint32
}

// NewBank returns a bank of a number of bytes. The words of reads read as they stand there.
func NewBank(size uint32, reads map[uint32]uint32) *Bank {
	b := &Bank{size: size, reads: reads}
	b.Reset()
	return b
}

// Size implements Block.
func (b *Bank) Size() uint32 { return b.size }

// Reset implements Clocked.
func (b *Bank) Reset() { b.words = map[uint32]uint32{} }

// State implements Clocked.
func (b *Bank) State() ([]byte, error) { return json.Marshal(b.words) }

// Adopt implements Clocked.
func (b *Bank) Adopt(state []byte) error {
	var words map[uint32]uint32
	err := adopt("bank", state, &words)
	b.Reset()
	for at, v := range words {
		if at < b.size {
			b.words[at&^3] = v
		}
	}
	return err
}

// Next implements Clocked.
func (b *Bank) Next() uint64 { return Never }

// Expire implements Clocked.
func (b *Bank) Expire() {}

// ReadPort implements memory.Port.
func (b *Bank) ReadPort(offset, size uint32) (uint32, bool) {
	return part(b.word(offset&^3), offset, size), true
}

func (b *Bank) word(at uint32) uint32 {
	if v, ok := b.reads[at]; ok {
		return v
	}
	return b.words[at]
}

// WritePort implements memory.Port.
func (b *Bank) WritePort(offset, size, value uint32) bool {
	at := offset &^ 3
	b.words[at] = merge(b.words[at], offset, size, value)
	return true
}
