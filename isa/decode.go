package isa

import (
	"encoding/binary"
	"errors"
	"math/bits"
	"slices"
	"sync"
	"sync/atomic"
)

// Decoder recognises the instructions of one core. It is safe for concurrent use, and immutable once it is built.
//
// For each space it is a tree over the bits of the instruction: the first halfword selects a form (16-bit
// instructions) or a node; a node selects by one field of the second halfword, or by what tells the
// forms of a general instruction apart: which register fields are 62. The tree is derived from the
// masks of the forms, so a lookup costs the same however many rows there are.
type Decoder struct {
	features Feature
	trees    [numSpaces]atomic.Pointer[tree]
}

// tree is the part of a decoder for a space. It is built when the first instruction comes that is in it.
type tree struct {
	first    []ref // by the rest of the first halfword
	nodes    []node
	children []ref
	plans    *planTable
}

// ref is 0 for no instruction, the index of a plan, or a node with the top bit set.
type ref uint16

const refNode ref = 1 << 15

// node selects among children by one field of the second halfword, or by nulls when mask is 0.
type node struct {
	shift uint8
	mask  uint8
	base  uint32
}

// nulls tells the forms of a general instruction apart: bit 0 is set when a is 62, bit 1 when c is,
// bit 2 when the high part of b is that of 62; bit 3 is bit 15 of the word, bit 4 bit 5.
func nulls(low uint32) uint32 {
	return (low&63^62-1)>>31 | (low>>6&63^62-1)>>31<<1 | (low>>12&7^7-1)>>31<<2 | low>>15<<3 |
		low>>5&1<<4
}

const numNulls = 1 << 5

// NewDecoder returns the decoder of a core with the given options. Decoders are built once per set, when they decode for
// the first time: many cores are made only to be described.
func NewDecoder(f Feature) *Decoder {
	if d, ok := decoders.Load(f); ok {
		return d.(*Decoder)
	}
	d, _ := decoders.LoadOrStore(f, &Decoder{features: f})
	return d.(*Decoder)
}

var decoders sync.Map // Feature -> *Decoder

// Features returns the options the decoder was built for.
func (d *Decoder) Features() Feature { return d.features }

// Code is the start of an instruction stream: four halfwords in the order of their addresses, the
// first one in the top bits. Both byte orders of memory give the same Code.
type Code uint64

// LittleCode reads a Code from a little-endian core's memory, where each halfword is stored low
// byte first and a 32-bit word high halfword first (middle-endian).
func LittleCode(b *[8]byte) Code {
	v := binary.LittleEndian.Uint64(b[:])
	v = v<<32 | v>>32
	return Code(v&0x0000ffff_0000ffff<<16 | v>>16&0x0000ffff_0000ffff)
}

// BigCode reads a Code from a big-endian core's memory.
func BigCode(b *[8]byte) Code { return Code(binary.BigEndian.Uint64(b[:])) }

// ErrTruncated reports an instruction that goes on after the end of the bytes.
var ErrTruncated = errors.New("instruction continues after the end of the code")

// DecodeBytes decodes the instruction at the start of b. Bytes that are no instruction give an Inst
// with Op Invalid and no error; bytes that end too early give ErrTruncated.
func (d *Decoder) DecodeBytes(b []byte, bigEndian bool) (Inst, error) {
	var buf [8]byte
	n := copy(buf[:], b)
	code := LittleCode(&buf)
	if bigEndian {
		code = BigCode(&buf)
	}
	if n < 2 || code.Size() > n {
		return Inst{}, ErrTruncated
	}
	in := d.Decode(code)
	if int(in.Len) > n {
		return Inst{}, ErrTruncated
	}
	return in, nil
}

// Size returns the length of the instruction without its long immediate: 2 or 4 bytes.
func (c Code) Size() int {
	if c>>59 < 8 {
		return 4
	}
	return 2
}

// Decode decodes the instruction at the start of c. Code that is no instruction of the core gives
// an Inst with Op Invalid and the length of the instruction word.
func (d *Decoder) Decode(c Code) (in Inst) {
	d.DecodeInto(&in, c)
	return in
}

// DecodeInto is Decode without the copy of the result.
func (d *Decoder) DecodeInto(in *Inst, c Code) {
	space, rest := spaceOf(uint16(c >> 48))
	t := d.trees[space&(numSpaces-1)].Load()
	if t == nil {
		t = newTree(space, d.features)
		d.trees[space].Store(t)
	}
	r := t.first[rest]
	low := uint32(uint16(c >> 32))
	for r >= refNode {
		n := &t.nodes[r&^refNode]
		i := nulls(low)
		if n.mask != 0 {
			i = low >> (n.shift & 15) & uint32(n.mask)
		}
		r = t.children[n.base+i]
	}
	in.Limm, in.HasLimm = 0, false
	if r == 0 || !t.plans.fill(&t.plans.plans[r], in, c) {
		*in = Inst{Len: uint8(c.Size()), Word: uint32(c >> 32)}
		if in.Len == 2 {
			in.Word = uint32(c >> 48)
		}
	}
}

