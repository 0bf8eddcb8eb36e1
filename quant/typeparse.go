package quant

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// TypeError is a fault in the text of a type and the byte at which it is.
type TypeError struct {
	Offset int
	Msg    string
}

func (e *TypeError) Error() string { return fmt.Sprintf("column %d: %s", e.Offset+1, e.Msg) }

// ParseType reads a quantized type: what releases 14 to 16 of MLIR accept, and the newer blocks, tables and
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
	if !strings.HasPrefix(p.text[p.at:], "!quant.") {
		return Type{}, p.fail(start, "expected a type !quant.")
	}
	if depth > 1 {
		return Type{}, p.fail(start, "a type within a container")
	}
	p.at += len("!quant.")
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

func (p *typeParser) axis() (int, error) {
	p.skip()
	start := p.at
	n, err := p.integer()
	if err == nil && (n < math.MinInt32 || n > math.MaxInt32) {
		err = p.fail(start, "axis %d does not fit 32 bits", n)
	}
	return int(n), err
}

// blocks reads axis:size pairs up to the brace.
func (p *typeParser) blocks(t *Type) error {
	if p.take("}") {
		return nil
	}
	for {
		axis, err := p.axis()
		if err != nil {
			return err
		}
		if err = p.want(":"); err != nil {
			return err
		}
		size, err := p.axis()
		if err != nil {
			return err
		}
		t.Blocks = append(t.Blocks, Block{Axis: axis, Size: size})
		if len(t.Blocks) > maxNesting {
			return p.fail(p.at, "blocks along more than %d axes", maxNesting)
		}
		if p.take("}") {
			return nil
		}
		if err = p.want(","); err != nil {
			return err
		}
	}
}

// list reads relations up to the brace.
func (p *typeParser) list(t *Type) error {
	for {
		one, err := p.params()
		if err != nil {
			return err
		}
		t.Params = append(t.Params, one)
		if p.take("}") {
			return nil
		}
		if err = p.want(","); err != nil {
			return err
		}
	}
}

// nested reads braces in braces, all lists of one depth equally long.
func (p *typeParser) nested(t *Type, depth int) error {
	p.skip()
	start := p.at
	if err := p.want("{"); err != nil {
		return err
	}
	if depth >= maxNesting {
		return p.fail(start, "braces more than %d deep", maxNesting)
	}
	p.skip()
	length, leaf := 0, p.at >= len(p.text) || p.text[p.at] != '{'
	if leaf {
		before := len(t.Params)
		if err := p.list(t); err != nil {
			return err
		}
		length = len(t.Params) - before
	} else {
		for {
			if err := p.nested(t, depth+1); err != nil {
				return err
			}
			length++
			if p.take("}") {
				break
			}
			if err := p.want(","); err != nil {
				return err
			}
		}
	}
	// Inner lists close first, so the grid is filled from its end; -1 stands for not known yet.
	for len(t.Grid) <= depth {
		t.Grid = append(t.Grid, -1)
	}
	switch {
	case leaf && p.leaf != depth+1 && p.leaf != 0:
		return p.fail(start, "braces of different depth")
	case t.Grid[depth] >= 0 && t.Grid[depth] != length:
		return p.fail(start, "a list of %d among lists of %d", length, t.Grid[depth])
	}
	if leaf {
		p.leaf = depth + 1
	}
	t.Grid[depth] = length
	return nil
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
		if err != nil {
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

func (p *typeParser) params() (Params, error) {
	p.skip()
	start := p.at
	scale, err := p.real()
	one := Params{Scale: scale}
	if err != nil {
		return one, err
	}
	if err := one.Check(); err != nil {
		return one, p.fail(start, "%v", err)
	}
	if p.take(":") {
		one.ZeroPoint, err = p.integer()
	}
	return one, err
}

// integer reads a decimal or hexadecimal number.
func (p *typeParser) integer() (int64, error) {
	p.skip()
	start := p.at
	text := ""
	if p.take("-") {
		text = "-"
	}
	p.skip()
	digits, base := p.digits()
	if digits == "" {
		return 0, p.fail(start, "expected an integer")
	}
	n, err := strconv.ParseInt(text+digits, base, 64)
	if err != nil {
		return 0, p.fail(start, "integer %s%s does not fit 64 bits", text, digits)
	}
	return n, nil
}

// digits consumes the longest number there is, without a sign.
func (p *typeParser) digits() (string, int) {
	base, start := 10, p.at
	hex := func(c byte) bool { return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'f' }
	if len(p.text) > p.at+2 && p.text[p.at:p.at+2] == "0x" && hex(p.text[p.at+2]) {
		base, start = 16, p.at+2
		for p.at = start; p.at < len(p.text) && hex(p.text[p.at]); p.at++ {
		}
	} else {
		p.decimals()
	}
	return p.text[start:p.at], base
}

// real reads a number with a point, or the bits of one in hexadecimal.
func (p *typeParser) real() (float64, error) {
	p.skip()
	start := p.at
	negative := p.take("-")
	p.skip()
	digits, base := p.digits()
	switch {
	case digits == "":
		return 0, p.fail(start, "expected a number with a point")
	case base == 16:
		bits, err := strconv.ParseUint(digits, 16, 64)
		if err != nil || negative {
			return 0, p.fail(start, "0x%s are not the bits of a number", digits)
		}
		return math.Float64frombits(bits), nil
	case p.at >= len(p.text) || p.text[p.at] != '.':
		return 0, p.fail(start, "%s is an integer, expected a number with a point", digits)
	}
	p.at++
	fraction := p.decimals()
	exponent := ""
	if rest := p.text[p.at:]; rest != "" && rest[0]|0x20 == 'e' {
		after := 1
		if len(rest) > 1 && (rest[1] == '-' || rest[1] == '+') {
			after = 2
		}
		if len(rest) > after && rest[after] >= '0' && rest[after] <= '9' {
			p.at += after
			exponent = rest[:after] + p.decimals()
		}
	}
	x, ok := parseReal(digits + "." + fraction + exponent)
	if !ok {
		return 0, p.fail(start, "%s is no number", p.text[start:p.at])
	}
	if negative {
		x = -x
	}
	return x, nil
}

// decimals consumes decimal digits.
func (p *typeParser) decimals() string {
	start := p.at
	for p.at < len(p.text) && p.text[p.at] >= '0' && p.text[p.at] <= '9' {
		p.at++
	}
	return p.text[start:p.at]
}

// parseReal reads decimal text. What is too large becomes infinite, as in MLIR, and fails later.
func parseReal(s string) (float64, bool) {
	x, err := strconv.ParseFloat(s, 64)
	if err != nil && !math.IsInf(x, 0) {
		return 0, false
	}
	return x, true
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
