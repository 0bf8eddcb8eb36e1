package table

import (
	"encoding/binary"
	"errors"
	"maps"
	"slices"

	"arcv2dsp"
)

// register is a row of a table.
type register struct {
	name  string
	reset uint32
	mask  uint32   // bits that programs change
	reads []uint32 // what reads give in turn, the last again and again; none: the value
}

// device is the registers of a table with their values.
type device struct {
	arcv2dsp.Passive
	registers map[uint32]*register
	offsets   []uint32 // sorted
	values    map[uint32]uint32
	asked     map[uint32]uint32 // reads that were given of a sequence
}

func newDevice(registers map[uint32]*register) *device {
	d := &device{registers: registers, offsets: slices.Sorted(maps.Keys(registers))}
	d.Reset()
	return d
}

// Reset implements arcv2dsp.Device: every register has its first value, and sequences begin again.
func (d *device) Reset() {
	d.values, d.asked = map[uint32]uint32{}, map[uint32]uint32{}
	for offset, r := range d.registers {
		d.values[offset] = r.reset
	}
}

// ReadPort implements memory.Port. An address without a register does not answer.
func (d *device) ReadPort(offset, size uint32) (uint32, bool) {
	at := offset &^ 3
	r, ok := d.registers[at]
	if !ok {
		return 0, false
	}
	v := d.values[at]
	if n := uint32(len(r.reads)); n > 0 {
		v = r.reads[min(d.asked[at], n-1)]
		d.asked[at] = min(d.asked[at]+1, n)
	}
	return v >> (8 * (offset & 3)) & lanes(size), true
}

// WritePort implements memory.Port. Bits that programs cannot change stay.
func (d *device) WritePort(offset, size, value uint32) bool {
	at := offset &^ 3
	r, ok := d.registers[at]
	if !ok {
		return false
	}
	shift := 8 * (offset & 3)
	mask := r.mask & (lanes(size) << shift)
	d.values[at] = d.values[at]&^mask | value<<shift&mask
	return true
}

// lanes are the bits of an access of 1, 2 or 4 bytes.
func lanes(size uint32) uint32 { return uint32(1<<(8*uint64(size)) - 1) }

// State implements arcv2dsp.Device: of each register the value and how many reads of its sequence were given.
func (d *device) State() []byte {
	var state []byte
	for _, offset := range d.offsets {
		state = binary.LittleEndian.AppendUint32(state, d.values[offset])
		state = binary.LittleEndian.AppendUint32(state, d.asked[offset])
	}
	return state
}

// Adopt implements arcv2dsp.Device.
func (d *device) Adopt(state []byte) error {
	if len(state) != 8*len(d.offsets) {
		return errors.New("the state is of a device with other registers")
	}
	for i, offset := range d.offsets {
		d.values[offset] = binary.LittleEndian.Uint32(state[8*i:])
		d.asked[offset] = min(binary.LittleEndian.Uint32(state[8*i+4:]), uint32(len(d.registers[offset].reads)))
	}
	return nil
}
