package arcq

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"arcv2dsp/mlikernels/internal/kernel"
	"arcv2dsp/nn"
)

// moveParams is the parameter block of moves.
var moveParams = declared("arcq_move_params")

// movement is a walk from an input to an output, by their positions.
type movement struct {
	walk
	from, to int
	kept     bool // to is an input, a state
}

// filling is the position of the element that fills what no input covers.
const filling = -1

// movers are the operators that move elements and compute nothing, with the movements of a call.
var movers = []struct {
	library nn.Library
	names   []string
	moves   func(*nn.Call) ([]movement, error)
}{
	{nn.TFLite, []string{"RESHAPE", "SQUEEZE", "EXPAND_DIMS", "TRANSPOSE", "SLICE", "STRIDED_SLICE", "UNPACK"}, func(c *nn.Call) ([]movement, error) { return traced(c, 0, nil) }},
	{nn.TFLite, []string{"READ_VARIABLE", "ASSIGN_VARIABLE"}, func(c *nn.Call) ([]movement, error) { return traced(c, 0, nil) }},
	{nn.TFLite, []string{"SPACE_TO_BATCH_ND", "BATCH_TO_SPACE_ND", "MIRROR_PAD", "REVERSE_V2", "BROADCAST_TO"}, func(c *nn.Call) ([]movement, error) { return boxed(c, 0, c.Out[0].Shape) }},
	{nn.TFLite, []string{"CAST"}, sameElements},
	{nn.TFLite, []string{"CIRCULAR_BUFFER"}, func(c *nn.Call) ([]movement, error) { return newest(c), nil }},
	{nn.TFLite, []string{"SignalDelay"}, func(c *nn.Call) ([]movement, error) { return late(c), nil }},
	{nn.TFLite, []string{"ZEROS_LIKE"}, func(c *nn.Call) ([]movement, error) {
		return []movement{{from: filling, walk: walk{shape: []int{c.Out[0].Len()}, steps: [][]int{{0}, {1}}, first: []int{0, 0}}}}, nil
	}},
	{nn.TFLite, []string{"FILL"}, func(c *nn.Call) ([]movement, error) { return boxed(c, 1, c.Out[0].Shape) }},
	{nn.TFLite, []string{"TILE"}, func(c *nn.Call) ([]movement, error) {
		var repeats []int
		for d, n := range c.In[0].Shape {
			repeats = append(repeats, int(c.In[1].Ints[d]), n)
		}
		return boxed(c, 0, repeats)
	}},
	{nn.TFLite, []string{"DEPTH_TO_SPACE", "SPACE_TO_DEPTH"}, func(c *nn.Call) ([]movement, error) {
		b, in, out := c.Attrs.Int("block_size"), c.In[0].Shape, c.Out[0].Shape
		if c.Op.Name == "SPACE_TO_DEPTH" {
			return boxed(c, 0, []int{out[0], out[1], out[2], b, b, in[3]})
		}
		return boxed(c, 0, []int{in[0], in[1], b, in[2], b, out[3]})
	}},
	{nn.TFLite, []string{"SPLIT"}, func(c *nn.Call) ([]movement, error) { return traced(c, 1, nil) }},
	{nn.TFLite, []string{"SPLIT_V"}, func(c *nn.Call) ([]movement, error) { return traced(c, 0, nil) }},
	{nn.TFLite, []string{"CONCATENATION", "PACK"}, joined},
	{nn.TFLite, []string{"PAD", "PADV2"}, func(c *nn.Call) ([]movement, error) {
		var around []int
		for _, v := range c.In[1].Ints {
			around = append(around, int(v))
		}
		return padded(c, around), nil
	}},
	{nn.TOSA, []string{"RESHAPE", "TRANSPOSE", "SLICE", "REVERSE", "IDENTITY"}, func(c *nn.Call) ([]movement, error) { return traced(c, 0, nil) }},
	{nn.TOSA, []string{"TILE"}, func(c *nn.Call) ([]movement, error) {
		var repeats []int // every dimension in two: the copies, and the elements of a copy
		for d, n := range c.In[0].Shape {
			repeats = append(repeats, c.Attrs.Ints("multiples")[d], n)
		}
		return traced(c, 0, repeats)
	}},
	{nn.TOSA, []string{"CAST"}, sameElements},
	{nn.TOSA, []string{"CONCAT"}, joined},
	{nn.TOSA, []string{"PAD"}, func(c *nn.Call) ([]movement, error) { return padded(c, c.Attrs.Ints("padding")), nil }},
}

