package debug

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"arcv2dsp/internal/program/dwarf"
	"arcv2dsp/isa"
)

// Resolve finds the addresses that a specification names, as gdb's does:
//
//	FUNCTION          its first line after the prologue, or where it was inlined
//	*EXPRESSION       exactly that address
//	LINE, FILE:LINE   where the code of a source line starts, all places
//	FILE:FUNCTION     the same as FUNCTION
//	+N, -N            lines from here
//	(nothing)         here
func (d *Debugger) Resolve(spec string) ([]uint32, error) {
	spec = strings.TrimSpace(spec)
	if spec == "" {
		f, err := d.Frame(d.selected)
		if err != nil {
			return nil, err
		}
		return []uint32{f.PC}, nil
	}
	if text, ok := strings.CutPrefix(spec, "*"); ok {
		addr, err := d.EvalAddr(text)
		if err != nil {
			return nil, err
		}
		return []uint32{addr}, nil
	}
	file := ""
	if i := strings.LastIndexByte(spec, ':'); i > 0 {
		file = spec[:i]
		if line, err := strconv.Atoi(spec[i+1:]); err == nil {
			return d.LineAddrs(file, line)
		}
		if d.lines == nil || len(d.lines.FindFiles(file)) == 0 {
			return nil, d.noFile(file)
		}
		spec = spec[i+1:]
	}
	if line, err := strconv.Atoi(spec); err == nil {
		here, ok := d.selectedLine()
		if !ok {
			return nil, fmt.Errorf("no source file here: write FILE:%s, or *%s for an address", spec, spec)
		}
		if spec[0] == '+' || spec[0] == '-' {
			line += here.Line
		}
		return d.LineAddrs(here.File, line)
	}
	if addrs := d.functionAddrs(spec, file); len(addrs) > 0 {
		return addrs, nil
	}
	if text := d.nearestSymbol(spec); text != "" && text != spec {
		return nil, fmt.Errorf("function %q not defined, did you mean %q?", spec, text)
	}
	if file != "" {
		return nil, fmt.Errorf("function %q not defined in %q", spec, file)
	}
	return nil, fmt.Errorf("function %q not defined", spec)
}

// functionAddrs finds the code of a function: all functions of that name, as static ones of several
// files, then the places where it was inlined. Compilers rename what they specialise: then the debug
// information has the name. file may be empty.
func (d *Debugger) functionAddrs(name, file string) []uint32 {
	var own []uint32
	for _, s := range d.m.Symbols().All() {
		if s.Name == name && d.isCode(s.Addr) {
			own = append(own, s.Addr)
		}
	}
	entries, inlined := d.vars.Entries(name)
	if len(own) == 0 {
		own = entries
	}
	if addr, ok := d.m.Symbol(name); ok && len(own)+len(inlined) == 0 {
		own = []uint32{addr}
	}
	for i, a := range own {
		own[i] = d.afterPrologue(a)
	}
	slices.Sort(own)
	slices.Sort(inlined)
	addrs := slices.Compact(append(slices.Compact(own), slices.Compact(inlined)...))
	if file == "" {
		return addrs
	}
	files := d.lines.FindFiles(file)
	return slices.DeleteFunc(addrs, func(a uint32) bool {
		line, ok := d.line(a)
		return !ok || !slices.Contains(files, line.File)
	})
}

// symbol finds a symbol, of several functions with one name that in the same source file as the code
// at pc.
func (d *Debugger) symbol(name string, pc uint32) (uint32, bool) {
	addr, ok := d.m.Symbol(name)
	here, known := d.line(pc)
	if !ok || !known || !d.isCode(addr) {
		return addr, ok
	}
	for _, s := range d.m.Symbols().All() {
		if s.Name != name {
			continue
		}
		if line, ok := d.line(s.Addr); ok && line.File == here.File {
			return s.Addr, true
		}
	}
	return addr, true
}

func (d *Debugger) noFile(file string) error {
	if d.lines == nil {
		return fmt.Errorf("no source file %q: the program has no line information", file)
	}
	return fmt.Errorf("no source file named %s", file)
}

// LineAddrs returns where the code of a source line starts, all places.
func (d *Debugger) LineAddrs(file string, line int) ([]uint32, error) {
	if d.lines == nil || len(d.lines.FindFiles(file)) == 0 {
		return nil, d.noFile(file)
	}
	addrs, actual := d.lines.Addrs(file, line)
	if actual == 0 {
		return nil, fmt.Errorf("no line %d in file %q", line, file)
	}
	return addrs, nil
}

