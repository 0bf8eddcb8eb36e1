package mli11

import (
	"fmt"
	"maps"
	"slices"

	"arcv2dsp/mlikernels/internal/kernel"
	"arcv2dsp/mlikernels/internal/mli"
	"arcv2dsp/nn"
	"arcv2dsp/nn/golden"
)

// point is one case of the standard grid: shapes and attributes, how the data is distributed and how
// the buffers lie. The data itself follows from the name and a seed. Attributes and tensors that the
// operator does not have are left out.
type point struct {
	name    string
	params  map[string]int
	lists   map[string][]int
	shapes  map[string][]int
	style   mli.Style
	inPlace string // the input that the output is written over
	same    bool   // one tensor for the first two inputs
	offset  uint32
	atEnds  bool             // inputs and weights where their memories end
	watch   bool             // loads are looked at
	large   bool             // of the size of networks
	adjust  func(*nn.Call)   // changes formats
	strides map[string][]int // of inputs with holes
	outGaps *gaps            // of an output with holes, whose shape the call tells
}

// points is the standard grid of a function: every dimension below, at and above the unrolled sizes and
// at primes, every padding side, strides above the kernel, single channels, outputs over inputs, one
// tensor for two inputs, unaligned buffers; each in two of the styles of data.
func (f *function) points() []kernel.Case {
	var all []kernel.Case
	for _, p := range slices.Concat(f.standard(), f.large(), f.limits(), f.apart(), f.values()) {
		all = append(all, kernel.Case{Kernel: f.kernel, Name: p.name, Plain: p.inPlace == "" && p.offset == 0 && !p.atEnds && !p.large && p.adjust == nil && p.strides == nil && p.outGaps == nil,
			Job: func(round nn.Rounding, seed uint64) (*kernel.Job, error) { return f.job(p, round, seed) }})
	}
	return all
}

// standard lists the points with their styles and offsets.
func (f *function) standard() []point {
	var all []point
	for i, p := range f.grid(f) {
		p.offset = f.offset(i)
		p.atEnds, p.watch = i%5 == 4, i%2 == 1
		if p.inPlace != "" {
			p.name += "_over-" + p.inPlace
		}
		if p.same {
			p.name += "_same"
		}
		if p.offset != 0 {
			p.name += fmt.Sprintf("_at%d", p.offset)
		}
		for _, s := range []mli.Style{mli.StyleOf(i), mli.StyleOf(i + 2)} {
			q := p
			q.style = s
			q.name += "_" + s.String()
			all = append(all, q)
		}
	}
	return all
}

// offset moves the buffers of every third point off a word boundary, by whole elements. Biases of
// affine functions are words and stay.
func (f *function) offset(i int) uint32 {
	if i%3 != 2 || f.weights() && f.Bias == golden.SA32 {
		return 0
	}
	size := f.Data.Bits() / 8
	return uint32(size * (1 + i/3%(4/size)))
}

// slide is a window that slides over a feature map.
type slide struct {
	h, w, c, o     int
	kh, kw, sh, sw int
	l, r, t, b     int
	relu           int
}

// vary returns copies of a slide, each changed by f with one of the values.
func (s slide) vary(values []int, f func(*slide, int)) []slide {
	all := make([]slide, len(values))
	for i, v := range values {
		all[i] = s
		f(&all[i], v)
	}
	return all
}

