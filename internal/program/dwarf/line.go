package dwarf

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"path"
)

// lineRow is one row of a line program as the standard's state machine produces it.
type lineRow struct {
	addr   uint64
	file   uint64
	line   int
	column int
	stmt   bool
	end    bool // ends a sequence: addr is behind the last instruction

	discriminator uint32
}

// lineProgram is a decoded line program.
type lineProgram struct {
	files []string // by file number; "" for a number that names nothing
	names int      // bytes of the directories joined to names
	rows  []lineRow

	doubtful [][]lineRow // sequences at address 0, where those of dropped code are too
}

// join resolves a recorded name against a directory. Few names repeat a long directory in a sane file.
func (p *lineProgram) join(c *cursor, dir, name string) string {
	if dir == "" || name == "" || name[0] == '/' || name[0] == '\\' || len(name) > 1 && name[1] == ':' {
		return name
	}
	if p.names += len(dir); p.names > 64*len(c.data)+maxString {
		c.bad = true
		return ""
	}
	return path.Join(dir, name)
}

// file returns the name of a file number.
func (p *lineProgram) file(n uint64) string {
	if n < uint64(len(p.files)) {
		return p.files[n]
	}
	return ""
}

// lineSections are the sections a line program refers to.
type lineSections struct {
	line, str, lineStr []byte
	order              binary.ByteOrder
}

// cursor reads DWARF values. After the first error it reads zeros and stands still.
type cursor struct {
	data  []byte
	off   int
	order binary.ByteOrder
	bad   bool
}

func (c *cursor) bytes(n uint64) []byte {
	if c.bad || n > uint64(len(c.data)-c.off) {
		c.bad = true
		return nil
	}
	c.off += int(n)
	return c.data[c.off-int(n) : c.off]
}

func (c *cursor) u8() byte {
	if b := c.bytes(1); b != nil {
		return b[0]
	}
	return 0
}

func (c *cursor) u16() uint16 {
	if b := c.bytes(2); b != nil {
		return c.order.Uint16(b)
	}
	return 0
}

func (c *cursor) u32() uint32 {
	if b := c.bytes(4); b != nil {
		return c.order.Uint32(b)
	}
	return 0
}

func (c *cursor) uleb() uint64 {
	if c.bad {
		return 0
	}
	v, n := binary.Uvarint(c.data[c.off:])
	if n <= 0 {
		c.bad = true
		return 0
	}
	c.off += n
	return v
}

func (c *cursor) sleb() int64 {
	v, shift := int64(0), 0
	for shift < 64 {
		b := c.u8()
		if c.bad {
			return 0
		}
		v |= int64(b&0x7f) << shift
		if shift += 7; b&0x80 == 0 {
			if shift < 64 && b&0x40 != 0 {
				v |= -1 << shift
			}
			return v
		}
	}
	c.bad = true
	return 0
}

func (c *cursor) str() string {
	if c.bad {
		return ""
	}
	n := bytes.IndexByte(c.data[c.off:], 0)
	if n < 0 || n > maxString {
		c.bad = true
		return ""
	}
	return string(c.bytes(uint64(n) + 1)[:n])
}

// readProgram decodes the line program at an offset. dir is the compilation directory, which relative
// names are relative to.
func (s *lineSections) readProgram(off uint32, dir string) (*lineProgram, error) {
	fail := func(at int, format string, args ...any) (*lineProgram, error) {
		return nil, fmt.Errorf(".debug_line: offset %#x: %s", int(off)+at, fmt.Sprintf(format, args...))
	}
	c := &cursor{data: s.line[off:], order: s.order}
	c.data = c.data[:4+c.u32()] // check has seen that it fits
	version := c.u16()
	if version < 2 || version > 5 {
		return fail(4, "version %d is not supported", version)
	}
	if version >= 5 {
		if size := c.u8(); size != 4 {
			return fail(6, "addresses of %d bytes, expected 4", size)
		}
		c.u8() // segment selector size
	}
	headerLength := uint64(c.u32())
	program := uint64(c.off) + headerLength
	var m machine
	m.minInst = uint64(c.u8())
	if version >= 4 {
		c.u8() // operations per instruction: one on this processor
	}
	m.stmt = c.u8() != 0
	m.lineBase, m.lineRange = int(int8(c.u8())), int(c.u8())
	m.opcodeBase = int(c.u8())
	if c.bad || program > uint64(len(c.data)) {
		return fail(c.off, "truncated header")
	}
	if m.lineRange == 0 || m.opcodeBase == 0 {
		return fail(c.off, "line range %d, opcode base %d", m.lineRange, m.opcodeBase)
	}
	m.lengths = c.bytes(uint64(m.opcodeBase) - 1)
	p := &lineProgram{}
	if version >= 5 {
		s.tables5(c, dir, p)
	} else {
		tables(c, dir, p)
	}
	if c.bad {
		return fail(c.off, "bad directory or file table")
	}
	c.off = int(program)
	if at, ok := m.run(c, dir, p); !ok {
		return fail(at, "truncated line program")
	}
	return p, nil
}

// tables reads the directory and file lists of versions 2 to 4.
func tables(c *cursor, dir string, p *lineProgram) {
	dirs := []string{dir}
	for {
		d := c.str()
		if d == "" {
			break
		}
		dirs = append(dirs, p.join(c, dir, d))
	}
	p.files = []string{""}
	for {
		name := c.str()
		if name == "" {
			return
		}
		p.addFile(c, dirs, name)
	}
}