// lineOf finds the source line that a specification names.
func (d *Debugger) lineOf(spec, file string) (string, int, error) {
	if line, err := strconv.Atoi(spec); err == nil && line > 0 {
		if file == "" {
			return "", 0, fmt.Errorf("no source file here: write FILE:%d", line)
		}
		return file, line, nil
	}
	if i := strings.LastIndexByte(spec, ':'); i > 0 {
		if line, err := strconv.Atoi(spec[i+1:]); err == nil && line > 0 {
			if d.lines == nil || len(d.lines.FindFiles(spec[:i])) == 0 {
				return "", 0, d.noFile(spec[:i])
			}
			return d.lines.FindFiles(spec[:i])[0], line, nil
		}
	}
	addrs, err := d.Resolve(spec)
	if err != nil {
		return "", 0, err
	}
	row, ok := d.line(addrs[0])
	if !ok {
		return "", 0, fmt.Errorf("no source line for %s", d.Locate(addrs[0]))
	}
	return row.File, row.Line, nil
}

// afterPrologue returns where a function has set up its frame: the second line of its code, or,
// without lines, behind the instructions that save registers. In assembly each line is one that its
// author wants to see: there it is the first instruction.
func (d *Debugger) afterPrologue(entry uint32) uint32 {
	if d.lines != nil {
		if f := d.lines.Function(entry); f != nil && f.Entry() == entry {
			if f.Assembly() {
				return entry
			}
			to, ok := d.secondLine(entry, f.Ranges()[0].Last)
			if ok && (d.straight(entry, to, f.Ranges()[0].Last) || d.paramsInMemory(entry)) {
				return to
			}
			return entry
		}
	}
	return d.prologueEnd(entry)
}

// straight tells whether each call of a function comes to an address once, on the way straight from
// its entry. In optimised code the second line may be in a loop, behind a branch, or in something
// that was inlined.
func (d *Debugger) straight(entry, to, last uint32) bool {
	if len(d.bodyAt(to)) > 1 {
		return false
	}
	for pc := entry; pc >= entry && pc <= last; {
		in, err := d.m.Decode(pc)
		if err != nil {
			return true // data between the code
		}
		kind := d.flow(pc).kind
		if target, ok := branchTarget(&in, pc); pc < to && (kind == flowJump || kind == flowReturn) || ok && pc >= to && target == to {
			return false
		}
		pc += uint32(in.Len)
	}
	return true
}

// paramsInMemory tells whether a function has parameters that it puts into its frame first.
func (d *Debugger) paramsInMemory(entry uint32) bool {
	scopes := d.vars.At(entry)
	for _, s := range scopes {
		for _, v := range s.Vars {
			if !v.Param {
				continue
			}
			places, err := v.Where(entry, scopes, d.Probe(0))
			if err == nil && slices.ContainsFunc(places, func(p dwarf.Place) bool { return p.Kind == dwarf.InMemory }) {
				return true
			}
		}
	}
	return false
}

// secondLine finds the second line of a function. Rows that repeat the first one belong to the
// prologue, unless the whole function is on one line. The second line may start where the first does.
func (d *Debugger) secondLine(entry, last uint32) (uint32, bool) {
	row, ok := d.line(entry)
	if !ok || row.Addr != entry {
		return 0, false
	}
	if d.lines.Begins(row.File, entry) > 1 {
		return entry, true
	}
	repeated := uint32(0)
	for next := row.End; next > entry && next <= last; {
		r, ok := d.line(next)
		if !ok || r.End <= next && r.End != 0 {
			break
		}
		if r.Stop.Line != 0 && r.Addr == next {
			if r.Line != row.Line {
				return next, true
			}
			if repeated == 0 {
				repeated = next
			}
		}
		if r.End <= next {
			break
		}
		next = r.End
	}
	return repeated, repeated != 0
}

// prologueEnd skips the instructions that save registers and make room.
func (d *Debugger) prologueEnd(entry uint32) uint32 {
	pc := entry
	for range 32 {
		in, err := d.m.Decode(pc)
		if err != nil || !savesFrame(&in) {
			return pc
		}
		pc += uint32(in.Len)
	}
	return pc
}

// savesFrame tells whether an instruction belongs to a prologue.
func savesFrame(in *isa.Inst) bool {
	switch in.Op {
	case isa.PUSH_S, isa.ENTER_S:
		return true
	}
	if in.Control() {
		return false
	}
	dest := in.Args[0]
	switch in.Exec() {
	case isa.ST:
		return in.N > 1 && in.Args[1].Kind == isa.OpReg && in.Args[1].Reg == regSP &&
			dest.Kind == isa.OpReg && (dest.Reg >= 13 && dest.Reg <= 27 || dest.Reg == regBlink)
	case isa.SUB, isa.ADD:
		return dest.Kind == isa.OpReg && dest.Reg == regSP
	case isa.MOV:
		return dest.Kind == isa.OpReg && dest.Reg == regFP
	}
	return false
}
