package dwarf

import (
	"debug/dwarf"
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"sort"

	"arcv2dsp/internal/program/elfarc"
	"arcv2dsp/internal/term/steps"
)

// Position is a place in a source file.
type Position struct {
	File   string // path as the compiler recorded it, directory included
	Line   int
	Column int // 0 when unknown
}

// Row is one row of the line table: the code from Addr to End comes from Position.
type Row struct {
	Position
	Addr, End uint32
	Stop      Position // the statement that starts at Addr, for debuggers; Line is 0 when there is none

	Discriminator uint32 // tells pieces of code of one line apart; 0 when the line is one piece
}

// stop is a place to stop for a line.
type stop struct {
	line int
	addr uint32
}

// Info is the source information of a program.
type Info struct {
	rows      []Row // by address
	files     []string
	stops     map[string][]stop // by file; by line and address
	functions []*Function       // by their first address
	ranges    []functionRange   // by address
}

// Read collects the source information of a file. Relocatable objects are relocated on the way, each
// section at its Addr. A file without line information gives nil.
func Read(f *elfarc.File) (*Info, error) {
	return ReadAt(f, func(s *elfarc.Section) uint32 { return s.Addr })
}

// ReadAt is Read for objects, with a base address for each section, so that the positions of their
// sections can be told apart.
func ReadAt(f *elfarc.File, base func(*elfarc.Section) uint32) (_ *Info, err error) {
	defer steps.Return(&err)
	sections := steps.Must(debugSections(f, base))
	if len(sections[".debug_info"]) == 0 || len(sections[".debug_line"]) == 0 {
		return nil, nil
	}
	var order binary.ByteOrder = binary.LittleEndian
	if f.BigEndian {
		order = binary.BigEndian
	}
	programs := steps.Must(check(sections, order))
	d := steps.Must(debugData(sections))
	r := collector{
		data:     d,
		info:     &Info{stops: map[string][]stop{}},
		code:     linkedCode(f, base),
		names:    map[dwarf.Offset]origin{},
		programs: programs,
		lines:    lineSections{line: sections[".debug_line"], str: sections[".debug_str"], lineStr: sections[".debug_line_str"], order: order},
		read:     map[int64]*lineProgram{},
		budget:   budget(sections),
		entries:  len(sections[".debug_info"]) + 1,
	}
	steps.Check(r.units())
	r.resolve()
	r.info.index()
	return r.info, nil
}

// debugSections returns the contents of the sections that reading needs, relocated in objects.
func debugSections(f *elfarc.File, base func(*elfarc.Section) uint32) (map[string][]byte, error) {
	sections := map[string][]byte{}
	for _, s := range f.Sections {
		switch s.Name {
		case ".debug_info", ".debug_abbrev", ".debug_line", ".debug_str", ".debug_ranges",
			".debug_addr", ".debug_line_str", ".debug_str_offsets", ".debug_rnglists":
		default:
			continue
		}
		if sections[s.Name] != nil || s.Type == elf.SHT_NOBITS {
			continue // a comdat copy of type or macro information
		}
		data := s.Data
		if len(s.Relocs) > 0 {
			data = append([]byte(nil), data...)
			for _, r := range s.Relocs {
				row := r.Type.Row()
				if row == nil {
					return nil, fmt.Errorf("%s: unknown relocation type %d at %#x", s.Name, uint8(r.Type), r.Offset)
				}
				t := elfarc.Terms{A: r.Addend, Place: r.Offset}
				if r.Sym != nil && r.Sym.Section != nil {
					t.S = r.Sym.Value
					if r.Sym.Section.Flags&elf.SHF_ALLOC != 0 {
						t.S += base(r.Sym.Section)
					}
				} else if r.Sym != nil && r.Sym.Index == elf.SHN_ABS {
					t.S = r.Sym.Value
				}
				v, err := row.Value(t)
				if err == nil {
					err = row.Apply(data, r.Offset, v, f.BigEndian)
				}
				if err != nil {
					return nil, fmt.Errorf("%s: %w", s.Name, err)
				}
			}
		}
		sections[s.Name] = data
	}
	return sections, nil
}

// collector walks the units and gathers rows and functions.
type collector struct {
	data     *dwarf.Data
	info     *Info
	code     liveCode
	names    map[dwarf.Offset]origin // of every subprogram entry, for abstract origins
	programs map[uint32]bool         // where line programs start
	lines    lineSections
	read     map[int64]*lineProgram // by offset
	budget   int                    // address ranges that a sane file can have
	entries  int                    // entries that the section can hold
	assembly bool                   // the unit being read is in assembly
}

// origin is the description of an entry's function, or the place of it.
type origin struct {
	name string
	file string
	line int
	from dwarf.Offset // abstract origin or specification, 0 when none
}