// groups are the fields of the second halfword that a node may select by: F, b, c and a.
var groups = [...]group{{15, 1}, {12, 3}, {6, 6}, {0, 6}}

type group struct{ shift, width uint8 }

func (g group) mask() uint16 { return (1<<g.width - 1) << g.shift }

// null is the value of a group that stands for 62, long immediate or no destination, when the
// group is a register field; b has its low bits in the first halfword.
func (g group) null() uint16 { return 62 >> (6 - g.width) }

// decodeOrder lists the forms of a space that a feature set has, the most specific first: rows that take a part of
// another row's space, then by the number of fields that are 62, then by opcode bits. Forms that
// only GNU as emits come last.
func decodeOrder(of start, forms []*Form, f Feature) []candidate {
	type ranked struct {
		*Form
		plan uint16
		rank int
	}
	var own []ranked
	for i, form := range forms {
		if f.Has(form.Needs) {
			own = append(own, ranked{form, uint16(i + 1), int(bit(form.Row.Over != Invalid))<<16 | form.fixed62()<<8 | bits.OnesCount32(form.Mask)})
		}
	}
	slices.SortStableFunc(own, func(a, b ranked) int { return b.rank - a.rank })
	var list, gnu []candidate
	for _, form := range own {
		if of.meets(form.start(form.Value)) {
			list = append(list, form.candidate(form.plan, form.Value))
		}
		if form.GNU != form.Value && of.meets(form.start(form.GNU)) {
			gnu = append(gnu, form.candidate(form.plan, form.GNU))
		}
	}
	return append(list, gnu...)
}

// fixed62 counts the register fields a, b, c whose opcode bits are 62.
func (f *Form) fixed62() int {
	n := 0
	if f.Size == 4 {
		for _, field := range [...]struct{ mask, value uint32 }{
			{0x3f, 0x3e}, {0xfc0, 0xf80}, {0x07007000, 0x06007000},
		} {
			if f.Mask&field.mask == field.mask && f.Value&field.mask == field.value {
				n++
			}
		}
	}
	return n
}

// candidate is a form that the bits read so far allow.
type candidate struct {
	plan      uint16 // of the form
	start            // opcode bits of the first halfword
	low, bits uint16 // opcode bits of the second halfword
	regs      uint16 // bits of the second halfword in register fields, which are never 62
}

func (f *Form) candidate(plan uint16, value uint32) candidate {
	c := candidate{plan: plan, start: f.start(value)}
	if f.Size == 2 {
		return c
	}
	c.low, c.bits = uint16(f.Mask), uint16(value)
	for _, a := range f.Args {
		if a.Kind == FieldReg && a.Same < 0 {
			for _, p := range a.parts {
				if p.shift < 16 {
					c.regs |= uint16(p.mask << p.shift)
				}
			}
		}
	}
	return c
}

// treeBuilder turns lists of candidates into nodes.
type treeBuilder struct {
	*tree
	memo map[string]ref
	key  []byte // of the node that is looked up
}

// newTree derives the tree of a space.
func newTree(space uint16, features Feature) *tree {
	of, shift := spaceStart(space), spaceParts[space>>6].shift
	t := &tree{first: make([]ref, 1<<restBits>>shift), plans: plansOf(space)}
	list := decodeOrder(of, t.plans.forms, features)
	// The candidates of each first halfword: a chain of additions, shared between halfwords.
	type addition struct{ before, candidate, latest uint32 } // latest is the last chain that goes on from this one, 0 for none
	chains := []addition{{}}
	chainOf := make([]uint32, len(t.first))
	for i, c := range list {
		last, next := ^uint32(0), uint32(0)
		value := c.value &^ of.mask
		for free, h := ^(c.mask | of.mask), uint16(0); ; {
			at := &chainOf[(value|h)>>shift]
			if before := *at; before != last {
				last, next = before, chains[before].latest
				if next == 0 || chains[next].candidate != uint32(i) {
					next = uint32(len(chains))
					chains[before].latest = next
					chains = append(chains, addition{before: before, candidate: uint32(i)})
				}
			}
			*at = next
			if h = (h - free) & free; h == 0 {
				break
			}
		}
	}
	b := treeBuilder{tree: t, memo: map[string]ref{}}
	type root struct {
		ref
		known bool
	}
	roots := make([][2]root, len(chains)) // by whether the low part of b is that of 62
	for h, chain := range chainOf {
		b62 := h<<shift>>8&7 == 62&7
		r := &roots[chain][bit(b62)]
		if !r.known {
			var l []candidate
			for at := chain; at != 0; at = chains[at].before {
				l = append(l, list[chains[at].candidate])
			}
			slices.Reverse(l)
			*r = root{b.build(l, 0, b62), true}
		}
		t.first[h] = r.ref
	}
	return t
}

