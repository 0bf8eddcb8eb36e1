package tosaexact

import (
	"math/big"
	"slices"

	"arcv2dsp/nn"
)

// two makes the element of an operator of two operands.
func two(f func(a, b *big.Int) *big.Int) element {
	return func(c *nn.Call, at []int) (*big.Int, bool) {
		return f(num(broadcast(c.In[0], at)), num(broadcast(c.In[1], at))), true
	}
}

func compare(f func(sign int) bool) element {
	return two(func(a, b *big.Int) *big.Int {
		if f(a.Cmp(b)) {
			return num(1)
		}
		return num(0)
	})
}

// pattern is the bits of v in an element of a type, as a number that is not negative.
func pattern(v int64, t nn.Type) *big.Int { return new(big.Int).Mod(num(v), power(int64(t.Bits()))) }

// signed reads the lower bits of a number as an element of a type.
func signed(v *big.Int, t nn.Type) *big.Int {
	size := power(int64(t.Bits()))
	r := new(big.Int).Mod(v, size)
	if t != nn.Bool && r.Cmp(power(int64(t.Bits()-1))) >= 0 {
		r.Sub(r, size)
	}
	return r
}

// bitwise works on the patterns of two elements.
func bitwise(f func(a, b bool) bool) element {
	return func(c *nn.Call, at []int) (*big.Int, bool) {
		t := c.Out[0].Type
		a, b, r := pattern(broadcast(c.In[0], at), t), pattern(broadcast(c.In[1], at), t), new(big.Int)
		for i := range t.Bits() {
			if f(a.Bit(i) == 1, b.Bit(i) == 1) {
				r.SetBit(r, i, 1)
			}
		}
		return signed(r, t), true
	}
}

// moved makes the element of an operator that copies: where gives the place in the first input.
func moved(where func(c *nn.Call, at []int) []int) element {
	return func(c *nn.Call, at []int) (*big.Int, bool) { return num(in(c.In[0], where(c, at)...)), true }
}

// along folds the elements along the axis, in order.
func along(fold func(acc, v *big.Int) *big.Int) element {
	return func(c *nn.Call, at []int) (*big.Int, bool) {
		axis := c.Attrs.Int("axis")
		var acc *big.Int
		for k := range c.In[0].Shape[axis] {
			place := slices.Clone(at)
			place[axis] = k
			v := num(in(c.In[0], place...))
			if acc == nil {
				acc = v
			} else {
				acc = fold(acc, v)
			}
			if !isI32(acc) {
				return nil, false
			}
		}
		return acc, true
	}
}

func greater(a, b *big.Int) *big.Int {
	if a.Cmp(b) < 0 {
		return b
	}
	return a
}

func smaller(a, b *big.Int) *big.Int {
	if a.Cmp(b) > 0 {
		return b
	}
	return a
}

