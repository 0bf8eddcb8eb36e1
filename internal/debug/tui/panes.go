package tui

import (
	"fmt"
	"maps"
	"math"
	"path"
	"slices"
	"strings"

	"arcv2dsp/internal/debug"
)

// view is the content of the panes beside the state of the debugger.
type view struct {
	scroll map[string]int    // lines, of each window, away from where it would be
	memory string            // the address that the memory window shows
	before map[string]uint64 // values at the stop before, by register and memory address
}

// pane draws a window without its title, which it returns.
type pane func(d *debug.Debugger, v *view, w, h int) (title string, c *canvas)

var panes = map[string]pane{winSource: source, winAsm: assembly, winRegs: registers, winDSP: dsp, winMem: memory}

// mark is the sign that gdb writes in front of a line of code: B for a breakpoint that was hit, b for one that was not, +
// or - for enabled or disabled, > for the place of the selected frame.
func mark(d *debug.Debugger, at func(addr uint32) bool, here bool) (text string, s style) {
	m := []byte("   ")
	for _, p := range d.Points() {
		for _, addr := range p.Addrs {
			if !at(addr) {
				continue
			}
			s = point
			m[0], m[1] = 'b', '+'
			if p.Hits > 0 {
				m[0] = 'B'
			}
			if p.Disabled {
				m[1] = '-'
			}
		}
	}
	if here {
		m[2] = '>'
	}
	return string(m), s
}

// source shows the file of the selected frame around its line.
func source(d *debug.Debugger, v *view, w, h int) (string, *canvas) {
	c := newCanvas(w, h)
	f, err := d.Frame(d.Selected())
	if err != nil || f.At.Line == 0 {
		c.put(1, 0, faint, "no source line for this address")
		return "source", c
	}
	if _, ok := d.SourceLine(f.At.File, 1); !ok {
		c.put(1, 0, faint, fmt.Sprintf("%s:%d is not there (see: directory)", f.At.File, f.At.Line))
		return path.Clean(f.At.File), c
	}
	first := max(1, f.At.Line-h/2) + v.scroll[winSource]
	for first > 1 {
		if _, ok := d.SourceLine(f.At.File, first); ok {
			break
		}
		first-- // scrolled beyond the end
	}
	first = max(first, 1)
	v.scroll[winSource] = first - max(1, f.At.Line-h/2)
	for y := range h {
		text, ok := d.SourceLine(f.At.File, first+y)
		if !ok {
			break
		}
		here := first+y == f.At.Line
		m, s := mark(d, func(addr uint32) bool {
			line, known := d.LineAt(addr)
			return known && line.File == f.At.File && line.Line == first+y
		}, here)
		c.put(0, y, s, m)
		x := c.put(4, y, faint, fmt.Sprintf("%4d ", first+y))
		c.put(x, y, normal, expand(text))
		if here {
			c.fill(3, y, current)
		}
	}
	return path.Clean(f.At.File), c
}

// expand writes tabs as blanks, for a text that stands at the beginning of a line.
func expand(text string) string {
	var b strings.Builder
	n := 0
	for _, r := range text {
		if r != '\t' {
			b.WriteRune(r)
			n++
			continue
		}
		for first := true; first || n%8 != 0; first = false {
			b.WriteByte(' ')
			n++
		}
	}
	return b.String()
}

// maxForward is how many instructions ahead the window of instructions scrolls: all of them are decoded.
const maxForward = 1000

// assembly shows the instructions around that of the selected frame.
func assembly(d *debug.Debugger, v *view, w, h int) (string, *canvas) {
	c := newCanvas(w, h)
	f, err := d.Frame(d.Selected())
	if err != nil {
		return "instructions", c
	}
	v.scroll[winAsm] = min(v.scroll[winAsm], maxForward)
	off := v.scroll[winAsm] - h/3
	list := d.DisassembleBefore(f.PC, max(-off, 0))
	if len(list) < -off { // there are no more
		v.scroll[winAsm] += -off - len(list)
		off = -len(list)
	}
	after, err := d.Disassemble(f.PC, h+max(off, 0))
	if len(after) == 0 && err != nil {
		c.put(1, 0, faint, err.Error())
		return "instructions", c
	}
	list = append(list, after[min(max(off, 0), len(after)):]...)
	title := "instructions"
	if f.Function != "" {
		title += " of " + f.Function
	}
	for y, in := range list[:min(len(list), h)] {
		here := in.Addr == f.PC
		m, s := mark(d, func(addr uint32) bool { return addr == in.Addr }, here)
		c.put(0, y, s, m)
		x := c.put(4, y, faint, fmt.Sprintf("0x%x ", in.Addr))
		at := strings.TrimSuffix(in.Symbol, ">")
		if off, own := strings.CutPrefix(at, "<"+f.Function+"+"); own {
			at = "+" + off // the title names the function
		} else {
			at += ">"
		}
		x = c.put(x, y, blue, fmt.Sprintf("%-7s ", at))
		c.put(x, y, normal, in.Text)
		if here {
			c.fill(3, y, current)
		}
	}
	return title, c
}

