package repl

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"arcv2dsp/internal/debug"
	"arcv2dsp/internal/debug/cexpr"
	"arcv2dsp/internal/term/steps"
)

// examineState is where x goes on.
type examineState struct {
	next   uint32
	unit   uint32
	letter byte
	frac   int
	known  bool
}

func dataCommands() []*command {
	return []*command{
		{name: "print", min: 1, aliases: []string{"p", "inspect", "call"}, args: "[/FMT] EXPRESSION", format: true, complete: completeExpr,
			short: "evaluate an expression of C; it is kept as $1, $2 ...",
			long: `Registers are $r0 to $r60, $sp, $pc, $status32, $acclo and $acchi (40 bits), $acc0 and the auxiliary registers by name.
FUNCTION::VARIABLE and 'FILE'::VARIABLE name what is not in scope. POINTER@COUNT is an array. Casts may name the fixed-point types q7, q15, q31 and qN: (q15)$r3.
Formats: x d u o t a c s f z; q7 q15 q31 qN as a fixed-point number; v as a vector of lanes, with b, h or w.`,
			run: (*Session).printValue},
		{name: "output", args: "[/FMT] EXPRESSION", format: true, complete: completeExpr, short: "print a value and nothing else",
			run: (*Session).output},
		{name: "printf", args: "\"FORMAT\", VALUE...", complete: completeExpr, short: "print values by a format of C",
			long: "The conversions are d i u x X o c e f g s p, with flags, width and precision. Length modifiers of C such as l are skipped, because a value knows its length.",
			run:  (*Session).printf},
		{name: "x", args: "[/FMT] [ADDRESS]", format: true, repeat: true, complete: completeExpr, short: "examine memory",
			long: "FMT is a count, a format letter of print or i (instructions) or s (strings), and a size: b h w g. Without ADDRESS it goes on where it ended. A negative count shows memory before ADDRESS.",
			run:  (*Session).examineMemory},
		{name: "display", min: 4, args: "[/FMT] [EXPRESSION]", format: true, complete: completeExpr, short: "show an expression at each stop, or with the format i or s memory",
			long: "An expression with local variables is shown only in their function.",
			run:  (*Session).addDisplay},
		{name: "undisplay", args: "[NUMBER...]", short: "end all displays, or those with the numbers",
			run: func(s *Session, a args) { s.undisplay(a.fields()) }},
		{name: "set", args: "[var] VARIABLE = EXPRESSION", complete: completeExpr, short: "change a variable, register or memory",
			long: "set confirm, pagination, height, width and style are accepted, for scripts of gdb, and do nothing; so are those of set print that are not listed here.",
			run:  (*Session).set,
			sub: []*command{{
				name: "logging", group: "session", args: "enabled|overwrite|redirect on|off, or file FILE", short: "write the output to a file", complete: completeLogging,
				long: "The file is " + logName + " unless another one is named. Output is added to it unless overwrite is on. With redirect the output goes only to the file. The file has neither typed lines nor output of the program.",
				run:  func(s *Session, a args) { s.setLogging(a.fields()) },
			}, {
				name: "print", args: "pretty on|off, or elements N|unlimited", short: "choose how structures and arrays are written", complete: oneOf("elements", "pretty"),
				long: "With pretty each member of a structure stands on a line of its own. elements bounds what is written of an array; it is 200 unless set.",
				run:  func(s *Session, a args) { s.setPrint(a.fields()) },
			}}},
		{name: "ptype", args: "EXPRESSION or TYPE", complete: completeExpr, short: "show a type with its members",
			run: (*Session).ptype},
		{name: "whatis", args: "EXPRESSION or TYPE", complete: completeExpr, short: "show the name of the type of an expression, or what a typedef stands for",
			run: (*Session).whatis},
		{name: "find", args: "[/SIZE] START, +LENGTH or END, VALUE...", format: true, short: "search memory for values or a \"string\"",
			run: (*Session).findMemory},
		{name: "fill", args: "[/SIZE] START, LENGTH, VALUE", format: true, short: "fill memory with a value",
			run: (*Session).fillMemory},
		{name: "compare", args: "A, B, LENGTH", short: "compare two pieces of memory",
			run: (*Session).compareMemory},
		{name: "dump", args: "FILE START, +LENGTH or END", short: "write memory to a file", complete: completeFile,
			run: (*Session).dumpMemory},
		{name: "load", args: "FILE ADDRESS", short: "read a file into memory", complete: completeFile,
			run: (*Session).loadMemory},
		{info: true, name: "registers", min: 1, args: "[NAME...]", short: "show all core registers of the selected frame, or those with the names",
			run: (*Session).registers},
		{info: true, name: "aux", min: 2, aliases: []string{"all-registers"}, args: "[NAME]", short: "show the auxiliary registers, or only those whose name contains NAME",
			run: (*Session).auxRegisters},
		{info: true, name: "display", min: 1, short: "list the displays",
			run: (*Session).displaysInfo},
	}
}

