package code

import "slices"

// Label is a place in the code that jumps lead to.
type Label int

// Text is machine code that is being written.
type Text struct {
	Bytes  []byte
	packed []byte  // the same with short jumps
	labels []int   // where each is, -1 when not yet
	fronts []int   // and how many jumps there are in front of it
	used   []bool  // whether something jumps there
	here   []Label // those bound last, at one place
	fixes  []fix
	pool   []uint64
	loads  []load
	gone   []int // see shorten
	ended  int   // where an instruction ends behind which nothing goes on, if that was the last
}

// fix is a jump: the bytes from start to end, in the long form.
type fix struct {
	start, end int
	to         Label
	kind       uint8
	short      bool
}

// load is an operand that is in the pool.
type load struct {
	at, end int // the bytes to fill in, and the end of the instruction
	front   int // how many jumps there are in front of it
	number  int
}

// Jump is a kind of jump of a host; kind 0 is the one that always jumps. It is written in its long form.
type Jump struct {
	Saved       int // bytes that the short form is shorter, 0 for none
	Least, Most int // distances of the short form, from its end
}

// Label returns a new label.
func (t *Text) Label() Label {
	t.labels, t.fronts, t.used = append(t.labels, -1), append(t.fronts, 0), append(t.used, false)
	return Label(len(t.labels) - 1)
}

// Bind says that a label is here.
func (t *Text) Bind(l Label) {
	if len(t.here) > 0 && t.labels[t.here[0]] != len(t.Bytes) {
		t.here = t.here[:0]
	}
	t.here = append(t.here, l)
	t.labels[l], t.fronts[l], t.ended = len(t.Bytes), len(t.fixes), -1
}

// same says that a label is where another one is, behind which there is an instruction.
func (t *Text) same(l, as Label) { t.labels[l], t.fronts[l] = t.labels[as], t.fronts[as] }

// begin drops all that has been written.
func (t *Text) begin() {
	t.Bytes, t.labels, t.fronts, t.used, t.here = t.Bytes[:0], t.labels[:0], t.fronts[:0], t.used[:0], t.here[:0]
	t.fixes, t.pool, t.loads, t.ended = t.fixes[:0], t.pool[:0], t.loads[:0], -1
}

// Jumped notes that the last instruction, of a number of bytes, is a jump.
func (t *Text) Jumped(bytes int, kind uint8, to Label) {
	t.fixes = append(t.fixes, fix{start: len(t.Bytes) - bytes, end: len(t.Bytes), to: to, kind: kind})
	t.used[to] = true
	if kind == 0 {
		t.End()
	}
}

// End notes that nothing goes on behind the last instruction.
func (t *Text) End() { t.ended = len(t.Bytes) }

// over reports whether nothing goes on here but what jumps here.
func (t *Text) over() bool { return t.ended == len(t.Bytes) }

// Constant is the number of a value in the pool.
func (t *Text) Constant(v uint64) int {
	n := slices.Index(t.pool, v)
	if n < 0 {
		n = len(t.pool)
		t.pool = append(t.pool, v)
	}
	return n
}

// Loaded notes that an instruction that ends at end has a value of the pool as its operand, by the bytes at a place.
func (t *Text) Loaded(at, end, constant int) {
	t.loads = append(t.loads, load{at: at, end: end, front: len(t.fixes), number: constant})
}

// jumpsTo reports whether the last instruction jumps to a label.
func (t *Text) jumpsTo(l Label) bool {
	n := len(t.fixes) - 1
	return n >= 0 && t.fixes[n].to == l && t.fixes[n].kind == 0 && t.fixes[n].end == len(t.Bytes)
}

// reach binds a label, and drops a jump to it that is right before.
func (t *Text) reach(l Label) {
	if t.jumpsTo(l) {
		n := len(t.fixes) - 1
		start := t.fixes[n].start
		for _, k := range t.here {
			if t.labels[k] == len(t.Bytes) {
				t.labels[k], t.fronts[k] = start, n
			}
		}
		t.Bytes, t.ended = t.Bytes[:start], -1
		t.fixes = t.fixes[:n]
	}
	t.Bind(l)
}
