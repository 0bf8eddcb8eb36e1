package quant

import (
	"fmt"
	"strconv"
	"strings"
)

// TypeError is a fault in the text of a type and the byte at which it is.
type TypeError struct {
	Offset int
	Msg    string
}

func (e *TypeError) Error() string { return fmt.Sprintf("column %d: %s", e.Offset+1, e.Msg) }

// ParseType reads a quantized type: the syntax of MLIR 14 to 16, and the newer blocks, tables and
// containers. Check tells what the newest release would refuse.
func ParseType(text string) (Type, error) {
	t, n, err := ScanType(text)
	if err == nil && strings.TrimSpace(text[n:]) != "" {
		n += len(text[n:]) - len(strings.TrimLeft(text[n:], blanks))
		err = &TypeError{Offset: n, Msg: fmt.Sprintf("text after the type: %q", text[n:])}
	}
	return t, err
}

// ScanType reads a type at the beginning of a text and says how long it is.
func ScanType(text string) (Type, int, error) {
	p, t := typeParser{text: text}, Type{}
	err := p.read(func() {
		p.skip()
		t = p.typ(0)
	})
	return t, p.at, err
}

// ParseStorage reads a container: i8, u4, i8<-127:127>.
func ParseStorage(text string) (Storage, error) {
	p, t := typeParser{text: text}, Type{}
	err := p.read(func() {
		p.storage(&t, 1)
		if p.skip(); p.at < len(text) {
			panic(p.fail(p.at, "text after the container: %q", text[p.at:]))
		}
	})
	return t.Storage, err
}

const (
	blanks = " \t\r\n"
	// maxNesting bounds braces in braces, and with them the dimensions of a tensor.
	maxNesting = 16
)

// typeParser reads types. Its methods panic with a *TypeError at the first fault; read returns it.
type typeParser struct {
	text string
	at   int // the next byte
	leaf int // depth of the braces that hold scales, 0 before the first
}

// read runs a part of the parser and gives the fault that it found.
func (p *typeParser) read(part func()) (err error) {
	defer func() {
		if r := recover(); r != nil {
			fault, ok := r.(*TypeError)
			if !ok {
				panic(r)
			}
			err = fault
		}
	}()
	part()
	return nil
}

// fail is a fault at a byte.
func (p *typeParser) fail(at int, format string, args ...any) *TypeError {
	return &TypeError{Offset: at, Msg: fmt.Sprintf(format, args...)}
}

// refuse stops the reading where something holds.
func (p *typeParser) refuse(when bool, at int, format string, args ...any) {
	if when {
		panic(p.fail(at, format, args...))
	}
}

func (p *typeParser) skip() {
	for p.at < len(p.text) && strings.IndexByte(blanks, p.text[p.at]) >= 0 {
		p.at++
	}
}

// take consumes a piece of punctuation.
func (p *typeParser) take(s string) bool {
	p.skip()
	if !strings.HasPrefix(p.text[p.at:], s) {
		return false
	}
	p.at += len(s)
	return true
}

// want consumes a piece of punctuation that must be there.
func (p *typeParser) want(s string) {
	if !p.take(s) {
		panic(p.fail(p.at, "expected '%s'", s))
	}
}

// some reads parts with commas between them up to the brace, at least one.
func (p *typeParser) some(part func()) {
	for part(); !p.take("}"); part() {
		p.want(",")
	}
}

func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// word consumes letters and digits.
func (p *typeParser) word() string {
	p.skip()
	start := p.at
	for p.at < len(p.text) && isWord(p.text[p.at]) {
		p.at++
	}
	return p.text[start:p.at]
}

func (p *typeParser) typ(depth int) Type {
	start := p.at
	if depth == 0 && strings.HasPrefix(p.text[p.at:], "!quant<") { // the long way to write the same
		p.at += len("!quant<")
		t := p.named(start, depth)
		p.want(">")
		return t
	}
	p.refuse(!strings.HasPrefix(p.text[p.at:], "!quant."), start, "expected a type !quant.")
	p.refuse(depth > 1, start, "a type within a container")
	p.at += len("!quant.")
	return p.named(start, depth)
}