func (s *Session) printValue(a args) {
	if a.text == "" {
		a.text = "$"
	}
	v := steps.Must(s.d.Eval(a.text))
	n := s.d.Remember(v)
	s.print("$%d = %s\n", n, s.d.Text(v, a.format))
}

func (s *Session) output(a args) {
	v := steps.Must(s.d.Eval(a.text))
	s.print("%s", s.d.Text(v, a.format))
}

func (s *Session) printf(a args) {
	t := steps.Must(cexpr.ParseTemplate(a.text))
	text := steps.Must(s.d.Printf(t))
	s.print("%s", text)
}

func (s *Session) addDisplay(a args) {
	if a.text == "" {
		s.showDisplays()
		return
	}
	d := display{number: s.nextDisplay, text: a.text, format: a.format}
	d.examine = a.format.Letter == 'i' || a.format.Letter == 's' || a.format.Count != 0 || a.format.Size != 0 && a.format.Letter != 'v'
	steps.Must(s.d.Eval(a.text))
	if s.d.NeedsFrame(a.text) {
		d.function = s.function()
	}
	s.nextDisplay++
	s.displays = append(s.displays, d)
	s.showDisplay(d)
}

func (s *Session) set(a args) {
	text := strings.TrimSpace(strings.TrimPrefix(strings.TrimPrefix(a.text, "variable "), "var "))
	steps.Refuse(text == "", "set VARIABLE = EXPRESSION")
	if w := a.fields()[0]; slices.Contains([]string{"confirm", "pagination", "height", "width", "style", "print"}, w) {
		return
	}
	_, err := s.d.Eval(text)
	steps.Check(err)
}

func (s *Session) ptype(a args) {
	t := steps.Must(s.d.TypeOf(a.text))
	s.print("type = %s\n", cexpr.Declaration(t))
}

func (s *Session) whatis(a args) {
	name := steps.Must(s.d.WhatIs(a.text))
	s.print("type = %s\n", name)
}

func (s *Session) fillMemory(a args) {
	f := cexpr.SplitCommas(a.text)
	steps.Refuse(len(f) != 3, "fill START, LENGTH, VALUE")
	addr, size := s.rangeOf(f[0], "+"+f[1])
	pattern := s.pattern(f[2:], a.format, 'b')
	steps.Check(s.d.Fill(addr, size, pattern))
}

func (s *Session) compareMemory(a args) {
	f := cexpr.SplitCommas(a.text)
	steps.Refuse(len(f) != 3, "compare A, B, LENGTH")
	x, size := s.rangeOf(f[0], "+"+f[2])
	y := steps.Must(s.d.EvalAddr(f[1]))
	list, n, err := s.d.Compare(x, y, size, 16)
	steps.Check(err)
	for _, d := range list {
		s.print("0x%x: 0x%02x\t0x%x: 0x%02x\n", d.A, d.VA, d.B, d.VB)
	}
	if n == 0 {
		s.print("Equal.\n")
	} else {
		s.print("%d bytes differ.\n", n)
	}
}

func (s *Session) dumpMemory(a args) {
	path, rest, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(a.text, "binary "), "memory "), " ")
	f := cexpr.SplitCommas(rest)
	if len(f) == 1 {
		f = strings.Fields(rest)
	}
	steps.Refuse(len(f) != 2, "dump FILE START, END")
	addr, size := s.rangeOf(f[0], f[1])
	steps.Check(s.d.Dump(path, addr, size))
}

func (s *Session) loadMemory(a args) {
	path, rest, _ := strings.Cut(a.text, " ")
	steps.Refuse(rest == "", "load FILE ADDRESS")
	addr := steps.Must(s.d.EvalAddr(rest))
	n := steps.Must(s.d.LoadFile(path, addr))
	s.print("%d bytes read to 0x%x\n", n, addr)
}

func (s *Session) examineMemory(a args) {
	f := a.format
	x := &s.examine
	if f.Letter == 0 {
		f.Letter, f.Frac = x.letter, x.frac
	}
	if a.repeat {
		f.Count, a.text = 0, ""
	}
	addr := x.next
	switch {
	case a.text != "":
		v := steps.Must(s.d.EvalAddr(a.text))
		addr = v
	case !x.known:
		addr = s.d.PC()
	}
	lines, next, err := s.d.Examine(addr, f, x.unit)
	for _, l := range lines {
		s.print("%s\n", l)
	}
	steps.Check(err)
	*x = examineState{next: next, unit: f.UnitSize(x.unit), letter: f.Letter, frac: f.Frac, known: true}
	s.d.SetConvenience("_", int64(addr))
}