// movementsOf are the movements of a call.
func movementsOf(c *nn.Call) ([]movement, error) {
	for _, m := range movers {
		if m.library == c.Op.Library && slices.Contains(m.names, c.Op.Name) {
			return m.moves(c)
		}
	}
	return nil, fmt.Errorf("%s does not only move elements", c.Op.Name)
}

// sameElements is the movement of a CAST that leaves elements as they are: truth values to bytes, and integers to others as wide.
func sameElements(c *nn.Call) ([]movement, error) {
	in, out := c.In[0], c.Out[0]
	if out.Type.Bytes() != in.Type.Bytes() || in.Type.Float() || out.Type.Float() || c.Op.Library == nn.TOSA && in.Type != nn.Bool {
		return nil, fmt.Errorf("CAST of %s to %s moves other elements than it finds", in.Type, out.Type)
	}
	return []movement{{walk: walk{shape: []int{in.Len()}, steps: [][]int{{1}, {1}}, first: []int{0, 0}}}}, nil
}

// traced finds the movements of an operator with one data input by what it does to numbered elements: where the
// neighbours of the first element of an output come from gives the steps, and all the others must follow.
// shape is that of the output in as many dimensions as have a step of their own, nil for its own.
func traced(c *nn.Call, data int, shape []int) ([]movement, error) {
	numbered := nn.New(nn.I64, c.In[data].Shape...)
	for i := range numbered.Ints {
		numbered.Ints[i] = int64(i)
	}
	t := *c
	t.Watch = nil
	t.In, t.Out = slices.Clone(c.In), make([]*nn.Tensor, len(c.Out))
	t.In[data] = numbered
	for i, o := range c.Out {
		t.Out[i] = nn.New(nn.I64, o.Shape...)
	}
	if err := t.Op.Golden(&t); err != nil {
		return nil, err
	}
	var all []movement
	for i, o := range t.Out {
		own := shape
		if own == nil {
			own = o.Shape
		}
		w := walk{shape: own, steps: [][]int{make([]int, len(own)), dense(own)}, first: []int{int(o.Ints[0]), 0}}
		for d, n := range own {
			if n > 1 {
				w.steps[0][d] = int(o.Ints[w.steps[1][d]]) - w.first[0]
			}
		}
		for at, from := range o.Ints {
			want := w.first[0]
			for d, v := range nn.Coordinates(at, own) {
				want += v * w.steps[0][d]
			}
			if int(from) != want {
				return nil, fmt.Errorf("%s takes its elements in no even steps", c.Op.Name)
			}
		}
		all = append(all, movement{walk: w, from: data, to: i})
	}
	return all, nil
}

// mostBoxed bounds the elements of which each is looked at by itself.
const mostBoxed = 1 << 20

