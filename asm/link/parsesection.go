package link

import (
	"debug/elf"
	"encoding/binary"
	"encoding/hex"
	"strings"
)

// sectionStmts reads the statements of SECTIONS up to the closing brace.
func (p *parser) sectionStmts() []stmt {
	var stmts []stmt
	for p.err == nil {
		t := p.next(modeName)
		switch {
		case t.kind == tokEOF && p.pop():
			continue
		case t.kind == tokEOF:
			p.fail(t.pos, "SECTIONS is not closed")
		case t.kind == tokOp && t.text == "}":
			return stmts
		case t.kind == tokOp && t.text == ";":
		case t.kind != tokName && t.kind != tokString:
			p.fail(t.pos, "expected an output section or an assignment, found %s", t)
		case t.text == "ENTRY":
			p.script.entry = p.parenName(modeName, "a symbol")
		case t.text == "INCLUDE":
			p.include()
		case t.text == "OVERLAY" || t.text == "INSERT":
			p.fail(t.pos, "%s is not supported", t.text)
		default:
			if s := p.assignment(t); s != nil {
				stmts = append(stmts, s)
			} else if p.err == nil {
				stmts = append(stmts, p.outputSection(t))
			}
		}
	}
	return stmts
}

var assignOps = map[string]bool{
	"=": true, "+=": true, "-=": true, "*=": true, "/=": true, "<<=": true, ">>=": true, "&=": true, "|=": true, "^=": true,
}

// assignment reads an assignment, PROVIDE or ASSERT that starts with t; nil when t starts none.
func (p *parser) assignment(t token) stmt {
	if t.kind == tokName {
		switch t.text {
		case "ASSERT":
			p.expect(modeExpr, "(")
			s := &assertStmt{pos: t.pos, cond: p.expression()}
			p.expect(modeExpr, ",")
			s.msg = p.name(modeExpr, "a message").name
			p.expect(modeExpr, ")")
			p.accept(modeName, ";")
			return s
		case "PROVIDE", "PROVIDE_HIDDEN", "HIDDEN":
			p.expect(modeExpr, "(")
			n := p.name(modeName, "a symbol")
			s := &assignStmt{pos: n.pos, name: n.name, op: "=", provide: t.text != "HIDDEN", hidden: t.text != "PROVIDE"}
			p.expect(modeExpr, "=")
			s.value = p.expression()
			p.expect(modeExpr, ")")
			p.accept(modeName, ";")
			return s
		}
	}
	op := p.next(modeExpr)
	if op.kind != tokOp || !assignOps[op.text] {
		p.back(op)
		return nil
	}
	s := &assignStmt{pos: t.pos, name: t.text, op: op.text, value: p.expression()}
	end := p.next(modeExpr)
	if end.kind != tokOp || end.text != ";" && end.text != "," && end.text != "}" {
		p.fail(end.pos, "expected \";\", found %s", end)
	}
	if end.text == "}" {
		p.back(end)
	}
	return s
}

// sectionKinds are the types in parentheses behind the name of an output section.
var sectionKinds = map[string]outputKind{
	"NOLOAD": kindNoload, "DSECT": kindInfo, "COPY": kindInfo, "INFO": kindInfo, "READONLY": kindReadonly,
}

// outputSection reads the description of the output section named t.
func (p *parser) outputSection(t token) stmt {
	s := &outputStmt{pos: t.pos, name: t.text}
	s.addr = p.sectionAddress(s)
	p.expect(modeExpr, ":")
	for p.err == nil && !p.accept(modeName, "{") {
		switch n := p.name(modeName, `"{"`); n.name {
		case "AT":
			s.at = p.parenExpr()
		case "ALIGN":
			s.align = p.parenExpr()
		case "SUBALIGN":
			s.subalign = p.parenExpr()
		case "ALIGN_WITH_INPUT":
			s.alignWithInput = true
		case "ONLY_IF_RO":
			s.constraint = onlyIfRO
		case "ONLY_IF_RW":
			s.constraint = onlyIfRW
		default:
			p.fail(n.pos, "expected \"{\", found %q", n.name)
		}
	}
	s.body = p.bodyStmts(s.name)
	p.sectionTail(s)
	return s
}

// sectionAddress reads the optional address and type in front of the colon.
func (p *parser) sectionAddress(s *outputStmt) expr {
	var addr expr
	for p.err == nil {
		t := p.next(modeExpr)
		if t.kind == tokOp && t.text == ":" {
			p.back(t)
			return addr
		}
		if t.kind == tokOp && t.text == "(" {
			n := p.next(modeExpr)
			kind, known := sectionKinds[n.text]
			switch {
			case n.kind == tokName && known:
				s.kind = kind
				p.expect(modeExpr, ")")
				continue
			case n.kind == tokName && (n.text == "OVERLAY" || n.text == "TYPE"):
				p.fail(n.pos, "section type %s is not supported", n.text)
				return nil
			case n.kind == tokOp && n.text == ")":
				continue // "()" is allowed and says nothing
			}
		}
		p.back(t)
		if addr != nil {
			p.fail(t.pos, "expected \":\", found %s", t)
			return nil
		}
		addr = p.expression()
	}
	return nil
}