// elements are the statements that work element by element.
var elements = map[string]element{
	"ADD": two(func(a, b *big.Int) *big.Int { return new(big.Int).Add(a, b) }),
	"SUB": two(func(a, b *big.Int) *big.Int { return new(big.Int).Sub(a, b) }),
	"INTDIV": func(c *nn.Call, at []int) (*big.Int, bool) {
		a, b := num(broadcast(c.In[0], at)), num(broadcast(c.In[1], at))
		if b.Sign() == 0 {
			return nil, false
		}
		q := floor(new(big.Rat).Abs(ratio(a, b)))
		if a.Sign()*b.Sign() < 0 {
			q.Neg(q)
		}
		return q, true
	},
	"MUL":                    mul,
	"MAXIMUM":                two(greater),
	"MINIMUM":                two(smaller),
	"EQUAL":                  compare(func(s int) bool { return s == 0 }),
	"GREATER":                compare(func(s int) bool { return s > 0 }),
	"GREATER_EQUAL":          compare(func(s int) bool { return s >= 0 }),
	"BITWISE_AND":            bitwise(func(a, b bool) bool { return a && b }),
	"BITWISE_OR":             bitwise(func(a, b bool) bool { return a || b }),
	"BITWISE_XOR":            bitwise(func(a, b bool) bool { return a != b }),
	"LOGICAL_AND":            bitwise(func(a, b bool) bool { return a && b }),
	"LOGICAL_OR":             bitwise(func(a, b bool) bool { return a || b }),
	"LOGICAL_XOR":            bitwise(func(a, b bool) bool { return a != b }),
	"ARITHMETIC_RIGHT_SHIFT": arithmeticRightShift,
	"LOGICAL_LEFT_SHIFT": shifted(func(a *big.Int, n int64) *big.Int {
		return new(big.Int).Mul(a, power(n))
	}),
	"LOGICAL_RIGHT_SHIFT": shifted(func(a *big.Int, n int64) *big.Int {
		return floor(ratio(a, power(n)))
	}),
	"ABS": func(c *nn.Call, at []int) (*big.Int, bool) {
		v := new(big.Int).Abs(num(in(c.In[0], at...)))
		return v, isI32(v)
	},
	"BITWISE_NOT": func(c *nn.Call, at []int) (*big.Int, bool) {
		return new(big.Int).Sub(num(-1), num(in(c.In[0], at...))), true
	},
	"LOGICAL_NOT": func(c *nn.Call, at []int) (*big.Int, bool) {
		return new(big.Int).Sub(num(1), num(in(c.In[0], at...))), true
	},
	"CLZ": func(c *nn.Call, at []int) (*big.Int, bool) {
		return num(int64(32 - pattern(in(c.In[0], at...), nn.I32).BitLen())), true
	},
	"NEGATE": func(c *nn.Call, at []int) (*big.Int, bool) {
		v := num(int64(c.Attrs.Int("output_zp")) - (in(c.In[0], at...) - int64(c.Attrs.Int("input1_zp"))))
		lo, hi := c.Out[0].Type.Range()
		return clamped(v, lo, hi), isI32(v)
	},
	"CLAMP": func(c *nn.Call, at []int) (*big.Int, bool) {
		return clamped(num(in(c.In[0], at...)), int64(c.Attrs.Int("min_val")), int64(c.Attrs.Int("max_val"))), true
	},
	"SELECT": func(c *nn.Call, at []int) (*big.Int, bool) {
		return num(broadcast(c.In[2-broadcast(c.In[0], at)], at)), true
	},
	"TABLE": table,
	"CAST": func(c *nn.Call, at []int) (*big.Int, bool) {
		v := in(c.In[0], at...)
		if c.Out[0].Type == nn.Bool {
			return num(min(v*v, 1)), true
		}
		return signed(num(v), c.Out[0].Type), true
	},
	"RESCALE": rescale,

	"REDUCE_ALL": along(smaller), "REDUCE_ANY": along(greater), "REDUCE_MAX": along(greater), "REDUCE_MIN": along(smaller),
	"REDUCE_SUM": along(func(a, v *big.Int) *big.Int { return new(big.Int).Add(a, v) }),
	"ARGMAX": func(c *nn.Call, at []int) (*big.Int, bool) {
		axis, best := c.Attrs.Int("axis"), 0
		value := func(k int) int64 { return in(c.In[0], slices.Insert(slices.Clone(at), axis, k)...) }
		for k := range c.In[0].Shape[axis] {
			if value(k) > value(best) {
				best = k
			}
		}
		return num(int64(best)), true
	},

	"CONCAT": func(c *nn.Call, at []int) (*big.Int, bool) {
		axis, place := c.Attrs.Int("axis"), slices.Clone(at)
		for _, t := range c.In {
			if place[axis] < t.Shape[axis] {
				return num(in(t, place...)), true
			}
			place[axis] -= t.Shape[axis]
		}
		return nil, false
	},
	"PAD": func(c *nn.Call, at []int) (*big.Int, bool) {
		place := slices.Clone(at)
		for d, n := range c.In[0].Shape {
			if place[d] -= c.Attrs.Ints("padding")[2*d]; place[d] < 0 || place[d] >= n {
				return num(int64(c.Attrs.Int("pad_const"))), true
			}
		}
		return num(in(c.In[0], place...)), true
	},
	"RESHAPE": moved(func(c *nn.Call, at []int) []int {
		return nn.Coordinates(nn.Index(at, c.Out[0].Shape), c.In[0].Shape)
	}),
	"REVERSE": moved(func(c *nn.Call, at []int) []int {
		at, axis := slices.Clone(at), c.Attrs.Int("axis")
		at[axis] = c.In[0].Shape[axis] - at[axis] - 1
		return at
	}),
	"SLICE": moved(func(c *nn.Call, at []int) []int {
		at = slices.Clone(at)
		for d, s := range c.Attrs.Ints("start") {
			at[d] += s
		}
		return at
	}),
	"TILE": moved(func(c *nn.Call, at []int) []int {
		at = slices.Clone(at)
		for d, n := range c.In[0].Shape {
			for at[d] >= n {
				at[d] -= n
			}
		}
		return at
	}),
	"TRANSPOSE": moved(func(c *nn.Call, at []int) []int {
		place := make([]int, len(at))
		for d := range place {
			place[d] = at[slices.Index(c.Attrs.Ints("perms"), d)]
		}
		return place
	}),
	"IDENTITY": moved(func(_ *nn.Call, at []int) []int { return at }),
	"CONST":    moved(func(_ *nn.Call, at []int) []int { return at }),

	"GATHER": func(c *nn.Call, at []int) (*big.Int, bool) {
		row := in(c.In[1], at[0], at[1])
		if row < 0 || row >= int64(c.In[0].Shape[1]) {
			return nil, false
		}
		return num(in(c.In[0], at[0], int(row), at[2])), true
	},
	"SCATTER": func(c *nn.Call, at []int) (*big.Int, bool) {
		v, writes := in(c.In[0], at...), 0
		for w := range c.In[1].Shape[1] {
			row := in(c.In[1], at[0], w)
			if row < 0 || row >= int64(c.In[0].Shape[1]) {
				return nil, false
			}
			if row == int64(at[1]) {
				v = in(c.In[2], at[0], w, at[2])
				writes++
			}
		}
		return num(v), writes <= 1
	},
	"RESIZE": resize,

	"CONV2D": convolution, "CONV3D": convolution, "DEPTHWISE_CONV2D": depthwise,
	"FULLY_CONNECTED": func(c *nn.Call, at []int) (*big.Int, bool) {
		s := bias(c, at[1])
		for k := range c.In[0].Shape[1] {
			s.add(in(c.In[0], at[0], k), in(c.In[1], at[1], k))
		}
		return s.result()
	},
	"MATMUL": func(c *nn.Call, at []int) (*big.Int, bool) {
		s := &sum{a: int64(c.Attrs.Int("a_zp")), b: int64(c.Attrs.Int("b_zp")), total: num(0), t: c.Out[0].Type, fits: true}
		for k := range c.In[0].Shape[2] {
			s.add(in(c.In[0], at[0], at[1], k), in(c.In[1], at[0], k, at[2]))
		}
		return s.result()
	},
	"MAX_POOL2D": func(c *nn.Call, at []int) (*big.Int, bool) {
		var m *big.Int
		under(c, at, func(v int64) {
			if m == nil || m.Cmp(num(v)) < 0 {
				m = num(v)
			}
		})
		return m, true
	},
	"AVG_POOL2D": func(c *nn.Call, at []int) (*big.Int, bool) {
		total, count, ok := num(0), int64(0), true
		under(c, at, func(v int64) {
			total.Add(total, num(v-int64(c.Attrs.Int("input_zp"))))
			ok = ok && isI32(total)
			count++
		})
		lo, hi := c.Out[0].Type.Range()
		mean := nearestAway(ratio(total, num(count)))
		return clamped(mean.Add(mean, num(int64(c.Attrs.Int("output_zp")))), lo, hi), ok
	},
}

