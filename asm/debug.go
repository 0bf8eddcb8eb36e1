package asm

import (
	"debug/elf"
	"path"
	"path/filepath"
	"slices"

	"arcv2dsp/internal/program/dwarf"
	"arcv2dsp/internal/program/elfarc"
)

// producer names this assembler in debug information.
const producer = "arcasm"

// debugState collects what goes into .debug_line: the rows of .loc, or with Options.Debug a row for
// each instruction.
type debugState struct {
	files   []dwarf.SourceFile
	byName  map[string]int
	version int
	locs    bool // .loc was seen, so the source has lines of its own
	pending *lineEntry
	isStmt  bool // as the last .loc left it
	views   bool // a row has a view symbol
	unit    bool // this assembler writes the unit that the lines belong to
}

// lineEntry is a row before the layout.
type lineEntry struct {
	frag int32
	off  uint32
	row  dwarf.LineRow
	view *symbol // gets the number of rows before this one at the same address

	viewed   bool  // .loc named a view: the row stands where the directive does
	asserted bool  // the number of view must turn out 0
	at       place // of that assertion
}

func debugDirectives() map[string]func(*assembler) {
	return map[string]func(*assembler){
		".file":            (*assembler).fileDirective,
		".loc":             (*assembler).locDirective,
		".loc_mark_labels": (*assembler).skipStatement,
	}
}

// fileDirective is .file "name", or .file number "directory" "name" md5 value.
func (a *assembler) fileDirective() {
	a.skipBlanks()
	at := a.i
	if a.s[a.i] == '"' {
		if name, ok := a.quoted(); ok {
			a.fileSymbol = name
		}
		return
	}
	n := need(a.absolute("the file number"))
	a.giveUpIf(n < 0 || n > 1<<16, at, "file number %d is out of range 0 to %d", n, 1<<16)
	name := need(a.quoted())
	f := dwarf.SourceFile{Name: name}
	a.skipBlanks()
	if a.s[a.i] == '"' {
		f.Dir = name
		f.Name = need(a.quoted())
		a.skipBlanks()
	}
	if isNameFirst(a.s[a.i]) {
		if word, _ := a.name("md5"); word == "md5" {
			f.MD5 = a.md5()
		}
	}
	if dir := path.Dir(f.Name); f.Dir == "" && dir != "." {
		f.Dir, f.Name = dir, path.Base(f.Name)
	}
	d := &a.debug
	if n == 0 {
		d.version = 5
	}
	for int64(len(d.files)) <= n {
		d.files = append(d.files, dwarf.SourceFile{})
	}
	if old := &d.files[n]; old.Name != "" && (old.Name != f.Name || old.Dir != f.Dir) {
		a.errorAt(at, "file number %d is already %q, not %q", n, path.Join(old.Dir, old.Name), path.Join(f.Dir, f.Name))
		return
	}
	d.files[n] = f
}

// md5 reads a checksum of 32 hexadecimal digits.
func (a *assembler) md5() (sum [16]byte) {
	a.skipBlanks()
	at := a.i
	if a.s[a.i] == '0' && a.s[a.i+1] == 'x' {
		a.i += 2
	}
	for i := range 32 {
		d := hexDigit[a.s[a.i]]
		a.giveUpIf(d > 15, at, "the checksum must have 32 hexadecimal digits")
		sum[i/2] = sum[i/2]<<4 | d
		a.i++
	}
	return sum
}

// locDirective is .loc file line column options.
func (a *assembler) locDirective() {
	d := &a.debug
	if d.pending != nil {
		a.flushLoc()
	}
	if !d.locs {
		d.locs, d.isStmt = true, true
	}
	a.skipBlanks()
	at := a.i
	file := need(a.absolute("the file number"))
	a.giveUpIf(file < 0 || file >= int64(len(d.files)) || d.files[file].Name == "", at, "file number %d has no .file", file)
	a.optionalComma()
	line := need(a.absolute("the line number"))
	a.optionalComma()
	e := &lineEntry{row: dwarf.LineRow{File: int(file), Line: int(line)}}
	row := &e.row
	if isDigit(a.s[a.i]) {
		column, _ := a.absolute("the column")
		row.Column = int(column)
	}
	for !a.atEnd() {
		a.optionalComma()
		at := a.i
		word := need(a.name("an option"))
		switch word {
		case "basic_block":
			row.BasicBlock = true
		case "prologue_end":
			row.PrologueEnd = true
		case "epilogue_begin":
			row.EpilogueBegin = true
		case "is_stmt":
			n := need(a.absolute("0 or 1"))
			d.isStmt = n != 0
		case "isa":
			n, _ := a.absolute("the instruction set")
			row.ISA = uint32(n)
		case "discriminator":
			n, _ := a.absolute("the discriminator")
			row.Discriminator = uint32(n)
		case "view":
			a.locView(e)
		default:
			a.giveUp(at, "unknown option %q", word)
		}
	}
	row.NotStmt = !d.isStmt
	d.pending = e
	if e.viewed {
		a.flushLoc() // a view numbers the rows of one place, so this row belongs here, not to what follows
	}
}

