package lsp

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"arcv2dsp/asm"
	"arcv2dsp/internal/program/elfarc"
	"arcv2dsp/isa"
)

// resolve finds the name at an offset: as the assembler read it, and where it read nothing, in a branch that is not taken or
// a macro that nobody calls, by the word.
func (p *program) resolve(d *document, off int) *asm.Name {
	if u, ok := p.nameAt(d.path, off); ok {
		return u.name
	}
	span, kind := d.wordAt(off)
	if span.Empty() || strings.Contains(d.text.string[span.From:span.To], `\`) {
		return nil
	}
	return p.named(d.text.string[span.From:span.To], kind == wordOpcode)
}

// spotOf is a stretch of a file.
type spotOf struct {
	path string
	*text
	asm.Span
	def bool
}

// spots are all places where a name stands in a program, also those that the assembler has not read.
func (p *program) spots(n *asm.Name) []spotOf {
	var list []spotOf
	taken := map[asm.Use]bool{}
	for _, u := range n.Uses {
		f := &p.files[u.File]
		list = append(list, spotOf{path: f.path, text: f.text, Span: asm.Span{From: u.Off, To: u.Off + u.Len}, def: u.Def})
		taken[asm.Use{File: u.File, Off: u.Off}] = true
	}
	if n.Kind == asm.NameNumber {
		return list
	}
	for i := range p.files {
		f := &p.files[i]
		if !strings.Contains(f.text.string, n.Text) && n.Kind != asm.NameMacro {
			continue
		}
		read := map[int]bool{} // other names that the assembler has read there
		for _, u := range f.uses {
			read[u.Off] = true
		}
		add := func(w asm.Span) {
			if !read[w.From] && !taken[asm.Use{File: i, Off: w.From}] {
				list = append(list, spotOf{path: f.path, text: f.text, Span: w})
			}
		}
		for _, st := range asm.Scan(f.text.string) {
			if n.Kind == asm.NameMacro {
				if equalFold(f.text.string[st.Word.From:st.Word.To], n.Text) {
					add(st.Word)
				}
				continue
			}
			if st.Assigns && f.text.string[st.Word.From:st.Word.To] == n.Text {
				add(st.Word)
			}
			for _, w := range slices.Concat(st.Labels, st.Names) {
				if f.text.string[w.From:w.To] == n.Text {
					add(w)
				}
			}
		}
	}
	return list
}

// composed are the places of a label such as loop\@ or .L\kind, which has its name when its macro is expanded: the same text in the
// body of the macro.
func (d *document) composed(off int) []spotOf {
	span, kind := d.wordAt(off)
	word := d.text.string[span.From:span.To]
	if kind != wordLabel && kind != wordOperand || !strings.Contains(word, `\`) || strings.HasPrefix(word, `\`) {
		return nil
	}
	var list []spotOf
	for _, st := range d.macroAround(off) {
		for i, w := range slices.Concat(st.Labels, st.Names) {
			if d.text.string[w.From:w.To] == word {
				list = append(list, spotOf{path: d.path, text: d.text, Span: w, def: i < len(st.Labels)})
			}
		}
	}
	return list
}

// macroAround are the statements of the innermost macro around an offset, the .macro first.
func (d *document) macroAround(off int) []asm.Statement {
	var open []int
	list := d.scanned()
	for i, st := range list {
		switch {
		case st.Opens == asm.MacroBlock:
			open = append(open, i)
		case st.Closes == asm.MacroBlock && len(open) > 0:
			first := open[len(open)-1]
			if list[first].From <= off && off <= st.To {
				return list[first : i+1]
			}
			open = open[:len(open)-1]
		}
	}
	return nil
}

// spotsAt are the places of the name at a place of a document, in all programs that it belongs to.
func (s *session) spotsAt(p at) ([]spotOf, error) {
	d, err := s.document(p.Document)
	if err != nil {
		return nil, err
	}
	off := d.offset(p.Position)
	if list := d.composed(off); list != nil {
		return list, nil
	}
	var list []spotOf
	for _, prog := range s.programsOf(d) {
		if n := prog.resolve(d, off); n != nil {
			for _, spot := range prog.spots(n) {
				if !slices.ContainsFunc(list, func(o spotOf) bool { return o.path == spot.path && o.Span == spot.Span }) {
					list = append(list, spot)
				}
			}
		}
	}
	slices.SortFunc(list, func(a, b spotOf) int { return cmp.Or(cmp.Compare(a.path, b.path), cmp.Compare(a.From, b.From)) })
	return list, nil
}

// locations are those in files that the editor can show: includes of a kernel library are none.
func (s *session) locations(list []spotOf, want func(spotOf) bool) []location {
	out := []location{}
	for _, spot := range list {
		if want(spot) && s.sources.exists(spot.path) {
			out = append(out, location{URI: s.uriOf(spot.path), Range: spot.stretch(spot.From, spot.To)})
		}
	}
	return out
}

func (s *session) definition(p at) (any, error) {
	d, err := s.document(p.Document)
	if err != nil {
		return nil, err
	}
	off := d.offset(p.Position)
	st := d.statementAt(off)
	word := d.text.string[st.Word.From:st.Word.To]
	if equalFold(word, ".include") && st.Operands.From <= off && off <= st.Operands.To {
		name := strings.Trim(d.text.string[st.Operands.From:st.Operands.To], `"`)
		for _, root := range append(s.sources.roots(d.path), d.path) {
			if file := s.sources.included(name, d.path, root); file != "" {
				return []location{{URI: s.uriOf(file)}}, nil
			}
		}
		return []location{}, nil
	}
	if list := d.parameter(off); list != nil {
		return s.locations(list, func(spotOf) bool { return true }), nil
	}
	list, err := s.spotsAt(p)
	return s.locations(list, func(spot spotOf) bool { return spot.def }), err
}