// shifted works on the pattern of the first operand.
func shifted(f func(a *big.Int, n int64) *big.Int) element {
	return func(c *nn.Call, at []int) (*big.Int, bool) {
		n := broadcast(c.In[1], at)
		if n < 0 || n > 31 {
			return nil, false
		}
		t := c.Out[0].Type
		return signed(f(pattern(broadcast(c.In[0], at), t), n), t), true
	}
}

func arithmeticRightShift(c *nn.Call, at []int) (*big.Int, bool) {
	n := broadcast(c.In[1], at)
	if n < 0 || n >= int64(c.In[1].Type.Bits()) {
		return nil, false
	}
	r := ratio(num(broadcast(c.In[0], at)), power(n))
	if c.Attrs.Bool("round") {
		return nearestUp(r), true
	}
	return floor(r), true
}

func mul(c *nn.Call, at []int) (*big.Int, bool) {
	a, b, n := broadcast(c.In[0], at), broadcast(c.In[1], at), c.In[2].Ints[0]
	product := new(big.Int).Mul(num(a), num(b))
	if n == 0 {
		return signed(product, nn.I32), true
	}
	if n < 0 || n > 63 || c.In[0].Type != nn.I32 {
		return nil, false
	}
	if rounded := new(big.Int).Add(product, power(n-1)); !rounded.IsInt64() {
		return nil, false
	}
	return nearestUp(ratio(product, power(n))), true
}