// named reads a type from its name on.
func (p *typeParser) named(start, depth int) Type {
	name := p.word()
	parse := (*typeParser).uniform
	switch name {
	case "uniform":
	case "any":
		parse = (*typeParser).anyType
	case "calibrated":
		parse = (*typeParser).calibrated
	case "quantile":
		parse = (*typeParser).quantile
	default:
		panic(p.fail(start, "unknown quantized type %q (any, uniform, calibrated, quantile)", name))
	}
	if p.at >= len(p.text) || p.text[p.at] != '<' { // no blank in front of it
		panic(p.fail(p.at, "expected '<'"))
	}
	p.at++
	t := parse(p, depth)
	p.want(">")
	if err := t.valid(); err != nil {
		panic(p.fail(start, "%v", err))
	}
	return t
}

func (p *typeParser) anyType(depth int) Type {
	t := Type{Form: AnyType}
	p.storage(&t, depth)
	if p.take(":") {
		t.Expressed = p.float()
	}
	return t
}

func (p *typeParser) calibrated(int) Type {
	t := Type{Form: Calibrated, Expressed: p.float()}
	p.want("<")
	t.Lo = p.real()
	p.want(":")
	t.Hi = p.real()
	p.want(">")
	return t
}

func (p *typeParser) uniform(depth int) Type {
	t := Type{Form: PerLayer}
	p.storage(&t, depth)
	p.want(":")
	t.Expressed = p.float()
	if p.take(":") {
		if p.take("{") {
			t.Form = SubChannel
			p.blocks(&t)
		} else {
			t.Form = PerAxis
			t.Axis = p.axis()
		}
	}
	p.want(",")
	switch t.Form {
	case PerLayer:
		t.Params = []Params{p.params()}
	case PerAxis:
		p.want("{")
		p.list(&t)
	default:
		p.nested(&t, 0)
	}
	return t
}

func (p *typeParser) quantile(depth int) Type {
	t := Type{Form: Quantile, Table: &Table{}}
	var inner Type
	p.storage(&inner, depth+1)
	t.Table.Storage = inner.Storage
	p.want(":")
	t.Table.Of = p.float()
	t.Expressed = t.Table.Of
	p.want(",")
	p.want("{")
	p.some(func() { t.Table.Values = append(t.Table.Values, p.real()) })
	if p.take(",") {
		p.want("<")
		t.Table.Narrowed = true
		p.bounds(&t.Table.Storage)
	}
	t.Storage = t.Table.Storage
	return t
}

// storage reads a container: iN, uN, siN, uiN, a small float, a table; and a range of it.
func (p *typeParser) storage(t *Type, depth int) {
	p.skip()
	start := p.at
	if strings.HasPrefix(p.text[p.at:], "!quant.quantile<") && depth == 0 {
		table := p.typ(depth + 1)
		t.Table, t.Storage = table.Table, table.Storage
		return
	}
	name := p.word()
	if f, ok := ParseFloat(name); ok && floats[f].storage {
		t.Storage = floatStorage(f)
	} else {
		digits := strings.TrimLeft(name, "siu")
		prefix := name[:len(name)-len(digits)]
		signed := prefix == "i" || prefix == "si"
		p.refuse(!signed && prefix != "u" && prefix != "ui", start, "storage %q is neither iN nor uN", name)
		n, err := strconv.Atoi(digits)
		if err != nil || digits[0] == '0' && n > 0 && prefix != "u" { // i08 is no type, u08 is one
			panic(p.fail(start, "storage %q is neither iN nor uN", name))
		}
		p.refuse(n < 1 || n > 32, start, "storage of %d bits (1 to 32)", n)
		t.Storage = MakeStorage(signed, n)
	}
	if p.take("<") {
		p.bounds(&t.Storage)
	}
}

// bounds reads min:max> of a container.
func (p *typeParser) bounds(s *Storage) {
	p.skip()
	start := p.at
	s.Min = p.integer()
	p.want(":")
	s.Max = p.integer()
	if err := s.Check(); err != nil {
		panic(p.fail(start, "%v", err))
	}
	p.want(">")
}

func (p *typeParser) float() Float {
	p.skip()
	start := p.at
	name := p.word()
	f, ok := ParseFloat(name)
	p.refuse(!ok, start, "%q is no floating-point type", name)
	return f
}