// value is a register as the window shows it.
type value struct {
	name string
	v    uint64
	lost bool // a callee may have changed it
}

// registerValues are the registers of the selected frame that have 32 bits.
func registerValues(d *debug.Debugger) []value {
	f, err := d.Frame(d.Selected())
	if err != nil {
		return nil
	}
	other := d.Selected() > 0 || d.TaskSelected() != 0
	var list []value
	for i, r := range d.Registers() {
		if r.Bits != 32 {
			continue
		}
		x := value{name: strings.ToLower(r.Name), v: r.Value}
		if i < 32 && other {
			n, ok := f.Reg(uint8(i))
			x.v, x.lost = uint64(n), !ok
		}
		if x.name == "pc" && other {
			x.v = uint64(f.PC)
		}
		list = append(list, x)
	}
	return list
}

// registers shows the core registers; those that changed since the stop before carry a star.
func registers(d *debug.Debugger, v *view, w, h int) (string, *canvas) {
	c := newCanvas(w, h)
	list := registerValues(d)
	const width = 17
	columns := max(w/width, 1)
	rows := (len(list) + columns - 1) / columns
	top := min(max(v.scroll[winRegs], 0), max(rows-h, 0))
	v.scroll[winRegs] = top
	title := "registers"
	for i, r := range list {
		x, y := i/rows*width, i%rows-top
		s, star, text := normal, " ", fmt.Sprintf("%08x", r.v)
		if was, ok := v.before[r.name]; ok && was != r.v && !r.lost {
			s, star = changed, "*"
		}
		if r.lost {
			text = "not saved"
		}
		x = c.put(x, y, faint, fmt.Sprintf("%-7.7s ", short(r.name)))
		c.put(x, y, s, text+star)
		if r.name == "status32" {
			title += ": " + debug.StatusText(uint32(r.v))
		}
	}
	return title, c
}

// short is the name of a register in seven letters.
func short(name string) string {
	switch name {
	case "status32":
		return "status"
	case "lp_count":
		return "count"
	}
	return name
}

// dsp shows the accumulators with their guard bits, the modes, the pointers and ports of the address
// generation unit, the loop, and where the cycles since the stop before went.
func dsp(d *debug.Debugger, v *view, w, h int) (string, *canvas) {
	type line struct {
		s    style
		text string
	}
	var list []line
	add := func(s style, format string, a ...any) { list = append(list, line{s, fmt.Sprintf(format, a...)}) }
	_, ran := d.Stats()
	add(bold, "%s", stalls(ran))
	title := "dsp"
	if u, err := d.DSP(); err != nil {
		add(faint, "%v", err)
	} else {
		lane := func(name string, n int64, over bool) {
			s, mark := normal, " "
			if was, ok := v.before[name]; ok && was != uint64(n) {
				s, mark = changed, "*"
			}
			text := fmt.Sprintf("%s %02x:%08x%s q31 %-14.10g q15 %.8g", name, uint8(n>>32), uint32(n), mark, math.Ldexp(float64(n), -31), math.Ldexp(float64(n), -15))
			if over {
				text += " overflow"
			}
			add(s, "%s", text)
		}
		lane("acclo", u.Lo, u.LoV)
		lane("acchi", u.Hi, u.HiV)
		on := map[bool]string{true: "on", false: "off"}
		add(normal, "acc %s  guard %s  doubled %s", u.Wide, on[u.Guard], on[u.PreShift])
		title += fmt.Sprintf(": rounds %s, saturated %v", u.Rounding, u.Sat)
	}
	if u, err := d.AGU(); err == nil {
		const width = 14
		columns := max(w/width, 1)
		for i := 0; i < len(u.Pointers); i += columns {
			var b strings.Builder
			for j := i; j < min(i+columns, len(u.Pointers)); j++ {
				fmt.Fprintf(&b, "%-4s %08x ", fmt.Sprintf("ap%d", j), u.Pointers[j])
			}
			add(normal, "%s", b.String())
		}
		for n := range u.Modifiers {
			if text := u.Port(n); text != "" {
				add(normal, "%s", text)
			}
		}
	}
	if l := d.Loop(); l.Active {
		add(normal, "loop %#x to %#x, %d more", l.Start, l.End, l.Count)
	}
	top := min(max(v.scroll[winDSP], 0), max(len(list)-h, 0))
	v.scroll[winDSP] = top
	c := newCanvas(w, h)
	for y, l := range list[top:] {
		c.put(0, y, l.s, l.text)
	}
	return title, c
}