// slides varies one thing at a time around a small map, then a few at once.
func slides() []slide {
	base := slide{h: 5, w: 6, c: 4, o: 4, kh: 3, kw: 3, sh: 1, sw: 1, l: 1, r: 1, t: 1, b: 1}
	var all []slide
	add := func(s []slide) { all = append(all, s...) }
	add(base.vary(mli.Edges, func(s *slide, v int) { s.w = v }))
	add(base.vary(mli.Edges[1:], func(s *slide, v int) { s.h = v }))
	add(base.vary(mli.Edges, func(s *slide, v int) { s.c = v }))
	add(base.vary(mli.Edges, func(s *slide, v int) { s.o = v }))
	add(base.vary([]int{0, 1, 2, 3}, func(s *slide, v int) { s.relu = v }))
	for sides := range 16 {
		s := base
		s.l, s.r, s.t, s.b = sides&1, sides>>1&1, sides>>2&1, sides>>3&1
		s.w, s.h = 7, 4
		all = append(all, s)
	}
	for _, k := range [][2]int{{1, 1}, {1, 3}, {3, 1}, {2, 2}, {2, 3}, {4, 4}, {5, 5}, {5, 3}, {6, 6}, {7, 7}, {1, 7}} {
		s := base
		s.kh, s.kw = k[0], k[1]
		s.t, s.b, s.l, s.r = (k[0]-1)/2, k[0]/2, (k[1]-1)/2, k[1]/2
		s.h, s.w = 8, 9
		all = append(all, s)
		s.t, s.b, s.l, s.r, s.c, s.relu = 0, 0, 0, 0, 3, 1
		all = append(all, s)
	}
	for _, v := range [][2]int{{1, 2}, {2, 1}, {2, 2}, {3, 3}, {4, 4}, {5, 2}, {2, 7}} {
		s := base
		s.sh, s.sw, s.h, s.w = v[0], v[1], 9, 11
		all = append(all, s)
	}
	return append(all,
		slide{h: 1, w: 1, c: 1, o: 1, kh: 1, kw: 1, sh: 1, sw: 1},
		slide{h: 2, w: 2, c: 3, o: 2, kh: 3, kw: 3, sh: 1, sw: 1, l: 1, r: 1, t: 1, b: 1, relu: 1},
		slide{h: 7, w: 11, c: 13, o: 17, kh: 3, kw: 5, sh: 2, sw: 3, l: 2, t: 1, b: 2, relu: 3},
		slide{h: 13, w: 7, c: 1, o: 5, kh: 5, kw: 5, sh: 1, sw: 1, l: 4, r: 4, t: 4, b: 4},
		slide{h: 3, w: 31, c: 32, o: 1, kh: 1, kw: 1, sh: 2, sw: 2, relu: 2},
		// outputs of the size of the map, padded as usual and on one side alone
		slide{h: 4, w: 5, c: 1, o: 3, kh: 3, kw: 3, sh: 1, sw: 1, l: 1, r: 1, t: 1, b: 1, relu: 2},
		slide{h: 2, w: 6, c: 1, o: 2, kh: 3, kw: 3, sh: 1, sw: 1, l: 1, r: 1, t: 1, b: 1, relu: 3},
		slide{h: 6, w: 2, c: 1, o: 2, kh: 3, kw: 3, sh: 1, sw: 1, l: 1, r: 1, t: 1, b: 1},
		slide{h: 3, w: 3, c: 1, o: 1, kh: 3, kw: 3, sh: 1, sw: 1, l: 1, r: 1, t: 1, b: 1, relu: 1},
		slide{h: 5, w: 6, c: 1, o: 2, kh: 3, kw: 3, sh: 1, sw: 1, l: 2, t: 1, b: 1},
		slide{h: 5, w: 6, c: 1, o: 2, kh: 3, kw: 3, sh: 1, sw: 1, l: 1, r: 1, b: 2},
		// few channels and an even number of filters, short windows and long ones
		slide{h: 9, w: 7, c: 3, o: 8, kh: 3, kw: 3, sh: 2, sw: 2, l: 1, t: 1, relu: 1},
		slide{h: 8, w: 8, c: 5, o: 6, kh: 1, kw: 1, sh: 1, sw: 1},
		slide{h: 8, w: 8, c: 20, o: 6, kh: 1, kw: 1, sh: 1, sw: 1, relu: 1},
		slide{h: 8, w: 9, c: 7, o: 8, kh: 3, kw: 3, sh: 1, sw: 1, l: 1, r: 1, t: 1, b: 1, relu: 2},
	)
}

func (s slide) params() map[string]int {
	return map[string]int{"stride_h": s.sh, "stride_w": s.sw, "pad_l": s.l, "pad_r": s.r, "pad_t": s.t, "pad_b": s.b}
}

func (s slide) name() string {
	return fmt.Sprintf("k%dx%d_s%dx%d_p%d.%d.%d.%d", s.kh, s.kw, s.sh, s.sw, s.l, s.r, s.t, s.b)
}

func convPoints(f *function) []point { return f.slidePoints(slides()) }

// slidePoints are calls of a convolution.
func (f *function) slidePoints(list []slide) []point {
	var all []point
	seen := map[string]bool{}
	for _, s := range list {
		if f.order.depthwise && (s.c != 1 || f.order.channelsFirst) { // else all filters see the only channel
			s.o = s.c
		}
		p := point{name: fmt.Sprintf("%dx%dx%d-%d_%s_relu%d", s.h, s.w, s.c, s.o, s.name(), s.relu), params: s.params()}
		p.params["relu"] = s.relu
		p.shapes = map[string][]int{"in": f.order.maps(s.h, s.w, s.c), "w": f.order.weights(s.o, s.c, s.kh, s.kw)}
		p.shapes["b"] = []int{s.o}
		if !seen[p.name] {
			seen[p.name] = true
			all = append(all, p)
		}
	}
	return all
}

