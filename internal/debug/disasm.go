package debug

import (
	"fmt"
	"strings"
)

// Instruction is a disassembled instruction.
type Instruction struct {
	Addr    uint32
	Len     uint32
	Text    string
	Symbol  string // <main+4>, "" when no symbol is near
	Current bool   // PC stands here
	Bytes   []byte
	Line    Line // Line.Line is 0 when unknown
}

// String is the line that x/i and disassemble print.
func (in Instruction) String() string {
	mark := "   "
	if in.Current {
		mark = "=> "
	}
	at := fmt.Sprintf("0x%x", in.Addr)
	if in.Symbol != "" {
		at += " " + in.Symbol
	}
	return fmt.Sprintf("%s%s:\t%s", mark, at, in.Text)
}

// maxInstructions bounds a listing.
const maxInstructions = 1 << 16

// Disassemble returns n instructions from an address.
func (d *Debugger) Disassemble(addr uint32, n int) ([]Instruction, error) {
	return d.disassemble(addr, 1<<32, n)
}

// DisassembleRange returns the instructions from first up to before end.
func (d *Debugger) DisassembleRange(first, end uint32) ([]Instruction, error) {
	return d.disassemble(first, uint64(end), maxInstructions)
}

// DisassembleBefore returns the n instructions before an address, or as many as functions there have.
func (d *Debugger) DisassembleBefore(addr uint32, n int) []Instruction {
	var list []Instruction
	for end := addr; len(list) < n; end = list[0].Addr {
		first, ok := d.functionBefore(end)
		if !ok {
			break
		}
		part, err := d.DisassembleRange(first, end)
		if err != nil || len(part) == 0 {
			break
		}
		list = append(part, list...)
	}
	return list[max(len(list)-n, 0):]
}

func (d *Debugger) disassemble(addr uint32, end uint64, n int) (list []Instruction, err error) {
	for uint64(addr) < end && len(list) < min(n, maxInstructions) {
		in, err := d.instruction(addr)
		if err != nil {
			return list, err
		}
		list = append(list, in)
		addr += in.Len
	}
	return list, nil
}

func (d *Debugger) instruction(addr uint32) (Instruction, error) {
	text, n, err := d.m.Disassemble(addr)
	if err != nil {
		if err := d.ReadMemory(addr, make([]byte, 2)); err != nil {
			return Instruction{}, err
		}
		return Instruction{}, err
	}
	in := Instruction{Addr: addr, Len: max(n, 2), Text: text, Current: addr == d.m.PC()}
	in.Bytes = make([]byte, in.Len)
	if d.m.ReadMemory(addr, in.Bytes) != nil {
		in.Bytes = nil
	}
	if at := d.m.Locate(addr); strings.Contains(at, "<") {
		in.Symbol = at[strings.Index(at, "<"):]
		if !strings.Contains(in.Symbol, "+") {
			in.Symbol = strings.TrimSuffix(in.Symbol, ">") + "+0>"
		}
	}
	in.Line, _ = d.line(addr)
	return in, nil
}

// FunctionRange returns the code of the function that an address belongs to.
func (d *Debugger) FunctionRange(addr uint32) (name string, first, end uint32, err error) {
	s, _, ok := d.m.Symbols().At(addr)
	if !ok {
		return "", 0, 0, fmt.Errorf("no function contains 0x%08x", addr)
	}
	end = s.Addr + s.Size
	if s.Size == 0 {
		// A label: up to the next one.
		end = addr + 2
		for n, o, ok := d.m.Symbols().At(end); ok && n.Addr == s.Addr && o < 1<<16; n, o, ok = d.m.Symbols().At(end) {
			end += 2
		}
	}
	return s.Name, s.Addr, end, nil
}