// boxed finds the movements of an operator whose elements take even steps in parts of the output alone: parts are cut
// where a step ends, until all are even. Elements that come from nowhere are filled. shape is that of the output, in as many
// dimensions as have a step of their own.
func boxed(c *nn.Call, data int, shape []int) ([]movement, error) {
	if c.Out[0].Len() > mostBoxed {
		return nil, fmt.Errorf("%s of more than %d elements", c.Op.Name, mostBoxed)
	}
	numbered := nn.New(nn.I64, c.In[data].Shape...)
	for i := range numbered.Ints {
		numbered.Ints[i] = int64(i) + 1 // 0 is a filling
	}
	t := *c
	t.Watch = nil
	t.In, t.Out = slices.Clone(c.In), []*nn.Tensor{nn.New(nn.I64, c.Out[0].Shape...)}
	t.In[data] = numbered
	if err := t.Op.Golden(&t); err != nil {
		return nil, err
	}
	b := boxes{origin: t.Out[0].Ints, steps: dense(shape), from: data}
	b.cut(make([]int, len(shape)), shape)
	if len(b.found) > mostWalks {
		return nil, fmt.Errorf("%s takes its elements in no even steps", c.Op.Name)
	}
	return b.found, nil
}

// boxes are the even parts of an output that were found.
type boxes struct {
	origin []int64 // of each element, plus 1
	steps  []int   // of the output
	from   int
	found  []movement
}

// cut finds the even parts of a box.
func (b *boxes) cut(first, shape []int) {
	if len(b.found) > mostWalks {
		return
	}
	start := 0
	for d, v := range first {
		start += v * b.steps[d]
	}
	base, steps := int(b.origin[start]), make([]int, len(shape))
	for d, n := range shape {
		if n > 1 && base > 0 {
			steps[d] = int(b.origin[start+b.steps[d]]) - base
		}
	}
	for i := range nn.Count(shape) {
		at, want, place := nn.Coordinates(i, shape), base, start
		for d, v := range at {
			want += v * steps[d]
			place += v * b.steps[d]
		}
		if int(b.origin[place]) == want && (want > 0) == (base > 0) {
			continue
		}
		for d, v := range at {
			if v == 0 {
				continue
			}
			before, behind, next := slices.Clone(shape), slices.Clone(shape), slices.Clone(first)
			before[d], behind[d] = v, shape[d]-v
			next[d] += v
			b.cut(first, before)
			b.cut(next, behind)
			return
		}
	}
	m := movement{from: b.from, walk: walk{shape: shape, steps: [][]int{steps, b.steps}, first: []int{base - 1, start}}}
	if base == 0 {
		m.from, m.first[0] = filling, 0
	}
	b.found = append(b.found, m)
}

// joined are the movements of tensors that are put behind one another along a dimension, an old or a new
// one: rows of each, side by side.
func joined(c *nn.Call) ([]movement, error) {
	out := c.Out[0]
	d := c.Attrs.Int("axis")
	if d < 0 {
		d += len(out.Shape)
	}
	outer := nn.Count(out.Shape[:d])
	row, at := out.Len()/outer, 0
	var all []movement
	for i, t := range c.In {
		n := t.Len() / outer
		all = append(all, movement{from: i,
			walk: walk{shape: []int{outer, n}, steps: [][]int{{n, 1}, {row, 1}}, first: []int{0, at}}})
		at += n
	}
	return all, nil
}

// run is a movement of n elements of each of some lines; lines are line elements apart on either side.
func run(outer, n int, line, first [2]int) movement {
	return movement{walk: walk{shape: []int{outer, n}, steps: [][]int{{line[0], 1}, {line[1], 1}}, first: first[:]}}
}

// late are the movements of a delay: what was kept and the input behind it are one line, whose first elements go out and whose last
// ones are kept. Rows run in their order, from the first element on, so that what is kept may move down over itself.
func late(c *nn.Call) []movement {
	n, kept := c.In[0].Dim(-1), c.In[1].Dim(-1)
	outer := c.In[0].Len() / n
	both := min(n, kept)
	all := []movement{run(outer, both, [2]int{kept, n}, [2]int{0, 0})}
	all[0].from = 1
	if n > kept {
		all = append(all, run(outer, n-kept, [2]int{n, n}, [2]int{0, kept}))
	}
	if kept > n {
		down := run(outer, kept-n, [2]int{kept, kept}, [2]int{n, 0})
		down.from, down.to, down.kept = 1, 1, true
		all = append(all, down)
	}
	in := run(outer, both, [2]int{n, kept}, [2]int{n - both, kept - both})
	in.to, in.kept = 1, true
	return append(all, in)
}