func poolPoints(f *function) []point { return f.windowPoints(slides()) }

// windowPoints are calls of a pooling operator.
func (f *function) windowPoints(list []slide) []point {
	var all []point
	seen := map[string]bool{}
	for _, s := range list {
		p := point{name: fmt.Sprintf("%dx%dx%d_%s", s.h, s.w, s.c, s.name()), params: s.params(),
			shapes: map[string][]int{"in": f.order.maps(s.h, s.w, s.c)}}
		p.params["kernel_h"], p.params["kernel_w"] = s.kh, s.kw
		if !seen[p.name] {
			seen[p.name] = true
			all = append(all, p)
		}
	}
	return all
}

func cellPoints(f *function) []point {
	var all []point
	add := func(mode, act, steps, in, out int) {
		p := point{name: fmt.Sprintf("mode%d_act%d_%dx%d-%d", mode, act, steps, in, out),
			params: map[string]int{"mode": mode, "act": act},
			shapes: map[string][]int{"in": {in}, "prev_out": {out}, "cell": {out},
				"w": append(f.gateDims(), out, in+out), "b": append(f.gateDims(), out)}}
		if mode != 0 {
			p.shapes["in"] = []int{steps, in}
		}
		all = append(all, p)
	}
	for mode := range 3 {
		for act := range 3 {
			add(mode, act, 1+2*min(mode, 1), 6, 5)
			add(mode, act, 1+min(mode, 1), 8, 8)
		}
	}
	for _, n := range mli.Edges {
		add(0, 1, 1, n, 4)
		add(0, 2, 1, 7, n)
		add(2, 1, 2, n, n)
	}
	add(1, 2, 1, 5, 3)
	add(1, 1, 7, 3, 2)
	add(2, 0, 5, 1, 1)
	return all
}

func densePoints(*function) []point {
	var all []point
	add := func(out int, in ...int) {
		n := 1
		for _, d := range in {
			n *= d
		}
		all = append(all, point{name: fmt.Sprintf("%s-%d", mli.Join(in), out),
			shapes: map[string][]int{"in": in, "w": {out, n}, "b": {out}}})
	}
	for _, n := range append(mli.Edges, 31, 32, 33, 127) {
		add(5, n)
		add(n, 6)
	}
	for _, n := range mli.Edges {
		add(1, n)
		add(n, 1)
	}
	add(10, 4, 4, 8)
	add(3, 2, 5)
	add(7, 3, 1, 2, 5)
	add(2, 512)
	return all
}

// flatShapes are shapes of kernels that look at elements only.
func flatShapes() [][]int {
	all := [][]int{{2, 3}, {1, 7}, {3, 5, 2}, {2, 3, 2, 5}, {1, 1, 1, 1}, {17, 1, 4}}
	for _, n := range append(mli.Edges, 31, 32, 33, 63, 64, 65, 127, 257) {
		all = append(all, []int{n})
	}
	return all
}

func flatPoints(f *function) []point {
	var all []point
	for i, s := range flatShapes() {
		p := point{name: mli.Join(s), shapes: map[string][]int{"in": s, "slope": {1}}}
		all = append(all, p)
		if i%3 == 0 {
			p.inPlace = "in"
			all = append(all, p)
		}
	}
	return all
}

func reluPoints(f *function) []point {
	var all []point
	for i, p := range flatPoints(f) {
		for relu := range 4 {
			if relu == i%4 || i%5 == 0 {
				q := p
				q.name = fmt.Sprintf("%s_relu%d", p.name, relu)
				q.params = map[string]int{"relu": relu}
				all = append(all, q)
			}
		}
	}
	return all
}

func eltwisePoints(*function) []point {
	var all []point
	for i, s := range flatShapes() {
		both := point{name: mli.Join(s), shapes: map[string][]int{"in1": s, "in2": s}}
		all = append(all, both)
		over := both
		over.inPlace = [...]string{"in1", "in2"}[i%2]
		all = append(all, over)
		scalar := point{name: mli.Join(s) + "_scalar2", shapes: map[string][]int{"in1": s, "in2": {1}}}
		if i%2 == 1 {
			scalar = point{name: mli.Join(s) + "_scalar1", shapes: map[string][]int{"in1": {1}, "in2": s}}
		}
		all = append(all, scalar)
		if i%4 < 2 {
			scalar.inPlace = over.inPlace
			all = append(all, scalar)
		}
		if i%3 == 0 {
			both.same = true
			all = append(all, both)
			both.inPlace = "in1"
			all = append(all, both)
		}
	}
	return all
}

