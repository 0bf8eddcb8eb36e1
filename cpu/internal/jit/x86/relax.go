package x86

import (
	"encoding/binary"
	"slices"
)

// Code is written with distances of 32 bits. In the end jumps become short where that is enough, which brings
// more of them near to where they lead, so that is asked again until no more become short.

// saved is how many bytes a jump loses that becomes short: a byte of opcode and one of distance remain.
func (f *fix) saved() int {
	if f.short {
		return int(f.jump) + 2
	}
	return 0
}

// shorten finds the jumps that can be short. Behind it gone holds how many bytes the jumps before each lose.
func (a *asm) shorten() (gone []int) {
	gone = slices.Grow(a.gone[:0], len(a.fixes)+1)[:len(a.fixes)+1]
	a.gone = gone
	a.fronts = a.fronts[:0]
	for _, at := range a.labels {
		a.fronts = append(a.fronts, a.before(at))
	}
	for again := true; again; {
		again = false
		gone[0] = 0
		for i := range a.fixes {
			gone[i+1] = gone[i] + a.fixes[i].saved()
		}
		for i := range a.fixes {
			f := &a.fixes[i]
			if f.short {
				continue
			}
			d := a.labels[f.to] - f.next - (gone[a.fronts[f.to]] - gone[i])
			if d >= 0 { // what it loses itself does not count
				f.short = d < 1<<7
			} else {
				f.short = d+int(f.jump)+2 >= -1<<7
			}
			again = again || f.short
		}
	}
	return gone
}

// before is how many fixes there are in front of a place.
func (a *asm) before(at int) int {
	n, _ := slices.BinarySearchFunc(a.fixes, at, func(f fix, at int) int { return f.at - at })
	return n
}

// finish makes jumps short, fills in distances and appends the pool. Labels move to where they are then.
func (a *asm) finish() []byte {
	gone := a.shorten()
	for i, at := range a.labels {
		a.labels[i] = at - gone[a.fronts[i]]
	}
	for i := range a.loads {
		f := &a.loads[i]
		less := gone[a.before(f.at)]
		f.at, f.next = f.at-less, f.next-less
	}
	out, from := a.packed[:0], 0
	for i := range a.fixes {
		f := &a.fixes[i]
		if !f.short {
			out = append(out, a.text[from:f.next]...)
			from = f.next
			f.at -= gone[i]
			f.next -= gone[i]
			continue
		}
		start := f.at - int(f.jump)
		out = append(out, a.text[from:start]...)
		opcode := byte(0xeb)
		if f.jump == 2 {
			opcode = a.text[f.at-1] - 0x10 // 0f 8x becomes 7x
		}
		from = f.next
		f.next -= gone[i+1]
		out = append(out, opcode, byte(a.labels[f.to]-f.next))
	}
	out = append(out, a.text[from:]...)
	for len(out)%8 != 0 {
		out = append(out, 0xcc)
	}
	pool := len(out)
	for _, v := range a.pool {
		out = binary.LittleEndian.AppendUint64(out, v)
	}
	for i := range a.fixes {
		if f := &a.fixes[i]; !f.short {
			binary.LittleEndian.PutUint32(out[f.at:], uint32(a.labels[f.to]-f.next))
		}
	}
	for _, f := range a.loads {
		binary.LittleEndian.PutUint32(out[f.at:], uint32(pool+8*int(f.to)-f.next))
	}
	a.packed = out
	return out
}