// newest are the movements of a memory of the last elements of a stream: it moves down, the input comes behind, and all goes out.
func newest(c *nn.Call) []movement {
	n, kept := nn.Count(c.In[0].Shape[1:]), c.In[1].Len()
	in := run(1, n, [2]int{}, [2]int{0, kept - n})
	in.to, in.kept = 1, true
	out := run(1, kept, [2]int{}, [2]int{0, 0})
	out.from = 1
	if n == kept {
		return []movement{in, out}
	}
	down := run(1, kept-n, [2]int{}, [2]int{n, 0})
	down.from, down.to, down.kept = 1, 1, true
	return []movement{down, in, out}
}

// padded are the movements of a tensor into a larger one, and those that fill what is around it. Along a
// dimension the filling covers only what lies inside the dimensions before it.
func padded(c *nn.Call, around []int) []movement {
	in, out := c.In[0].Shape, c.Out[0].Shape
	steps := dense(out)
	inside := 0
	for d, s := range steps {
		inside += around[2*d] * s
	}
	all := []movement{{walk: walk{shape: in, steps: [][]int{dense(in), steps}, first: []int{0, inside}}}}
	box, at := slices.Clone(out), 0
	for d, s := range steps {
		for _, side := range []struct{ n, first int }{{around[2*d], 0}, {around[2*d+1], around[2*d] + in[d]}} {
			if side.n > 0 {
				shape := slices.Clone(box)
				shape[d] = side.n
				all = append(all, movement{from: filling,
					walk: walk{shape: shape, steps: [][]int{make([]int, len(shape)), steps}, first: []int{0, at + side.first*s}}})
			}
		}
		box[d] = in[d]
		at += around[2*d] * s
	}
	return all
}

// moves are the rows of the moves.
func moves() []row {
	var all []row
	for _, t := range []nn.Type{nn.I8, nn.I16, nn.I32} {
		r := row{symbol: "arcq_move_" + typeName(t), operator: "move", types: typeName(t), body: "move.inc", params: moveParams, walks: 2,
			doc: "elements moved, as they are", equ: []string{fmt.Sprintf("BYTES,%d", t.Bytes())},
			fits: movesFit(t), fill: fillMoves, grid: moveGrid(t)}
		for _, m := range movers {
			for _, name := range m.names {
				r.computes = append(r.computes, operator(m.library, name))
			}
		}
		all = append(all, r)
	}
	return all
}

// moved is the unit that a kernel moves of a type: its elements, or of those of 64 bits the two words.
func moved(t nn.Type) (size, each int) {
	if t.Bytes() == 8 {
		return 4, 2
	}
	return t.Bytes(), 1
}

// ofWords is the walk over the words of elements: n of each, side by side.
func (w walk) ofWords(n int) walk {
	if n == 1 {
		return w
	}
	words := walk{shape: append(slices.Clone(w.shape), n)}
	for t, s := range w.steps {
		steps := make([]int, 0, len(s)+1)
		for _, step := range s {
			steps = append(steps, step*n)
		}
		words.steps, words.first = append(words.steps, append(steps, 1)), append(words.first, w.first[t]*n)
	}
	return words
}

// mostWalks bounds the walks that a movement of too many dimensions becomes.
const mostWalks = 64

// walksOf are the movements of a call by words, each in as many dimensions as a walk has: of more, the outer ones
// are walks of their own.
func walksOf(c *nn.Call, words int) ([]movement, error) {
	list, err := movementsOf(c)
	if err != nil {
		return nil, err
	}
	var all []movement
	for _, m := range list {
		m.walk = m.ofWords(words)
		parts := []movement{m}
		for n := len(m.folded().shape); n > maxOuter+1; n = len(parts[0].folded().shape) {
			if len(parts)*parts[0].shape[0] > mostWalks {
				return nil, fmt.Errorf("a walk of %d dimensions, at most %d", n, maxOuter+1)
			}
			var inner []movement
			for _, p := range parts {
				inner = append(inner, p.slices()...)
			}
			parts = inner
		}
		all = append(all, parts...)
	}
	return all, nil
}

