package arcq

import (
	"fmt"
	"math/rand/v2"

	"arcv2dsp/nn"
)

// slide is a window that slides over a map.
type slide struct {
	batches, h, w, c, o int
	kh, kw, sh, sw      int
	same                bool
}

func (s slide) name() string {
	name := fmt.Sprintf("%dx%dx%dx%d-%d_%dx%d_s%dx%d", s.batches, s.h, s.w, s.c, s.o, s.kh, s.kw, s.sh, s.sw)
	if s.same {
		name += "_same"
	}
	return name
}

// extent is the output of an axis.
func (s slide) extent(in, size, stride int) int {
	if s.same {
		return (in + stride - 1) / stride
	}
	return (in-size)/stride + 1
}

// slides varies one thing at a time around a small map, then several at once.
func slides() []slide {
	base := slide{batches: 1, h: 5, w: 6, c: 4, o: 4, kh: 3, kw: 3, sh: 1, sw: 1, same: true}
	all := []slide{base}
	vary := func(values []int, set func(*slide, int)) {
		for _, v := range values {
			s := base
			if set(&s, v); s != base {
				all = append(all, s)
			}
		}
	}
	vary(edges[:11], func(s *slide, v int) { s.w = v })
	vary(edges[:11], func(s *slide, v int) { s.h = v })
	vary(edges[:14], func(s *slide, v int) { s.c = v })
	vary(edges[:11], func(s *slide, v int) { s.o = v })
	vary([]int{2, 3}, func(s *slide, v int) { s.batches = v })
	for _, k := range [][2]int{{1, 1}, {1, 3}, {3, 1}, {2, 2}, {4, 4}, {5, 5}, {6, 3}, {7, 7}, {10, 4}, {1, 9}} {
		for _, same := range []bool{true, false} {
			s := base
			s.h, s.w, s.kh, s.kw, s.same = 11, 10, k[0], k[1], same
			all = append(all, s)
		}
	}
	for _, v := range [][2]int{{1, 2}, {2, 1}, {2, 2}, {3, 3}, {4, 2}, {2, 7}} {
		for _, same := range []bool{true, false} {
			s := base
			s.h, s.w, s.sh, s.sw, s.same = 12, 13, v[0], v[1], same
			all = append(all, s)
		}
	}
	return append(all,
		slide{batches: 1, h: 1, w: 1, c: 1, o: 1, kh: 1, kw: 1, sh: 1, sw: 1},
		slide{batches: 1, h: 2, w: 2, c: 3, o: 2, kh: 5, kw: 5, sh: 1, sw: 1, same: true},
		slide{batches: 2, h: 7, w: 11, c: 13, o: 17, kh: 3, kw: 5, sh: 2, sw: 3, same: true},
		slide{batches: 1, h: 3, w: 31, c: 32, o: 1, kh: 1, kw: 1, sh: 2, sw: 2},
		slide{batches: 1, h: 25, w: 5, c: 64, o: 64, kh: 1, kw: 1, sh: 1, sw: 1},
		slide{batches: 1, h: 49, w: 10, c: 1, o: 8, kh: 10, kw: 4, sh: 2, sw: 2, same: true},
		slide{batches: 2, h: 9, w: 8, c: 3, o: 33, kh: 3, kw: 3, sh: 2, sw: 1, same: true},
		slide{batches: 1, h: 6, w: 5, c: 17, o: 20, kh: 5, kw: 4, sh: 1, sw: 1, same: true},
		slide{batches: 1, h: 8, w: 8, c: 4, o: 16, kh: 3, kw: 3, sh: 1, sw: 2},
		slide{batches: 1, h: 4, w: 5, c: 15, o: 3, kh: 1, kw: 3, sh: 1, sw: 1},
		slide{batches: 1, h: 3, w: 4, c: 66, o: 2, kh: 3, kw: 3, sh: 1, sw: 1, same: true},
		slide{batches: 1, h: 7, w: 6, c: 30, o: 3, kh: 1, kw: 1, sh: 1, sw: 2},
		slide{batches: 1, h: 7, w: 8, c: 64, o: 3, kh: 3, kw: 3, sh: 1, sw: 1, same: true},
		slide{batches: 1, h: 4, w: 9, c: 10, o: 3, kh: 2, kw: 3, sh: 1, sw: 1, same: true},
		// whole eights, many windows: several batches and copies, windows wider than the map, large ones, steps
		slide{batches: 2, h: 9, w: 10, c: 8, o: 5, kh: 3, kw: 5, sh: 1, sw: 2, same: true},
		slide{batches: 1, h: 13, w: 12, c: 16, o: 6, kh: 3, kw: 3, sh: 1, sw: 1, same: true},
		slide{batches: 3, h: 3, w: 4, c: 8, o: 4, kh: 5, kw: 7, sh: 1, sw: 1, same: true},
		slide{batches: 1, h: 6, w: 7, c: 64, o: 7, kh: 4, kw: 4, sh: 1, sw: 1},
		slide{batches: 1, h: 12, w: 11, c: 24, o: 8, kh: 2, kw: 3, sh: 3, sw: 2},
		// windows of one column, of maps that become their rows
		slide{batches: 1, h: 24, w: 3, c: 1, o: 16, kh: 5, kw: 1, sh: 1, sw: 1},
		slide{batches: 1, h: 13, w: 4, c: 8, o: 9, kh: 7, kw: 1, sh: 2, sw: 1, same: true},
		slide{batches: 1, h: 15, w: 5, c: 3, o: 10, kh: 6, kw: 1, sh: 1, sw: 2, same: true},
		// windows as wide as the map
		slide{batches: 1, h: 11, w: 1, c: 4, o: 9, kh: 11, kw: 1, sh: 1, sw: 1},
		slide{batches: 2, h: 13, w: 1, c: 7, o: 5, kh: 4, kw: 1, sh: 2, sw: 1, same: true},
		slide{batches: 1, h: 9, w: 3, c: 3, o: 9, kh: 4, kw: 3, sh: 2, sw: 1},
		slide{batches: 2, h: 5, w: 3, c: 4, o: 6, kh: 5, kw: 3, sh: 1, sw: 1},
		// windows at one place, in part beside the map: a cell, a row of it, an odd number of cells
		slide{batches: 1, h: 1, w: 1, c: 64, o: 24, kh: 3, kw: 3, sh: 1, sw: 1, same: true},
		slide{batches: 2, h: 1, w: 5, c: 6, o: 5, kh: 3, kw: 3, sh: 1, sw: 2, same: true},
		slide{batches: 1, h: 3, w: 2, c: 5, o: 7, kh: 4, kw: 5, sh: 3, sw: 2, same: true},
		slide{batches: 1, h: 2, w: 3, c: 12, o: 9, kh: 3, kw: 3, sh: 2, sw: 3, same: true},
		// windows at one place along the rows, which leave a column of the map
		slide{batches: 1, h: 7, w: 6, c: 4, o: 5, kh: 3, kw: 5, sh: 2, sw: 3},
	)
}

