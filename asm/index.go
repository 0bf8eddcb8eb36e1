package asm

import (
	"math"
	"sort"
	"strings"
)

// Index is what the names of a program mean and where they stand, for editors. Options.Index asks for one; Assemble fills
// it as far as it comes, whatever errors the program has.
type Index struct {
	Files []Source // that were read, each once
	Names []*Name
	Insts []PlacedInst // by file and offset; none when the program has errors
}

// NameKind is what a name stands for.
type NameKind uint8

// The kinds of names.
const (
	NameUndefined NameKind = iota // of another object, or a mistake
	NameLabel
	NameConstant // by .equ, .set and their kin
	NameCommon   // a common block
	NameNumber   // a label such as 1: or 1$:, of which a program has several
	NameMacro
	NameAux // an auxiliary register
)

// Name is one name of a program. What is written alike and means different things, such as labels 1:, is several names.
type Name struct {
	Text   string
	Kind   NameKind
	Value  int64 // of a constant; of a label its address in Section, when the program has no errors
	Known  bool  // Value is known
	Global bool
	Sect   string // of a label: its section
	Uses   []Use  // by file and offset

	sym  *symbol
	same *Name // it has turned out to be that one
}

// Use is a place where a name stands.
type Use struct {
	File int // in Index.Files
	Off  int // in bytes
	Len  int
	Def  bool // it gets its meaning there
}

// PlacedInst is an instruction of the object and the statement in a file that it comes from: a call of a macro, for those
// that the macro has.
type PlacedInst struct {
	File int
	Off  int
	Sect string
	Addr uint32
}

// indexer fills an Index. A nil one notes nothing.
type indexer struct {
	x       *Index
	muted   bool
	names   map[string]*Name
	macros  map[string]*Name
	numbers map[*symbol]*Name
	spots   map[place]*Name
	uses    []spot
	insts   []instSpot
	pieces  int // of expansions, so far
}

// spot is a use in a source that is a file.
type spot struct {
	place
	len  int32
	def  bool
	name *Name
}

type instSpot struct {
	place
	at location
}

// Bounds of what is noted: an index is for what people write.
const (
	maxPieces = 1 << 20
	maxSpots  = 1 << 20
)

func newIndexer(x *Index) *indexer {
	*x = Index{}
	return &indexer{x: x, names: map[string]*Name{}, macros: map[string]*Name{}, numbers: map[*symbol]*Name{}, spots: map[place]*Name{}}
}

// origin says where the text of an expansion stands: piece by piece, or again and again in the body of a loop.
type origin struct {
	x      *indexer
	period int32
	body   place
	pieces []originPiece
}

type originPiece struct {
	at   int32 // in the expansion
	from place // src is negative when it stands nowhere as it is
}

// nowhere is the place of text that nobody wrote.
var nowhere = place{src: -1}

// expansion begins to note the pieces of an expansion.
func (x *indexer) expansion() *origin {
	if x == nil {
		return nil
	}
	return &origin{x: x}
}

// repetition is the origin of a body that is repeated as it is.
func (x *indexer) repetition(body collected) *origin {
	if x == nil {
		return nil
	}
	return &origin{x: x, period: int32(len(body.text)), body: body.at}
}

// places makes room for where arguments stand.
func (x *indexer) places(n int) []place {
	if x == nil {
		return nil
	}
	list := make([]place, n)
	for i := range list {
		list[i] = nowhere
	}
	return list
}

// add notes that from here on the expansion is the text at a place.
func (o *origin) add(at int, from place, off int32) {
	if o == nil || o.x.pieces >= maxPieces {
		return
	}
	o.x.pieces++
	from.off += off
	o.pieces = append(o.pieces, originPiece{at: int32(at), from: from})
}

func (o *origin) nowhere(at int) { o.add(at, nowhere, 0) }

// find returns where a stretch of the expansion stands.
func (o *origin) find(off, n int32) (place, bool) {
	if o.period > 0 {
		off %= o.period
		return place{src: o.body.src, off: o.body.off + off}, off+n <= o.period
	}
	i := sort.Search(len(o.pieces), func(i int) bool { return o.pieces[i].at > off }) - 1
	// Pieces without text stand before the one that has it.
	if i < 0 || o.pieces[i].from.src < 0 {
		return place{}, false
	}
	end := int32(math.MaxInt32)
	if i+1 < len(o.pieces) {
		end = o.pieces[i+1].at
	}
	p := &o.pieces[i]
	return place{src: p.from.src, off: p.from.off + off - p.at}, off+n <= end
}

// written finds the place in a file of what stands at an offset of the text being read. An argument that the file has with
// other blanks stands nowhere.
func (x *indexer) written(a *assembler, off, n int) (place, bool) {
	p := a.here(off)
	for {
		s := &a.sources[p.src]
		if s.isFile() {
			end := int(p.off) + n
			return p, end <= len(s.text) && s.text[p.off:end] == a.s[off:off+n]
		}
		if s.origin == nil {
			return p, false
		}
		var ok bool
		if p, ok = s.origin.find(p.off, int32(n)); !ok {
			return p, false
		}
	}
}

// isFile tells whether a source is a file and not an expansion.
func (s *source) isFile() bool { return s.what == "" || s.what == whatIncluded }

// note adds a use of a name.
func (x *indexer) note(a *assembler, n *Name, off, length int, def bool) {
	if x.muted || len(x.uses) >= maxSpots || len(a.frames) == 0 {
		return
	}
	at, ok := x.written(a, off, length)
	if !ok || at.src == 0 { // 0 is the command line
		return
	}
	if old := x.spots[at]; old != nil {
		old, n := old.final(), n.final()
		if old == n || old.Kind != n.Kind || old.Kind != NameNumber {
			return
		}
		n.same = old // one text, expanded several times
		return
	}
	x.spots[at] = n
	x.uses = append(x.uses, spot{place: at, len: int32(length), def: def, name: n})
}

