package link

import (
	"fmt"
	"strings"
)

// opener reads a file that a script names.
type opener func(name string) ([]byte, error)

// parser reads a script. The first syntax error ends it: the text behind it could only be guessed.
type parser struct {
	scan   *scanner
	stack  []*scanner // scripts that INCLUDE the present one
	open   opener
	script *script
	groups int
	err    *Error
	depth  int // of expressions
}

const (
	maxInclude = 16  // nested INCLUDE commands
	maxDepth   = 200 // nested parentheses
)

// parseScript parses a script with the files it includes.
func parseScript(name, text string, open opener) (*script, *Error) {
	p := &parser{scan: &scanner{name: name, text: text, line: 1}, open: open, script: &script{}}
	for p.err == nil {
		t := p.next(modeName)
		if t.kind == tokEOF {
			if !p.pop() {
				break
			}
			continue
		}
		p.command(t)
	}
	if p.err != nil {
		return nil, p.err
	}
	return p.script, nil
}

func (p *parser) fail(pos Pos, format string, args ...any) {
	if p.err == nil {
		p.err = &Error{Pos: pos, Msg: fmt.Sprintf(format, args...)}
	}
}

// next reads a token; after an error only the end of the script.
func (p *parser) next(m mode) token {
	if p.err != nil {
		return token{pos: p.scan.pos(), off: len(p.scan.text)}
	}
	t, err := p.scan.next(m)
	if err != nil {
		p.err = err
		return token{pos: err.Pos, off: len(p.scan.text)}
	}
	return t
}

func (p *parser) back(t token) {
	if p.err == nil {
		p.scan.back(t)
	}
}

func (p *parser) expect(m mode, text string) token {
	t := p.next(m)
	if t.kind != tokOp || t.text != text {
		p.fail(t.pos, "expected %q, found %s", text, t)
	}
	return t
}

// accept takes an operator when it is the next token.
func (p *parser) accept(m mode, text string) bool {
	t := p.next(m)
	if t.kind == tokOp && t.text == text {
		return true
	}
	p.back(t)
	return false
}

// name reads a name or a string.
func (p *parser) name(m mode, what string) nameAt {
	t := p.next(m)
	if t.kind != tokName && t.kind != tokString && (t.kind != tokNumber || m == modeExpr) {
		p.fail(t.pos, "expected %s, found %s", what, t)
	}
	return nameAt{name: t.text, pos: t.pos}
}

// include starts reading another script; it ends with its own end of file.
func (p *parser) include() {
	n := p.name(modePattern, "a file name")
	p.accept(modePattern, ";")
	if p.err != nil {
		return
	}
	if p.open == nil {
		p.fail(n.pos, "cannot include %q: no files can be read here", n.name)
		return
	}
	if len(p.stack) >= maxInclude {
		p.fail(n.pos, "INCLUDE nested more than %d deep", maxInclude)
		return
	}
	data, err := p.open(n.name)
	if err != nil {
		p.fail(n.pos, "cannot include %q: %v", n.name, err)
		return
	}
	p.stack = append(p.stack, p.scan)
	p.scan = &scanner{name: n.name, text: string(data), line: 1}
}

// pop returns to the script that included the present one.
func (p *parser) pop() bool {
	if len(p.stack) == 0 {
		return false
	}
	p.scan = p.stack[len(p.stack)-1]
	p.stack = p.stack[:len(p.stack)-1]
	return true
}

// parenName reads "( name )".
func (p *parser) parenName(m mode, what string) nameAt {
	p.expect(m, "(")
	n := p.name(m, what)
	p.expect(m, ")")
	return n
}

// command reads one top-level command, whose first token is t.
func (p *parser) command(t token) {
	if t.kind == tokOp && t.text == ";" {
		return
	}
	if t.kind != tokName && t.kind != tokString {
		p.fail(t.pos, "expected a command, found %s", t)
		return
	}
	switch t.text {
	case "ENTRY":
		p.script.entry = p.parenName(modeName, "a symbol")
	case "OUTPUT_FORMAT":
		p.expect(modeName, "(")
		p.script.formats = []nameAt{p.name(modeName, "a format")}
		for p.accept(modeName, ",") {
			p.script.formats = append(p.script.formats, p.name(modeName, "a format"))
		}
		p.expect(modeName, ")")
		for _, f := range p.script.formats {
			if f.name != formatLittle && f.name != formatBig {
				p.fail(f.pos, "unknown output format %q: expected elf32-littlearc or elf32-bigarc", f.name)
			}
		}
	case "OUTPUT_ARCH":
		if n := p.parenName(modePattern, "an architecture"); p.err == nil && !strings.HasPrefix(strings.ToLower(n.name), "arc") && n.name != "EM" && n.name != "HS" {
			p.fail(n.pos, "unknown output architecture %q: expected arc", n.name)
		}
	case "SEARCH_DIR", "OUTPUT", "TARGET":
		// Where files are and what the output is called is the caller's business.
		p.parenName(modePattern, "a name")
	case "EXTERN":
		p.expect(modeName, "(")
		for p.err == nil && !p.accept(modeName, ")") {
			p.script.externs = append(p.script.externs, p.name(modeName, "a symbol").name)
			p.accept(modeName, ",")
		}
	case "INPUT", "STARTUP":
		p.inputFiles(0)
	case "GROUP":
		p.groups++
		p.inputFiles(p.groups)
	case "INCLUDE":
		p.include()
	case "MEMORY":
		p.memory()
	case "REGION_ALIAS":
		p.expect(modeName, "(")
		alias := p.name(modeName, "a name")
		p.accept(modeName, ",")
		target := p.name(modeName, "a memory region")
		p.expect(modeName, ")")
		p.addRegion(&regionDef{name: alias.name, pos: alias.pos, alias: target.name})
	case "PHDRS":
		p.phdrs()
	case "SECTIONS":
		p.script.sections = true
		p.expect(modeName, "{")
		p.script.stmts = append(p.script.stmts, p.sectionStmts()...)
	case "FORCE_COMMON_ALLOCATION", "INHIBIT_COMMON_ALLOCATION", "FORCE_GROUP_ALLOCATION":
	case "LD_FEATURE", "NOCROSSREFS", "NOCROSSREFS_TO", "VERSION", "INSERT", "OVERLAY":
		p.fail(t.pos, "%s is not supported", t.text)
	default:
		if s := p.assignment(t); s != nil {
			p.script.stmts = append(p.script.stmts, s)
		} else {
			p.fail(t.pos, "unknown command %s", t)
		}
	}
}