// rangeOf evaluates START and END, or +LENGTH.
func (s *Session) rangeOf(first, last string) (addr uint32, size uint64) {
	addr = steps.Must(s.d.EvalAddr(first))
	if n, ok := strings.CutPrefix(last, "+"); ok {
		k := s.number(n)
		steps.Refuse(k < 0, "a length of %d bytes", k)
		return addr, uint64(k)
	}
	end := steps.Must(s.d.EvalAddr(last))
	steps.Refuse(end < addr, "the end 0x%x is before the start 0x%x", end, addr)
	return addr, uint64(end - addr)
}

// pattern makes bytes of values; numbers take the size of the format, else of their type, else def.
func (s *Session) pattern(values []string, f debug.Format, def byte) []byte {
	var out []byte
	for _, text := range values {
		v := steps.Must(s.d.Eval(text))
		raw := v.Bytes()
		if v.Data != nil && strings.HasPrefix(text, `"`) {
			raw = raw[:len(raw)-1]
		}
		size := f.Size
		if size == 0 && v.Data == nil {
			size = def
		}
		if n := map[byte]int{'b': 1, 'h': 2, 'w': 4, 'g': 8}[size]; n > 0 && v.Data == nil {
			raw = append(slices.Clone(raw), make([]byte, 8)...)[:n]
		}
		out = append(out, raw...)
	}
	return out
}

func (s *Session) findMemory(a args) {
	f := cexpr.SplitCommas(a.text)
	steps.Refuse(len(f) < 3, "find START, +LENGTH, VALUE")
	addr, size := s.rangeOf(f[0], f[1])
	pattern := s.pattern(f[2:], a.format, 'w')
	found := steps.Must(s.d.Find(addr, size, pattern, 1000))
	for _, at := range found {
		s.print("%s\n", s.d.Locate(at))
	}
	if len(found) == 0 {
		s.print("Pattern not found.\n")
	} else {
		s.print("%d pattern%s found.\n", len(found), plural(len(found)))
		s.d.SetConvenience("_", int64(found[len(found)-1]))
	}
}

func (s *Session) undisplay(f []string) {
	if len(f) == 0 {
		s.displays = nil
		return
	}
	s.eachDisplay(f, func(d *display) {
		n := d.number
		s.displays = slices.DeleteFunc(s.displays, func(x display) bool { return x.number == n })
	})
}

func (s *Session) eachDisplay(f []string, do func(*display)) {
	if len(f) == 0 {
		for i := range s.displays {
			do(&s.displays[i])
		}
	}
	for _, text := range f {
		n, err := strconv.Atoi(text)
		i := slices.IndexFunc(s.displays, func(d display) bool { return d.number == n })
		if err != nil || i < 0 {
			steps.Check(fmt.Errorf("no display number %s", text))
		}
		do(&s.displays[i])
	}
}

func (s *Session) registers(a args) {
	names := a.fields()
	if len(names) > 0 {
		for _, n := range names {
			r := steps.Must(s.d.Register(strings.TrimPrefix(n, "$")))
			s.register(r)
		}
		return
	}
	f := steps.Must(s.d.Frame(s.d.Selected()))
	for i, r := range s.d.Registers() {
		if i < 32 && (s.d.Selected() > 0 || s.d.TaskSelected() != 0) {
			v, ok := f.Reg(uint8(i))
			if !ok {
				s.print("%-12s <not saved>\n", r.Name)
				continue
			}
			r.Value = uint64(v)
		}
		if r.Name == "pc" && (s.d.Selected() > 0 || s.d.TaskSelected() != 0) {
			r.Value = uint64(f.PC)
		}
		s.register(r)
	}
}

func (s *Session) auxRegisters(a args) {
	for _, r := range s.d.AuxRegisters() {
		if strings.Contains(strings.ToLower(r.Name), strings.ToLower(a.text)) {
			s.register(r)
		}
	}
}

func (s *Session) displaysInfo(_ args) {
	if len(s.displays) == 0 {
		s.print("There are no auto-display expressions now.\n")
	}
	for _, d := range s.displays {
		enb := "y"
		if d.off {
			enb = "n"
		}
		s.print("%d:   %s  %s\n", d.number, enb, d)
	}
}

// register prints a register: hexadecimal, then as a number or place.
func (s *Session) register(r debug.Register) {
	name := strings.ToLower(r.Name)
	switch {
	case name == "pc" || name == "blink" || name == "ilink":
		s.print("%-12s 0x%-16x %s\n", name, r.Value, s.d.Locate(uint32(r.Value)))
	case r.Bits == 40:
		s.print("%-12s 0x%-16x %d\n", name, r.Value, int64(r.Value<<24)>>24)
	case name == "status32":
		s.print("%-12s 0x%-16x [%s]\n", name, r.Value, debug.StatusText(uint32(r.Value)))
	default:
		s.print("%-12s 0x%-16x %d\n", name, r.Value, int32(r.Value))
	}
}