// addFile reads the rest of a file entry of versions 2 to 4.
func (p *lineProgram) addFile(c *cursor, dirs []string, name string) {
	n := c.uleb()
	c.uleb() // time
	c.uleb() // size
	d := ""
	if n < uint64(len(dirs)) {
		d = dirs[n]
	}
	p.files = append(p.files, p.join(c, d, name))
}

// tables5 reads the directory and file lists of version 5.
func (s *lineSections) tables5(c *cursor, dir string, p *lineProgram) {
	var dirs []string
	s.entries(c, func(name string, _ uint64) {
		if len(dirs) > 0 {
			dir = dirs[0]
		}
		dirs = append(dirs, p.join(c, dir, name))
	})
	s.entries(c, func(name string, n uint64) {
		d := ""
		if n < uint64(len(dirs)) {
			d = dirs[n]
		}
		p.files = append(p.files, p.join(c, d, name))
	})
}

// entries reads a table of version 5: a description of its columns, then the rows.
func (s *lineSections) entries(c *cursor, add func(name string, dir uint64)) {
	type column struct{ content, form uint64 }
	columns := make([]column, c.u8())
	for i := range columns {
		columns[i] = column{content: c.uleb(), form: c.uleb()}
	}
	count := c.uleb()
	// Each row takes a byte at least; a table of many empty rows is damage.
	if count > uint64(len(c.data)-c.off) || count > 0 && len(columns) == 0 {
		c.bad = true
	}
	for ; count > 0 && !c.bad; count-- {
		name, dir := "", uint64(0)
		for _, col := range columns {
			text, number := s.value(c, col.form)
			switch col.content {
			case 1: // DW_LNCT_path
				name = text
			case 2: // DW_LNCT_directory_index
				dir = number
			}
		}
		add(name, dir)
	}
}

// value reads a value of one of the forms that line tables use.
func (s *lineSections) value(c *cursor, form uint64) (text string, number uint64) {
	indirect := func(section []byte) string {
		off := c.u32()
		if uint64(off) >= uint64(len(section)) {
			c.bad = true
			return ""
		}
		t := cursor{data: section, off: int(off)}
		text := t.str()
		c.bad = c.bad || t.bad
		return text
	}
	switch form {
	case 0x08: // DW_FORM_string
		return c.str(), 0
	case 0x0e: // DW_FORM_strp
		return indirect(s.str), 0
	case 0x1f: // DW_FORM_line_strp
		return indirect(s.lineStr), 0
	case 0x0b: // DW_FORM_data1
		return "", uint64(c.u8())
	case 0x05: // DW_FORM_data2
		return "", uint64(c.u16())
	case 0x06: // DW_FORM_data4
		return "", uint64(c.u32())
	case 0x0f: // DW_FORM_udata
		return "", c.uleb()
	case 0x07: // DW_FORM_data8
		c.bytes(8)
	case 0x1e: // DW_FORM_data16
		c.bytes(16)
	case 0x09: // DW_FORM_block
		c.bytes(c.uleb())
	default:
		c.bad = true
	}
	return "", 0
}

// machine is the line-number state machine.
type machine struct {
	minInst    uint64
	stmt       bool // default of is_stmt
	lineBase   int
	lineRange  int
	opcodeBase int
	lengths    []byte // operands of the standard opcodes
}

// run executes the program at the cursor; false and the place when it is cut off.
func (m *machine) run(c *cursor, dir string, p *lineProgram) (at int, ok bool) {
	start := lineRow{file: 1, line: 1, stmt: m.stmt}
	r := start
	emit := func() {
		p.rows = append(p.rows, r)
		r.discriminator = 0
	}
	for c.off < len(c.data) && !c.bad {
		at = c.off
		op := int(c.u8())
		if op >= m.opcodeBase {
			op -= m.opcodeBase
			r.addr += uint64(op/m.lineRange) * m.minInst
			r.line += m.lineBase + op%m.lineRange
			emit()
			continue
		}
		switch op {
		case 0:
			n := c.uleb()
			ext := cursor{data: c.bytes(n), order: c.order}
			switch ext.u8() {
			case lneEndSequence:
				r.end = true
				emit()
				r = start
			case lneSetAddress:
				r.addr = uint64(ext.u32())
			case lneDiscriminator:
				r.discriminator = uint32(ext.uleb())
			case lneDefineFile:
				p.addFile(&ext, []string{dir}, ext.str())
			}
		case lnsCopy:
			emit()
		case lnsAdvancePC:
			r.addr += c.uleb() * m.minInst
		case lnsAdvanceLine:
			r.line += int(c.sleb())
		case lnsSetFile:
			r.file = c.uleb()
		case lnsSetColumn:
			r.column = int(min(c.uleb(), 1<<30))
		case lnsNegateStmt:
			r.stmt = !r.stmt
		case lnsConstAddPC:
			r.addr += uint64((255-m.opcodeBase)/m.lineRange) * m.minInst
		case lnsFixedAdvancePC:
			r.addr += uint64(c.u16())
		case lnsBasicBlock, lnsPrologueEnd, lnsEpilogueBegin:
		default:
			for range m.lengths[op-1] {
				c.uleb()
			}
		}
	}
	return at, !c.bad
}