func (p *parser) parenExpr() expr {
	p.expect(modeExpr, "(")
	e := p.expression()
	p.expect(modeExpr, ")")
	return e
}

// sectionTail reads what follows the closing brace: regions, program headers, fill.
func (p *parser) sectionTail(s *outputStmt) {
	for p.err == nil {
		t := p.next(modeName)
		switch {
		case t.kind == tokOp && t.text == ">":
			s.region = p.name(modeName, "a memory region")
		case t.kind == tokName && t.text == "AT":
			p.expect(modeName, ">")
			s.lmaRegion = p.name(modeName, "a memory region")
		case t.kind == tokOp && t.text == ":":
			s.phdrs = append(s.phdrs, p.name(modeName, "a program header"))
		case t.kind == tokOp && t.text == "=":
			s.fill = p.fill()
		case t.kind == tokOp && t.text == ",":
			return
		default:
			p.back(t)
			return
		}
	}
}

// fill reads a fill pattern: the digits of a hexadecimal number as they stand, or the four low bytes of
// any other expression.
func (p *parser) fill() []byte {
	e := p.expression()
	if n, ok := e.(*numberExpr); ok {
		text := strings.ToLower(n.text)
		if digits, ok := strings.CutPrefix(text, "0x"); ok && !strings.HasSuffix(text, "k") && !strings.HasSuffix(text, "m") {
			if len(digits)%2 != 0 {
				digits = "0" + digits
			}
			if b, err := hex.DecodeString(digits); err == nil && len(b) > 0 {
				return b
			}
		}
		return binary.BigEndian.AppendUint32(nil, uint32(n.v))
	}
	if p.err == nil {
		rep := &report{}
		v := e.eval(&layout{link: &linker{opts: &Options{}}, rep: rep, final: true})
		if !v.ok || len(rep.errors) > 0 {
			p.fail(e.position(), "a fill pattern must be a constant")
		}
		return binary.BigEndian.AppendUint32(nil, uint32(v.v))
	}
	return nil
}

var dataSizes = map[string]uint32{"BYTE": 1, "SHORT": 2, "LONG": 4, "QUAD": 8, "SQUAD": 8}

// bodyStmts reads the statements of an output section up to the closing brace.
func (p *parser) bodyStmts(section string) []stmt {
	var stmts []stmt
	for p.err == nil {
		t := p.next(modeBody)
		switch {
		case t.kind == tokEOF && p.pop():
			continue
		case t.kind == tokEOF:
			p.fail(t.pos, "output section %q is not closed", section)
		case t.kind == tokOp && t.text == "}":
			return stmts
		case t.kind == tokOp && (t.text == ";" || t.text == ","):
		case t.kind != tokName && t.kind != tokString:
			p.fail(t.pos, "expected an input section or an assignment, found %s", t)
		case dataSizes[t.text] != 0:
			stmts = append(stmts, &dataStmt{pos: t.pos, size: dataSizes[t.text], value: p.parenExpr()})
		case t.text == "FILL":
			p.expect(modeExpr, "(")
			stmts = append(stmts, &fillStmt{pos: t.pos, fill: p.fill()})
			p.expect(modeExpr, ")")
		case t.text == "INCLUDE":
			p.include()
		case t.text == "CONSTRUCTORS":
			// Constructors of object formats without section types; ELF has none.
		case t.text == "ASCIZ" || t.text == "LINKER_VERSION":
			p.fail(t.pos, "%s is not supported", t.text)
		default:
			if s := p.assignment(t); s != nil {
				stmts = append(stmts, s)
			} else if s := p.inputStatement(t); s != nil {
				stmts = append(stmts, s)
			}
		}
	}
	return stmts
}

var sortKeywords = map[string]sortOrder{
	"SORT": sortName, "SORT_BY_NAME": sortName, "SORT_BY_ALIGNMENT": sortAlign,
	"SORT_BY_INIT_PRIORITY": sortPriority, "SORT_NONE": sortNone,
}

// inputStatement reads an input section description that starts with t; nil for SORT(CONSTRUCTORS).
func (p *parser) inputStatement(t token) stmt {
	s := &inputStmt{pos: t.pos}
	if t.text == "KEEP" && t.kind == tokName {
		s.keep = true
		p.expect(modeBody, "(")
		p.fileAndSections(s, p.next(modeBody))
		p.expect(modeBody, ")")
		return s
	}
	if !p.fileAndSections(s, t) {
		return nil
	}
	return s
}

