package devices

// Doorbell is the pair of words in the hostlink block by which guest and host tell each other that
// a packet is ready: target-to-host, then host-to-target.
//
// A guest may store a word in bytes, when its compiler takes the block for unaligned. So a packet is
// served when the whole word is stored at once, else when the guest looks for the answer.
type Doorbell struct {
	// Serve serves the packet at an address; false leaves it where it is, to be asked again.
	Serve func(packet uint32) bool
	Words [2]uint32
}

const noPacket = 0xffffffff

// DoorbellSize is how many bytes of address space a doorbell takes.
const DoorbellSize = 8

func (d *Doorbell) ring() {
	if packet := d.Words[0]; packet != noPacket && d.Serve(packet) {
		d.Words = [2]uint32{noPacket, packet}
	}
}

// ReadPort implements memory.Port.
func (d *Doorbell) ReadPort(offset, size uint32) (uint32, bool) {
	if offset >= 4 && d.Words[1] == noPacket {
		d.ring()
	}
	return part(d.Words[offset/4&1], offset, size), true
}

// WritePort implements memory.Port.
func (d *Doorbell) WritePort(offset, size, value uint32) bool {
	w := &d.Words[offset/4&1]
	*w = merge(*w, offset, size, value)
	if offset == 0 && size == 4 {
		d.ring()
	}
	return true
}
