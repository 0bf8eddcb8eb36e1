package asm

import (
	"debug/elf"

	"arcv2dsp/internal/program/elfarc"
)

// section is one output section: its subsections are laid out one after the other by number.
type section struct {
	name  string
	typ   elf.SectionType
	flags elf.SectionFlag
	entry uint32
	info  uint32
	link  string // name of the section that SHF_LINK_ORDER refers to

	group  string // signature of the group it belongs to
	comdat bool
	unique uint32 // to tell sections of one name apart: 1 more than the number that the source gives

	absolute bool // of .struct: only counts, labels are numbers

	align  uint32 // greatest alignment asked for
	subs   []*stream
	symbol *symbol
	size   uint32 // after layout
	used   uint32 // the same without the padding at the end
	elf    *elfarc.Section
}

func (s *section) code() bool   { return s.flags&elf.SHF_EXECINSTR != 0 }
func (s *section) nobits() bool { return s.typ == elf.SHT_NOBITS }

// stream is a subsection: fixed bytes in the order written, with places of variable size between
// them. An offset in buf plus the shift of its frag is an address in the section.
type stream struct {
	section *section
	number  int64
	buf     []byte
	skipped uint32 // nobits sections have no bytes, only a size
	frags   []frag
	fixes   []fixup
	lines   []lineEntry // rows of .debug_line
	prev    insnState   // for the delay-slot rules
}

// frag is a run of fixed bytes, ended by a place of variable size or by the end of the stream.
type frag struct {
	end   uint32 // offset in buf where the fixed bytes end
	size  uint32 // present size of the variable place
	shift uint32 // address of the fixed bytes minus their offset in buf
	v     variable
}

// variable is a place whose size depends on addresses.
type variable interface {
	// resize returns the size for a place that begins at address addr of its section.
	resize(a *assembler, st *stream, addr, old uint32) uint32
	// emit appends the final bytes: old is their number.
	emit(a *assembler, st *stream, dst []byte, addr, size uint32) []byte
}

// location is a place in a stream, valid before the layout.
type location struct {
	stream *stream
	frag   int32
	off    uint32
}

func newStream(sec *section, number int64) *stream {
	return &stream{section: sec, number: number, frags: make([]frag, 1, 4)}
}

// pos is the number of fixed bytes so far.
func (st *stream) pos() uint32 {
	if st.section.nobits() {
		return st.skipped
	}
	return uint32(len(st.buf))
}

// location is where the next byte will go.
func (a *assembler) location() location {
	return location{stream: a.cur, frag: int32(len(a.cur.frags) - 1), off: a.cur.pos()}
}

// addr is the address of a location in its section, valid after the layout.
func (l location) addr() uint32 { return l.off + l.stream.frags[l.frag].shift }

// place ends the current frag with a variable place.
func (st *stream) place(v variable, guess uint32) {
	f := &st.frags[len(st.frags)-1]
	f.end = st.pos()
	f.v = v
	f.size = guess
	st.frags = append(st.frags, frag{})
}

// maxSection bounds a section: addresses are 32 bits, and a typing error must not fill the memory.
const maxSection = 1 << 28

// reserve tells whether n more bytes may go into the current section, and reports it if not.
func (a *assembler) reserve(n int64) bool {
	if n < 0 || n > a.fillable || n+int64(a.cur.pos()) > a.maxSize {
		a.errorAt(a.stmt, "section %s would be larger than %d MB", a.cur.section.name, maxSection>>20)
		return false
	}
	if !a.cur.section.nobits() {
		a.fillable -= n
	}
	return true
}

// fill appends n bytes of a value.
func (a *assembler) fill(n int64, value byte) {
	if !a.reserve(n) {
		return
	}
	st := a.cur
	if st.section.nobits() {
		st.skipped += uint32(n)
		return
	}
	at := len(st.buf)
	st.buf = append(st.buf, make([]byte, n)...)
	if value != 0 {
		for i := range st.buf[at:] {
			st.buf[at+i] = value
		}
	}
}

// emitBytes appends data bytes.
func (a *assembler) emitBytes(b ...byte) {
	st := a.cur
	if st.section.nobits() {
		a.emitNobits(b)
		return
	}
	st.buf = append(st.buf, b...)
}

func (a *assembler) emitNobits(b []byte) {
	for _, c := range b {
		if c != 0 {
			a.errorAt(a.stmt, "section %s holds no data, only space", a.cur.section.name)
			break
		}
	}
	a.cur.skipped += uint32(len(b))
}

// emitInt appends an integer of size bytes in the byte order of the target.
func (a *assembler) emitInt(v uint64, size int) {
	var b [8]byte
	putInt(b[:size], v, a.big)
	a.emitBytes(b[:size]...)
}

func putInt(b []byte, v uint64, big bool) {
	for i := range b {
		if big {
			b[len(b)-1-i] = byte(v)
		} else {
			b[i] = byte(v)
		}
		v >>= 8
	}
}
