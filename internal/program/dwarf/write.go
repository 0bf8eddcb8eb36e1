package dwarf

import (
	"encoding/binary"
	"math"

	"arcv2dsp/internal/program/elfarc"
)

// SourceFile is one entry of a line table's file list.
type SourceFile struct {
	Name string
	Dir  string   // "" for the compilation directory
	MD5  [16]byte // all zero when not given; version 5 only, for all files or none
}

// LineRow says that the code at Off and behind comes from a line.
type LineRow struct {
	Off           uint32 // in the section, not below the row before
	File          int    // number in LineTable.Files
	Line          int
	Column        int
	ISA           uint32
	Discriminator uint32
	NotStmt       bool // no breakpoint place
	BasicBlock    bool
	PrologueEnd   bool
	EpilogueBegin bool
	NewView       bool // the rows at this address are counted from here: the address is set anew
}

// Sequence is the rows of one section.
type Sequence struct {
	Section *elfarc.Symbol // section symbol that offsets are relative to
	Rows    []LineRow
	End     uint32 // offset behind the last instruction
}

// LineTable is the line information of one object.
type LineTable struct {
	Version int    // 2 to 5
	CompDir string // compilation directory, recorded by version 5
	// Files is indexed by file number. File 0 exists in version 5 only, where it is the primary source;
	// when it is empty there, file 1 takes its place.
	Files     []SourceFile
	Sequences []Sequence
}

// Standard and extended opcodes of line programs.
const (
	lnsCopy           = 1
	lnsAdvancePC      = 2
	lnsAdvanceLine    = 3
	lnsSetFile        = 4
	lnsSetColumn      = 5
	lnsNegateStmt     = 6
	lnsBasicBlock     = 7
	lnsConstAddPC     = 8
	lnsFixedAdvancePC = 9
	lnsPrologueEnd    = 10
	lnsEpilogueBegin  = 11
	lnsSetISA         = 12

	lneEndSequence   = 1
	lneSetAddress    = 2
	lneDefineFile    = 3
	lneDiscriminator = 4
)

// Parameters of the special opcodes, as the GNU assembler chooses them for this processor.
const (
	lineBase   = -5
	lineRange  = 14
	opcodeBase = 13
	constAdd   = (255 - opcodeBase) / lineRange // addresses that lnsConstAddPC skips
)

// Encode returns the contents of .debug_line and its relocations.
func (t *LineTable) Encode(big bool) (data []byte, relocs []elfarc.Rela) {
	e := newEncoder(big)
	end := e.length()
	e.u16(uint16(t.Version))
	if t.Version >= 5 {
		e.u8(4) // address size
		e.u8(0) // segment selector size
	}
	headerEnd := e.length()
	e.u8(1) // bytes per smallest instruction: all advances are in bytes
	if t.Version >= 4 {
		e.u8(1) // operations per instruction
	}
	e.u8(1) // rows are breakpoint places by default
	e.u8(lineBase & 0xff)
	e.u8(lineRange)
	e.u8(opcodeBase)
	for _, operands := range [opcodeBase - 1]byte{0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1} {
		e.u8(operands)
	}
	if t.Version >= 5 {
		t.tables5(e)
	} else {
		t.tables(e)
	}
	headerEnd()
	for i := range t.Sequences {
		t.Sequences[i].encode(e)
	}
	end()
	return e.data, e.relocs
}

// directories numbers the directories of the files; the compilation directory is 0.
func (t *LineTable) directories(files []SourceFile) (dirs []string, number map[string]int) {
	dirs, number = []string{t.CompDir}, map[string]int{"": 0, t.CompDir: 0}
	for _, f := range files {
		if _, ok := number[f.Dir]; !ok {
			number[f.Dir] = len(dirs)
			dirs = append(dirs, f.Dir)
		}
	}
	return dirs, number
}

// tables writes the directory and file lists of versions 2 to 4, where files count from 1.
func (t *LineTable) tables(e *encoder) {
	var files []SourceFile
	if len(t.Files) > 1 {
		files = t.Files[1:]
	}
	dirs, number := t.directories(files)
	for _, d := range dirs[1:] {
		e.str(d)
	}
	e.u8(0)
	for _, f := range files {
		e.str(f.Name)
		e.uleb(uint64(number[f.Dir]))
		e.uleb(0) // time
		e.uleb(0) // size
	}
	e.u8(0)
}

// tables5 writes the directory and file lists of version 5.
func (t *LineTable) tables5(e *encoder) {
	const (
		contentPath, contentDir, contentMD5 = 1, 2, 5
		formString, formUdata, formData16   = 0x08, 0x0f, 0x1e
	)
	files := append([]SourceFile(nil), t.Files...)
	if len(files) > 1 && files[0].Name == "" {
		files[0] = files[1]
	}
	dirs, number := t.directories(files)
	e.u8(1)
	e.uleb(contentPath)
	e.uleb(formString)
	e.uleb(uint64(len(dirs)))
	for _, d := range dirs {
		e.str(d)
	}
	md5 := len(files) > 0
	for _, f := range files {
		md5 = md5 && f.MD5 != [16]byte{}
	}
	if md5 {
		e.u8(3)
	} else {
		e.u8(2)
	}
	e.uleb(contentPath)
	e.uleb(formString)
	e.uleb(contentDir)
	e.uleb(formUdata)
	if md5 {
		e.uleb(contentMD5)
		e.uleb(formData16)
	}
	e.uleb(uint64(len(files)))
	for _, f := range files {
		e.str(f.Name)
		e.uleb(uint64(number[f.Dir]))
		if md5 {
			e.data = append(e.data, f.MD5[:]...)
		}
	}
}

