package code

import (
	"encoding/binary"
	"slices"
)

// Code is written with jumps in their long form. In the end they become short where that is enough, which brings
// more of them near to where they lead, so that is asked again until no more become short.

// shorten finds the jumps that can be short. Behind it gone holds how many bytes the jumps before each lose.
func (t *Text) shorten(kinds []Jump) (gone []int) {
	gone = slices.Grow(t.gone[:0], len(t.fixes)+1)[:len(t.fixes)+1]
	t.gone = gone
	for again := true; again; {
		again = false
		gone[0] = 0
		for i := range t.fixes {
			gone[i+1] = gone[i]
			if f := &t.fixes[i]; f.short {
				gone[i+1] += kinds[f.kind].Saved
			}
		}
		for i := range t.fixes {
			f := &t.fixes[i]
			k := &kinds[f.kind]
			if f.short || k.Saved == 0 {
				continue
			}
			d := t.labels[f.to] - f.end - (gone[t.fronts[f.to]] - gone[i])
			if d >= 0 { // what it loses itself does not count
				f.short = d <= k.Most
			} else {
				f.short = d+k.Saved >= k.Least
			}
			again = again || f.short
		}
	}
	return gone
}

// finish makes jumps short, fills in distances and appends the pool. Labels move to where they are then.
func (t *Text) finish(host Target, r *Registers) []byte {
	gone := t.shorten(r.Jumps)
	for i, at := range t.labels {
		t.labels[i] = at - gone[t.fronts[i]]
	}
	out, from := t.packed[:0], 0
	for i := range t.fixes {
		f := &t.fixes[i]
		out = append(out, t.Bytes[from:f.start]...)
		out = host.WriteJump(out, t.Bytes[f.start:f.end], f.short, t.labels[f.to])
		from = f.end
	}
	out = append(out, t.Bytes[from:]...)
	for len(out)%8 != 0 {
		out = append(out, r.Fill)
	}
	pool := len(out)
	for _, v := range t.pool {
		out = binary.LittleEndian.AppendUint64(out, v)
	}
	for _, l := range t.loads {
		less := gone[l.front]
		host.FillIn(out, l.at-less, l.end-less, pool+8*l.number)
	}
	t.packed = out
	return out
}