func (c *collector) units() (err error) {
	defer steps.Return(&err)
	r := c.data.Reader()
	for {
		e := steps.Must(c.next(r))
		if e == nil {
			return nil
		}
		if e.Tag != dwarf.TagCompileUnit {
			continue // type and partial units; not SkipChildren, which a bad sibling reference leads back
		}
		c.assembly = number(e.Val(dwarf.AttrLanguage)) == langMipsAssembler
		program := steps.Must(c.lineProgram(e))
		first := len(c.info.functions)
		if e.Children {
			steps.Check(c.children(r, program))
		}
		c.settle(program, c.info.functions[first:])
	}
}

// next reads an entry. A number that does not end makes debug/dwarf stand still, so entries are counted:
// each takes at least a byte.
func (c *collector) next(r *dwarf.Reader) (*dwarf.Entry, error) {
	if c.entries--; c.entries < 0 {
		return nil, errors.New(".debug_info: the entries do not end")
	}
	return r.Next()
}

// lineProgram collects the rows of a unit's line program, once, and returns the program.
func (c *collector) lineProgram(unit *dwarf.Entry) (*lineProgram, error) {
	off, ok := unit.Val(dwarf.AttrStmtList).(int64)
	if !ok {
		return &lineProgram{}, nil
	}
	if p, ok := c.read[off]; ok {
		return p, nil
	}
	if off < 0 || off > 1<<32-1 || !c.programs[uint32(off)] {
		return nil, fmt.Errorf(".debug_info: offset %#x: no line program at %#x", unit.Offset, off)
	}
	dir, _ := unit.Val(dwarf.AttrCompDir).(string)
	p, err := c.lines.readProgram(uint32(off), dir)
	if err != nil {
		return nil, err
	}
	c.read[off] = p
	rows := p.rows
	p.rows = nil
	for len(rows) > 0 {
		n := 1 + slices.IndexFunc(rows, func(r lineRow) bool { return r.end })
		if n == 0 {
			n = len(rows)
		}
		if rows[0].addr == 0 && c.code.doubtful() {
			p.doubtful = append(p.doubtful, rows[:n])
		} else {
			c.sequence(p, rows[:n])
		}
		rows = rows[n:]
	}
	return p, nil
}

// sequence collects the rows of one stretch of code.
func (c *collector) sequence(p *lineProgram, rows []lineRow) {
	for i, r := range rows {
		file := p.file(r.file)
		if r.end || file == "" || r.line <= 0 || r.line >= 1<<31 || !c.code.exists(r.addr) {
			continue
		}
		// Optimised code has several lines at one address: each is a place to stop, though the last owns
		// the code. A row that only continues its line is none.
		if r.stmt && (i == 0 || !rows[i-1].stmt || rows[i-1].line != r.line || rows[i-1].file != r.file) {
			c.info.stops[file] = append(c.info.stops[file], stop{line: r.line, addr: uint32(r.addr)})
		}
		if i+1 == len(rows) || rows[i+1].addr <= r.addr || rows[i+1].addr > 1<<32 {
			continue
		}
		c.info.rows = append(c.info.rows, Row{
			Position: Position{File: file, Line: r.line, Column: r.column},
			Addr:     uint32(r.addr), End: uint32(rows[i+1].addr - 1), Stop: p.stop(rows[:i+1]),
			Discriminator: r.discriminator,
		})
	}
}

// stop finds the statement that starts where the last of the rows does. Optimised code ends an address with a row
// that is no statement, behind those that are.
func (p *lineProgram) stop(rows []lineRow) Position {
	for i := len(rows) - 1; i >= 0 && rows[i].addr == rows[len(rows)-1].addr; i-- {
		r := rows[i]
		if file := p.file(r.file); r.stmt && file != "" && r.line > 0 && r.line < 1<<31 {
			return Position{File: file, Line: r.line, Column: r.column}
		}
	}
	return Position{}
}

// settle collects the rows of a unit's doubtful sequences that cover functions of the unit.
func (c *collector) settle(p *lineProgram, functions []*Function) {
	p.doubtful = slices.DeleteFunc(p.doubtful, func(rows []lineRow) bool {
		live := c.assembly && !c.code.sized() || covers(functions, rows[len(rows)-1].addr)
		if live {
			c.sequence(p, rows)
		}
		return live
	})
}

// covers reports whether functions that begin at address 0 fill the code up to end; behind the last one there may
// be bytes that align. In assembly there may be code without a function.
func covers(functions []*Function, end uint64) bool {
	begins, ends := false, false
	for _, f := range functions {
		for _, r := range f.ranges {
			last := uint64(r.Last) + 1
			begins = begins || r.First == 0
			ends = ends || f.assembly || last <= end && end < last+4
		}
	}
	return begins && ends
}

