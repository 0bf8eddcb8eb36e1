package quantnet

import (
	"math"
	"slices"

	"arcv2dsp/nn"
)

// An independent computation of what the reports say: plain loops over float64 that know the layers of the sample
// networks only, formats chosen from the extremes of the values by their definitions. It shares no code with
// quant, the golden functions or the kernels.

// step is an affine format: real = (integer - zero) * scale, integers from lo to hi.
type step struct{ scale, zero, lo, hi float64 }

// scheme is a way to choose formats and to round.
type scheme struct {
	activation func(lo, hi float64) step
	weight     func(reach float64) step
	perChannel bool
	bias       func(lo, hi float64) step // nil: integers of the scale of the sums
	round      func(float64) float64     // of sums to elements
	// twice: sums are scaled as TensorFlow Lite's build with two roundings does.
	twice bool
}

// scaled is a sum of products in units of the output.
func (s scheme) scaled(sum, factor float64) float64 {
	if !s.twice {
		return s.round(sum * factor)
	}
	fraction, exponent := math.Frexp(factor)
	multiplier := int64(awayFromZero(fraction * (1 << 31)))
	doubled := (int64(sum)*multiplier + 1<<30) >> 31 // nearest, ties up; these factors are below one
	return awayFromZero(math.Ldexp(float64(doubled), exponent))
}

func bytesWithZero(lo, hi float64) step {
	lo, hi = min(lo, 0), max(hi, 0)
	s := float64(float32((hi - lo) / 255))
	return step{scale: s, zero: math.Round(-128 - lo/s), lo: -128, hi: 127}
}

// powerOfTwo is the finest scale 2^-n that reaches both ends.
func powerOfTwo(bits int) func(lo, hi float64) step {
	top := math.Ldexp(1, bits-1)
	return func(lo, hi float64) step {
		n := 60
		for math.Round(math.Ldexp(hi, n)) > top-1 || math.Round(math.Ldexp(lo, n)) < -top {
			n--
		}
		return step{scale: math.Ldexp(1, -n), lo: -top, hi: top - 1}
	}
}

func symmetric(choose func(lo, hi float64) step) func(float64) step {
	return func(reach float64) step { return choose(-reach, reach) }
}

func awayFromZero(x float64) float64 { return math.Trunc(x + math.Copysign(0.5, x)) }

var schemes = map[string]scheme{
	"int8": {activation: bytesWithZero, perChannel: true, round: awayFromZero, // one rounding
		weight: func(reach float64) step { return step{scale: float64(float32(reach) / 127), lo: -127, hi: 127} }},
	"fx8":  {activation: powerOfTwo(8), weight: symmetric(powerOfTwo(8)), bias: powerOfTwo(8), round: math.RoundToEven},
	"fx16": {activation: powerOfTwo(16), weight: symmetric(powerOfTwo(16)), bias: powerOfTwo(16), round: math.RoundToEven},
}

// integer is the nearest integer of a real.
func (s step) integer(x float64, round func(float64) float64) float64 {
	return max(s.lo, min(round(x/s.scale)+s.zero, s.hi))
}

func (s step) real(q float64) float64 { return (q - s.zero) * s.scale }

// image is a map of rows, columns and channels; a list has one row and one column.
type image struct {
	h, w, c int
	v       []float64
}

// windows visits the windows of k by k cells: the index of the output cell and the first row and column.
func (m image) windows(k, stride int, visit func(cell, y, x int)) (h, w int) {
	h, w = (m.h-k)/stride+1, (m.w-k)/stride+1
	for cell := range h * w {
		visit(cell, cell/w*stride, cell%w*stride)
	}
	return h, w
}

// filter computes a layer: sums of products of elements less zero with weights, and finish makes an element of a
// sum. Taps are counted row, column, channel.
func (m image) filter(outputs, k int, weight func(o, tap int) float64, finish func(o int, sum float64) float64, zero float64) image {
	out := image{c: outputs}
	values := map[int]float64{}
	out.h, out.w = m.windows(k, 1, func(cell, y, x int) {
		for o := range outputs {
			sum, tap := 0.0, 0
			for ky := range k {
				for kx := range k {
					for ch := range m.c {
						sum += (m.v[((y+ky)*m.w+x+kx)*m.c+ch] - zero) * weight(o, tap)
						tap++
					}
				}
			}
			values[cell*outputs+o] = finish(o, sum)
		}
	})
	out.v = make([]float64, len(values))
	for i, v := range values {
		out.v[i] = v
	}
	return out
}

// pool reduces windows of 2 by 2.
func (m image) pool(reduce func(a, b, c, d float64) float64) image {
	out := image{c: m.c}
	out.h, out.w = m.windows(2, 2, func(_, y, x int) {
		for ch := range m.c {
			at := func(dy, dx int) float64 { return m.v[((y+dy)*m.w+x+dx)*m.c+ch] }
			out.v = append(out.v, reduce(at(0, 0), at(0, 1), at(1, 0), at(1, 1)))
		}
	})
	return out
}

func greatest(a, b, c, d float64) float64 { return max(a, b, c, d) }

// weighted is a layer with weights: their values, and those of the biases.
type weighted struct {
	outputs, k, taps int
	w, b             []float64
	relu             bool
}

