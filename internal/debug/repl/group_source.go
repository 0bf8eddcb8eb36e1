package repl

import (
	"fmt"
	"regexp"
	"strings"

	"arcv2dsp/internal/debug/cexpr"
	"arcv2dsp/internal/term/steps"
)

func sourceCommands() []*command {
	return []*command{
		{name: "list", min: 1, aliases: []string{"l"}, args: "[PLACE | FIRST,LAST | FIRST, | ,LAST | -]", short: "show source lines: around a place, from or up to one, the next ones, or with - those before", repeat: true,
			complete: completePlace,
			run:      (*Session).listSource},
		{name: "disassemble", min: 5, args: "[/rs] [PLACE | START,END | START,+LENGTH]", format: true, ownFormat: true, complete: completePlace,
			short: "show the instructions of a function or range; with /s source lines, with /r their bytes",
			run:   (*Session).disassemble},
		{name: "directory", min: 3, args: "DIRECTORY", short: "look for source files in a directory as well", complete: completeFile,
			run: (*Session).directory},
		{info: true, name: "line", min: 2, args: "[PLACE]", short: "show the code of a source line", complete: completePlace,
			run: (*Session).lineInfo},
		{info: true, name: "source", min: 2, short: "show the source file of the selected frame",
			run: (*Session).sourceInfo},
		{info: true, name: "sources", short: "list the source files that have code",
			run: (*Session).sources},
		{info: true, name: "symbol", min: 2, args: "ADDRESS", short: "show the symbol at an address", complete: completeExpr,
			run: (*Session).symbolInfo},
		{info: true, name: "address", min: 2, args: "SYMBOL", short: "show where a symbol is", complete: completeExpr,
			run: (*Session).addressInfo},
		{info: true, name: "scope", min: 2, args: "PLACE", required: placeRequired, short: "list the variables that can be seen at a place, and where they are", complete: completePlace,
			run: (*Session).scope},
		{info: true, name: "functions", min: 2, args: "[REGEXP]", short: "list all functions, or those whose name matches REGEXP",
			run: (*Session).functions},
		{info: true, name: "variables", min: 2, args: "[REGEXP]", short: "list all variables outside functions, or those whose name matches REGEXP",
			run: (*Session).variables},
		{info: true, name: "types", min: 2, args: "[REGEXP]", short: "list all types with a name, or those whose name matches REGEXP",
			run: (*Session).types},
		{info: true, name: "files", min: 3, aliases: []string{"sections"}, short: "show the program's file with its sections and the memories of the core",
			run: (*Session).files},
		{info: true, name: "core", short: "show the options of the core",
			run: (*Session).core},
	}
}

func (s *Session) listSource(a args) {
	if a.repeat && a.text != "-" {
		a.text = ""
	}
	l := steps.Must(s.d.List(a.text))
	for i, text := range l.Lines {
		n := l.First + i
		mark := " "
		if n == l.Mark {
			mark = ">"
		}
		s.print("%s%s\t%s\n", mark, s.paint(blue, fmt.Sprint(n)), text)
	}
}

func (s *Session) directory(a args) {
	if a.text != "" {
		s.d.AddSourceDir(a.text)
	}
	s.print("Source directories searched: %s\n", strings.Join(s.d.SourceDirs(), ":"))
}

func (s *Session) disassemble(a args) {
	source, raw := false, false
	if rest, ok := strings.CutPrefix(a.text, "/"); ok {
		word, tail, _ := strings.Cut(rest, " ")
		for _, c := range word {
			switch c {
			case 's', 'm':
				source = true
			case 'r':
				raw = true
			default:
				steps.Check(fmt.Errorf("invalid modifier %q, there is s and r", c))
			}
		}
		a.text = strings.TrimSpace(tail)
	}
	first, end := uint32(0), uint32(0)
	if f := cexpr.SplitCommas(a.text); len(f) == 2 {
		addr, size := s.rangeOf(f[0], f[1])
		first, end = addr, addr+uint32(size)
		s.print("Dump of assembler code from 0x%x to 0x%x:\n", first, end)
	} else {
		at := s.d.PC()
		if f, err := s.d.Frame(s.d.Selected()); err == nil {
			at = f.PC
		}
		if a.text != "" {
			v := steps.Must(s.d.EvalAddr(a.text))
			at = v
		}
		name, from, to, err := s.d.FunctionRange(at)
		steps.Check(err)
		first, end = from, to
		s.print("Dump of assembler code for function %s:\n", name)
	}
	list, err := s.d.DisassembleRange(first, end)
	shown := ""
	for _, in := range list {
		if at := fmt.Sprintf("%s:%d", in.Line.File, in.Line.Line); source && in.Line.Line != 0 && at != shown {
			text, ok := s.d.SourceLine(in.Line.File, in.Line.Line)
			if !ok {
				text = "(source not available)"
			}
			s.print("%s\t%s\n", s.paint(green, at), text)
			shown = at
		}
		text := in.String()
		if raw {
			head, tail, _ := strings.Cut(text, "\t")
			text = fmt.Sprintf("%s\t%-24s%s", head, fmt.Sprintf("% x", in.Bytes), tail)
		}
		s.print("%s\n", text)
	}
	steps.Check(err)
	s.print("End of assembler dump.\n")
}

