package basemodel_test

import (
	"fmt"
	"strconv"
	"strings"
)

// bits is the queue of the bitstream unit as a text of 0 and 1, by decision 119.
type bits string

func (q bits) push(v int64, w int64) bits {
	q += bits(fmt.Sprintf("%032b", uint32(v))[32-min(w, 32):])
	return q[max(0, len(q)-64):]
}

func (q bits) peek(w int64) (v uint64, rest bits) {
	w = min(w, 32)
	text := (string(q) + strings.Repeat("0", 32))[:w]
	v, _ = strconv.ParseUint("0"+text, 2, 64)
	return v, q[min(int(w), len(q)):]
}

// bitstreamFiles push three values and look at what comes out.
func bitstreamFiles() (all []*file) {
	for _, name := range []string{"bspush", "bspeek", "bspop"} {
		f := newFile(name, "the queue of bits of decision 119, as a text of binary digits.")
		for range 40 {
			v, w := [3]int64{f.number(), f.number(), f.number()}, [4]int64{}
			for i := range w {
				w[i] = int64(f.rng.IntN(34))
			}
			var q bits
			in := []string{"f=Z-CV"}
			var out, code []string
			for i := range v {
				q = q.push(v[i], w[i])
				in = append(in, fmt.Sprintf("r%d=%#x", 4+i, uint32(v[i])), fmt.Sprintf("r%d=%d", 8+i, w[i]))
				code = append(code, fmt.Sprintf("bspush r%d,r%d,r%d", 12+i, 4+i, 8+i))
				out = append(out, fmt.Sprintf("r%d=%d", 12+i, len(q)))
			}
			if name != "bspush" {
				in = append(in, fmt.Sprintf("r11=%d", w[3]))
				code = append(code, name+".f r16,r11", "bspeek r17,r11")
				first, rest := q.peek(w[3])
				if name == "bspeek" {
					rest = q
				}
				second, _ := rest.peek(w[3])
				flags := "--CV"
				if first == 0 {
					flags = "Z-CV"
				} else if first >= 1<<31 {
					flags = "-NCV"
				}
				out = append(out, fmt.Sprintf("r16=%#x", first), fmt.Sprintf("r17=%#x", second), "f="+flags)
			} else {
				out = append(out, "f=Z-CV")
			}
			f.add(vector{core: "em9d", code: code, in: in, out: out})
		}
		all = append(all, f)
	}
	return all
}