func weightsOf(g *nn.Graph, n *nn.Node) weighted {
	w, b := g.Values[n.In[1]].Tensor, g.Values[n.In[2]].Tensor
	l := weighted{outputs: w.Shape[0], k: 1, relu: n.Attrs["fused_activation_function"] == "RELU"}
	if len(w.Shape) == 4 {
		l.k = w.Shape[1]
	}
	for _, v := range w.Floats {
		l.w = append(l.w, float64(v))
	}
	for _, v := range b.Floats {
		l.b = append(l.b, float64(v))
	}
	l.taps = len(l.w) / l.outputs
	return l
}

func imageOf(t *nn.Tensor) image {
	m := image{h: 1, w: 1, c: t.Shape[len(t.Shape)-1]}
	if len(t.Shape) == 4 {
		m.h, m.w = t.Shape[1], t.Shape[2]
	}
	for _, v := range t.Floats {
		m.v = append(m.v, float64(v))
	}
	return m
}

// floatLayers are the outputs of every node in float64.
func floatLayers(g *nn.Graph, in *nn.Tensor) []image {
	m := imageOf(in)
	var all []image
	for i := range g.Nodes {
		n := &g.Nodes[i]
		switch n.Op.Name {
		case "AVERAGE_POOL_2D":
			m = m.pool(func(a, b, c, d float64) float64 { return (a + b + c + d) / 4 })
		case "MAX_POOL_2D":
			m = m.pool(greatest)
		case "RESHAPE":
			m = image{h: 1, w: 1, c: len(m.v), v: m.v}
		default:
			l := weightsOf(g, n)
			m = m.filter(l.outputs, l.k, func(o, tap int) float64 { return l.w[o*l.taps+tap] }, func(o int, sum float64) float64 {
				if sum += l.b[o]; l.relu {
					return max(0, sum)
				}
				return sum
			}, 0)
		}
		all = append(all, m)
	}
	return all
}

// extremes are the least and the greatest value of a layer over all inputs.
func extremes(runs [][]image, layer int) (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for _, run := range runs {
		for _, v := range run[layer].v {
			lo, hi = min(lo, v), max(hi, v)
		}
	}
	return lo, hi
}

func reach(v []float64) float64 {
	r := 0.0
	for _, x := range v {
		r = max(r, math.Abs(x))
	}
	return r
}

// quantizedOutput is the output of the network in a scheme, as reals.
func (s scheme) quantizedOutput(g *nn.Graph, in *nn.Tensor, first step, formats []step) []float64 {
	m, at := imageOf(in), first
	for i, v := range m.v {
		m.v[i] = at.integer(v, awayFromZero)
	}
	for i := range g.Nodes {
		n := &g.Nodes[i]
		switch n.Op.Name {
		case "AVERAGE_POOL_2D":
			m = m.pool(func(a, b, c, d float64) float64 { return s.round((a + b + c + d) / 4) })
		case "MAX_POOL_2D":
			m = m.pool(greatest)
		case "RESHAPE":
			m = image{h: 1, w: 1, c: len(m.v), v: m.v}
		default:
			m = s.layer(m, weightsOf(g, n), at, formats[i])
			at = formats[i]
		}
	}
	out := make([]float64, len(m.v))
	for i, q := range m.v {
		out[i] = at.real(q)
	}
	return out
}

// layer computes a layer with weights on integers.
func (s scheme) layer(m image, l weighted, in, out step) image {
	steps := make([]step, l.outputs)
	for o := range steps {
		if steps[o] = s.weight(reach(l.w)); s.perChannel {
			steps[o] = s.weight(reach(l.w[o*l.taps : (o+1)*l.taps]))
		}
	}
	weight := func(o, tap int) float64 { return steps[o].integer(l.w[o*l.taps+tap], awayFromZero) }
	bias := func(o int) float64 { // in units of the products
		unit := in.scale * steps[o].scale
		if s.bias == nil {
			return awayFromZero(l.b[o] / unit)
		}
		b := s.bias(slices.Min(append([]float64{0}, l.b...)), slices.Max(append([]float64{0}, l.b...)))
		if b.scale < unit {
			b.scale = unit
		}
		return b.real(b.integer(l.b[o], awayFromZero)) / unit
	}
	return m.filter(l.outputs, l.k, weight, func(o int, sum float64) float64 {
		q := s.scaled(sum+bias(o), in.scale*steps[o].scale/out.scale)
		if q += out.zero; l.relu {
			q = max(q, out.zero)
		}
		return max(out.lo, min(q, out.hi))
	}, in.zero)
}

// ratio is the signal to noise ratio of the output in a scheme, in dB.
func (s scheme) ratio(g *nn.Graph, inputs [][]*nn.Tensor) float64 {
	var runs [][]image
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, in := range inputs {
		runs = append(runs, floatLayers(g, in[0]))
		for _, v := range in[0].Floats {
			lo, hi = min(lo, float64(v)), max(hi, float64(v))
		}
	}
	var formats []step
	for i := range g.Nodes {
		formats = append(formats, s.activation(extremes(runs, i)))
	}
	signal, noise := 0.0, 0.0
	for i, in := range inputs {
		got := s.quantizedOutput(g, in[0], s.activation(lo, hi), formats)
		for k, want := range runs[i][len(runs[i])-1].v {
			signal += want * want
			noise += (want - got[k]) * (want - got[k])
		}
	}
	return 10 * math.Log10(signal/noise)
}