// inputFiles reads the list of INPUT or GROUP, with AS_NEEDED in it.
func (p *parser) inputFiles(group int) {
	p.expect(modePattern, "(")
	for depth := 1; depth > 0 && p.err == nil; {
		switch t := p.next(modePattern); {
		case t.kind == tokOp && t.text == ")":
			depth--
		case t.kind == tokOp && t.text == ",":
		case t.kind == tokName && t.text == "AS_NEEDED":
			p.expect(modePattern, "(")
			depth++
		case t.kind == tokName || t.kind == tokString:
			p.script.inputs = append(p.script.inputs, inputFile{nameAt: nameAt{name: t.text, pos: t.pos}, group: group})
		default:
			p.fail(t.pos, "expected a file name, found %s", t)
		}
	}
}

// memory reads the regions of MEMORY.
func (p *parser) memory() {
	p.expect(modeName, "{")
	for p.err == nil {
		t := p.next(modeName)
		switch {
		case t.kind == tokEOF && p.pop():
			continue
		case t.kind == tokOp && t.text == "}":
			return
		case t.kind == tokOp && (t.text == "," || t.text == ";"):
			continue
		case t.kind != tokName && t.kind != tokString:
			p.fail(t.pos, "expected a memory region, found %s", t)
			return
		case t.text == "INCLUDE":
			p.include()
			continue
		}
		r := &regionDef{name: t.text, pos: t.pos}
		if p.accept(modeName, "(") {
			p.regionAttrs(r)
		}
		p.expect(modeName, ":")
		r.origin = p.regionExpr("ORIGIN", "org", "o")
		p.expect(modeExpr, ",")
		r.length = p.regionExpr("LENGTH", "len", "l")
		p.addRegion(r)
	}
}

func (p *parser) addRegion(r *regionDef) {
	for _, old := range p.script.regions {
		if old.name == r.name {
			p.fail(r.pos, "memory region %q is already defined at %s", r.name, old.pos)
		}
	}
	p.script.regions = append(p.script.regions, r)
}

// regionAttrs reads the letters of "(rx!w)"; sections must not have those behind a !.
func (p *parser) regionAttrs(r *regionDef) {
	invert := false
	for p.err == nil {
		t := p.next(modePattern)
		if t.kind == tokOp && t.text == ")" {
			return
		}
		if t.kind != tokName {
			p.fail(t.pos, "expected \")\", found %s", t)
			return
		}
		for _, c := range strings.ToLower(t.text) {
			a := regionAttr(0)
			switch c {
			case '!':
				invert = !invert
				continue
			case 'r':
				a = attrRead
			case 'w':
				a = attrWrite
			case 'x':
				a = attrExec
			case 'a':
				a = attrAlloc
			case 'i', 'l':
				a = attrLoad
			default:
				p.fail(t.pos, "unknown attribute %q of memory region %q", string(c), r.name)
			}
			if invert {
				r.without |= a
			} else {
				r.attrs |= a
			}
		}
	}
}

func (p *parser) regionExpr(names ...string) expr {
	n := p.name(modeName, names[0])
	for _, name := range names {
		if n.name == name {
			p.expect(modeName, "=")
			return p.expression()
		}
	}
	p.fail(n.pos, "expected %s, found %q", names[0], n.name)
	return nil
}

// phdrs reads PHDRS: name type [FILEHDR] [PHDRS] [AT(addr)] [FLAGS(flags)] ;
func (p *parser) phdrs() {
	p.expect(modeName, "{")
	for p.err == nil {
		t := p.next(modeName)
		if t.kind == tokOp && t.text == "}" {
			return
		}
		if t.kind != tokName && t.kind != tokString {
			p.fail(t.pos, "expected a program header, found %s", t)
			return
		}
		d := &phdrDef{name: t.text, pos: t.pos, typ: p.expression()}
		for p.err == nil && !p.accept(modeName, ";") {
			switch n := p.name(modeName, "a property of a program header"); n.name {
			case "FILEHDR", "PHDRS":
				// The headers are never loaded here: no program without an operating system reads them.
			case "AT":
				p.expect(modeName, "(")
				d.at = p.expression()
				p.expect(modeExpr, ")")
			case "FLAGS":
				p.expect(modeName, "(")
				d.flags = p.expression()
				p.expect(modeExpr, ")")
			default:
				p.fail(n.pos, "unknown property %q of a program header", n.name)
			}
		}
		p.script.phdrs = append(p.script.phdrs, d)
	}
}
