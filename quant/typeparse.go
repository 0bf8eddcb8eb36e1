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
	p := typeParser{text: text}
	p.skip()
	t, err := p.typ(0)
	if err != nil {
		return Type{}, p.at, err
	}
	return t, p.at, nil
}

const (
	blanks = " \t\r\n"
	// maxNesting bounds braces in braces, and with them the dimensions of a tensor.
	maxNesting = 16
)

type typeParser struct {
	text string
	at   int // the next byte
	leaf int // depth of the braces that hold scales, 0 before the first
}

func (p *typeParser) fail(at int, format string, args ...any) error {
	return &TypeError{Offset: at, Msg: fmt.Sprintf(format, args...)}
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

func (p *typeParser) want(s string) error {
	if !p.take(s) {
		return p.fail(p.at, "expected '%s'", s)
	}
	return nil
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

func (p *typeParser) typ(depth int) (Type, error) {
	start := p.at
	if depth == 0 && strings.HasPrefix(p.text[p.at:], "!quant<") { // the long way to write the same
		p.at += len("!quant<")
		t, err := p.named(start, depth)
		if err == nil {
			err = p.want(">")
		}
		return t, err
	}
	if !strings.HasPrefix(p.text[p.at:], "!quant.") {
		return Type{}, p.fail(start, "expected a type !quant.")
	}
	if depth > 1 {
		return Type{}, p.fail(start, "a type within a container")
	}
	p.at += len("!quant.")
	return p.named(start, depth)
}

// named reads a type from its name on.
func (p *typeParser) named(start, depth int) (Type, error) {
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
		return Type{}, p.fail(start, "unknown quantized type %q (any, uniform, calibrated, quantile)", name)
	}
	if p.at >= len(p.text) || p.text[p.at] != '<' { // no blank in front of it
		return Type{}, p.fail(p.at, "expected '<'")
	}
	p.at++
	t, err := parse(p, depth)
	if err != nil {
		return Type{}, err
	}
	if err := p.want(">"); err != nil {
		return Type{}, err
	}
	if err := t.valid(); err != nil {
		return Type{}, p.fail(start, "%v", err)
	}
	return t, nil
}

func (p *typeParser) anyType(depth int) (Type, error) {
	t := Type{Form: AnyType}
	if err := p.storage(&t, depth); err != nil || !p.take(":") {
		return t, err
	}
	var err error
	t.Expressed, err = p.float()
	return t, err
}

func (p *typeParser) calibrated(int) (Type, error) {
	t := Type{Form: Calibrated}
	var err error
	if t.Expressed, err = p.float(); err != nil {
		return t, err
	}
	if err = p.want("<"); err != nil {
		return t, err
	}
	if t.Lo, err = p.real(); err != nil {
		return t, err
	}
	if err = p.want(":"); err != nil {
		return t, err
	}
	if t.Hi, err = p.real(); err != nil {
		return t, err
	}
	return t, p.want(">")
}

func (p *typeParser) uniform(depth int) (Type, error) {
	t := Type{Form: PerLayer}
	if err := p.storage(&t, depth); err != nil {
		return t, err
	}
	if err := p.want(":"); err != nil {
		return t, err
	}
	var err error
	if t.Expressed, err = p.float(); err != nil {
		return t, err
	}
	if p.take(":") {
		if p.take("{") {
			t.Form = SubChannel
			err = p.blocks(&t)
		} else {
			t.Form = PerAxis
			t.Axis, err = p.axis()
		}
		if err != nil {
			return t, err
		}
	}
	if err = p.want(","); err != nil {
		return t, err
	}
	switch t.Form {
	case PerLayer:
		var one Params
		one, err = p.params()
		t.Params = []Params{one}
	case PerAxis:
		if err = p.want("{"); err == nil {
			err = p.list(&t)
		}
	default:
		err = p.nested(&t, 0)
	}
	return t, err
}

func (p *typeParser) quantile(depth int) (Type, error) {
	t := Type{Form: Quantile, Table: &Table{}}
	var inner Type
	if err := p.storage(&inner, depth+1); err != nil {
		return t, err
	}
	t.Table.Storage = inner.Storage
	if err := p.want(":"); err != nil {
		return t, err
	}
	var err error
	if t.Table.Of, err = p.float(); err != nil {
		return t, err
	}
	t.Expressed = t.Table.Of
	for _, s := range []string{",", "{"} {
		if err = p.want(s); err != nil {
			return t, err
		}
	}
	for {
		v, err := p.real()
		if err != nil {
			return t, err
		}
		t.Table.Values = append(t.Table.Values, v)
		if p.take("}") {
			break
		}
		if err = p.want(","); err != nil {
			return t, err
		}
	}
	if p.take(",") {
		if err = p.want("<"); err != nil {
			return t, err
		}
		t.Table.Narrowed = true
		err = p.bounds(&t.Table.Storage)
	}
	t.Storage = t.Table.Storage
	return t, err
}

// storage reads a container: iN, uN, siN, uiN, a small float, a table; and a range of it.
func (p *typeParser) storage(t *Type, depth int) error {
	p.skip()
	start := p.at
	if strings.HasPrefix(p.text[p.at:], "!quant.quantile<") && depth == 0 {
		table, err := p.typ(depth + 1)
		t.Table, t.Storage = table.Table, table.Storage
		return err
	}
	name := p.word()
	if f, ok := ParseFloat(name); ok && floats[f].storage {
		t.Storage = floatStorage(f)
	} else {
		digits := strings.TrimLeft(name, "siu")
		prefix := name[:len(name)-len(digits)]
		signed := prefix == "i" || prefix == "si"
		if !signed && prefix != "u" && prefix != "ui" {
			return p.fail(start, "storage %q is neither iN nor uN", name)
		}
		n, err := strconv.Atoi(digits)
		if err != nil || digits[0] == '0' && n > 0 && prefix != "u" { // i08 is no type, u08 is one
			return p.fail(start, "storage %q is neither iN nor uN", name)
		}
		if n < 1 || n > 32 {
			return p.fail(start, "storage of %d bits (1 to 32)", n)
		}
		t.Storage = MakeStorage(signed, n)
	}
	if !p.take("<") {
		return nil
	}
	return p.bounds(&t.Storage)
}

// bounds reads min:max> of a container.
func (p *typeParser) bounds(s *Storage) error {
	p.skip()
	start := p.at
	var err error
	if s.Min, err = p.integer(); err != nil {
		return err
	}
	if err = p.want(":"); err != nil {
		return err
	}
	if s.Max, err = p.integer(); err != nil {
		return err
	}
	if err = s.Check(); err != nil {
		return p.fail(start, "%v", err)
	}
	return p.want(">")
}

func (p *typeParser) float() (Float, error) {
	p.skip()
	start := p.at
	name := p.word()
	f, ok := ParseFloat(name)
	if !ok {
		return NoFloat, p.fail(start, "%q is no floating-point type", name)
	}
	return f, nil
}

// ParseStorage reads a container: i8, u4, i8<-127:127>.
func ParseStorage(text string) (Storage, error) {
	p := typeParser{text: text}
	var t Type
	err := p.storage(&t, 1)
	if p.skip(); err == nil && p.at < len(text) {
		err = p.fail(p.at, "text after the container: %q", text[p.at:])
	}
	return t.Storage, err
}