// table interpolates: 128 times the value on the line between two entries.
func table(c *nn.Call, at []int) (*big.Int, bool) {
	v, t := in(c.In[0], at...), c.In[1]
	if c.In[0].Type == nn.I8 {
		return num(in(t, int(v)+128)), true
	}
	position := ratio(num(v+32768), num(128))
	i := floor(position)
	y0, y1 := in(t, int(i.Int64())), in(t, int(i.Int64())+1)
	if y1-y0 < -32768 || y1-y0 > 32767 {
		return nil, false
	}
	y := new(big.Rat).Sub(position, new(big.Rat).SetInt(i))
	y.Mul(y, ratio(num(y1-y0), num(1)))
	y.Add(y, ratio(num(y0), num(1)))
	y.Mul(y, ratio(num(128), num(1)))
	return y.Num(), y.IsInt()
}

// reading is an element as a number of the side that a flag of RESCALE makes of its type.
func reading(v int64, t nn.Type, unsigned bool) int64 {
	if unsigned {
		return pattern(v, t).Int64()
	}
	return v
}

// rescale is one exact product, rounded once, or with double_round and more than 31 bits twice: to a high
// word first, ties up, then away from zero.
func rescale(c *nn.Call, at []int) (*big.Int, bool) {
	channel := 0
	if c.Attrs.Bool("per_channel") {
		channel = at[len(at)-1]
	}
	m, s := c.In[1].Ints[channel], c.In[2].Ints[channel]
	v := reading(in(c.In[0], at...), c.In[0].Type, c.Attrs.Bool("input_unsigned")) - int64(c.Attrs.Int("input_zp"))
	if m < 0 || s < 2 || s > 62 {
		return nil, false
	}
	if limit := power(s - 1); c.Attrs.Bool("scale32") && (num(v).Cmp(limit) >= 0 || num(v).Cmp(new(big.Int).Neg(limit)) < 0) {
		return nil, false
	}
	product := new(big.Int).Mul(num(v), num(m))
	scaled := nearestUp(ratio(product, power(s)))
	if c.Attrs.Bool("double_round") && s > 31 {
		scaled = nearestAway(ratio(nearestUp(ratio(product, power(31))), power(s-31)))
	}
	if !isI32(scaled) {
		return nil, false
	}
	out := scaled.Add(scaled, num(int64(c.Attrs.Int("output_zp"))))
	if !isI32(out) {
		return nil, false
	}
	t := c.Out[0].Type
	lo, hi := t.Range()
	if c.Attrs.Bool("output_unsigned") {
		lo, hi = 0, hi-lo
	}
	return signed(clamped(out, lo, hi), t), true
}

// resize places the output on the input as a fraction.
func resize(c *nn.Call, at []int) (*big.Int, bool) {
	scale, offset := c.Attrs.Ints("scale"), c.Attrs.Ints("offset")
	var low, high [2]int
	var rest [2]*big.Rat
	for i := range 2 {
		p := ratio(num(int64(at[1+i]*scale[2*i+1]+offset[i])), num(int64(scale[2*i])))
		f := floor(p)
		rest[i] = p.Sub(p, new(big.Rat).SetInt(f))
		low[i], high[i] = max(int(f.Int64()), 0), min(int(f.Int64())+1, c.In[0].Shape[1+i]-1)
	}
	at4 := func(y, x int) int64 { return in(c.In[0], at[0], y, x, at[3]) }
	if c.Attrs.String("mode") == "NEAREST" {
		at := low
		for i := range 2 {
			if rest[i].Cmp(half) >= 0 {
				at[i] = high[i]
			}
		}
		return num(at4(at[0], at[1])), true
	}
	mix := func(a, b, t *big.Rat) *big.Rat { // a + (b-a) t
		d := new(big.Rat).Sub(b, a)
		return d.Add(d.Mul(d, t), a)
	}
	row := func(y int) *big.Rat {
		return mix(new(big.Rat).SetInt64(at4(y, low[1])), new(big.Rat).SetInt64(at4(y, high[1])), rest[1])
	}
	r := mix(row(low[0]), row(high[0]), rest[0])
	r.Mul(r, new(big.Rat).SetInt64(int64(scale[0]*scale[2])))
	return r.Num(), r.IsInt()
}

// under visits the elements of a pooling window inside the input.
func under(c *nn.Call, at []int, visit func(v int64)) {
	kernel, stride, pad := c.Attrs.Ints("kernel"), c.Attrs.Ints("stride"), c.Attrs.Ints("pad")
	for y := range c.In[0].Shape[1] {
		for x := range c.In[0].Shape[2] {
			ky, kx := y-at[1]*stride[0]+pad[0], x-at[2]*stride[1]+pad[2]
			if ky >= 0 && ky < kernel[0] && kx >= 0 && kx < kernel[1] {
				visit(in(c.In[0], at[0], y, x, at[3]))
			}
		}
	}
}
