package mli20

import (
	"arcv2dsp/nn"
	"arcv2dsp/nn/internal/golden/mli"
)

// slicesOf lists the elements of each slice: all of the tensor, or those with one position along an axis.
func slicesOf(shape []int, axis int) [][]int {
	n := 1
	if axis >= 0 {
		n = shape[axis]
	}
	all := make([][]int, n)
	for i := range nn.Count(shape) {
		s := 0
		if axis >= 0 {
			s = position(i, axis, shape)
		}
		all[s] = append(all[s], i)
	}
	return all
}

// linesOf lists the elements of each line along an axis: those that differ in nothing else. A negative axis makes
// one line of everything.
func linesOf(shape []int, axis int) [][]int {
	if axis < 0 {
		return slicesOf(shape, axis)
	}
	all := make([][]int, nn.Count(shape)/shape[axis])
	inner := nn.Count(shape[axis+1:])
	for i := range nn.Count(shape) {
		line := i/inner/shape[axis]*inner + i%inner
		all[line] = append(all[line], i)
	}
	return all
}

// checkLines states the rules of functions that work on lines along an axis.
func checkLines(t Typing, c *nn.Call) {
	axisOf(c, len(c.Input("in").Shape))
	byteInput(t, c)
}

// perLine computes every line by itself.
func perLine(format func(Typing, *nn.Call) nn.Format, line func(t Typing, c *nn.Call, x []int64) []int64) model {
	return model{
		inPlace: true,
		format:  format,
		shape:   inputShape,
		check:   checkLines,
		exact: func(t Typing, c *nn.Call) {
			in := c.Input("in")
			axis := axisOf(c, len(in.Shape))
			for _, list := range linesOf(in.Shape, axis) {
				x := make([]int64, len(list))
				for k, i := range list {
					x[k] = in.Ints[i]
				}
				for k, v := range line(t, c, x) {
					c.Out[0].Ints[list[k]] = v
				}
			}
		},
	}
}

// softmax normalises the exponentials of a line. The maximum is subtracted first, in 32 bits.
func softmax() model {
	return perLine(sigmUnit, func(t Typing, c *nn.Call, x []int64) []int64 {
		r, f, table := c.Rounding, c.Input("in").Format, tableOf(c, "lut", expnegTable)
		most := x[0]
		for _, v := range x {
			most = max(most, v)
		}
		var sum int64
		e := make([]int64, len(x))
		for i, v := range x {
			switch {
			case t.Data.Affine():
				e[i] = affineAt(table, v, most, f, r)
			default:
				e[i] = narrow(table.At(v-most, f.Frac, r), t.Data, r)
			}
			sum += e[i]
		}
		sum = mli.Saturate(sum, 32)
		n := norm(sum, 32)
		mantissa := mli.Saturate(rounded(r, sum, 16-n, 32), 16)
		reciprocal := min(int64(1)<<29/max(mantissa, 1), 1<<15-1)
		for i := range e {
			if t.Data.Affine() {
				e[i] = mli.Saturate(rounded(r, reciprocal*e[i], min(37-n, 31), 32)-128, 8)
			} else {
				// DEVIATION(380): softmax of fx8 saturates the result as 1.1 does; both builds of the library keep the low
				// byte of a wrong quotient.
				e[i] = mli.Saturate(rounded(r, reciprocal*e[i], min(46-n-t.Data.Bits(), 31), 32), t.Data.Bits())
			}
		}
		return e
	})
}

// l2Normalize divides a line by the root of the sum of its squares. The input epsilon counts nothing.
func l2Normalize() model {
	return perLine(tanhUnit, func(t Typing, c *nn.Call, x []int64) []int64 {
		r, zero, table := c.Rounding, zeroOf(c.Input("in").Format, 0), tableOf(c, "lut", rootTable)
		var sum int64
		for _, v := range x {
			sum += (v - zero) * (v - zero)
		}
		n := 48 - norm(sum, 64)
		n += n & 1
		q := mli.Saturate(rounded(r, sum, n, 64), 16)
		root := table.At(q, tableFraction+table.InFrac, r)
		frac := t.Data.Bits() - 1
		out := make([]int64, len(x))
		for i, v := range x {
			out[i] = mli.Saturate(rounded(r, (v-zero)*root, table.OutFrac+((n+tableFraction)>>1)-frac, 32), t.Data.Bits())
		}
		return out
	})
}

// indexFormat is the format of indices.
func indexFormat(Typing, *nn.Call) nn.Format {
	return nn.Format{Kind: nn.Mantissa, Axis: -1, Mantissas: []int32{1}, Zeros: []int64{0}}
}

// argmax lists the places of the topk greatest elements of each slice, by the heap of the library: it decides
// which of several equal elements are listed, and in which order.
func argmax() model {
	index := mli.SA32
	return model{
		format: indexFormat,
		result: &index,
		shape: func(_ Typing, c *nn.Call) []int {
			in, out, k := c.Input("in"), c.Out[0], c.Attrs.Int("topk")
			axis := axisOf(c, len(in.Shape))
			n := 1
			if axis >= 0 {
				n = in.Shape[axis]
			}
			if k <= 0 || k > in.Len()/n {
				panic(violation(badConfig, "the greatest %d of %d", k, in.Len()/n))
			}
			if out.Shape != nil && (len(out.Shape) != 2 || out.Shape[0] != n || out.Shape[1] != k) {
				panic(violation(shapeWrong, "output of shape %v, it must be [%d %d]", out.Shape, n, k))
			}
			return []int{n, k}
		},
		check: perTensorInput,
		exact: func(_ Typing, c *nn.Call) {
			in, k := c.Input("in"), c.Attrs.Int("topk")
			axis := axisOf(c, len(in.Shape))
			out := c.Out[0].Ints[:0]
			for _, list := range slicesOf(in.Shape, axis) {
				for _, i := range greatest(in.Ints, list, k) {
					out = append(out, int64(i))
				}
			}
		},
	}
}

// GivesPlaces reports whether the results of an operator are places of elements.
func GivesPlaces(op *nn.Operator) bool {
	f := FunctionOf(op)
	return f != nil && f.model.result != nil
}

// WithHoles changes the places that argmax gives for a tensor without holes into those in a tensor with strides: the
// golden functions know no holes.
func WithHoles(places []int64, shape, strides []int) {
	for i, at := range places {
		places[i] = 0
		for d, x := range nn.Coordinates(int(at), shape) {
			places[i] += int64(x * strides[d])
		}
	}
}

// greatest sorts the k greatest elements of a list, greatest first.
func greatest(x []int64, list []int, k int) []int {
	h := append([]int(nil), list[:k]...)
	down := func(n, i int) {
		for {
			least := i
			for _, child := range []int{2*i + 1, 2*i + 2} {
				if child < n && x[h[child]] < x[h[least]] {
					least = child
				}
			}
			if least == i {
				return
			}
			h[i], h[least] = h[least], h[i]
			i = least
		}
	}
	build := func() {
		for i := k/2 - 1; i >= 0; i-- {
			down(k, i)
		}
	}
	build()
	for _, p := range list[k:] {
		if x[h[0]] <= x[p] {
			h[0] = p
			down(k, 0)
		}
	}
	build()
	for n := k - 1; n > 0; n-- {
		h[0], h[n] = h[n], h[0]
		down(n, 0)
	}
	return h
}
