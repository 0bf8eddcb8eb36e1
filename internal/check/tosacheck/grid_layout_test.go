package tosacheck

import (
	"slices"

	"arcv2dsp/nn"
	"arcv2dsp/nn/tosa"
)

// Valid calls of the operators that move data, of images, of scales and of control flow.

func (m *maker) reverse() {
	for _, set := range m.spec.Sets {
		eachRank(1, func(shape []int) {
			for axis := range shape {
				m.valid(nn.Attrs{"axis": axis}, shaped(set.Types[1], shape...), m.tensor(set.Types[0], random, shape...))
			}
		})
	}
}

func (m *maker) concat() {
	for _, set := range m.spec.Sets {
		eachRank(1, func(shape []int) {
			for axis := range shape {
				for n := 1; n <= 3; n++ {
					var in []*nn.Tensor
					out := slices.Clone(shape)
					out[axis] = 0
					for k := range n {
						part := slices.Clone(shape)
						part[axis] = 1 + k
						out[axis] += part[axis]
						in = append(in, m.tensor(set.Types[0], random, part...))
					}
					m.valid(nn.Attrs{"axis": axis}, shaped(set.Types[2], out...), in...)
				}
			}
		})
	}
}

func (m *maker) pad() {
	for _, set := range m.spec.Sets {
		lo, hi := set.Types[0].Range()
		eachRank(1, func(shape []int) {
			for k, constant := range []int64{0, lo, hi} {
				padding, out := make([]int, 2*len(shape)), slices.Clone(shape)
				for d := range shape {
					padding[2*d], padding[2*d+1] = (d+k)%3, (d+k+1)%2
					out[d] += padding[2*d] + padding[2*d+1]
				}
				m.valid(nn.Attrs{"padding": padding, "pad_const": int(constant)}, shaped(set.Types[1], out...), m.tensor(set.Types[0], random, shape...))
			}
		})
	}
}

func (m *maker) reshape() {
	shapes := [][]int{{24}, {4, 6}, {2, 3, 4}, {1, 24, 1}, {3, 2, 2, 2}, {1, 2, 3, 2, 2}, {1, 1, 2, 2, 3, 2}}
	for _, set := range m.spec.Sets {
		for _, from := range shapes {
			for _, to := range shapes {
				m.valid(nn.Attrs{"shape": to}, shaped(set.Types[1], to...), m.tensor(set.Types[0], random, from...))
			}
		}
		m.valid(nn.Attrs{"shape": []int{}}, shaped(set.Types[1]), m.tensor(set.Types[0], random, 1, 1))
		m.valid(nn.Attrs{"shape": []int{1}}, shaped(set.Types[1], 1), m.tensor(set.Types[0], random))
	}
}

func (m *maker) slice() {
	for _, set := range m.spec.Sets {
		eachRank(1, func(shape []int) {
			for k := range 3 {
				start, size := make([]int, len(shape)), make([]int, len(shape))
				for d, n := range shape {
					start[d] = (k + d) % n
					size[d] = 1 + (k*d)%(n-start[d])
				}
				m.valid(nn.Attrs{"start": start, "size": size}, shaped(set.Types[1], size...), m.tensor(set.Types[0], random, shape...))
			}
			m.valid(nn.Attrs{"start": make([]int, len(shape)), "size": slices.Clone(shape)}, shaped(set.Types[1], shape...),
				m.tensor(set.Types[0], random, shape...))
		})
	}
}

func (m *maker) tile() {
	for _, set := range m.spec.Sets {
		eachRank(1, func(shape []int) {
			for k := range 3 {
				multiples, out := make([]int, len(shape)), slices.Clone(shape)
				for d := range shape {
					multiples[d] = 1 + (k+d)%2
					out[d] *= multiples[d]
				}
				m.valid(nn.Attrs{"multiples": multiples}, shaped(set.Types[1], out...), m.tensor(set.Types[0], random, shape...))
			}
		})
	}
}

func (m *maker) transpose() {
	for _, set := range m.spec.Sets {
		eachRank(1, func(shape []int) {
			perms := make([]int, len(shape))
			for d := range perms {
				perms[d] = d
			}
			for k := range 5 {
				out := make([]int, len(shape))
				for i, p := range perms {
					out[i] = shape[p]
				}
				m.valid(nn.Attrs{"perms": slices.Clone(perms)}, shaped(set.Types[1], out...), m.tensor(set.Types[0], random, shape...))
				if k == 0 {
					slices.Reverse(perms)
				} else {
					m.rng.Shuffle(len(perms), func(i, j int) { perms[i], perms[j] = perms[j], perms[i] })
				}
			}
		})
	}
}