// stalls describes how many instructions ran since the stop before, in how many cycles, and where cycles were lost.
func stalls(ran debug.Stats) string {
	text := fmt.Sprintf("ran %d in %d cycles", ran.Insts, ran.Cycles)
	lost := ran.Reasons()
	for _, name := range slices.Sorted(maps.Keys(lost)) {
		text += fmt.Sprintf(", %s %d", name, lost[name])
	}
	return text
}

// memory shows bytes at an address, the stack pointer unless the user names another.
func memory(d *debug.Debugger, v *view, w, h int) (string, *canvas) {
	c := newCanvas(w, h)
	at := v.memory
	if at == "" {
		at = "$sp"
	}
	addr, err := d.EvalAddr(at)
	if err != nil {
		c.put(1, 0, faint, err.Error())
		return "memory at " + at, c
	}
	perLine := uint32(16)
	for perLine > 4 && 10+4*int(perLine)+1 > w {
		perLine /= 2
	}
	from := addr + uint32(v.scroll[winMem])*perLine
	for y := range h {
		x := c.put(0, y, faint, fmt.Sprintf("%08x ", from))
		text := x + 3*int(perLine) + 1
		for i := range perLine {
			b := []byte{0}
			if err := d.ReadMemory(from+i, b); err != nil {
				x = c.put(x, y, faint, " --")
				continue
			}
			s := normal
			if was, ok := v.before[memoryKey(from+i)]; ok && was != uint64(b[0]) {
				s = changed
			}
			c.put(x+1, y, s, fmt.Sprintf("%02x", b[0]))
			x += 3
			r := '.'
			if b[0] >= ' ' && b[0] < 0x7f {
				r = rune(b[0])
			}
			c.set(text+int(i), y, cell{r, s})
		}
		from += perLine
	}
	return fmt.Sprintf("memory at %s", at), c
}

func memoryKey(addr uint32) string { return fmt.Sprintf("%08x", addr) }

// remembered are the values that the next stop is compared with: registers, accumulators, and the memory that
// the window shows.
func remembered(d *debug.Debugger, v *view) map[string]uint64 {
	values := map[string]uint64{}
	for _, r := range registerValues(d) {
		values[r.name] = r.v
	}
	if u, err := d.DSP(); err == nil {
		values["acclo"], values["acchi"] = uint64(u.Lo), uint64(u.Hi)
	}
	at := v.memory
	if at == "" {
		at = "$sp"
	}
	if addr, err := d.EvalAddr(at); err == nil {
		buf := make([]byte, 1)
		for i := range uint32(1024) {
			if d.ReadMemory(addr+i, buf) == nil {
				values[memoryKey(addr+i)] = uint64(buf[0])
			}
		}
	}
	return values
}

// status is the line above the console.
func status(d *debug.Debugger, w int) *canvas {
	c := newCanvas(w, 1)
	f, err := d.Frame(d.Selected())
	text := d.Core()
	if err == nil {
		name := f.Function
		if name == "" {
			name = "??"
		}
		text += fmt.Sprintf("  %s", name)
		if f.At.Line != 0 {
			text += fmt.Sprintf("  %s:%d", path.Base(f.At.File), f.At.Line)
		}
		text += fmt.Sprintf("  pc 0x%08x", f.PC)
	}
	total, _ := d.Stats()
	text += fmt.Sprintf("  %d instructions  %d cycles", total.Insts, total.Cycles)
	c.put(1, 0, bar, text)
	c.fill(0, 0, bar)
	return c
}