// locView reads the view symbol of a row, "-0" to begin the count again, or "0" to check it.
func (a *assembler) locView(e *lineEntry) {
	e.viewed = true
	a.skipBlanks()
	if at := a.i; !isNameFirst(a.s[a.i]) {
		e.row.NewView = a.s[a.i] == '-'
		n, ok := a.absolute("a view")
		switch {
		case !ok:
			a.skipStatement()
		case n != 0:
			a.errorAt(at, "view %d: a number can only be 0", n)
		case !e.row.NewView:
			e.view = a.newSymbol(".")
			e.view.kind = symView
			e.asserted, e.at = true, a.here(at)
			a.debug.views = true
		}
		return
	}
	if name, ok := a.name("the view symbol"); ok {
		s := a.lookup(name)
		if s.kind == symUndefined {
			s.kind = symView
			e.view = s
			a.debug.views = true
		}
	}
}

// countViews gives view symbols their values under the present layout, and tells whether one changed.
func (a *assembler) countViews() bool {
	changed := false
	for _, sec := range a.sections {
		last, view := ^uint32(0), int64(0)
		for _, st := range sec.subs {
			for i := range st.lines {
				e := &st.lines[i]
				addr := e.off + st.frags[e.frag].shift
				if view++; addr != last || e.row.NewView {
					view = 0
				}
				last = addr
				if e.view != nil && e.view.n != view {
					e.view.n = view
					changed = true
				}
			}
		}
	}
	return changed
}

// flushLoc writes the row of the last .loc at the present place.
func (a *assembler) flushLoc() {
	e := a.debug.pending
	a.debug.pending = nil
	here := a.location()
	e.frag, e.off = here.frag, here.off
	a.cur.lines = append(a.cur.lines, *e)
}

// debugLine notes the line of the instruction that comes next.
func (a *assembler) debugLine() {
	d := &a.debug
	if d.locs {
		if d.pending != nil {
			a.flushLoc()
		}
		return
	}
	if !a.opts.Debug {
		return
	}
	name, line := a.physicalLine()
	n, ok := d.byName[name]
	if !ok {
		if d.byName == nil {
			d.byName = make(map[string]int)
			d.files = append(d.files, dwarf.SourceFile{})
		}
		n = len(d.files)
		d.byName[name] = n
		d.files = append(d.files, dwarf.SourceFile{Name: name})
	}
	st := a.cur
	if k := len(st.lines); k > 0 && st.lines[k-1].row.Line == line && st.lines[k-1].row.File == n {
		return
	}
	here := a.location()
	st.lines = append(st.lines, lineEntry{frag: here.frag, off: here.off, row: dwarf.LineRow{File: n, Line: line}})
}

// physicalLine is the file and line being read; for an expansion those of the call.
func (a *assembler) physicalLine() (string, int) {
	line := a.line
	for i := len(a.frames) - 1; i >= 0; i-- {
		f := &a.frames[i]
		if f.kind == frameFile {
			src := &a.sources[f.src]
			if n := len(src.marks); n > 0 {
				return src.marks[n-1].file, line
			}
			return src.name, line
		}
		line = f.call
	}
	return "", line
}

// finishDebug makes room for the debug sections.
func (a *assembler) finishDebug() {
	d := &a.debug
	if d.pending != nil {
		a.flushLoc()
	}
	any := false
	for _, sec := range a.sections {
		for _, st := range sec.subs {
			any = any || len(st.lines) > 0
		}
	}
	if !any {
		return
	}
	names := []string{".debug_line"}
	// Without a unit no debugger finds the lines; a compiler that writes .loc brings its own.
	if d.unit = a.byName[".debug_info"] == nil; d.unit {
		names = append(names, ".debug_info", ".debug_abbrev", ".debug_aranges", ".debug_ranges")
	}
	for _, name := range names {
		if a.byName[name] == nil {
			a.newSection(name, sectionDefaults(name))
		}
	}
	d.version = max(d.version, 4)
}