// encode writes one sequence: where it starts, its rows, its end.
func (s *Sequence) encode(e *encoder) {
	if len(s.Rows) == 0 {
		return
	}
	state := LineRow{Off: s.Rows[0].Off, File: 1, Line: 1}
	e.setAddress(s.Section, state.Off)
	for i, r := range s.Rows {
		if r.File != state.File {
			e.u8(lnsSetFile)
			e.uleb(uint64(r.File))
		}
		if r.Column != state.Column {
			e.u8(lnsSetColumn)
			e.uleb(uint64(r.Column))
		}
		if r.ISA != state.ISA {
			e.u8(lnsSetISA)
			e.uleb(uint64(r.ISA))
		}
		if r.NotStmt != state.NotStmt {
			e.u8(lnsNegateStmt)
		}
		if r.Discriminator != 0 {
			e.u8(0)
			e.uleb(uint64(1 + ulebLen(uint64(r.Discriminator))))
			e.u8(lneDiscriminator)
			e.uleb(uint64(r.Discriminator))
		}
		if r.BasicBlock {
			e.u8(lnsBasicBlock)
		}
		if r.PrologueEnd {
			e.u8(lnsPrologueEnd)
		}
		if r.EpilogueBegin {
			e.u8(lnsEpilogueBegin)
		}
		// Readers count views anew where the address moves, and where it is set.
		if r.NewView && r.Off == state.Off && i > 0 {
			e.setAddress(s.Section, r.Off)
		}
		e.advance(r.Line-state.Line, r.Off-state.Off)
		state = r
	}
	if n := s.End - state.Off; n != 0 {
		e.u8(lnsAdvancePC)
		e.uleb(uint64(n))
	}
	e.u8(0)
	e.uleb(1)
	e.u8(lneEndSequence)
}

func (e *encoder) setAddress(section *elfarc.Symbol, off uint32) {
	e.u8(0)
	e.uleb(5)
	e.u8(lneSetAddress)
	e.addr(section, int32(off))
}

// advance appends a row after moving line and address, by a special opcode where one reaches.
func (e *encoder) advance(line int, addr uint32) {
	if line < lineBase || line >= lineBase+lineRange {
		e.u8(lnsAdvanceLine)
		e.sleb(int64(line))
		line = 0
	}
	column := line - lineBase + opcodeBase
	reach := uint32(255-column) / lineRange // addresses a special opcode can add to this line
	switch {
	case addr <= reach:
	case addr >= constAdd && addr-constAdd <= reach:
		e.u8(lnsConstAddPC)
		addr -= constAdd
	default:
		e.u8(lnsAdvancePC)
		e.uleb(uint64(addr))
		addr = 0
	}
	if line == 0 && addr == 0 {
		e.u8(lnsCopy)
		return
	}
	e.u8(byte(column + lineRange*int(addr)))
}

// encoder appends DWARF values to a section.
type encoder struct {
	data   []byte
	relocs []elfarc.Rela
	order  interface {
		binary.ByteOrder
		binary.AppendByteOrder
	}
}

func newEncoder(big bool) *encoder {
	if big {
		return &encoder{order: binary.BigEndian}
	}
	return &encoder{order: binary.LittleEndian}
}

func (e *encoder) u8(v byte)     { e.data = append(e.data, v) }
func (e *encoder) u16(v uint16)  { e.data = e.order.AppendUint16(e.data, v) }
func (e *encoder) u32(v uint32)  { e.data = e.order.AppendUint32(e.data, v) }
func (e *encoder) str(s string)  { e.data = append(append(e.data, s...), 0) }
func (e *encoder) uleb(v uint64) { e.data = binary.AppendUvarint(e.data, v) }

func (e *encoder) sleb(v int64) {
	for {
		b := byte(v & 0x7f)
		if v >>= 7; v == 0 && b&0x40 == 0 || v == -1 && b&0x40 != 0 {
			e.u8(b)
			return
		}
		e.u8(b | 0x80)
	}
}

func ulebLen(v uint64) int {
	var b [binary.MaxVarintLen64]byte
	return binary.PutUvarint(b[:], v)
}

// addr appends the address of a symbol plus an offset.
func (e *encoder) addr(sym *elfarc.Symbol, off int32) {
	e.relocs = append(e.relocs, elfarc.Rela{Offset: uint32(len(e.data)), Type: elfarc.R_ARC_32, Sym: sym, Addend: off})
	e.u32(0)
}

// length appends a 32-bit length that the returned function fills in: the bytes between it and the call.
func (e *encoder) length() (end func()) {
	at := len(e.data)
	e.u32(math.MaxUint32)
	return func() { e.order.PutUint32(e.data[at:], uint32(len(e.data)-at-4)) }
}