// children reads the entries below a unit up to its end.
func (c *collector) children(r *dwarf.Reader, program *lineProgram) error {
	var open []*scope // enclosing functions and inlined calls; nil for other entries
	for {
		e, err := c.next(r)
		if err != nil {
			return err
		}
		if e == nil {
			return nil
		}
		if e.Tag == 0 {
			if len(open) == 0 {
				return nil
			}
			open = open[:len(open)-1]
			continue
		}
		var s *scope
		if n := len(open); n > 0 {
			s = open[n-1]
		}
		switch e.Tag {
		case dwarf.TagSubprogram, dwarf.TagInlinedSubroutine:
			o := origin{from: reference(e)}
			o.name, _ = e.Val(dwarf.AttrName).(string)
			o.file = fileName(program, e.Val(dwarf.AttrDeclFile))
			o.line = number(e.Val(dwarf.AttrDeclLine))
			c.names[e.Offset] = o
			fresh, err := c.scope(e, program)
			if err != nil {
				return err
			}
			switch {
			case fresh == nil:
			case e.Tag == dwarf.TagSubprogram:
				s = fresh
				c.info.functions = append(c.info.functions, &Function{scope: fresh})
			case s != nil:
				s.calls = append(s.calls, fresh)
				s = fresh
			}
		}
		if e.Children {
			if len(open) >= maxDepth {
				return fmt.Errorf(".debug_info: offset %#x: entries nested more than %d deep", e.Offset, maxDepth)
			}
			open = append(open, s)
		}
	}
}

// maxDepth bounds the nesting of entries.
const maxDepth = 4096

// scope makes the code of a subprogram or inlined call, nil when it has none.
func (c *collector) scope(e *dwarf.Entry, program *lineProgram) (*scope, error) {
	if e.Val(dwarf.AttrLowpc) == nil && e.Val(dwarf.AttrRanges) == nil {
		return nil, nil
	}
	ranges, err := c.data.Ranges(e)
	if err != nil {
		return nil, err
	}
	if c.budget -= len(ranges) + 1; c.budget < 0 {
		return nil, fmt.Errorf(".debug_info: offset %#x: more address ranges than the file can hold", e.Offset)
	}
	s := &scope{entry: e.Offset, assembly: c.assembly}
	for _, r := range ranges {
		if r[0] < r[1] && r[1] <= 1<<32 && c.code.has(e, r) {
			s.ranges = append(s.ranges, Range{First: uint32(r[0]), Last: uint32(r[1] - 1)})
		}
	}
	if s.ranges == nil {
		return nil, nil
	}
	s.call = Position{
		File: fileName(program, e.Val(dwarf.AttrCallFile)), Line: number(e.Val(dwarf.AttrCallLine)),
		Column: number(e.Val(dwarf.AttrCallColumn)),
	}
	return s, nil
}

func reference(e *dwarf.Entry) dwarf.Offset {
	for _, a := range []dwarf.Attr{dwarf.AttrAbstractOrigin, dwarf.AttrSpecification} {
		if off, ok := e.Val(a).(dwarf.Offset); ok {
			return off
		}
	}
	return 0
}

func fileName(program *lineProgram, v any) string {
	if n, ok := v.(int64); ok && n >= 0 {
		return program.file(uint64(n))
	}
	return ""
}

func number(v any) int {
	if n, ok := v.(int64); ok && n >= 0 && n < 1<<31 {
		return int(n)
	}
	return 0
}

// resolve gives every function and inlined call its name, following abstract origins.
func (c *collector) resolve() {
	var name func(s *scope)
	name = func(s *scope) {
		o := c.names[s.entry]
		for hops := 0; hops < 8; hops++ {
			if s.name == "" {
				s.name = o.name
			}
			if s.decl.Line == 0 && o.line != 0 {
				s.decl = Position{File: o.file, Line: o.line}
			}
			if o.from == 0 {
				break
			}
			o = c.names[o.from]
		}
		for _, call := range s.calls {
			name(call)
		}
	}
	for _, f := range c.info.functions {
		name(f.scope)
	}
}

// index sorts what was collected and builds the lookup tables.
func (in *Info) index() {
	sort.SliceStable(in.rows, func(i, j int) bool { return in.rows[i].Addr < in.rows[j].Addr })
	for f, stops := range in.stops {
		in.files = append(in.files, f)
		sort.Slice(stops, func(i, j int) bool {
			if stops[i].line != stops[j].line {
				return stops[i].line < stops[j].line
			}
			return stops[i].addr < stops[j].addr
		})
	}
	sort.Strings(in.files)
	sort.SliceStable(in.functions, func(i, j int) bool {
		return in.functions[i].ranges[0].First < in.functions[j].ranges[0].First
	})
	for _, f := range in.functions {
		for _, r := range f.ranges {
			in.ranges = append(in.ranges, functionRange{Range: r, function: f})
		}
	}
	sort.SliceStable(in.ranges, func(i, j int) bool { return in.ranges[i].First < in.ranges[j].First })
}

// debugData gives the checked sections to debug/dwarf.
func debugData(sections map[string][]byte) (*dwarf.Data, error) {
	d, err := dwarf.New(sections[".debug_abbrev"], nil, nil, sections[".debug_info"],
		nil, nil, sections[".debug_ranges"], sections[".debug_str"])
	if err != nil {
		return nil, err
	}
	for _, name := range []string{".debug_addr", ".debug_line_str", ".debug_str_offsets", ".debug_rnglists"} {
		if data := sections[name]; data != nil {
			if err := d.AddSection(name, data); err != nil {
				return nil, err
			}
		}
	}
	return d, nil
}
