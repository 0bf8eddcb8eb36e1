// Package trace writes what a machine executes, a record for each instruction and exception, as text, CSV or
// JSON lines. docs/formats.md describes each format.
package trace

import (
	"bufio"
	"fmt"
	"io"
	"math/bits"
	"strconv"
	"strings"

	"arcv2dsp/cpu"
	"arcv2dsp/isa"
	"arcv2dsp/memory"
)

// Format is how a trace is written.
type Format uint8

// The formats. They have no type of their own, so that one of the face can take them as they are.
const (
	Text  = iota // for people
	CSV          // one line per instruction, a header line first
	JSONL        // one JSON object per line
)

var formats = [...]string{Text: "text", CSV: "csv", JSONL: "jsonl"}

// ParseFormat finds a format by its name: text, csv or jsonl.
func ParseFormat(name string) (Format, error) {
	for i, n := range formats {
		if n == name {
			return Format(i), nil
		}
	}
	return 0, fmt.Errorf("unknown trace format %q, there is %s", name, strings.Join(formats[:], ", "))
}

// Machine is the machine that a trace follows.
type Machine struct {
	CPU      *cpu.CPU
	Features isa.Feature
	Locate   func(addr uint32) string // an address with the symbol near it
}

// Trace writes one record for each instruction that completes and each exception taken.
type Trace struct {
	m      Machine
	w      *bufio.Writer
	format Format
	line   []byte
	loads  []memory.Event // accesses of the instruction being executed
	known  map[uint32]*traced
}

// traced is the text of an instruction that a trace repeats each time it executes.
type traced struct {
	word, limm uint32
	code, text string
	regs       isa.RegSet
	flags      bool
}

// traceCode bounds the remembered instructions.
const traceCode = 1 << 16

// New begins a trace of a machine into w.
func New(w io.Writer, format Format, m Machine) *Trace {
	t := &Trace{m: m, w: bufio.NewWriterSize(w, 1<<16), format: format, known: map[uint32]*traced{}}
	if format == CSV {
		t.put("inst,cycle,pc,code,text,regs,mem,event\n")
	}
	return t
}

// Close ends the trace. The error is the first one of writing.
func (t *Trace) Close() error { return t.w.Flush() }

// put writes text; an error shows in Close, for it sticks to the buffered writer.
func (t *Trace) put(s string) { _, _ = t.w.WriteString(s) }

// lookup describes the instruction at pc.
func (t *Trace) lookup(pc uint32, in *isa.Inst) *traced {
	k := t.known[pc]
	if k != nil && k.word == in.Word && k.limm == in.Limm {
		return k
	}
	k = &traced{
		word: in.Word, limm: in.Limm,
		text:  isa.Text(in, isa.TextOptions{Features: t.m.Features}),
		regs:  in.Writes(),
		flags: in.WritesFlags() != 0,
	}
	digits := 8
	if in.Len == 2 || in.Len == 6 {
		digits = 4
	}
	k.code = fmt.Sprintf("%0*x", digits, in.Word)
	if in.HasLimm {
		k.code += fmt.Sprintf("%08x", in.Limm)
	}
	if len(t.known) >= traceCode {
		clear(t.known)
	}
	t.known[pc] = k
	return k
}

// Memory notes an access of the instruction being executed.
func (t *Trace) Memory(a memory.Event) { t.loads = append(t.loads, a) }

// After writes the record of an instruction that completed.
func (t *Trace) After(pc uint32, in *isa.Inst) {
	k := t.lookup(pc, in)
	switch t.format {
	case Text:
		t.text(pc, k)
	case CSV:
		t.csv(pc, k)
	case JSONL:
		t.json(pc, k)
	}
	t.loads = t.loads[:0]
	_, _ = t.w.Write(t.line) // an error shows in Close
}

// text: number, cycle, address, code, instruction; then what it wrote.
func (t *Trace) text(pc uint32, k *traced) {
	c := t.m.CPU
	b := appendPadded(t.line[:0], c.Insts, 9)
	b = appendPadded(append(b, ' '), c.Cycles, 9)
	b = appendHex32(append(b, ' '), pc)
	b = append(append(b, "  "...), k.code...)
	for range 17 - len(k.code) {
		b = append(b, ' ')
	}
	b = append(b, k.text...)
	if k.regs != 0 || k.flags || len(t.loads) > 0 {
		for n := len(k.text); n < 32; n++ {
			b = append(b, ' ')
		}
		b = append(b, " ;"...)
		if k.regs != 0 {
			b = t.appendRegs(append(b, ' '), k.regs, ' ')
		}
		if k.flags {
			b = appendFlags(append(b, ' '), c.F)
		}
		if len(t.loads) > 0 {
			b = t.appendAccesses(append(b, ' '), ' ')
		}
	}
	t.line = append(b, '\n')
}

func (t *Trace) csv(pc uint32, k *traced) {
	c := t.m.CPU
	b := strconv.AppendUint(t.line[:0], c.Insts, 10)
	b = strconv.AppendUint(append(b, ','), c.Cycles, 10)
	b = appendHex32(append(b, ",0x"...), pc)
	b = append(append(b, ','), k.code...)
	b = append(append(append(b, `,"`...), k.text...), `",`...)
	b = t.appendRegs(b, k.regs, ';')
	if k.flags {
		if k.regs != 0 {
			b = append(b, ';')
		}
		b = appendFlags(append(b, "flags="...), c.F)
	}
	b = t.appendAccesses(append(b, ','), ';')
	t.line = append(b, ",\n"...)
}