func (s *Session) lineInfo(a args) {
	addrs := steps.Must(s.d.Resolve(a.text))
	for _, addr := range addrs {
		line, ok := s.d.LineAt(addr)
		if !ok {
			s.print("No line number information available for %s\n", s.d.Locate(addr))
			continue
		}
		s.print("Line %d of %q starts at %s and ends at %s.\n", line.Line, line.File, s.d.Locate(line.Addr), s.d.Locate(line.End))
	}
}

func (s *Session) sourceInfo(_ args) {
	f := steps.Must(s.d.Frame(s.d.Selected()))
	steps.Refuse(f.At.Line == 0, "no source file here")
	_, ok := s.d.SourceLine(f.At.File, 1)
	s.print("Current source file is %s, line %d.\n", f.At.File, f.At.Line)
	if !ok {
		s.print("The file is not there (see: directory).\n")
	}
}

func (s *Session) sources(_ args) {
	for _, f := range s.d.Files() {
		s.print("%s\n", f)
	}
}

func (s *Session) symbolInfo(a args) {
	addr := steps.Must(s.d.EvalAddr(a.text))
	s.print("%s\n", s.d.Symbol(addr))
}

func (s *Session) addressInfo(a args) {
	v := steps.Must(s.d.Eval(a.text))
	addr, ok := v.Addr()
	steps.Refuse(!ok, "%s is not in memory", a.text)
	s.print("Symbol %q is at 0x%x.\n", a.text, addr)
}

func (s *Session) scope(a args) {
	list := steps.Must(s.d.ScopeOf(a.text))
	if len(list) == 0 {
		s.print("Scope for %s contains no locals or arguments.\n", a.text)
		return
	}
	s.print("Scope for %s:\n", a.text)
	for _, text := range list {
		s.print("%s\n", text)
	}
}

func (s *Session) functions(a args) {
	re := steps.Must(regexp.Compile(a.text))
	for _, f := range s.d.Functions("") {
		if re.MatchString(f.Name) {
			s.print("0x%08x  %6d  %s\n", f.Addr, f.Size, f.Name)
		}
	}
}

func (s *Session) variables(a args) {
	re := steps.Must(regexp.Compile(a.text))
	for _, name := range s.d.Globals("") {
		if !re.MatchString(name) {
			continue
		}
		v, err := s.d.Eval(name)
		if err != nil {
			continue
		}
		addr, _ := v.Addr()
		s.print("0x%08x  %s;\n", addr, v.Type.Declare(name))
	}
}

func (s *Session) types(a args) {
	re := steps.Must(regexp.Compile(a.text))
	for _, t := range s.d.TypeNames() {
		if re.MatchString(t.Name) {
			s.print("%s\n", t.Text)
		}
	}
}

func (s *Session) files(_ args) {
	s.print("%s, core %s\n", s.d.Program(), s.d.Core())
	if entry, ok := s.d.Entry(); ok {
		s.print("Entry point: %s\n", s.d.Locate(entry))
	}
	for _, sec := range s.d.Sections() {
		s.print("\t0x%08x - 0x%08x is %s\n", sec.Addr, sec.Addr+sec.Size, sec.Name)
	}
	for _, r := range s.d.Regions() {
		kind := "memory"
		if r.Device {
			kind = "device"
		}
		s.print("\t0x%08x - 0x%08x is %s %s\n", r.Base, uint64(r.Base)+r.Size-1, kind, r.Name)
	}
}

func (s *Session) core(_ args) {
	s.print("%s\n", s.d.Core())
	for _, text := range s.d.Settings() {
		s.print("  %s\n", text)
	}
}