// settled reports whether the known bits tell that list[0] is meant: all its opcode bits are read,
// and no register field can still turn out to be the 62 of a later candidate.
func settled(list []candidate, known uint16, b62 bool) bool {
	c := list[0]
	if c.low&^known != 0 {
		return false
	}
	for _, g := range groups[1:] {
		if c.regs&g.mask()&^known == 0 || g.width == 3 && !b62 {
			continue
		}
		for _, later := range list[1:] {
			if later.low&g.mask() == g.mask() && later.bits&g.mask()>>g.shift == g.null() {
				return false
			}
		}
	}
	return true
}

// build returns the subtree that tells list apart by the bits of the second halfword that are not
// in known. b62 says that the low part of b, in the first halfword, is that of 62.
func (b *treeBuilder) build(list []candidate, known uint16, b62 bool) ref {
	if len(list) == 0 {
		return 0
	}
	if settled(list, known, b62) {
		return ref(list[0].plan)
	}
	b.key = append(binary.LittleEndian.AppendUint16(b.key[:0], known), byte(bit(b62)))
	for _, c := range list {
		b.key = binary.LittleEndian.AppendUint16(b.key, c.plan)
		b.key = binary.LittleEndian.AppendUint16(b.key, c.bits)
	}
	if r, ok := b.memo[string(b.key)]; ok {
		return r
	}
	key := string(b.key)
	if allNulls(list, known) {
		r := b.buildNulls(list, known, b62)
		b.memo[key] = r
		return r
	}
	best, most := group{}, 0
	for _, g := range groups {
		n := 0
		for _, c := range list {
			if (c.low|c.regs)&g.mask()&^known != 0 {
				n++
			}
		}
		if n > most {
			best, most = g, n
		}
	}
	base := len(b.children)
	b.children = append(b.children, make([]ref, 1<<best.width)...)
	r := refNode | ref(len(b.nodes))
	b.nodes = append(b.nodes, node{shift: best.shift, mask: 1<<best.width - 1, base: uint32(base)})
	rest := make([]candidate, 0, len(list))
	for v := range uint16(1) << best.width {
		null := v == best.null() && (best.width == 6 || best.width == 3 && b62)
		rest = rest[:0]
		for _, c := range list {
			if (v<<best.shift^c.bits)&c.low&best.mask() == 0 && !(null && c.regs&best.mask() != 0) {
				rest = append(rest, c)
			}
		}
		b.children[base+int(v)] = b.build(rest, known|best.mask(), b62)
	}
	b.memo[key] = r
	return r
}

// allNulls reports whether nulls tells the candidates apart.
func allNulls(list []candidate, known uint16) bool {
	for _, c := range list {
		for _, g := range groups[1:] {
			low := c.low & g.mask() &^ known
			full := low == g.mask() && c.bits&g.mask()>>g.shift == g.null()
			if low != 0 && !full && !(g.shift == 0 && low == 1<<5) {
				return false
			}
		}
	}
	return true
}

// buildNulls returns the node that selects by nulls.
func (b *treeBuilder) buildNulls(list []candidate, known uint16, b62 bool) ref {
	base := len(b.children)
	for v := range uint16(numNulls) {
		b.children = append(b.children, firstOf(list, known, v, b62))
	}
	b.nodes = append(b.nodes, node{base: uint32(base)})
	return refNode | ref(len(b.nodes)-1)
}

// firstOf returns the first candidate that a value of nulls allows.
func firstOf(list []candidate, known, nulls uint16, b62 bool) ref {
	isNull := [...]bool{false, nulls>>2&1 != 0, nulls>>1&1 != 0, nulls&1 != 0} // as groups
next:
	for _, c := range list {
		if c.low&^known>>15 != 0 && c.bits>>15 != nulls>>3&1 {
			continue
		}
		if c.low&^known&0x3f == 1<<5 && c.bits>>5&1 != nulls>>4&1 {
			continue
		}
		for i, g := range groups {
			fixed := c.low&^known&g.mask() == g.mask() && i > 0
			never := c.regs&^known&g.mask() == g.mask() && i > 0 && (g.width == 6 || b62)
			if fixed && !isNull[i] || never && isNull[i] {
				continue next
			}
		}
		return ref(c.plan)
	}
	return 0
}
