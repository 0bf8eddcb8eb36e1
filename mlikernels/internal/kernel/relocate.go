package kernel

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"

	"arcv2dsp/nn"
)

// Part is a buffer of a call that has no address yet.
type Part struct {
	Name     string
	Memory   Memory
	Bytes    []byte // what the function finds there, with zeros where Pointers are; nil for room
	Size     int
	Align    uint32
	Writable bool
	Tensor   *nn.Tensor // the tensor of the call whose elements lie there, nil for what the calling form adds
	Pointers []Pointer
}

// Pointer is a word of a part that holds an address: a place in a part.
type Pointer struct {
	At     int // the offset of the word
	Part   int // the part it points to
	Offset uint32
}

// Relocatable is a call whose buffers may lie anywhere: in the form that a compiler hands to a linker. Args are the
// arguments, each a pointer; their At is the number of the argument.
type Relocatable struct {
	Parts []Part
	Args  []Pointer
}

// Relocate lays a call out without a place. again is the same call with other elements wherever they are not
// constant: a calling form that puts anything but such a tensor itself into a buffer then shows.
//
// The calling forms write addresses, so the call is laid out at two places, where every memory is a distance
// of its own further: a word that moved by the distance of the memory it points into is a pointer.
func Relocate(k *Kernel, c, again *nn.Call) (*Relocatable, error) {
	var near, far [memories]uint32
	for m := range memories {
		near[m] = uint32(m+1) * relocateSpan
		far[m] = near[m] + distance(m)
	}
	a, b := newLayout(&Job{Call: c}, near, Conventions{}), newLayout(&Job{Call: again}, far, Conventions{})
	for _, l := range []*Layout{a, b} {
		if err := k.ABI.Layout(l, k, l.job.Call); err != nil {
			return nil, fmt.Errorf("%s: %w", k.Symbol, err)
		}
	}
	var parts []Part
	var others [][]byte
	for m := range memories {
		from, to := a.arenas[m], b.arenas[m]
		if len(from.image) > MaxBuffer {
			return nil, fmt.Errorf("%s: the %s of the call take %d bytes, there is room for %d", k.Symbol, m, len(from.image), MaxBuffer)
		}
		if len(from.buffers) != len(to.buffers) {
			return nil, fmt.Errorf("%s: what the call needs depends on elements that are not constant", k.Symbol)
		}
		for i, p := range from.buffers {
			part := Part{Name: p.name, Memory: m, Size: p.size, Align: p.align, Writable: p.writable}
			if !p.room {
				part.Bytes = slices.Clone(from.at(p.addr, p.size))
			}
			q := to.buffers[i]
			other := to.at(q.addr, q.size)
			for j, t := range tensorsOf(c) {
				if s := tensorsOf(again)[j]; t != nil && p.tensor == t && q.tensor == s {
					part.Tensor = t
					if s != t { // its elements differ, and may
						other = part.Bytes
					}
				}
			}
			parts, others = append(parts, part), append(others, other)
		}
	}
	for i := range parts {
		if parts[i].Bytes == nil {
			continue
		}
		if err := a.relocate(b, &parts[i], others[i]); err != nil {
			return nil, fmt.Errorf("%s: %w", k.Symbol, err)
		}
	}
	r := &Relocatable{Parts: parts}
	for i, v := range a.args {
		p, ok := a.pointer(v, b.args[i])
		if !ok {
			return nil, fmt.Errorf("%s: argument %d is no pointer", k.Symbol, i)
		}
		p.At = i
		r.Args = append(r.Args, p)
	}
	return r, nil
}

// relocateSpan is between the memories of a call that is relocated; distance is how far a memory moves. No
// two distances are equal, and all are multiples of any alignment.
const relocateSpan = 1 << 28

func distance(m Memory) uint32 { return uint32(m+1) << 24 }

// tensorsOf lists the tensors of a call.
func tensorsOf(c *nn.Call) []*nn.Tensor { return append(c.In[:len(c.In):len(c.In)], c.Out...) }

// relocate finds the pointers in a part: words that differ in the other layout.
func (l *Layout) relocate(far *Layout, p *Part, other []byte) error {
	if len(other) != len(p.Bytes) {
		return fmt.Errorf("the size of %s depends on elements that are not constant", p.Name)
	}
	const word = 4
	for at := 0; at < len(other); at += word {
		n := min(word, len(other)-at)
		if bytes.Equal(p.Bytes[at:at+n], other[at:at+n]) {
			continue
		}
		if n == word {
			v, moved := binary.LittleEndian.Uint32(p.Bytes[at:]), binary.LittleEndian.Uint32(other[at:])
			if pointer, ok := l.pointer(v, moved); ok {
				pointer.At = at
				p.Pointers = append(p.Pointers, pointer)
				clear(p.Bytes[at : at+word])
				continue
			}
		}
		return fmt.Errorf("%s depends on elements that are not constant", p.Name)
	}
	return nil
}

// pointer finds what a word points to that has moved from one layout to the other.
func (l *Layout) pointer(v, moved uint32) (Pointer, bool) {
	part := 0
	for m := range memories {
		for _, b := range l.arenas[m].buffers {
			if moved-v == distance(m) && v >= b.addr && v-b.addr <= uint32(b.size) {
				return Pointer{Part: part, Offset: v - b.addr}, true
			}
			part++
		}
	}
	return Pointer{}, false
}
