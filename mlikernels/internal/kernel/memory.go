package kernel

import (
	"bytes"
	"fmt"

	"arcv2dsp/nn"
)

// guard is the number of bytes before and after every buffer that a kernel must leave alone.
const guard = 64

// arena is a run of simulated memory with the buffers of one role. It starts full of a pattern, so
// that a write outside the buffers, or inside one that is only to be read, shows.
type arena struct {
	base    uint32
	image   []byte // what the kernel finds
	buffers []buffer
}

// buffer is one piece of an arena.
type buffer struct {
	name     string
	addr     uint32
	size     int
	writable bool
	room     bool       // it has no contents when the call begins
	align    uint32     // of the address
	holes    []bool     // bytes that belong to no element, nil when there are none
	tensor   *nn.Tensor // the tensor whose elements lie there, nil for what belongs to the calling form
}

// pattern is the content of memory nobody gave a value: different at every address, never zero.
func pattern(addr uint32) byte {
	x := addr * 2654435761
	return byte(x>>24) | 1
}

func newArena(base uint32) *arena { return &arena{base: base} }

// fill extends the arena by n bytes of pattern.
func (a *arena) fill(n int) {
	for range n {
		a.image = append(a.image, pattern(a.base+uint32(len(a.image))))
	}
}

// add places data at the next address that is offset from a multiple of align, guards around it.
func (a *arena) add(name string, data []byte, align, offset uint32, writable bool) uint32 {
	if len(a.buffers) == 0 {
		a.fill(guard)
	}
	for (a.base+uint32(len(a.image)))%align != offset%align {
		a.fill(1)
	}
	addr := a.base + uint32(len(a.image))
	a.image = append(a.image, data...)
	a.fill(guard)
	a.buffers = append(a.buffers, buffer{name: name, addr: addr, size: len(data), align: align, writable: writable})
	return addr
}

// space places n bytes of pattern, for outputs.
func (a *arena) space(name string, n int, align, offset uint32) uint32 {
	if len(a.buffers) == 0 {
		a.fill(guard)
	}
	for (a.base+uint32(len(a.image)))%align != offset%align {
		a.fill(1)
	}
	addr := a.base + uint32(len(a.image))
	a.fill(n + guard)
	a.buffers = append(a.buffers, buffer{name: name, addr: addr, size: n, align: align, writable: true, room: true})
	return addr
}

// at is the part of the image that holds [addr, addr+n).
func (a *arena) at(addr uint32, n int) []byte {
	i := int(addr - a.base)
	return a.image[i : i+n]
}

// check compares memory after the call with the image: only writable buffers may differ.
func (a *arena) check(after []byte) error {
	if bytes.Equal(a.image, after) {
		return nil
	}
	for i := range after {
		if after[i] == a.image[i] {
			continue
		}
		addr := a.base + uint32(i)
		if where, ok := a.allowed(addr); !ok {
			return fmt.Errorf("write to %#x, %s", addr, where)
		}
	}
	return nil
}

// end is the address behind the image.
func (a *arena) end() uint32 { return a.base + uint32(len(a.image)) }

// trim drops the guard behind the last buffer.
func (a *arena) trim() {
	if n := len(a.buffers); n > 0 {
		last := a.buffers[n-1]
		a.image = a.image[:last.addr-a.base+uint32(last.size)]
	}
}

// readable reports whether all of a run of bytes lies in buffers of the arena.
func (a *arena) readable(addr, size uint32) bool {
	for _, b := range a.buffers {
		if addr >= b.addr && addr+size <= b.addr+uint32(b.size) {
			return true
		}
	}
	return false
}

// allowed says whether a byte may change, or else where it lies.
func (a *arena) allowed(addr uint32) (where string, ok bool) {
	where = "in no buffer"
	near := ^uint32(0)
	for _, b := range a.buffers {
		end := b.addr + uint32(b.size)
		switch {
		case addr >= b.addr && addr < end:
			switch {
			case b.writable && b.holes != nil && b.holes[addr-b.addr]:
				return fmt.Sprintf("byte %d of %s, which belongs to no element", addr-b.addr, b.name), false
			case b.writable:
				return "", true
			}
			return fmt.Sprintf("byte %d of %s, which is read only", addr-b.addr, b.name), false
		case addr < b.addr && b.addr-addr < near:
			near = b.addr - addr
			where = fmt.Sprintf("%d bytes before %s", near, b.name)
		case addr >= end && addr-end < near:
			near = addr - end
			where = fmt.Sprintf("%d bytes past the end of %s", near+1, b.name)
		}
	}
	return where, false
}

// Pattern is n bytes that nobody gave a value.
func Pattern(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = pattern(uint32(i))
	}
	return b
}
