package dspmodel

import (
	"math/big"
	"slices"
)

// Modifier is an AGU modifier word with the offset registers it may name.
type Modifier struct {
	Word    uint32
	Offsets []uint32
}

func (m Modifier) field(from, width int) uint32 { return m.Word >> from & (1<<width - 1) }

// Pointer is the number of the address pointer.
func (m Modifier) Pointer() int { return int(m.field(0, 4)) }

func (m Modifier) opc() uint32     { return m.field(29, 3) }
func (m Modifier) reverse() bool   { return m.field(12, 1) == 1 }
func (m Modifier) oneForAll() bool { return m.field(13, 1) == 1 }

// shape is one conversion: count elements of that many bytes in memory, each in a lane of the
// register, extended there.
type shape struct {
	bytes, count, lane int
	extend             extend
}

type extend int

const (
	zero       extend = iota
	sign              // the lane is the signed element
	fraction16        // the element is in the upper bits of the lane
)

var shapes = map[[2]uint32]shape{ // VW, FX
	{2, 11}: {4, 1, 32, zero},
	{2, 8}:  {2, 1, 32, sign}, {2, 9}: {2, 1, 32, zero}, {2, 10}: {2, 1, 32, fraction16},
	{2, 4}: {1, 1, 32, sign}, {2, 5}: {1, 1, 32, zero}, {2, 6}: {1, 1, 32, fraction16},
	{2, 3}: {2, 2, 16, zero},
	{2, 0}: {1, 2, 16, sign}, {2, 1}: {1, 2, 16, zero}, {2, 2}: {1, 2, 16, fraction16},
	{2, 7}: {1, 4, 8, zero},
	{1, 3}: {2, 1, 16, zero},
	{1, 0}: {1, 1, 16, sign}, {1, 1}: {1, 1, 16, zero}, {1, 2}: {1, 1, 16, fraction16},
	{1, 7}: {1, 2, 8, zero},
	{0, 7}: {1, 1, 8, zero},
}

func (m Modifier) shape() (shape, bool) {
	s, ok := shapes[[2]uint32{m.field(4, 2), m.field(6, 5)}]
	return s, ok
}

// Accessible reports whether the word describes a conversion and an update that exist.
func (m Modifier) Accessible() bool {
	_, ok := m.shape()
	return ok && m.Steppable()
}

// Steppable reports whether the pointer and its update exist, with 12 pointers and 8 offsets.
func (m Modifier) Steppable() bool {
	os, sc := m.field(25, 4), m.field(14, 4)
	switch m.opc() {
	case 0, 2, 6:
		return m.Pointer() < 12 && os < 8
	case 4:
		return m.Pointer() < 12 && os < 8 && sc < 8
	case 7:
		return false
	}
	return m.Pointer() < 12
}

// Bytes is how much an access reads or writes.
func (m Modifier) Bytes() int {
	s, _ := m.shape()
	if m.oneForAll() {
		return s.bytes
	}
	return s.bytes * s.count
}

// Load returns the register value for the bytes in memory.
func (m Modifier) Load(mem []byte) uint32 {
	s, _ := m.shape()
	var elements []n
	for i := range s.count {
		at := i
		if m.oneForAll() {
			at = 0
		}
		e := num(0)
		for k := range s.bytes {
			e = e.add(num(int64(mem[at*s.bytes+k])).times2to(8 * k))
		}
		elements = append(elements, e)
	}
	if m.reverse() {
		slices.Reverse(elements)
	}
	z := num(0)
	for i, e := range elements {
		switch s.extend {
		case sign:
			e = e.signed(8 * s.bytes)
		case fraction16:
			e = e.times2to(s.lane - 8*s.bytes)
		}
		z = z.add(e.unsigned(s.lane).times2to(i * s.lane))
	}
	return uint32(z.low())
}

// Store returns the bytes that a register value becomes in memory.
func (m Modifier) Store(v uint32) []byte {
	s, _ := m.shape()
	var elements [][]byte
	for i := range s.count {
		lane := unum(uint64(v)).floorBy2to(i * s.lane).unsigned(s.lane)
		if s.extend == fraction16 {
			lane = lane.floorBy2to(s.lane - 8*s.bytes)
		}
		var e []byte
		for k := range s.bytes {
			e = append(e, byte(lane.floorBy2to(8*k).unsigned(8).low()))
		}
		elements = append(elements, e)
	}
	if m.oneForAll() {
		return elements[0]
	}
	if m.reverse() {
		slices.Reverse(elements)
	}
	return slices.Concat(elements...)
}

// Next returns the pointer after an access.
func (m Modifier) Next(pointer uint32) uint32 {
	var step n
	switch m.opc() {
	case 0, 2:
		step = unum(uint64(m.Offsets[m.field(25, 4)])).times2to(int(m.field(14, 4)))
	case 4, 6:
		step = unum(uint64(m.Offsets[m.field(25, 4)]))
	default:
		step = unum(uint64(m.field(18, 11))).signed(11)
	}
	p := unum(uint64(pointer))
	move := func(a, b n) n {
		if m.field(11, 1) == 1 {
			b = b.neg()
		}
		return a.add(b.signed(32)) // a step is a 32-bit number
	}
	switch m.opc() {
	case 2, 3:
		return uint32(reversed(move(reversed(p), reversed(step))).low())
	case 4, 5, 6:
		size := pow2(int(m.field(14, 4)) + 1)
		if m.opc() == 4 {
			size = unum(uint64(m.Offsets[m.field(14, 4)]))
		}
		if size.zero() { // no window
			break
		}
		k := 0
		for pow2(k).cmp(size) < 0 {
			k++
		}
		distance := p.unsigned(k)
		base := p.sub(distance)
		distance = n{new(big.Int).Mod(move(distance, step).v, size.v)}
		return uint32(base.add(distance).low())
	}
	return uint32(move(p, step).unsigned(32).low())
}

// reversed is the 32-bit number with its bits in the opposite order.
func reversed(v n) n {
	z := num(0)
	for i := range 32 {
		if v.floorBy2to(i).odd() {
			z = z.add(pow2(31 - i))
		}
	}
	return z
}

// Modifier returns a modifier word, valid three times out of four, with small steps.
func (o Operands) Modifier() uint32 {
	w := o.Uint32()
	if o.IntN(4) != 0 {
		keys := [][2]uint32{{2, 11}, {2, 8}, {2, 9}, {2, 10}, {2, 4}, {2, 5}, {2, 6}, {2, 3}, {2, 0}, {2, 1}, {2, 2}, {2, 7}, {1, 3}, {1, 0}, {1, 1}, {1, 2}, {1, 7}, {0, 7}}
		k := keys[o.IntN(len(keys))]
		w = o.Uint32N(12) | k[0]<<4 | k[1]<<6 | w&(7<<11)
		opc := o.Uint32N(7)
		w |= opc << 29
		if opc == 0 || opc == 2 || opc == 4 || opc == 6 {
			w |= o.Uint32N(8) << 25
		} else {
			w |= o.Uint32N(1<<11) << 18
		}
		if opc != 1 && opc != 3 {
			w |= o.Uint32N(8) << 14
		}
	}
	return w
}
