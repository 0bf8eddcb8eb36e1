package cexpr

import (
	"fmt"
	"strconv"
	"strings"

	"arcv2dsp/internal/program/dwarf"
)

// Unescape replaces the escapes of C in a text. A backslash before anything else, or at the end, stands
// for nothing, so that a text can begin or end with blanks.
func Unescape(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c != '\\' {
			b.WriteByte(c)
			continue
		}
		if i++; i == len(text) {
			break
		}
		c = text[i]
		digits := 0
		for digits < 3 && i+digits < len(text) && text[i+digits] >= '0' && text[i+digits] <= '7' {
			digits++
		}
		switch at := strings.IndexByte("abtnvfr", c); {
		case at >= 0:
			b.WriteByte("\a\b\t\n\v\f\r"[at])
		case c == 'e':
			b.WriteByte(0x1b)
		case digits > 0:
			n, _ := strconv.ParseUint(text[i:i+digits], 8, 16) // no more than three octal digits
			b.WriteByte(byte(n))
			i += digits - 1
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// conversion is a part of a format: %-8.3lx.
type conversion struct {
	flags            string
	width, precision string // with the point
	verb             byte
}

// Template is a format of printf with the expressions that it prints.
type Template struct {
	text  string // as the user wrote it
	parts []part
}

// part is a piece of text and the conversion behind it.
type part struct {
	text string
	conversion
	spec string // the conversion as written; "" behind the last piece
	expr string
}

// String is the format in quotes with its expressions.
func (t *Template) String() string { return t.text }

// ParseTemplate reads the format of a printf in quotes and, behind commas, the expressions.
func ParseTemplate(text string) (*Template, error) {
	text = strings.TrimSpace(text)
	end := 1
	for end < len(text) && text[end] != '"' {
		if text[end] == '\\' {
			end++
		}
		end++
	}
	if !strings.HasPrefix(text, `"`) || end >= len(text) {
		return nil, fmt.Errorf(`a format in quotes is expected, as in "%%d\n", VALUE`)
	}
	format, rest := Unescape(text[1:end]), strings.TrimSpace(text[end+1:])
	var values []string
	if rest != "" {
		list, ok := strings.CutPrefix(rest, ",")
		if !ok {
			return nil, fmt.Errorf("a comma is expected behind the format, not %q", rest)
		}
		values = SplitCommas(list)
	}
	t := &Template{text: text}
	var p part
	for format != "" {
		if strings.HasPrefix(format, "%%") {
			format = format[1:]
		} else if format[0] == '%' {
			c, n, err := parseConversion(format)
			if err != nil {
				return nil, err
			}
			if len(values) == 0 {
				return nil, fmt.Errorf("no value for %s", format[:n])
			}
			p.conversion, p.spec, p.expr = c, format[:n], values[0]
			t.parts = append(t.parts, p)
			p, format, values = part{}, format[n:], values[1:]
			continue
		}
		p.text += format[:1]
		format = format[1:]
	}
	if len(values) > 0 {
		return nil, fmt.Errorf("no conversion in the format for %s", values[0])
	}
	t.parts = append(t.parts, p)
	return t, nil
}

// Printf writes a template with the values that its expressions have now.
func (l *Language) Printf(t *Template) (string, error) {
	var b strings.Builder
	for _, p := range t.parts {
		b.WriteString(p.text)
		if p.spec == "" {
			continue
		}
		out, err := l.converted(p.conversion, p.expr)
		if err != nil {
			return "", fmt.Errorf("%s of %s: %w", p.spec, p.expr, err)
		}
		b.WriteString(out)
	}
	return b.String(), nil
}

// parseConversion reads the conversion at the start of a format and returns its length. How long C's
// types are does not matter: a value has its own.
func parseConversion(format string) (conversion, int, error) {
	i := 1
	take := func(set string) string {
		from := i
		for i < len(format) && strings.IndexByte(set, format[i]) >= 0 {
			i++
		}
		return format[from:i]
	}
	c := conversion{flags: take("-+ #0"), width: take("0123456789")}
	if i < len(format) && format[i] == '.' {
		i++
		c.precision = "." + take("0123456789")
	}
	take("hlLqjzt")
	if i == len(format) || strings.IndexByte("diuxXoceEfFgGsp", format[i]) < 0 {
		return c, 0, fmt.Errorf("invalid conversion %q, there is d i u x X o c e f g s p", format[:min(i+1, len(format))])
	}
	c.verb = format[i]
	if len(c.width) > 4 || len(c.precision) > 4 {
		return c, 0, fmt.Errorf("too wide a conversion %q", format[:i+1])
	}
	return c, i + 1, nil
}

// converted evaluates an expression and writes it in the form of a conversion.
func (l *Language) converted(c conversion, expr string) (string, error) {
	v, err := l.Eval(expr)
	if err != nil {
		return "", err
	}
	if c.verb != 's' || v.Type.Kind == dwarf.KindFunction {
		v = decay(v)
	}
	var arg any
	verb := string(c.verb)
	switch {
	case c.verb == 's':
		text, err := l.stringOf(v)
		if err != nil {
			return "", err
		}
		arg = text
	case !v.Type.Scalar():
		return "", fmt.Errorf("%s is no number", v.Type.Name)
	case strings.IndexByte("eEfFgG", c.verb) >= 0:
		arg = v.Float()
		if c.precision == "" {
			c.precision = ".6"
		}
	default:
		n, err := convert(v, typeInt64)
		if v.Type.Kind == dwarf.KindFixed { // the bits of a register, not its whole part
			n, err = Value{Num: v.Num}, nil
		}
		if err != nil {
			return "", err
		}
		bits := uint64(n.Num)
		if size := max(v.Type.Size, 4); size < 8 {
			bits &= 1<<(8*size) - 1
		}
		switch c.verb {
		case 'd', 'i':
			verb, arg = "d", n.Num
		case 'u':
			verb, arg = "d", bits
		case 'c':
			verb, arg = "s", string([]byte{byte(bits)})
		case 'p':
			verb, arg = "s", "(nil)"
			if bits != 0 {
				arg = fmt.Sprintf("%#x", bits)
			}
		default:
			arg = bits
			if bits == 0 {
				c.flags = strings.ReplaceAll(c.flags, "#", "")
			}
		}
	}
	return fmt.Sprintf("%"+c.flags+c.width+c.precision+verb, arg), nil
}

// stringOf is a value as a string of C.
func (l *Language) stringOf(v Value) (string, error) {
	if v.Type.Kind == dwarf.KindArray && v.Type.Elem().Size == 1 {
		text, _, _ := strings.Cut(string(v.Data), "\x00")
		return text, nil
	}
	if v.Type.Kind != dwarf.KindPointer && !v.Type.Integer() {
		return "", fmt.Errorf("%s is no string", v.Type.Name)
	}
	text, _, err := l.t.CString(uint32(v.Num))
	return text, err
}

// SplitCommas splits at the commas outside brackets and quotes.
func SplitCommas(text string) []string {
	var list []string
	depth, start, quoted := 0, 0, byte(0)
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted != 0 && c == '\\':
			i++
		case quoted != 0:
			if c == quoted {
				quoted = 0
			}
		case c == '"' || c == '\'':
			quoted = c
		case c == '(' || c == '[':
			depth++
		case c == ')' || c == ']':
			depth--
		case c == ',' && depth == 0:
			list = append(list, strings.TrimSpace(text[start:i]))
			start = i + 1
		}
	}
	return append(list, strings.TrimSpace(text[start:]))
}