// factorKinds are how the factors of a case are chosen: in a network's range, around one half and one, far
// up, and so that sums are often half way between two elements.
var factorKinds = []string{"usual", "one", "large", "ties"}

// convGrid is the grid of convolutions: every window, with every kind of factor in turn.
func convGrid(op *nn.Operator) func(*grid) {
	return func(g *grid) {
		for i, s := range slides() {
			kind := factorKinds[i%len(factorKinds)]
			g.add(s.name()+"_"+kind, func(r *rand.Rand) *nn.Call {
				padding := "VALID"
				if s.same {
					padding = "SAME"
				}
				in, w := random(r, nn.I8, s.batches, s.h, s.w, s.c), random(r, nn.I8, s.o, s.kh, s.kw, s.c)
				n := s.kh * s.kw * s.c
				if op.Name == "DEPTHWISE_CONV_2D" {
					s.o, n = s.c, s.kh*s.kw
					w = random(r, nn.I8, 1, s.kh, s.kw, s.c)
				}
				b := random(r, nn.I32, s.o)
				in.Format = nn.Format{Kind: nn.Scaled, Scales: []float32{1}, Zeros: []int64{int64(r.IntN(256) - 128)}}
				w.Format = nn.Format{Kind: nn.Scaled, Axis: channelAxis(&nn.Call{Op: op})}
				out := &nn.Tensor{Type: nn.I8, Shape: []int{s.batches, s.extent(s.h, s.kh, s.sh), s.extent(s.w, s.kw, s.sw), s.o},
					Format: nn.Format{Kind: nn.Scaled, Scales: []float32{1}, Zeros: []int64{int64(r.IntN(256) - 128)}}}
				for i := range b.Ints {
					b.Ints[i] >>= 16
					w.Format.Scales = append(w.Format.Scales, factorOf(r, kind, n))
				}
				return &nn.Call{Op: op, In: []*nn.Tensor{in, w, b}, Out: []*nn.Tensor{out}, Attrs: nn.Attrs{
					"padding": padding, "stride_h": s.sh, "stride_w": s.sw,
					"fused_activation_function": []string{"NONE", "RELU", "RELU6"}[r.IntN(3)]}}
			})
		}
	}
}

// factorOf is a factor for sums of n products of bytes. A large one leaves the result within 32 bits: the library
// leaves results beyond undefined.
func factorOf(r *rand.Rand, kind string, n int) float32 {
	switch kind {
	case "one":
		return []float32{0.5, 0.49999997, 1, 0.75, 1.5}[r.IntN(5)]
	case "large":
		return float32(1+r.IntN(max(1, 1<<13/n))) * 1.37
	case "ties":
		return 1 / float32(int(1)<<(1+r.IntN(12)))
	}
	return (0.5 + r.Float32()) / (64 * float32(n))
}