// debugContents fills the debug sections, after the layout.
func (a *assembler) debugContents() {
	line := a.byName[".debug_line"]
	if line == nil {
		return
	}
	d := &a.debug
	table := dwarf.LineTable{Version: d.version, CompDir: a.opts.CompDir, Files: d.files}
	var code []dwarf.Extent
	for _, sec := range a.sections {
		seq := dwarf.Sequence{Section: sec.symbol.elf, End: sec.used}
		for _, st := range sec.subs {
			for _, e := range st.lines {
				if e.asserted && e.view.n != 0 {
					a.errorPlace(e.at, "the view here is %d, not 0", e.view.n)
				}
				e.row.Off = e.off + st.frags[e.frag].shift
				seq.Rows = append(seq.Rows, e.row)
			}
		}
		if len(seq.Rows) > 0 {
			table.Sequences = append(table.Sequences, seq)
			code = append(code, dwarf.Extent{Section: sec.symbol.elf, Size: sec.used})
		}
	}
	if len(table.Sequences) == 0 || len(line.elf.Data) > 0 {
		return
	}
	line.elf.Data, line.elf.Relocs = table.Encode(a.big)
	if !d.unit {
		return
	}
	primary := slices.IndexFunc(d.files, func(f dwarf.SourceFile) bool { return f.Name != "" })
	unit := dwarf.Unit{
		Name: path.Join(d.files[primary].Dir, d.files[primary].Name), CompDir: a.opts.CompDir, Producer: producer, Code: code, Functions: a.subprograms(),
		Sections: dwarf.UnitSections{
			Info: a.byName[".debug_info"].symbol.elf, Abbrev: a.byName[".debug_abbrev"].symbol.elf,
			Line: line.symbol.elf, Ranges: a.byName[".debug_ranges"].symbol.elf,
		},
	}
	c := unit.Encode(a.big)
	for name, part := range map[string]dwarf.Contents{
		".debug_info": c.Info, ".debug_abbrev": c.Abbrev, ".debug_aranges": c.Aranges, ".debug_ranges": c.Ranges,
	} {
		sec := a.byName[name].elf
		sec.Data, sec.Relocs = part.Data, part.Relocs
	}
	if len(c.Ranges.Data) == 0 {
		a.dropSection(".debug_ranges")
	}
}

// dropSection takes an empty section out of the file again.
func (a *assembler) dropSection(name string) {
	sec := a.byName[name]
	for i, s := range a.file.Sections {
		if s == sec.elf {
			a.file.Sections = append(a.file.Sections[:i], a.file.Sections[i+1:]...)
			break
		}
	}
	for i, s := range a.file.Symbols {
		if s == sec.symbol.elf {
			a.file.Symbols = append(a.file.Symbols[:i], a.file.Symbols[i+1:]...)
			break
		}
	}
}

// subprograms are the functions of the source: labels of that type with a size.
func (a *assembler) subprograms() []dwarf.Subprogram {
	var out []dwarf.Subprogram
	for _, s := range a.order {
		if s.kind != symLabel || s.typ != elf.STT_FUNC || s.size.kind == exprNone {
			continue
		}
		size, ok := a.evaluate(s.size)
		src := &a.sources[s.place.src]
		pos, _ := src.locate(int(s.place.off))
		file, known := a.debug.byName[pos.File]
		if !ok || !known {
			continue
		}
		out = append(out, dwarf.Subprogram{
			Extent: dwarf.Extent{Section: s.at.stream.section.symbol.elf, Off: s.at.addr(), Size: uint32(size)},
			Name:   s.name, File: file, Line: pos.Line, External: s.bind != elf.STB_LOCAL,
		})
	}
	return out
}

// fileSymbolEntry is the symbol that .file "name" asks for.
func fileSymbolEntry(name string) *elfarc.Symbol {
	return &elfarc.Symbol{Name: path.Base(filepath.ToSlash(name)), Type: elf.STT_FILE, Index: elf.SHN_ABS}
}