// parameter is where the parameter of a macro at an offset is named.
func (d *document) parameter(off int) []spotOf {
	span, _ := d.wordAt(off)
	body := d.macroAround(off)
	at := strings.LastIndexByte(d.text.string[span.From:max(span.From, min(off+1, span.To))], '\\')
	if at < 0 || body == nil {
		return nil
	}
	name, _, _ := strings.Cut(d.text.string[span.From+at+1:span.To], `\`)
	for _, w := range body[0].Names[min(1, len(body[0].Names)):] {
		if d.text.string[w.From:w.To] == name {
			return []spotOf{{path: d.path, text: d.text, Span: w}}
		}
	}
	return nil
}

func (s *session) references(p struct {
	at
	Context struct {
		Declaration bool `json:"includeDeclaration"`
	} `json:"context"`
}) (any, error) {
	list, err := s.spotsAt(p.at)
	return s.locations(list, func(spot spotOf) bool { return p.Context.Declaration || !spot.def }), err
}

func (s *session) highlight(p at) (any, error) {
	list, err := s.spotsAt(p)
	type mark struct {
		Range stretch `json:"range"`
		Kind  int     `json:"kind"` // 2 read, 3 write
	}
	out := []mark{}
	for _, spot := range list {
		if spot.path == pathOf(p.Document.URI) {
			m := mark{Range: spot.stretch(spot.From, spot.To), Kind: 2}
			if spot.def {
				m.Kind = 3
			}
			out = append(out, m)
		}
	}
	return out, err
}

var errNoName = errors.New("only labels, constants and macros of the program can be renamed")

// renamable finds the name at a place.
func (s *session) renamable(p at) (list []spotOf, here spotOf, err error) {
	d, err := s.document(p.Document)
	if err != nil {
		return nil, spotOf{}, err
	}
	off := d.offset(p.Position)
	list, err = s.spotsAt(p)
	if err != nil {
		return nil, spotOf{}, err
	}
	i := slices.IndexFunc(list, func(o spotOf) bool { return o.path == d.path && o.From <= off && off <= o.To })
	if i < 0 || !slices.ContainsFunc(list, func(o spotOf) bool { return o.def }) {
		return nil, spotOf{}, errNoName
	}
	return list, list[i], nil
}

func (s *session) prepareRename(p at) (any, error) {
	_, here, err := s.renamable(p)
	if err != nil {
		return nil, err
	}
	return struct {
		Range stretch `json:"range"`
		Text  string  `json:"placeholder"`
	}{here.stretch(here.From, here.To), here.text.string[here.From:here.To]}, nil
}

// rename gives a name another spelling everywhere. The programs must stay what they are: they are assembled with it.
func (s *session) rename(p struct {
	at
	Name string `json:"newName"`
}) (any, error) {
	list, here, err := s.renamable(p.at)
	if err != nil {
		return nil, err
	}
	old := here.text.string[here.From:here.To]
	if err := checkName(old, p.Name); err != nil {
		return nil, err
	}
	if i := slices.IndexFunc(list, func(o spotOf) bool { return !s.sources.exists(o.path) }); i >= 0 {
		return nil, fmt.Errorf("%q stands in %s of the kernel library, too", old, path.Base(list[i].path))
	}
	changed := map[string]string{}
	edits := map[string][]textEdit{}
	for i := len(list) - 1; i >= 0; i-- { // from behind, so that places stay
		spot := list[i]
		if _, ok := changed[spot.path]; !ok {
			changed[spot.path] = spot.text.string
		}
		changed[spot.path] = changed[spot.path][:spot.From] + p.Name + changed[spot.path][spot.To:]
		uri := s.uriOf(spot.path)
		edits[uri] = append(edits[uri], textEdit{Range: spot.stretch(spot.From, spot.To), NewText: p.Name})
	}
	for _, prog := range s.programsOf(s.docs[pathOf(p.Document.URI)]) {
		if err := s.unchanged(prog, changed, map[string]string{old: p.Name}); err != nil {
			return nil, fmt.Errorf("%q cannot become %q: %w", old, p.Name, err)
		}
	}
	return map[string]any{"changes": edits}, nil
}

// checkName refuses what would be no name of the same kind.
func checkName(old, name string) error {
	digits := func(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }
	word := strings.NewReplacer(`\@`, "", `\()`, "", `\`, "").Replace(name)
	switch {
	case digits(old) && !digits(name):
		return fmt.Errorf("%q is no number, as the label has", name)
	case digits(old):
		return nil
	case word == "" || !isWord(word[0]) || digits(word[:1]) || strings.ContainsFunc(word, func(r rune) bool { return r < 0x80 && !isWord(byte(r)) }):
		return fmt.Errorf("%q is no name", name)
	case strings.Contains(old, `\`) != strings.Contains(name, `\`):
		return fmt.Errorf("%q and %q: both or none take part of the name from the macro", old, name)
	}
	if _, register := isa.RegByName(name); register {
		return fmt.Errorf("%q is a register", name)
	}
	return nil
}

// replaced are the sources with other texts in place of some.
type replaced struct {
	*sources
	texts map[string]string
}

func (r replaced) Open(name string) (fs.File, error) {
	p := r.absolute(name)
	if text, ok := r.texts[p]; ok {
		return &openDocument{Reader: strings.NewReader(text), name: p}, nil
	}
	return r.sources.Open(name)
}

// unchanged assembles a program with other texts and reports what has become of it, names apart.
func (s *session) unchanged(p *program, texts, renamed map[string]string) error {
	o := s.assembly(p.root)
	o.FS = replaced{s.sources, texts}
	text, ok := texts[p.root]
	if !ok {
		text = s.sources.read(p.root)
	}
	object, err := asm.Assemble(o, asm.Source{Name: p.root, Text: text})
	var errs asm.ErrorList
	if errors.As(err, &errs); p.object == nil {
		if len(errs) != len(p.errs) {
			return fmt.Errorf("the program has %s, then %s", counted(len(p.errs), "error"), counted(len(errs), "error"))
		}
		return nil
	}
	if len(errs) > 0 {
		return fmt.Errorf("%s: %s", errs[0].Pos, errs[0].Msg)
	}
	if err != nil {
		return err
	}
	return sameProgram(p.object, object, renamed)
}

var errOtherProgram = errors.New("the program would be another one")

// sameProgram compares two objects but for the names of symbols.
func sameProgram(a, b *asm.Object, renamed map[string]string) error {
	symbols := slices.Clone(a.Symbols())
	for i := range symbols {
		if name, ok := renamed[symbols[i].Name]; ok {
			symbols[i].Name = name
		}
		symbols[i].Mention = nil
	}
	others := slices.Clone(b.Symbols())
	for i := range others {
		others[i].Mention = nil
	}
	byName := func(x, y asm.Symbol) int { return cmp.Or(cmp.Compare(x.Name, y.Name), cmp.Compare(x.Value, y.Value)) }
	slices.SortFunc(symbols, byName)
	slices.SortFunc(others, byName)
	if !slices.Equal(symbols, others) {
		return errOtherProgram
	}
	before, err := contents(a)
	if err != nil {
		return err
	}
	after, err := contents(b)
	if err != nil {
		return err
	}
	if !maps.EqualFunc(before, after, bytes.Equal) {
		return errOtherProgram
	}
	return nil
}

// contents are the sections of an object, with what relocations make of them: symbols by their numbers, since names may differ.
func contents(o *asm.Object) (map[string][]byte, error) {
	data, err := o.Bytes()
	if err != nil {
		return nil, err
	}
	file, err := elfarc.Read(data)
	if err != nil {
		return nil, err
	}
	numbers := map[*elfarc.Symbol]int{}
	for i, s := range file.Symbols {
		numbers[s] = i + 1
	}
	all := map[string][]byte{}
	for _, sec := range file.Sections {
		text := slices.Clone(sec.Data)
		for _, r := range sec.Relocs {
			text = fmt.Appendf(text, "%#x %v %d %d\n", r.Offset, r.Type, numbers[r.Sym], r.Addend)
		}
		all[fmt.Sprintf("%d %s, %d bytes", sec.Index, sec.Name, sec.Len())] = text
	}
	return all, nil
}