func (t *Trace) json(pc uint32, k *traced) {
	c := t.m.CPU
	b := strconv.AppendUint(append(t.line[:0], `{"inst":`...), c.Insts, 10)
	b = strconv.AppendUint(append(b, `,"cycle":`...), c.Cycles, 10)
	b = strconv.AppendUint(append(b, `,"pc":`...), uint64(pc), 10)
	b = append(append(b, `,"code":"`...), k.code...)
	b = append(append(append(b, `","text":"`...), k.text...), '"')
	if k.regs != 0 {
		b = append(b, `,"regs":{`...)
		for i, s := 0, uint64(k.regs); s != 0; i, s = i+1, s&(s-1) {
			if i > 0 {
				b = append(b, ',')
			}
			n := uint8(bits.TrailingZeros64(s))
			b = append(append(append(b, '"'), regName(n)...), `":`...)
			b = strconv.AppendUint(b, t.value(n), 10)
		}
		b = append(b, '}')
	}
	if k.flags {
		b = append(appendFlags(append(b, `,"flags":"`...), c.F), '"')
	}
	if len(t.loads) > 0 {
		b = append(b, `,"mem":[`...)
		for i, a := range t.loads {
			if i > 0 {
				b = append(b, ',')
			}
			b = strconv.AppendUint(append(b, `{"op":"`+a.Access.String()+`","addr":`...), uint64(a.Addr), 10)
			b = strconv.AppendUint(append(b, `,"size":`...), uint64(a.Size), 10)
			b = strconv.AppendUint(append(b, `,"value":`...), a.Value, 10)
			b = append(b, '}')
		}
		b = append(b, ']')
	}
	t.line = append(b, "}\n"...)
}

// Exception writes a record between those of two instructions. Accesses of the interrupted instruction before it
// failed are not shown.
func (t *Trace) Exception(e cpu.Exception) {
	t.loads = t.loads[:0]
	c := t.m.CPU
	switch t.format {
	case Text:
		t.put(fmt.Sprintf("%9d %9d %08x  -- %s, handler %s\n", c.Insts, c.Cycles, e.PC, e.String(), t.m.Locate(c.PC)))
	case CSV:
		t.put(fmt.Sprintf("%d,%d,0x%08x,,,,,%q\n", c.Insts, c.Cycles, e.PC, strings.ReplaceAll(e.String(), `"`, "'")))
	case JSONL:
		t.put(fmt.Sprintf(`{"inst":%d,"cycle":%d,"pc":%d,"exception":{"vector":%d,"ecr":%d,"addr":%d,"handler":%d,"why":%q}}`+"\n",
			c.Insts, c.Cycles, e.PC, e.Vector, e.ECR(), e.Addr, c.PC, e.Why))
	}
}

// value is the value of a register of a RegSet: accumulator lanes have 40 bits.
func (t *Trace) value(n uint8) uint64 {
	switch lo, hi := t.m.CPU.Lanes(); n {
	case isa.RegAccLo:
		return uint64(lo) & laneMask
	case isa.RegAccHi:
		return uint64(hi) & laneMask
	}
	return uint64(t.m.CPU.Reg(n))
}

// regName names a register of a RegSet.
func regName(n uint8) string {
	switch n {
	case isa.RegAccLo:
		return "acclo"
	case isa.RegAccHi:
		return "acchi"
	}
	return isa.RegName(n)
}

func (t *Trace) appendRegs(b []byte, regs isa.RegSet, sep byte) []byte {
	for i, s := 0, uint64(regs); s != 0; i, s = i+1, s&(s-1) {
		if i > 0 {
			b = append(b, sep)
		}
		n := uint8(bits.TrailingZeros64(s))
		b = append(append(b, regName(n)...), '=')
		b = appendHex(b, t.value(n), 8)
	}
	return b
}

// appendAccesses writes loads as [address]->value and stores as [address]<-value, with as many
// digits as the access has.
func (t *Trace) appendAccesses(b []byte, sep byte) []byte {
	for i, a := range t.loads {
		if i > 0 {
			b = append(b, sep)
		}
		b = appendHex32(append(b, '['), a.Addr)
		if a.Access == memory.Write {
			b = append(b, "]<-"...)
		} else {
			b = append(b, "]->"...)
		}
		b = appendHex(b, a.Value, int(2*a.Size))
	}
	return b
}

func appendFlags(b []byte, f uint32) []byte {
	for i, name := range "ZNCV" {
		if f>>(3-i)&1 != 0 {
			b = append(b, byte(name))
		} else {
			b = append(b, '-')
		}
	}
	return b
}

// laneMask is the width of an accumulator lane.
const laneMask = 1<<40 - 1

const hexDigits = "0123456789abcdef"

func appendHex32(b []byte, v uint32) []byte { return appendHex(b, uint64(v), 8) }

// appendHex writes at least the given number of digits.
func appendHex(b []byte, v uint64, digits int) []byte {
	digits = max(digits, (bits.Len64(v)+3)/4)
	for shift := 4 * (digits - 1); shift >= 0; shift -= 4 {
		b = append(b, hexDigits[v>>shift&15])
	}
	return b
}

func appendPadded(b []byte, v uint64, width int) []byte {
	var digits [20]byte
	s := strconv.AppendUint(digits[:0], v, 10)
	for range width - len(s) {
		b = append(b, ' ')
	}
	return append(b, s...)
}
