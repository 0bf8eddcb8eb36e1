// Package isavec reads the instruction vectors testdata/isa/<mnemonic>.txt: the state before and
// after one or a few instructions, written by generators that are independent of the code under
// test. It parses only; the processor package holds the runner.
//
// A file is made of lines; "#" begins a comment and empty lines are ignored:
//
//	# vmac2h: the subject of the file and the origin of the expected values
//	core em9d
//	case name=edge-1
//	  code  vmac2h r4,r0,r1 ; 1e280401
//	  in    r0=0x80007fff r1=5 acclo=-1 f=Z--- mem[0x1000]=01 02 03 04
//	  out   r4=1 r5=0 acclo=4 f=----
//
// The bytes after ";" stand as in memory, so that vectors do not depend on an assembler. Numbers are
// decimal or hexadecimal and may be negative. State that in does not set holds garbage, and state that out does not
// name must keep its value; only pc and insts are checked only when named. Every case names cycles. A case ends
// where its code or pc does, in the exception that trap names, or for the reason in stop.
//
// Start with Parse.
package isavec

import (
	"encoding/hex"
	"fmt"
	"io/fs"
	"math/big"
	"strings"
)

// File is one vector file.
type File struct {
	Path  string
	About string // the first comment line
	Cases []Case
}

// Case is one test: instructions, the state before and the state after.
type Case struct {
	Name string
	Core string // core template the case is for
	Line int
	Code []Code
	In   []Value
	Out  []Value
}

// Code is one instruction.
type Code struct {
	Text  string
	Bytes []byte // as in memory, little-endian core
	Line  int
}

// Value is one assignment.
type Value struct {
	Name string // r0, acclo, f, dsp_ctrl, trap, mem ...
	// Num is the number, sign-extended to 64 bits; of acc, which has 72 bits, the low 64. acclo and
	// acchi are sign-extended from 40 bits. f has V C N Z in bits 0 to 3.
	Num   int64
	Text  string // stop: why the core stops: breakpoint, halt, sleep
	High  int64  // bits 64 and up of acc, sign-extended; else the sign of Num
	Addr  uint32 // mem
	Bytes []byte // mem
	Line  int
}

// Error is a line that is not as the format wants it.
type Error struct {
	Path string
	Line int
	Msg  string
}

func (e *Error) Error() string { return fmt.Sprintf("%s:%d: %s", e.Path, e.Line, e.Msg) }

// ReadFile parses the vector file name of fsys.
func ReadFile(fsys fs.FS, name string) (*File, error) {
	data, err := fs.ReadFile(fsys, name)
	if err != nil {
		return nil, err
	}
	return Parse(name, string(data))
}

// Parse parses the text of a vector file. The path is for error messages.
func Parse(path, text string) (*File, error) {
	p := parser{file: &File{Path: path}}
	for i, line := range strings.Split(text, "\n") {
		p.line = i + 1
		if err := p.readLine(strings.TrimSpace(line)); err != nil {
			return nil, err
		}
	}
	if err := p.endCase(); err != nil {
		return nil, err
	}
	return p.file, nil
}

type parser struct {
	file *File
	core string
	line int
}

func (p *parser) fail(format string, args ...any) error {
	return &Error{p.file.Path, p.line, fmt.Sprintf(format, args...)}
}

func (p *parser) readLine(line string) error {
	keyword, rest, _ := strings.Cut(line, " ")
	rest = strings.TrimSpace(rest)
	if keyword == "" {
		return nil
	}
	if comment, ok := strings.CutPrefix(line, "#"); ok {
		if p.file.About == "" {
			p.file.About = strings.TrimSpace(comment)
		}
		return nil
	}
	switch keyword {
	case "core":
		if rest == "" {
			return p.fail("core without a name")
		}
		p.core = rest
		return nil
	case "case":
		return p.beginCase(rest)
	}
	if len(p.file.Cases) == 0 {
		return p.fail("%s before the first case", keyword)
	}
	c := &p.file.Cases[len(p.file.Cases)-1]
	var err error
	switch keyword {
	case "code":
		err = p.readCode(c, rest)
	case "in":
		c.In, err = p.readValues(c.In, rest)
	case "out":
		c.Out, err = p.readValues(c.Out, rest)
	default:
		err = p.fail("unknown keyword %s", keyword)
	}
	return err
}

func (p *parser) beginCase(rest string) error {
	if err := p.endCase(); err != nil {
		return err
	}
	name, ok := strings.CutPrefix(rest, "name=")
	if !ok || name == "" || strings.Contains(name, " ") {
		return p.fail("want case name=NAME")
	}
	if p.core == "" {
		return p.fail("case before a core line")
	}
	p.file.Cases = append(p.file.Cases, Case{Name: name, Core: p.core, Line: p.line})
	return nil
}