// fileAndSections reads "[INPUT_SECTION_FLAGS(..)] [EXCLUDE_FILE(..)] file [(sections)]"; false for
// SORT(CONSTRUCTORS), which says nothing.
func (p *parser) fileAndSections(s *inputStmt, t token) bool {
	if t.kind == tokName && t.text == "INPUT_SECTION_FLAGS" {
		s.flags = p.sectionFlags()
		t = p.next(modeBody)
	}
	if t.kind == tokName && t.text == "EXCLUDE_FILE" {
		s.file.exclude = p.excludeFile()
		t = p.next(modeBody)
	}
	if _, ok := sortKeywords[t.text]; ok && t.kind == tokName {
		s.file.sorted = t.text != "SORT_NONE"
		p.expect(modeBody, "(")
		t = p.next(modeBody)
		if t.kind == tokName && t.text == "EXCLUDE_FILE" {
			s.file.exclude = append(s.file.exclude, p.excludeFile()...)
			t = p.next(modeBody)
		}
		p.expect(modeBody, ")")
		if t.text == "CONSTRUCTORS" {
			return false
		}
	}
	if t.kind != tokName && t.kind != tokString {
		p.fail(t.pos, "expected a file pattern, found %s", t)
		return false
	}
	s.file.pattern = t.text
	if !p.accept(modeBody, "(") {
		return p.err == nil
	}
	for p.err == nil && !p.accept(modePattern, ")") {
		p.accept(modePattern, ",")
		p.sectionPattern(s, sectionPattern{}, 0)
	}
	return p.err == nil
}

// sectionPattern reads a pattern with the sorts and exclusions around it.
func (p *parser) sectionPattern(s *inputStmt, pat sectionPattern, depth int) {
	t := p.next(modePattern)
	if t.kind == tokName && t.text == "EXCLUDE_FILE" {
		pat.exclude = append(pat.exclude, p.excludeFile()...)
		p.sectionPattern(s, pat, depth)
		return
	}
	if order, ok := sortKeywords[t.text]; ok && t.kind == tokName {
		if depth >= 2 {
			p.fail(t.pos, "too many nested sorts")
			return
		}
		switch {
		case pat.sort == sortName && order == sortAlign:
			pat.sort = sortNameAlign
		case pat.sort == sortAlign && order == sortName:
			pat.sort = sortAlignName
		case pat.sort == sortNone || pat.sort == order:
			pat.sort = order
		default:
			p.fail(t.pos, "these sorts cannot be nested")
		}
		p.expect(modePattern, "(")
		for p.err == nil {
			p.sectionPattern(s, pat, depth+1)
			if p.accept(modePattern, ")") {
				return
			}
			p.accept(modePattern, ",")
		}
		return
	}
	if t.kind != tokName && t.kind != tokString {
		p.fail(t.pos, "expected a section pattern, found %s", t)
		return
	}
	pat.pattern = t.text
	s.sections = append(s.sections, pat)
}

func (p *parser) excludeFile() []string {
	var files []string
	p.expect(modePattern, "(")
	for p.err == nil && !p.accept(modePattern, ")") {
		files = append(files, p.name(modePattern, "a file pattern").name)
		p.accept(modePattern, ",")
	}
	return files
}

// flagNames are the section flags that INPUT_SECTION_FLAGS can name.
var flagNames = map[string]elf.SectionFlag{
	"SHF_WRITE": elf.SHF_WRITE, "SHF_ALLOC": elf.SHF_ALLOC, "SHF_EXECINSTR": elf.SHF_EXECINSTR,
	"SHF_MERGE": elf.SHF_MERGE, "SHF_STRINGS": elf.SHF_STRINGS, "SHF_INFO_LINK": elf.SHF_INFO_LINK,
	"SHF_LINK_ORDER": elf.SHF_LINK_ORDER, "SHF_OS_NONCONFORMING": elf.SHF_OS_NONCONFORMING,
	"SHF_GROUP": elf.SHF_GROUP, "SHF_TLS": elf.SHF_TLS,
}

// sectionFlags reads "(SHF_A & !SHF_B)".
func (p *parser) sectionFlags() []flagTest {
	var tests []flagTest
	p.expect(modeExpr, "(")
	for p.err == nil {
		var f flagTest
		f.absent = p.accept(modeExpr, "!")
		n := p.name(modeExpr, "a section flag")
		flag, ok := flagNames[n.name]
		if !ok {
			p.fail(n.pos, "unknown section flag %q", n.name)
		}
		f.flag = uint32(flag)
		tests = append(tests, f)
		if p.accept(modeExpr, ")") {
			break
		}
		p.expect(modeExpr, "&")
	}
	return tests
}