func permutePoints(*function) []point {
	var all []point
	add := func(shape []int, perm ...int) {
		all = append(all, point{name: mli.Join(shape) + "_" + mli.Join(perm), lists: map[string][]int{"perm": perm},
			shapes: map[string][]int{"in": shape}})
	}
	add([]int{5}, 0)
	for _, s := range [][]int{{3, 4}, {1, 9}, {7, 2}, {17, 13}} {
		add(s, 0, 1)
		add(s, 1, 0)
	}
	for _, s := range [][]int{{2, 3, 4}, {5, 1, 7}, {8, 9, 3}} {
		for _, p := range [][]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
			add(s, p...)
		}
	}
	for _, p := range [][]int{{0, 1, 2, 3}, {3, 2, 1, 0}, {0, 2, 3, 1}, {0, 3, 1, 2}, {1, 0, 3, 2}, {2, 3, 0, 1}, {3, 0, 1, 2}, {1, 3, 2, 0}} {
		add([]int{2, 3, 4, 5}, p...)
		add([]int{3, 1, 2, 7}, p...)
	}
	return all
}

func paddingPoints(f *function) []point {
	var all []point
	add := func(h, w, c, l, r, t, b int) {
		all = append(all, point{name: fmt.Sprintf("%dx%dx%d_p%d.%d.%d.%d", h, w, c, l, r, t, b),
			params: map[string]int{"pad_l": l, "pad_r": r, "pad_t": t, "pad_b": b},
			shapes: map[string][]int{"in": f.order.maps(h, w, c)}})
	}
	for sides := range 16 {
		add(3, 5, 4, sides&1, sides>>1&1*2, sides>>2&1*3, sides>>3&1)
	}
	for _, n := range mli.Edges {
		add(n, 3, 2, 1, 1, 1, 1)
		add(2, n, 3, 2, 1, 0, 1)
		add(3, 2, n, 1, 0, 1, 2)
	}
	add(1, 1, 1, 0, 0, 0, 0)
	add(2, 2, 1, 17, 13, 7, 5)
	return all
}

func concatPoints(*function) []point {
	var all []point
	add := func(axis int, shape []int, sizes ...int) {
		p := point{name: fmt.Sprintf("%s_axis%d_%s", mli.Join(shape), axis, mli.Join(sizes)),
			params: map[string]int{"axis": axis}, shapes: map[string][]int{}}
		for i, n := range sizes {
			s := append([]int(nil), shape...)
			s[axis] = n
			p.shapes[fmt.Sprintf("in%d", i)] = s
		}
		all = append(all, p)
	}
	add(0, []int{1}, 5)
	add(0, []int{1}, 3, 4)
	for n := range 8 {
		sizes := make([]int, n+1)
		for i := range sizes {
			sizes[i] = 1 + i%3
		}
		add(n%3, []int{2, 3, 5}, sizes...)
	}
	for _, n := range mli.Edges {
		add(0, []int{1, 3}, n, 2)
		add(1, []int{3, 1}, 1, n)
		add(2, []int{2, 2, 1}, n, n, 3)
	}
	for axis := range 4 {
		add(axis, []int{2, 3, 4, 5}, 1, 4, 2)
	}
	return all
}

// attempts is how often data is made smaller so that no accumulator overflows.
const attempts = 24

// job makes the call of a point and what it must give. Data and formats depend on the function, the
// point and the seed, not on the rounding mode.
func (f *function) job(p point, round nn.Rounding, seed uint64) (*kernel.Job, error) {
	name := fmt.Sprintf("%s/%s/%d", f.Name, p.name, seed)
	var err error
	for smaller := range attempts {
		g := generator{function: f, rand: kernel.NewRand(name, kernel.Stream), style: p.style, round: round}
		c := g.build(p.params, p.lists, p.shapes)
		if p.same {
			c.In[1] = c.In[0]
		}
		if p.adjust != nil {
			p.adjust(c)
		}
		for i, t := range c.In {
			for j := range t.Ints {
				if i == 0 || t != c.In[0] {
					t.Ints[j] >>= smaller
				}
			}
		}
		var job *kernel.Job
		job, err = kernel.NewJob(c)
		if err == nil {
			job.InPlace, job.Offset, job.AtEnds = p.inPlace, p.offset, p.atEnds
			job.WatchLoads, job.Strides = p.watch, maps.Clone(p.strides)
			if p.outGaps != nil {
				if job.Strides == nil {
					job.Strides = map[string][]int{}
				}
				job.Strides["out"] = spreadBy(job.Want["out"].Shape, *p.outGaps)
			}
			return job, nil
		}
		if job == nil {
			break
		}
	}
	return nil, fmt.Errorf("%s: %w", p.name, err)
}