// endCase checks the case that the next one, or the end of the file, completes.
func (p *parser) endCase() error {
	if len(p.file.Cases) == 0 {
		return nil
	}
	if c := &p.file.Cases[len(p.file.Cases)-1]; len(c.Code) == 0 {
		return &Error{p.file.Path, c.Line, "case " + c.Name + " has no code"}
	}
	return nil
}

func (p *parser) readCode(c *Case, rest string) error {
	text, digits, ok := strings.Cut(rest, ";")
	if !ok {
		return p.fail("code without its bytes after ;")
	}
	code, err := hex.DecodeString(strings.ReplaceAll(strings.TrimSpace(digits), " ", ""))
	if err != nil || len(code) == 0 || len(code)%2 != 0 || len(code) > 8 {
		return p.fail("code bytes %q are not 2, 4, 6 or 8 hexadecimal bytes", strings.TrimSpace(digits))
	}
	c.Code = append(c.Code, Code{Text: strings.TrimSpace(text), Bytes: code, Line: p.line})
	return nil
}

// readValues reads name=value pairs. Bytes of memory are several words.
func (p *parser) readValues(values []Value, rest string) ([]Value, error) {
	for _, word := range strings.Fields(rest) {
		name, text, ok := strings.Cut(word, "=")
		if !ok {
			if len(values) == 0 || values[len(values)-1].Name != "mem" || values[len(values)-1].Line != p.line {
				return nil, p.fail("%q is not name=value", word)
			}
			if err := p.appendBytes(&values[len(values)-1], word); err != nil {
				return nil, err
			}
			continue
		}
		v, err := p.readValue(name, text)
		if err != nil {
			return nil, err
		}
		values = append(values, v)
	}
	return values, nil
}

func (p *parser) readValue(name, text string) (Value, error) {
	v := Value{Name: name, Line: p.line}
	if inner, ok := strings.CutPrefix(name, "mem["); ok {
		addr, err := p.number(strings.TrimSuffix(inner, "]"), 0, 32)
		if err != nil || !strings.HasSuffix(inner, "]") {
			return v, p.fail("%q is not mem[ADDRESS]", name)
		}
		v.Name, v.Addr = "mem", uint32(addr.Int64())
		return v, p.appendBytes(&v, text)
	}
	var n *big.Int
	var err error
	switch name {
	case "":
		err = p.fail("value without a name")
	case "stop":
		v.Text = text
		return v, nil
	case "f":
		v.Num, err = p.flags(text)
		return v, err
	case "acc":
		n, err = p.number(text, 72, 72)
	case "acclo", "acchi":
		if n, err = p.number(text, 40, 44); err == nil {
			n = big.NewInt(n.Int64() << 24 >> 24)
		}
	case "cycles", "insts":
		n, err = p.number(text, 0, 63)
	default:
		n, err = p.number(text, 32, 32)
	}
	if err != nil {
		return v, err
	}
	low := new(big.Int).And(n, new(big.Int).SetUint64(1<<64-1))
	v.Num = int64(low.Uint64())
	v.High = new(big.Int).Rsh(n, 64).Int64()
	if name == "acc" {
		v.High = v.High << 56 >> 56
	}
	return v, nil
}

// number reads a number of at most bits bits, or a negative one that fits signed bits in two's
// complement; signed 0 allows none.
func (p *parser) number(text string, signed, bits uint) (*big.Int, error) {
	n, ok := new(big.Int).SetString(text, 0)
	if !ok {
		return nil, p.fail("%q is not a number", text)
	}
	lo := new(big.Int)
	if signed > 0 {
		lo.Neg(new(big.Int).Lsh(big.NewInt(1), signed-1))
	}
	if n.Cmp(lo) < 0 || n.BitLen() > int(bits) {
		return nil, p.fail("%s does not fit %d bits", text, bits)
	}
	return n, nil
}

// flags reads ZNCV with a dash for each clear flag.
func (p *parser) flags(text string) (int64, error) {
	if len(text) != 4 {
		return 0, p.fail("flags %q are not four of ZNCV or -", text)
	}
	f := int64(0)
	for i, c := range []byte(text) {
		switch c {
		case "ZNCV"[i]:
			f |= 8 >> i
		case '-':
		default:
			return 0, p.fail("flags %q are not four of ZNCV or -", text)
		}
	}
	return f, nil
}

func (p *parser) appendBytes(v *Value, text string) error {
	b, err := hex.DecodeString(text)
	if err != nil {
		return p.fail("%q is not hexadecimal bytes", text)
	}
	v.Bytes = append(v.Bytes, b...)
	return nil
}