// slices are the movements for each index of the outer dimension.
func (m movement) slices() []movement {
	var all []movement
	for i := range m.shape[0] {
		inner := movement{from: m.from, to: m.to, kept: m.kept, walk: walk{shape: m.shape[1:]}}
		for t, s := range m.steps {
			inner.steps, inner.first = append(inner.steps, s[1:]), append(inner.first, m.first[t]+i*s[0])
		}
		all = append(all, inner)
	}
	return all
}

// movesFit refuses elements of another size, and calls with more dimensions than walks have.
func movesFit(t nn.Type) func(*nn.Call) error {
	return func(c *nn.Call) error {
		size, each := moved(c.Out[0].Type)
		if size != t.Bytes() {
			return fmt.Errorf("elements of %s, not of %d bytes", c.Out[0].Type, t.Bytes())
		}
		_, err := walksOf(c, each)
		return err
	}
}

func fillMoves(p *params, c *nn.Call) {
	size, each := moved(c.Out[0].Type)
	list := must(walksOf(c, each))
	from, to := map[int]uint32{}, map[int]uint32{}
	names, results := nn.Names(c.Op.Inputs, len(c.In)), nn.Names(c.Op.Outputs, len(c.Out))
	for _, m := range list {
		if _, placed := from[m.from]; placed {
			continue
		}
		if m.from == filling {
			from[filling] = p.layout.Input("filling", fillingOf(c), kernel.Weights)
			continue
		}
		if !c.In[m.from].Filled() {
			panic(unfit{fmt.Errorf("input %s has no elements", names[m.from])})
		}
		if m.from < len(c.Op.Inputs) && c.Op.Inputs[m.from].State {
			from[m.from] = p.layout.State(names[m.from], c.In[m.from])
			p.layout.ResultAt(names[m.from], c.In[m.from], from[m.from])
			continue
		}
		from[m.from] = p.layout.Input(names[m.from], c.In[m.from], kernel.Data)
	}
	for i, t := range c.Out {
		to[i] = p.result(results[i], t)
	}
	one := walkStructs[2]
	b := make([]byte, len(list)*one.Size())
	for i, m := range list {
		at := b[i*one.Size():]
		one.Put(at, "in1", int64(from[m.from])+int64(m.first[0]*size))
		into := to[m.to]
		if m.kept {
			into = from[m.to]
		}
		one.Put(at, "out", int64(into)+int64(m.first[1]*size))
		if err := m.fill(func(member string, i int, v int64) { one.PutAt(at, member, i, v) }, size, size); err != nil {
			panic(unfit{err})
		}
	}
	p.pointer("walks", p.layout.Place(kernel.Buffer{Name: "walks", Memory: kernel.Structs, Bytes: b}))
	p.set("count", int64(len(list)))
}

// fillingOf is the one element around a padded tensor.
func fillingOf(c *nn.Call) *nn.Tensor {
	one := nn.New(c.Out[0].Type, 1)
	switch {
	case c.Input("value") != nil:
		v := *c.Input("value")
		v.Shape = one.Shape
		return &v
	case c.Op.Library == nn.TOSA:
		if v, real := c.Attrs["pad_const"].(float64); real {
			one.Floats[0] = float32(v)
		} else {
			one.Ints[0] = int64(c.Attrs.Int("pad_const"))
		}
	case one.Type == nn.I8 && c.Op.Name != "ZEROS_LIKE":
		one.Ints[0] = c.Out[0].Format.Zero(0)
	}
	return one
}

