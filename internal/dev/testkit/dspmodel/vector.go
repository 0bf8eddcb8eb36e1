package dspmodel

import "maps"

// Vector instructions: a function per lane, applied to the lanes of both sources. The lane number
// tells the two halves of vaddsub and its like apart.

type laneFunc func(r *run, lane int, x, y n) n

func plus(_ *run, _ int, x, y n) n  { return x.add(y) }
func minus(_ *run, _ int, x, y n) n { return x.sub(y) }

func plusMinus(r *run, lane int, x, y n) n {
	if lane%2 == 0 {
		return x.add(y)
	}
	return x.sub(y)
}

func minusPlus(r *run, lane int, x, y n) n { return plusMinus(r, lane+1, x, y) }

// vec applies f to count signed lanes of the given width. Saturating forms clamp each lane, others
// keep its low bits.
func vec(count, width int, saturate bool, f laneFunc) func(*run) {
	return func(r *run) {
		z := num(0)
		for i := range count {
			v := f(r, i, s(r.X, width*i, width), s(r.Y, width*i, width))
			if saturate {
				v = r.clamped(v, width, SAT)
			}
			z = z.add(v.unsigned(width).times2to(width * i))
		}
		r.out.Z, r.out.Pair = z.low(), count*width == 64
	}
}

// shiftLane gives v * 2^(dir*y); narrow amounts are the low four bits of y.
func shiftLane(dir int64, narrow bool, round bool) laneFunc {
	return func(r *run, _ int, x, y n) n {
		if narrow {
			y = y.unsigned(4)
		}
		mode := Truncate
		if round {
			mode = r.RM
		}
		return scaled(x, dir*y.int(), mode)
	}
}

// redundant is the number of sign bits of v in that width that could be dropped.
func redundant(v n, width int) int64 {
	k := width - 1
	for k > 0 && !v.times2to(k).eq(v.times2to(k).clamp(width)) {
		k--
	}
	if v.zero() {
		return int64(width - 1)
	}
	return int64(k)
}

var _ = register(map[string]func(*run){
	"vmax2h": vec(2, 16, false, func(_ *run, _ int, x, y n) n {
		if x.cmp(y) > 0 {
			return x
		}
		return y
	}),
	"vmin2h": vec(2, 16, false, func(_ *run, _ int, x, y n) n {
		if x.cmp(y) < 0 {
			return x
		}
		return y
	}),
	"vabs2h":  vec(2, 16, false, func(_ *run, _ int, _, y n) n { return magnitude(y) }),
	"vabss2h": vec(2, 16, true, func(_ *run, _ int, _, y n) n { return magnitude(y) }),
	"vneg2h":  vec(2, 16, false, func(_ *run, _ int, _, y n) n { return y.neg() }),
	"vnegs2h": vec(2, 16, true, func(_ *run, _ int, _, y n) n { return y.neg() }),
	"vnorm2h": vec(2, 16, false, func(_ *run, _ int, _, y n) n { return num(redundant(y, 16)) }),

	"vasl2h": vec(2, 16, false, shiftLane(+1, true, false)),
	"vasr2h": vec(2, 16, false, shiftLane(-1, true, false)),
	"vlsr2h": vec(2, 16, false, func(r *run, i int, x, y n) n {
		return scaled(x.unsigned(16), -y.unsigned(4).int(), Truncate)
	}),
	"vasls2h":  vec(2, 16, true, shiftLane(+1, false, false)),
	"vasrs2h":  vec(2, 16, true, shiftLane(-1, false, false)),
	"vasrsr2h": vec(2, 16, true, shiftLane(-1, false, true)),

	"valgn2h": func(r *run) { r.dest(lanes(half(r.Y, 1), half(r.X, 0))) },

	"vrep2hl":  func(r *run) { r.dest(lanes(half(r.Y, 0), half(r.Y, 0))) },
	"vrep2hm":  func(r *run) { r.dest(lanes(half(r.Y, 1), half(r.Y, 1))) },
	"vpack2hl": func(r *run) { r.dest(lanes(half(r.Y, 0), half(r.X, 0))) },
	"vpack2hm": func(r *run) { r.dest(lanes(half(r.Y, 1), half(r.X, 1))) },

	"vext2bhl":  func(r *run) { r.dest(lanes(u(r.Y, 0, 8), u(r.Y, 8, 8))) },
	"vext2bhm":  func(r *run) { r.dest(lanes(u(r.Y, 16, 8), u(r.Y, 24, 8))) },
	"vsext2bhl": func(r *run) { r.dest(lanes(byt(r.Y, 0), byt(r.Y, 1))) },
	"vsext2bhm": func(r *run) { r.dest(lanes(byt(r.Y, 2), byt(r.Y, 3))) },
	"vext2bhlf": func(r *run) { r.dest(lanes(byt(r.Y, 0).times2to(8), byt(r.Y, 1).times2to(8))) },
	"vext2bhmf": func(r *run) { r.dest(lanes(byt(r.Y, 2).times2to(8), byt(r.Y, 3).times2to(8))) },

	// two bytes into one half, the other half zero
	"vpack2hbl":  func(r *run) { r.dest(lanes(bytes(r.Y, 0, 2), num(0))) },
	"vpack2hbm":  func(r *run) { r.dest(lanes(num(0), bytes(r.Y, 0, 2))) },
	"vpack2hblf": func(r *run) { r.dest(lanes(bytes(r.Y, 1, 3), num(0))) },
	"vpack2hbmf": func(r *run) { r.dest(lanes(num(0), bytes(r.Y, 1, 3))) },
})

// bytes is the half whose low byte is byte i of v and whose high byte is byte j.
func bytes(v uint64, i, j int) n {
	return u(v, 8*j, 8).times2to(8).add(u(v, 8*i, 8))
}

var _ = register(additions())

// additions returns vadd..., vsub... in all lane shapes, wrapping and saturating.
func additions() map[string]func(*run) {
	all := map[string]func(*run){}
	for _, op := range []struct {
		name string
		f    laneFunc
	}{{"vadd", plus}, {"vsub", minus}, {"vaddsub", plusMinus}, {"vsubadd", minusPlus}} {
		// two words are named without a lane count in the mixed forms
		words := "2"
		if op.name == "vaddsub" || op.name == "vsubadd" {
			words = ""
		}
		maps.Copy(all, map[string]func(*run){
			op.name + "2h":        vec(2, 16, false, op.f),
			op.name + "s2h":       vec(2, 16, true, op.f),
			op.name + "4h":        vec(4, 16, false, op.f),
			op.name + "s4h":       vec(4, 16, true, op.f),
			op.name + words:       vec(2, 32, false, op.f),
			op.name + "s" + words: vec(2, 32, true, op.f),
		})
	}
	all["vadd4b"] = vec(4, 8, false, plus)
	all["vsub4b"] = vec(4, 8, false, minus)
	return all
}
