package debug

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"arcv2dsp/internal/debug/cexpr"
	"arcv2dsp/internal/term/hostfile"
	"arcv2dsp/internal/term/steps"
)

// ReadMemory copies memory.
func (d *Debugger) ReadMemory(addr uint32, buf []byte) error {
	if err := d.m.ReadMemory(addr, buf); err != nil {
		return cexpr.MemoryError(addr, err)
	}
	return nil
}

// WriteMemory changes memory.
func (d *Debugger) WriteMemory(addr uint32, data []byte) error {
	if err := d.m.WriteMemory(addr, data); err != nil {
		return cexpr.MemoryError(addr, err)
	}
	d.changed()
	return nil
}

// maxTransfer bounds memory commands.
const maxTransfer = 256 << 20

func checkSize(size uint64) error {
	if size > maxTransfer {
		return fmt.Errorf("%d bytes are more than %d MB", size, maxTransfer>>20)
	}
	return nil
}

// Fill writes a pattern over and over.
func (d *Debugger) Fill(addr uint32, size uint64, pattern []byte) error {
	if err := checkSize(size); err != nil {
		return err
	}
	if len(pattern) == 0 {
		return errors.New("an empty pattern")
	}
	data := make([]byte, size)
	for i := range data {
		data[i] = pattern[i%len(pattern)]
	}
	return d.WriteMemory(addr, data)
}

// Find searches for a pattern and returns where it starts, at most limit places.
func (d *Debugger) Find(addr uint32, size uint64, pattern []byte, limit int) ([]uint32, error) {
	if err := checkSize(size); err != nil {
		return nil, err
	}
	if len(pattern) == 0 {
		return nil, errors.New("an empty pattern")
	}
	data := make([]byte, size)
	if err := d.ReadMemory(addr, data); err != nil {
		return nil, err
	}
	var found []uint32
	for from := 0; len(found) < limit; {
		i := bytes.Index(data[from:], pattern)
		if i < 0 {
			break
		}
		found = append(found, addr+uint32(from+i))
		from += i + 1
	}
	return found, nil
}

// Difference is where two ranges of memory differ.
type Difference struct {
	A, B   uint32
	VA, VB byte
}

// Compare compares two ranges and returns the first differences, and how many there are.
func (d *Debugger) Compare(a, b uint32, size uint64, limit int) (_ []Difference, _ int, err error) {
	defer steps.Return(&err)
	steps.Check(checkSize(size))
	x, y := make([]byte, size), make([]byte, size)
	steps.Check(d.ReadMemory(a, x))
	steps.Check(d.ReadMemory(b, y))
	var list []Difference
	n := 0
	for i := range x {
		if x[i] != y[i] {
			if n++; len(list) < limit {
				list = append(list, Difference{A: a + uint32(i), B: b + uint32(i), VA: x[i], VB: y[i]})
			}
		}
	}
	return list, n, nil
}

// Dump writes memory to a file.
func (d *Debugger) Dump(path string, addr uint32, size uint64) error {
	if err := checkSize(size); err != nil {
		return err
	}
	data := make([]byte, size)
	if err := d.ReadMemory(addr, data); err != nil {
		return err
	}
	return hostfile.Write(path, data)
}

// LoadFile reads a file into memory and returns its size.
func (d *Debugger) LoadFile(path string, addr uint32) (int, error) {
	data, err := hostfile.Read(path, maxTransfer)
	if err != nil {
		return 0, err
	}
	return len(data), d.WriteMemory(addr, data)
}

