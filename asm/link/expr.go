package link

import (
	"math/bits"
	"strconv"
	"strings"
)

// expr is an expression of a script.
type expr interface {
	eval(l *layout) value
	position() Pos
}

// value is the result of an expression: a plain number, or an address that is absolute or relative to
// an output section. Operations on a relative address and a number apply to the offset, as in GNU ld.
type value struct {
	v      uint64
	sec    *outputSection // what v is an offset in; nil for absolute values and numbers
	number bool           // no address: adapts to what it is combined with
	dot    bool           // derived from the location counter
	ok     bool           // all symbols had values
}

func (v value) abs() uint64 {
	if v.sec != nil {
		return v.v + uint64(v.sec.addr)
	}
	return v.v
}

// absolute returns v as an absolute address.
func (v value) absolute() value {
	v.v, v.sec, v.number = v.abs(), nil, false
	return v
}

type (
	numberExpr struct {
		pos  Pos
		v    uint64
		text string // as written: leading zeros count in fill patterns
	}
	nameExpr struct {
		pos  Pos
		name string
	}
	dotExpr   struct{ pos Pos }
	unaryExpr struct {
		pos Pos
		op  string
		x   expr
	}

	binaryExpr struct {
		pos  Pos
		op   string
		x, y expr
	}
	condExpr struct {
		pos           Pos
		cond, yes, no expr
	}
	// funcExpr is a builtin function of expressions.
	funcExpr struct {
		pos  Pos
		name string
		args []expr
	}
	// nameFuncExpr is a builtin function of a section, symbol or region.
	nameFuncExpr struct {
		pos      Pos
		fn, name string
	}
	// headersExpr is SIZEOF_HEADERS.
	headersExpr struct{ pos Pos }
	// assertExpr is ASSERT(cond, message) as a value.
	assertExpr struct {
		pos  Pos
		cond expr
		msg  string
	}
	// segmentExpr is SEGMENT_START(name, default).
	segmentExpr struct {
		pos  Pos
		name string
		def  expr
	}
)

func (e *numberExpr) position() Pos   { return e.pos }
func (e *nameExpr) position() Pos     { return e.pos }
func (e *dotExpr) position() Pos      { return e.pos }
func (e *unaryExpr) position() Pos    { return e.pos }
func (e *binaryExpr) position() Pos   { return e.pos }
func (e *condExpr) position() Pos     { return e.pos }
func (e *funcExpr) position() Pos     { return e.pos }
func (e *nameFuncExpr) position() Pos { return e.pos }
func (e *headersExpr) position() Pos  { return e.pos }
func (e *assertExpr) position() Pos   { return e.pos }
func (e *segmentExpr) position() Pos  { return e.pos }

func numberValue(v uint64) value { return value{v: v, number: true, ok: true} }

// fromAbs makes an absolute address relative to the section being laid out, if there is one.
func (l *layout) fromAbs(addr uint64) value {
	if l.cur != nil {
		return value{v: addr - uint64(l.cur.addr), sec: l.cur, ok: true}
	}
	return value{v: addr, ok: true}
}

func (e *numberExpr) eval(l *layout) value {
	if l.cur == nil {
		return value{v: e.v, ok: true}
	}
	return numberValue(e.v)
}

func (e *dotExpr) eval(l *layout) value {
	v := l.fromAbs(l.dot)
	v.dot = true
	return v
}

func (e *nameExpr) eval(l *layout) value {
	s := l.link.symbols[e.name]
	if s == nil || s.kind == symUndefined || s.kind == symScript && !s.assigned {
		if l.final {
			l.rep.script(e.pos, "undefined symbol %q in an expression", e.name)
		}
		return value{ok: false}
	}
	v := s.value(l)
	v.dot = false // only what the location counter itself gives counts as derived from it
	if v.sec == nil && l.cur != nil {
		v.number = true
	}
	return v
}

func (e *unaryExpr) eval(l *layout) value {
	v := e.x.eval(l)
	switch e.op {
	case "-":
		v.v = -v.v
	case "~":
		v.v = ^v.v
	case "!":
		v = numberValue(truth(v.abs() == 0)).like(v)
	}
	return v
}

// like makes v known, and derived from the location counter, as others are that it was computed from.
func (v value) like(of ...value) value {
	for _, o := range of {
		v.ok, v.dot = v.ok && o.ok, v.dot || o.dot
	}
	return v
}

func (v value) when(ok bool) value {
	v.ok = v.ok && ok
	return v
}