func (m *maker) gather() {
	for _, set := range m.spec.Sets {
		for _, g := range [][4]int{{1, 1, 1, 1}, {1, 5, 3, 4}, {2, 4, 1, 6}, {3, 2, 5, 1}} {
			for how := range fills {
				n, k, c, w := g[0], g[1], g[2], g[3]
				m.valid(nil, shaped(set.Types[2], n, w, c), m.tensor(set.Types[0], how, n, k, c), m.within(nn.I32, 0, int64(k)-1, n, w))
			}
		}
	}
}

func (m *maker) scatter() {
	for _, set := range m.spec.Sets {
		for _, g := range [][4]int{{1, 1, 1, 1}, {1, 5, 3, 4}, {2, 6, 1, 6}, {3, 4, 5, 1}} {
			for how := range fills {
				n, k, c, w := g[0], g[1], g[2], g[3]
				indices := nn.New(nn.I32, n, w)
				for b := range n {
					for i, row := range m.rng.Perm(k)[:w] {
						indices.Ints[b*w+i] = int64(row)
					}
				}
				m.valid(nil, shaped(set.Types[3], n, k, c), m.tensor(set.Types[0], how, n, k, c), indices, m.tensor(set.Types[2], random, n, w, c))
			}
		}
	}
}

// resizes has scales at their limits: greater, smaller, equal, and every offset and border that still divides
// exactly.
func (m *maker) resizes() {
	type direction struct{ in, n, d, offset, border, out int }
	var all []direction
	for _, in := range []int{1, 2, 5} {
		for _, s := range [][2]int{{1, 1}, {2, 1}, {1, 2}, {3, 2}, {4, 2}, {16, 7}, {2, 31}, {2048, 1025}, {1, 15}} {
			for _, offset := range []int{0, -s[0], 1, 16*s[0] - 1} {
				for border := -16 * s[0]; border < s[0]; border++ {
					span := (in-1)*s[0] - offset + border
					if span >= 0 && span%s[1] == 0 && span/s[1] < 12 {
						all = append(all, direction{in: in, n: s[0], d: s[1], offset: offset, border: border, out: span/s[1] + 1})
						break
					}
				}
			}
		}
	}
	for _, set := range m.spec.Sets {
		mode := tosa.Bilinear
		if set.Types[0] == set.Types[1] {
			mode = tosa.Nearest
		}
		for i, y := range all {
			x := all[(i*11+5)%len(all)]
			m.valid(nn.Attrs{"mode": mode, "scale": []int{y.n, y.d, x.n, x.d}, "offset": []int{y.offset, x.offset}, "border": []int{y.border, x.border}},
				shaped(set.Types[1], 1, y.out, x.out, 2), m.tensor(set.Types[0], fill(i)%fills, 1, y.in, x.in, 2))
		}
	}
}

// rescales goes through the shifts, both roundings, channels and signs; inputs stay in the range of the shift.
func (m *maker) rescales() {
	for _, set := range m.spec.Sets {
		t := set.Types
		scale32 := t[1] == nn.I32
		if scale32 && t[0] == nn.I48 {
			continue
		}
		for _, shift := range []int64{2, 7, 15, 16, 30, 31, 32, 33, 40, 47, 61, 62} {
			for k := range 12 {
				attrs := nn.Attrs{"scale32": scale32, "double_round": scale32 && k%2 == 1, "per_channel": k%3 == 2}
				narrow := t[0].Bits() <= 16 && t[3].Bits() <= 16
				attrs["input_unsigned"], attrs["output_unsigned"] = narrow && k%4 == 2, narrow && k%4 == 3
				attrs["input_zp"] = m.zeroPoint(t[0], narrow && k%4 == 2, k)
				attrs["output_zp"] = m.zeroPoint(t[3], narrow && k%4 == 3, k/2)
				shape := dims[:k%(maxGridRank+1)]
				if k%3 == 2 {
					shape = []int{2, 4}
				}
				m.rescale(attrs, t, shape, shift, k)
			}
		}
	}
}

func (m *maker) zeroPoint(t nn.Type, unsigned bool, k int) int {
	switch {
	case t == nn.I8 && unsigned:
		return []int{0, 255, 128, 3}[k%4]
	case t == nn.I8:
		return zeroPoints(t)[k%4]
	case t == nn.I16 && unsigned:
		return []int{0, 1 << 15}[k%2]
	}
	return 0
}