// moveGrid is the grid of the moves: every operator, over shapes with short and long rows. That of words has
// elements of 64 bits as well.
func moveGrid(t nn.Type) func(*grid) {
	return func(g *grid) {
		moveCalls(g, t, "")
		if t == nn.I8 {
			moveCalls(g, nn.U8, "unsigned_")
		}
		if t == nn.I32 {
			moveCalls(g, nn.I64, "wide_")
			for i, n := range edges {
				g.add(fmt.Sprintf("IDENTITY_%d", n), func(r *rand.Rand) *nn.Call {
					t := []nn.Type{nn.I48, nn.I32}[i%2]
					return &nn.Call{Op: operator(nn.TOSA, "IDENTITY"), In: []*nn.Tensor{random(r, t, n, 2)}, Out: []*nn.Tensor{{Type: t, Shape: []int{n, 2}}}}
				})
			}
		}
	}
}

// moveCalls adds the calls with elements of one type; those of TOSA end at 32 bits.
func moveCalls(g *grid, t nn.Type, prefix string) {
	add := func(lib nn.Library, name, detail string, in [][]int, attrs nn.Attrs, constants [][]int64, out ...[]int) {
		op := operator(lib, name)
		if !hasType(op, t) || !t.Signed() && (lib != nn.TFLite || name == "CAST") {
			return
		}
		g.add(fmt.Sprintf("%s%s_%s_%s", prefix, lib, name, detail), func(r *rand.Rand) *nn.Call {
			c := &nn.Call{Op: op, Attrs: attrs}
			format := nn.Format{Kind: nn.Scaled, Scales: []float32{0.5}, Zeros: []int64{0}}
			if lib != nn.TFLite {
				format = nn.Format{}
			} else if t == nn.I8 {
				format.Zeros[0] = int64(r.IntN(256) - 128)
			}
			for _, s := range in {
				x := random(r, t, s...)
				x.Format = format
				c.In = append(c.In, x)
			}
			for _, v := range constants {
				c.In = append(c.In, nn.FromInts(nn.I32, []int{len(v)}, v))
			}
			switch name {
			case "SPLIT": // the dimension comes first
				c.In[0], c.In[1] = c.In[1], c.In[0]
			case "PADV2":
				c.In = append(c.In, random(r, t, 1))
			case "FILL":
				c.In[0], c.In[1] = c.In[1], c.In[0]
			}
			for _, s := range out {
				c.Out = append(c.Out, &nn.Tensor{Type: t, Shape: s, Format: format})
			}
			if name == "CAST" { // to elements as wide with the other sign, or from truth values
				c.Out[0].Type = map[nn.Type]nn.Type{nn.I8: nn.U8, nn.I16: nn.U16, nn.I32: nn.U32}[t]
				if t == nn.I8 && r.IntN(2) == 0 {
					c.In[0] = random(r, nn.Bool, in[0]...)
				}
			}
			return c
		})
	}
	for _, n := range edges {
		add(nn.TFLite, "RESHAPE", fmt.Sprint(n), [][]int{{n, 2}}, nil, nil, []int{2, n})
		add(nn.TOSA, "REVERSE", fmt.Sprint(n), [][]int{{3, n}}, nn.Attrs{"axis": 1}, nil, []int{3, n})
		add(nn.TFLite, "CONCATENATION", fmt.Sprint(n), [][]int{{2, n, 3}, {2, 2, 3}, {2, 5, 3}}, nn.Attrs{"axis": 1}, nil, []int{2, n + 7, 3})
		add(nn.TFLite, "PAD", fmt.Sprint(n), [][]int{{1, n, 5, 4}}, nil, [][]int64{{0, 0, 1, 2, 3, 1, 0, 0}}, []int{1, n + 3, 9, 4})
		add(nn.TFLite, "REVERSE_V2", fmt.Sprint(n), [][]int{{3, n}}, nil, [][]int64{{1}}, []int{3, n})
		add(nn.TFLite, "MIRROR_PAD", fmt.Sprint(n), [][]int{{3, n + 1}}, nil, [][]int64{{0, 2, 1, 0}}, []int{5, n + 2})
		add(nn.TFLite, "SPACE_TO_BATCH_ND", fmt.Sprint(n), [][]int{{1, 3, n, 2}}, nil, [][]int64{{2, 1}, {1, 0, 0, 2}}, []int{2, 2, n + 2, 2})
		add(nn.TFLite, "READ_VARIABLE", fmt.Sprint(n), [][]int{{n, 3}}, nil, nil, []int{n, 3})
		add(nn.TFLite, "ASSIGN_VARIABLE", fmt.Sprint(n), [][]int{{n, 3}}, nil, nil, []int{n, 3})
		add(nn.TFLite, "CIRCULAR_BUFFER", fmt.Sprint(n), [][]int{{1, 1, 2, n}, {1, 1 + n%5, 2, n}}, nn.Attrs{"cycles_max": 1}, nil, []int{1, 1 + n%5, 2, n})
		add(nn.TFLite, "SignalDelay", fmt.Sprint(n), [][]int{{1 + n%3, n}, {1 + n%3, 9}}, nn.Attrs{"delay_length": 9}, nil, []int{1 + n%3, n})
		add(nn.TFLite, "CAST", fmt.Sprint(n), [][]int{{n, 2}}, nil, nil, []int{n, 2})
		add(nn.TFLite, "ZEROS_LIKE", fmt.Sprint(n), [][]int{{3, n}}, nil, nil, []int{3, n})
		add(nn.TFLite, "TRANSPOSE", fmt.Sprint(n), [][]int{{n, 6}}, nil, [][]int64{{1, 0}}, []int{6, n})
	}
	add(nn.TFLite, "TRANSPOSE", "4d", [][]int{{2, 3, 4, 5}}, nil, [][]int64{{3, 1, 0, 2}}, []int{5, 3, 2, 4})
	add(nn.TFLite, "TRANSPOSE", "6d", [][]int{{2, 3, 2, 3, 2, 3}}, nil, [][]int64{{5, 3, 1, 4, 2, 0}}, []int{3, 3, 3, 2, 2, 2})
	add(nn.TFLite, "SQUEEZE", "3", [][]int{{1, 7, 1}}, nil, nil, []int{7})
	add(nn.TFLite, "EXPAND_DIMS", "3", [][]int{{3, 7}}, nil, [][]int64{{0}}, []int{1, 3, 7})
	add(nn.TFLite, "SLICE", "4d", [][]int{{2, 7, 6, 5}}, nil, [][]int64{{1, 2, 0, 1}, {1, 4, -1, 3}}, []int{1, 4, 6, 3})
	add(nn.TFLite, "STRIDED_SLICE", "4d", [][]int{{2, 9, 12, 5}}, nn.Attrs{"begin_mask": 1, "end_mask": 8},
		[][]int64{{1, 8, 1, 0}, {2, 0, 11, 0}, {1, -3, 2, 1}}, []int{2, 3, 5, 5})
	add(nn.TFLite, "SPLIT", "3", [][]int{{4, 9, 5}}, nn.Attrs{"num_splits": 3}, [][]int64{{1}}, []int{4, 3, 5}, []int{4, 3, 5}, []int{4, 3, 5})
	add(nn.TFLite, "SPLIT_V", "3", [][]int{{4, 9, 5}}, nn.Attrs{"num_splits": 3}, [][]int64{{1, 6, 2}, {-2}}, []int{4, 1, 5}, []int{4, 6, 5}, []int{4, 2, 5})
	add(nn.TFLite, "PACK", "last", [][]int{{3, 4}, {3, 4}}, nn.Attrs{"values_count": 2, "axis": -1}, nil, []int{3, 4, 2})
	add(nn.TFLite, "PACK", "first", [][]int{{3, 4}, {3, 4}}, nn.Attrs{"values_count": 2, "axis": 0}, nil, []int{2, 3, 4})
	add(nn.TFLite, "UNPACK", "last", [][]int{{5, 11, 3}}, nn.Attrs{"num": 3, "axis": 2}, nil, []int{5, 11}, []int{5, 11}, []int{5, 11})
	add(nn.TFLite, "REVERSE_V2", "4d", [][]int{{2, 3, 4, 5}}, nil, [][]int64{{0, 2}}, []int{2, 3, 4, 5})
	add(nn.TFLite, "MIRROR_PAD", "4d", [][]int{{2, 3, 4, 5}}, nn.Attrs{"mode": "SYMMETRIC"}, [][]int64{{0, 0, 2, 1, 3, 0, 0, 0}}, []int{2, 6, 7, 5})
	add(nn.TFLite, "BATCH_TO_SPACE_ND", "4d", [][]int{{8, 3, 4, 5}}, nil, [][]int64{{2, 2}, {1, 0, 0, 2}}, []int{2, 5, 6, 5})
	add(nn.TFLite, "DEPTH_TO_SPACE", "3", [][]int{{2, 3, 4, 18}}, nn.Attrs{"block_size": 3}, nil, []int{2, 9, 12, 2})
	add(nn.TFLite, "SPACE_TO_DEPTH", "3", [][]int{{2, 9, 12, 2}}, nn.Attrs{"block_size": 3}, nil, []int{2, 3, 4, 18})
	add(nn.TFLite, "TILE", "3d", [][]int{{3, 1, 4}}, nil, [][]int64{{2, 5, 3}}, []int{6, 5, 12})
	add(nn.TFLite, "BROADCAST_TO", "4d", [][]int{{3, 1, 4}}, nil, [][]int64{{2, 3, 5, 4}}, []int{2, 3, 5, 4})
	add(nn.TFLite, "FILL", "3d", [][]int{{1}}, nil, [][]int64{{2, 3, 5}}, []int{2, 3, 5})
	add(nn.TFLite, "PADV2", "4d", [][]int{{2, 3, 4, 5}}, nil, [][]int64{{1, 0, 0, 2, 3, 1, 2, 2}}, []int{3, 5, 8, 9})
	add(nn.TOSA, "RESHAPE", "2d", [][]int{{6, 5}}, nn.Attrs{"shape": []int{30}}, nil, []int{30})
	add(nn.TOSA, "TRANSPOSE", "3d", [][]int{{6, 5, 9}}, nn.Attrs{"perms": []int{2, 0, 1}}, nil, []int{9, 6, 5})
	add(nn.TOSA, "SLICE", "3d", [][]int{{6, 5, 9}}, nn.Attrs{"start": []int{1, 2, 3}, "size": []int{4, 2, 5}}, nil, []int{4, 2, 5})
	add(nn.TOSA, "TILE", "3d", [][]int{{3, 1, 4}}, nn.Attrs{"multiples": []int{2, 5, 3}}, nil, []int{6, 5, 12})
	add(nn.TOSA, "TILE", "6d", [][]int{{2, 3, 2, 1, 2, 3}}, nn.Attrs{"multiples": []int{2, 2, 3, 2, 2, 1}}, nil, []int{4, 6, 6, 2, 4, 3})
	add(nn.TOSA, "CONCAT", "3d", [][]int{{3, 1, 4}, {3, 6, 4}}, nn.Attrs{"axis": 1}, nil, []int{3, 7, 4})
	add(nn.TOSA, "PAD", "3d", [][]int{{3, 2, 4}}, nn.Attrs{"padding": []int{0, 1, 2, 0, 1, 1}, "pad_const": -5}, nil, []int{4, 4, 6})
}

// hasType reports whether an operator gives elements of a type.
func hasType(op *nn.Operator, t nn.Type) bool {
	for _, s := range op.Types {
		// Lists of blocks and paddings have a type of their own.
		if out := s[len(s)-1]; out == t || out == nn.NoType && slices.Contains(s, t) {
			return true
		}
	}
	return op.Types == nil
}