// Examine reads memory in the units of a format and returns lines of text, and where the next ones
// would be. last is the unit size when the format has none.
func (d *Debugger) Examine(addr uint32, f Format, last uint32) (lines []string, next uint32, err error) {
	count := max(f.Count, 1)
	if f.Count < 0 {
		return d.examineBefore(addr, f, last)
	}
	switch f.Letter {
	case 'i':
		list, err := d.Disassemble(addr, count)
		for _, in := range list {
			lines = append(lines, in.String())
			addr = in.Addr + in.Len
		}
		return lines, addr, err
	case 's':
		for range count {
			text, n, err := d.cString(addr)
			if err != nil {
				return lines, addr, err
			}
			lines = append(lines, d.short(addr)+":\t"+cexpr.Quote([]byte(text)))
			addr += n
		}
		return lines, addr, nil
	case 0:
		f.Letter = 'x'
	}
	t := f.Unit(last)
	perLine := map[uint32]int{1: 8, 2: 8, 4: 4, 8: 2}[t.Size]
	if f.Letter == 't' && t.Size >= 4 || f.Letter == 'a' || f.Letter == 'v' {
		perLine = 2
	}
	if f.Letter == 'x' {
		f.Letter = 'z'
	}
	var b strings.Builder
	for i := range count {
		if i%perLine == 0 {
			if i > 0 {
				lines = append(lines, b.String())
				b.Reset()
			}
			b.WriteString(d.short(addr) + ":")
		}
		v, err := d.Load(t, addr)
		if err != nil {
			return lines, addr, err
		}
		b.WriteByte('\t')
		switch f.Letter {
		case 'a':
			b.WriteString(d.short(uint32(v.Num)))
		case 't':
			fmt.Fprintf(&b, "%0*b", t.Size*8, uint64(v.Num))
		default:
			b.WriteString(v.Format(Format{Letter: f.Letter, Frac: f.Frac, Size: f.Size}))
		}
		addr += t.Size
	}
	return append(lines, b.String()), addr, nil
}

// examineBefore shows as many units as the format asks for that lie before an address. The next ones are
// before them, too.
func (d *Debugger) examineBefore(addr uint32, f Format, last uint32) (lines []string, next uint32, err error) {
	f.Count = -f.Count
	from := addr
	switch f.Letter {
	case 'i':
		list := d.DisassembleBefore(addr, f.Count)
		if len(list) < f.Count {
			at := addr
			if len(list) > 0 {
				at = list[0].Addr
			}
			return nil, addr, fmt.Errorf("no function is before 0x%08x", at)
		}
		for _, in := range list {
			lines = append(lines, in.String())
		}
		return lines, list[0].Addr, nil
	case 's':
		for range f.Count {
			if from, err = d.stringBefore(from); err != nil {
				return nil, addr, err
			}
		}
	default:
		from -= uint32(f.Count) * f.UnitSize(last)
	}
	lines, _, err = d.Examine(from, f, last)
	return lines, from, err
}

// functionBefore finds the start of the function that ends before an address; padding that aligns the next function may
// lie between.
func (d *Debugger) functionBefore(addr uint32) (uint32, bool) {
	for gap := uint32(1); gap <= 64 && gap <= addr; gap++ {
		if _, first, _, err := d.FunctionRange(addr - gap); err == nil {
			return first, true
		}
	}
	return 0, false
}

// stringBefore finds where the string begins whose zero is before an address.
func (d *Debugger) stringBefore(addr uint32) (uint32, error) {
	if addr == 0 {
		return 0, errors.New("nothing is before address 0")
	}
	at := addr - 1
	for n := 0; n < 4096 && at > 0; n++ {
		var c [1]byte
		if err := d.ReadMemory(at-1, c[:]); err != nil || c[0] == 0 {
			break
		}
		at--
	}
	return at, nil
}

// short writes an address with its symbol and without leading zeros. An address outside all sections, such as the
// stack, is far behind a symbol that means something else.
func (d *Debugger) short(addr uint32) string {
	text := d.m.Locate(addr)
	_, inside := d.image.Section(addr)
	if i := strings.IndexByte(text, ' '); i > 0 && (inside || len(d.image.Sections) == 0) {
		return fmt.Sprintf("0x%x%s", addr, text[i:])
	}
	return fmt.Sprintf("0x%x", addr)
}

// cString reads a string up to its zero.
func (d *Debugger) cString(addr uint32) (string, uint32, error) {
	var text []byte
	for n := uint32(0); ; n++ {
		var c [1]byte
		if err := d.ReadMemory(addr+n, c[:]); err != nil {
			return "", 0, err
		}
		if c[0] == 0 || n == 4096 {
			return string(text), n + 1, nil
		}
		text = append(text, c[0])
	}
}