func (m *maker) rescale(attrs nn.Attrs, t nn.Signature, shape []int, shift int64, k int) {
	channels := 1
	if attrs.Bool("per_channel") {
		channels = shape[len(shape)-1]
	}
	lo, hi := t[1].Range()
	multiplier := m.within(t[1], hi/2, hi, channels)
	if k%4 == 0 {
		multiplier = m.within(t[1], max(lo, 0), 9, channels)
	}
	shifts := nn.New(nn.I8, channels)
	for i := range shifts.Ints {
		shifts.Ints[i] = min(shift+int64(i), 62)
	}
	// Values so small that they are in the shift's range and the result within 32 bits. Ties come from
	// multiplier and shift.
	x := m.tensor(t[0], fill(k)%fills, shape...)
	zp := int64(attrs.Int("input_zp"))
	most := int64(1)<<min(shift-1, 47) - 1
	if product := int64(1) << min(30+shift-int64(t[1].Bits()-1), 47); product < most {
		most = product
	}
	for i, v := range x.Ints {
		if attrs.Bool("input_unsigned") && v < 0 {
			v += 1 << t[0].Bits()
		}
		if d := v - zp; max(d, -d) > most {
			v = zp + d%(most+1)
		}
		if attrs.Bool("input_unsigned") {
			v = t[0].Wrap(v)
		}
		x.Ints[i] = v
	}
	m.valid(attrs, shaped(t[3], shape...), x, multiplier, shifts)
}

// addition is a graph of n inputs that adds a constant to the first one.
func addition(constant int64, n int) *nn.Graph {
	add, _ := tosa.Lookup("ADD")
	g := &nn.Graph{Name: "addition", Values: []nn.Value{
		{Name: "constant", Tensor: list(nn.I32, constant)}, {Name: "sum", Tensor: shaped(nn.I32, 1)},
	}}
	for range n {
		g.Inputs = append(g.Inputs, len(g.Values))
		g.Values = append(g.Values, nn.Value{Name: "input", Tensor: shaped(nn.I32, 1)})
	}
	g.Nodes = []nn.Node{{Name: "add", Op: &add.Operator, In: []int{2, 0}, Out: []int{1}}}
	g.Outputs = append([]int{1}, g.Inputs[1:]...)
	return g
}

// control yields a call of control flow whose results are known by arithmetic.
func (m *maker) control(attrs nn.Attrs, want []*nn.Tensor, in ...*nn.Tensor) {
	c := &nn.Call{Op: &m.spec.Operator, Attrs: attrs, In: in}
	for _, t := range want {
		c.Out = append(c.Out, shaped(t.Type, t.Shape...))
	}
	m.keep(c)
	m.emit("valid", &Case{Target: tosa.Everything(), Graph: single(c), Inputs: in, Want: want})
}

func (m *maker) conditional() {
	for k := range 16 {
		x, a, b := m.between(-1000, 1000), m.between(-1000, 1000), m.between(-1000, 1000)
		condition := int64(k % 2)
		want := x + b
		if condition == 1 {
			want = x + a
		}
		m.control(nn.Attrs{"then_graph": addition(a, 1), "else_graph": addition(b, 1)}, []*nn.Tensor{list(nn.I32, want)},
			nn.FromInts(nn.Bool, []int{}, []int64{condition}), list(nn.I32, x))
	}
}

// below is a graph that compares its first input with a constant.
func below(limit int64, n int) *nn.Graph {
	greater, _ := tosa.Lookup("GREATER")
	g := addition(limit, n)
	g.Values[1].Tensor = shaped(nn.Bool, 1)
	g.Nodes = []nn.Node{{Name: "compare", Op: &greater.Operator, In: []int{0, 2}, Out: []int{1}}}
	g.Outputs = []int{1}
	return g
}

func (m *maker) loop() {
	for k := range 16 {
		limit, step, start := m.between(0, 50), m.between(1, 9), m.between(-20, 60)
		want := start
		for want < limit {
			want += step
		}
		other := list(nn.I32, int64(k))
		m.control(nn.Attrs{"cond_graph": below(limit, 2), "body_graph": addition(step, 2)}, []*nn.Tensor{list(nn.I32, want), other},
			list(nn.I32, start), other)
	}
}