func truth(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

func (e *condExpr) eval(l *layout) value {
	c := e.cond.eval(l)
	if !c.ok {
		return c
	}
	if c.abs() != 0 {
		return e.yes.eval(l).like(c)
	}
	return e.no.eval(l).like(c)
}

func (e *binaryExpr) eval(l *layout) value {
	x, y := e.x.eval(l), e.y.eval(l)
	if e.op == "&&" || e.op == "||" {
		a, b := x.abs() != 0, y.abs() != 0
		if e.op == "&&" {
			return numberValue(truth(a && b)).like(x, y)
		}
		return numberValue(truth(a || b)).like(x, y)
	}
	return l.binary(e, x, y)
}

// binary combines two values: a number adapts to an address, addresses of different sections become
// absolute first, and what two addresses of one section give is no address any more.
func (l *layout) binary(e *binaryExpr, x, y value) value {
	r := value{ok: x.ok && y.ok, dot: x.dot || y.dot}
	same := false
	switch {
	case x.number && y.number:
		r.number = true
	case x.number:
		r.sec = y.sec
	case y.number:
		r.sec = x.sec
	case x.sec == y.sec:
		r.sec, same = x.sec, true
	default:
		x, y = x.absolute(), y.absolute()
		r.dot = false
	}
	a, b := x.v, y.v
	compare := false
	switch e.op {
	case "+":
		r.v, same = a+b, false
	case "-":
		r.v = a - b
	case "*":
		r.v = a * b
	case "/", "%":
		switch {
		case b == 0:
			if l.final && r.ok {
				l.rep.script(e.pos, "division by zero")
			}
			r.ok = false
		case int64(b) == -1:
			r.v = 0
			if e.op == "/" {
				r.v = -a
			}
		case e.op == "/":
			r.v = uint64(int64(a) / int64(b))
		default:
			r.v = uint64(int64(a) % int64(b))
		}
	case "<<":
		r.v = a << b
	case ">>":
		r.v = a >> b
	case "&":
		r.v = a & b
	case "|":
		r.v = a | b
	case "^":
		r.v = a ^ b
	case "==":
		r.v, compare = truth(a == b), true
	case "!=":
		r.v, compare = truth(a != b), true
	case "<":
		r.v, compare = truth(a < b), true
	case ">":
		r.v, compare = truth(a > b), true
	case "<=":
		r.v, compare = truth(a <= b), true
	case ">=":
		r.v, compare = truth(a >= b), true
	}
	if compare || same && l.cur != nil {
		r.sec, r.number = nil, true
	} else if same && e.op != "+" {
		r.sec = nil
	}
	return r
}

func alignUp(v, align uint64) uint64 {
	if align <= 1 {
		return v
	}
	return (v + align - 1) / align * align
}

func (e *funcExpr) eval(l *layout) value {
	args := make([]value, len(e.args))
	ok := true
	for i, a := range e.args {
		args[i] = a.eval(l)
		ok = ok && args[i].ok
	}
	switch e.name {
	case "ALIGN":
		if len(args) == 1 {
			v := l.fromAbs(alignUp(l.dot, args[0].abs()))
			v.dot = true
			return v.when(ok)
		}
		r := args[0]
		if r.sec != nil && !args[1].number {
			r = r.absolute()
		}
		r.v = alignUp(r.v, args[1].v)
		return r.when(ok)
	case "BLOCK":
		return value{v: alignUp(l.dot, args[0].abs()), dot: true, ok: ok}
	case "NEXT":
		return value{v: alignUp(l.dot, args[0].abs()), ok: ok}
	case "ABSOLUTE":
		v := args[0].absolute()
		v.dot = false
		return v
	case "MAX", "MIN":
		x, y := args[0], args[1]
		if x.sec != y.sec && !x.number && !y.number {
			x, y = x.absolute(), y.absolute()
		}
		if (x.v > y.v) == (e.name == "MAX") {
			x, y = y, x
		}
		if y.number && !x.number {
			y.number, y.sec = false, x.sec
		}
		return y.like(args...)
	case "LOG2CEIL":
		n := 0
		if v := args[0].abs(); v > 1 {
			n = bits.Len64(v - 1)
		}
		return numberValue(uint64(n)).like(args[0])
	case "DATA_SEGMENT_ALIGN":
		page := args[0].abs()
		if page&(page-1) != 0 || page == 0 {
			return value{v: l.dot, dot: true, ok: ok}
		}
		return value{v: alignUp(l.dot, page) + l.dot&(page-1), dot: true, ok: ok}
	case "DATA_SEGMENT_RELRO_END":
		return args[1]
	case "DATA_SEGMENT_END":
		return args[0]
	}
	panic("unknown builtin " + e.name)
}

// builtins lists the functions of expressions and their numbers of arguments.
var builtins = map[string]struct{ min, max int }{
	"ALIGN":                  {min: 1, max: 2},
	"BLOCK":                  {min: 1, max: 1},
	"NEXT":                   {min: 1, max: 1},
	"ABSOLUTE":               {min: 1, max: 1},
	"MAX":                    {min: 2, max: 2},
	"MIN":                    {min: 2, max: 2},
	"LOG2CEIL":               {min: 1, max: 1},
	"DATA_SEGMENT_ALIGN":     {min: 2, max: 2},
	"DATA_SEGMENT_RELRO_END": {min: 2, max: 2},
	"DATA_SEGMENT_END":       {min: 1, max: 1},
}

// nameBuiltins lists the functions whose argument is a name.
var nameBuiltins = map[string]bool{
	"ADDR": true, "LOADADDR": true, "SIZEOF": true, "ALIGNOF": true, "DEFINED": true,
	"ORIGIN": true, "LENGTH": true, "CONSTANT": true,
}

func (e *nameFuncExpr) eval(l *layout) value {
	switch e.fn {
	case "DEFINED":
		s := l.link.symbols[e.name]
		// A symbol of the script counts from where it is assigned.
		defined := s != nil && s.kind != symUndefined && (s.kind != symScript || s.pass == l.number)
		return value{v: truth(defined), number: l.cur != nil, ok: true}
	case "CONSTANT":
		switch e.name {
		case "MAXPAGESIZE", "COMMONPAGESIZE":
			return value{v: uint64(l.link.opts.pageSize()), number: l.cur != nil, ok: true}
		}
		l.rep.script(e.pos, "unknown constant %q", e.name)
		return value{}
	case "ORIGIN", "LENGTH":
		r := l.regions[e.name]
		if r == nil {
			l.rep.script(e.pos, "unknown memory region %q", e.name)
			return value{}
		}
		if e.fn == "ORIGIN" {
			v := l.fromAbs(r.origin) // an address, which belongs to a section as the location counter does
			v.dot = true
			return v
		}
		return numberValue(r.length)
	}
	o := l.link.outputByName(e.name)
	if o == nil {
		if l.final {
			l.rep.script(e.pos, "unknown section %q", e.name)
		}
		return value{number: l.cur != nil, ok: true}
	}
	switch e.fn {
	case "ADDR":
		return value{sec: o, ok: true}
	case "LOADADDR":
		return value{v: uint64(o.lma), ok: true}
	case "SIZEOF":
		return numberValue(uint64(o.size))
	}
	return numberValue(uint64(o.align))
}

func (e *headersExpr) eval(l *layout) value {
	return value{v: uint64(headersSize(l.link.segments)), number: l.cur != nil, ok: true}
}

func (e *assertExpr) eval(l *layout) value {
	v := e.cond.eval(l)
	if l.final && v.ok && v.abs() == 0 {
		l.rep.script(e.pos, "assertion failed: %s", e.msg)
	}
	return v
}

func (e *segmentExpr) eval(l *layout) value {
	if addr, ok := l.link.opts.SegmentStart[e.name]; ok {
		return value{v: uint64(addr), ok: true}
	}
	return e.def.eval(l)
}

// parseNumber reads a number with the suffixes of linker scripts: K and M multiply, h, o, b and d name
// a base.
func parseNumber(text string) (uint64, bool) {
	t := strings.ToLower(text)
	scale := uint64(1)
	switch {
	case strings.HasSuffix(t, "k"):
		scale, t = 1<<10, t[:len(t)-1]
	case strings.HasSuffix(t, "m"):
		scale, t = 1<<20, t[:len(t)-1]
	}
	base := 10
	switch {
	case strings.HasPrefix(t, "0x"):
		base, t = 16, t[2:]
	case strings.HasSuffix(t, "h"):
		base, t = 16, t[:len(t)-1]
	case strings.HasSuffix(t, "o"):
		base, t = 8, t[:len(t)-1]
	case strings.HasSuffix(t, "b"):
		base, t = 2, t[:len(t)-1]
	case strings.HasSuffix(t, "d"):
		base, t = 10, t[:len(t)-1]
	case len(t) > 1 && t[0] == '0':
		base, t = 8, t[1:]
	}
	v, err := strconv.ParseUint(t, base, 64)
	if err != nil {
		return 0, false
	}
	if hi, _ := bits.Mul64(v, scale); hi != 0 {
		return 0, false
	}
	return v * scale, true
}