func (n *Name) final() *Name {
	for n.same != nil {
		n = n.same
	}
	return n
}

// symbol notes a symbol that stands at an offset.
func (x *indexer) symbol(a *assembler, name string, off int, def bool) {
	if x == nil || name == "" || name == "." || strings.HasPrefix(name, numericPrefix) {
		return
	}
	off = unquoted(a, off)
	if !strings.HasPrefix(a.s[off:], name) {
		return
	}
	n := x.names[name]
	if n == nil {
		n = &Name{Text: name}
		x.names[name] = n
	}
	x.note(a, n, off, len(name), def)
}

// passed notes a symbol that has just been read.
func (x *indexer) passed(a *assembler, name string, def bool) {
	if x == nil || x.muted {
		return
	}
	off := a.i - len(name)
	if off > 0 && a.s[a.i-1] == '"' {
		off--
	}
	if off < 0 || off > 0 && isNameChar(a.s[off-1]) {
		return
	}
	x.symbol(a, name, off, def)
}

// number notes a label of digits: its digits count, not f, b or $.
func (x *indexer) number(a *assembler, s *symbol, off int, def bool) {
	if x == nil {
		return
	}
	end := off
	for isDigit(a.s[end]) {
		end++
	}
	n := x.numbers[s]
	if n == nil {
		n = &Name{Text: a.s[off:end], Kind: NameNumber, sym: s}
		x.numbers[s] = n
	}
	x.note(a, n, off, end-off, def)
}

// unquoted returns where the name at an offset begins, behind its quote if it has one.
func unquoted(a *assembler, off int) int {
	if a.s[off] == '"' {
		return off + 1
	}
	return off
}

// macro notes the name of a macro, in small letters or capitals. One that is written with escapes stands nowhere as it is.
func (x *indexer) macro(a *assembler, name string, off int, def bool) {
	if x == nil {
		return
	}
	off = unquoted(a, off)
	if end := off + len(name); end > len(a.s) || !strings.EqualFold(a.s[off:end], name) {
		return
	}
	key := strings.ToLower(name)
	n := x.macros[key]
	if n == nil {
		n = &Name{Text: name, Kind: NameMacro}
		x.macros[key] = n
	}
	x.note(a, n, off, len(name), def)
}

// quiet says that the text being read is none of a file, and returns what was said before.
func (x *indexer) quiet(on bool) (before bool) {
	if x == nil {
		return false
	}
	before, x.muted = x.muted, on
	return before
}

// instruction notes an instruction that is about to be emitted.
func (x *indexer) instruction(a *assembler, off int) {
	if x == nil || len(x.insts) >= maxSpots {
		return
	}
	at := a.here(off)
	for !a.sources[at.src].isFile() {
		at = a.sources[at.src].from
	}
	x.insts = append(x.insts, instSpot{place: at, at: a.location()})
}

// complete fills the index at the end of a run; without an object it had errors.
func (x *indexer) complete(a *assembler, obj *Object) {
	if x == nil {
		return
	}
	files := make([]int, len(a.sources))
	byName := map[string]int{}
	for i := range a.sources {
		s := &a.sources[i]
		if i == 0 || !s.isFile() {
			continue
		}
		n, known := byName[s.name]
		if !known {
			n = len(x.x.Files)
			byName[s.name] = n
			x.x.Files = append(x.x.Files, Source{Name: s.name, Text: s.text})
		}
		files[i] = n
	}
	seen := map[Use]bool{}
	for _, u := range x.uses {
		n := u.name.final()
		use := Use{File: files[u.src], Off: int(u.off), Len: int(u.len)}
		if seen[use] { // the file was included twice
			continue
		}
		seen[use] = true
		use.Def = u.def
		if len(n.Uses) == 0 {
			n.describe(a, obj != nil)
			x.x.Names = append(x.x.Names, n)
		}
		n.Uses = append(n.Uses, use)
	}
	for _, n := range x.x.Names {
		sort.Slice(n.Uses, func(i, j int) bool {
			return n.Uses[i].File < n.Uses[j].File || n.Uses[i].File == n.Uses[j].File && n.Uses[i].Off < n.Uses[j].Off
		})
	}
	if obj == nil {
		return
	}
	for _, in := range x.insts {
		if sec := in.at.stream.section; !sec.absolute {
			x.x.Insts = append(x.x.Insts, PlacedInst{File: files[in.src], Off: int(in.off), Sect: sec.name, Addr: in.at.addr()})
		}
	}
}

// describe says what a name stands for at the end of the program.
func (n *Name) describe(a *assembler, placed bool) {
	if n.Kind == NameMacro {
		return
	}
	s := n.sym
	if s == nil {
		s = a.symbols[n.Text]
	}
	if s == nil {
		return
	}
	kind := NameUndefined
	switch s.kind {
	case symView:
		kind = NameConstant
	case symLabel:
		kind = NameLabel
		n.Sect = s.at.stream.section.name
		if n.Known = placed; placed {
			n.Value = int64(s.at.addr()) + s.n
		}
	case symAbs:
		kind, n.Value, n.Known = NameConstant, s.n, true
	case symEquate:
		kind = NameConstant
	case symCommon:
		kind, n.Value, n.Known = NameCommon, s.common, true
	case symUndefined:
		if s.auxName {
			kind = NameAux
		}
	}
	if n.Kind != NameNumber {
		n.Kind = kind
	}
	n.Global = s.given && s.bind != 0
}
