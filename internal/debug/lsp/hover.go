package lsp

import (
	"fmt"
	"slices"
	"strings"

	"arcv2dsp"
	"arcv2dsp/asm"
	"arcv2dsp/isa"
)

// model is the core that instructions are described for.
type model struct {
	name     string
	features isa.Feature
	timing   arcv2dsp.TimingModel
	decoder  *isa.Decoder
}

// core returns the core, em9d when that of the options is not known.
func (s *session) core() *model {
	if s.model != nil {
		return s.model
	}
	m, err := arcv2dsp.New(arcv2dsp.Config{Core: s.opt.Core})
	if err != nil {
		m, err = arcv2dsp.New(arcv2dsp.Config{})
	}
	if err != nil {
		return &model{decoder: isa.NewDecoder(isa.GNUEM)}
	}
	c := m.Core()
	_ = m.Close() // nothing ran
	s.model = &model{name: c.Name, features: c.Features, timing: c.Timing, decoder: isa.NewDecoder(c.Features)}
	return s.model
}

func (s *session) hover(p at) (any, error) {
	d, err := s.document(p.Document)
	if err != nil {
		return nil, err
	}
	off := d.offset(p.Position)
	span, what := d.wordAt(off)
	if span.Empty() {
		return nil, nil
	}
	word := d.text.string[span.From:span.To]
	text := ""
	switch what {
	case wordOpcode:
		text = s.describeOpcode(d, word, span.From)
	case wordLabel:
		text = s.describeName(d, span.From)
	case wordOperand:
		if text = describeRegister(word); text == "" {
			text = s.describeName(d, span.From)
		}
		if text == "" {
			text = s.describeAux(word)
		}
	}
	if text == "" {
		return nil, nil
	}
	return hover{Contents: markdown(text), Range: d.stretch(span.From, span.To)}, nil
}

// wordKind is what part of a statement a word is.
type wordKind uint8

const (
	wordNone wordKind = iota
	wordLabel
	wordOpcode // or directive or macro
	wordOperand
)

// wordAt returns the word at an offset.
func (d *document) wordAt(off int) (asm.Span, wordKind) {
	st := d.statementAt(off)
	in := func(s asm.Span) bool { return !s.Empty() && s.From <= off && off <= s.To }
	for _, l := range st.Labels {
		if in(l) {
			return l, wordLabel
		}
	}
	if in(st.Word) {
		if st.Assigns {
			return st.Word, wordLabel
		}
		return st.Word, wordOpcode
	}
	for _, n := range st.Names {
		if in(n) {
			return n, wordOperand
		}
	}
	return asm.Span{}, wordNone
}

// describeOpcode describes an instruction, a directive or a macro.
func (s *session) describeOpcode(d *document, word string, off int) string {
	if text, ok := asm.DescribeDirective(word); ok {
		return directiveText(word, text)
	}
	if text := s.describeName(d, off); text != "" {
		return text
	}
	text := s.describeInstruction(word)
	if here := s.describeHere(d, off); text != "" && here != "" {
		text += "\n\n" + here
	}
	return text
}

func directiveText(name string, t asm.DirectiveText) string {
	return fmt.Sprintf("`%s`\n\n%s", strings.TrimSpace(name+" "+t.Args), t.Text)
}

// describeInstruction describes all that a word may mean.
func (s *session) describeInstruction(word string) string {
	rows, stands := asm.Meaning(word)
	var parts []string
	if stands != "" {
		parts = append(parts, stands)
	}
	for _, r := range rows {
		parts = append(parts, s.describeRow(r))
	}
	return strings.Join(parts, "\n\n---\n\n")
}

// maxForms is how many operand forms a description shows.
const maxForms = 6

func (s *session) describeRow(r *isa.Row) string {
	var b strings.Builder
	fmt.Fprintf(&b, "`%s`\n\n%s\n", r.Syntax, escaped(r.MeaningText()))
	item := func(name, text string) {
		if text != "" {
			fmt.Fprintf(&b, "\n- %s: %s", name, escaped(text))
		}
	}
	forms := r.FormTexts()
	if n := len(forms) - maxForms; n > 0 {
		forms = append(slices.Clone(forms[:maxForms]), fmt.Sprintf("%d more", n))
	}
	item("operands", strings.Join(forms, " · "))
	item("flags", r.FlagText())
	item("accumulator", r.AccText())
	item("needs", r.NeedsText())
	item("cycles", s.describeLatency(r))
	item("how sure", r.Confidence.String())
	item("source", r.Source)
	return b.String()
}

// escaped keeps the text of a meaning from being read as markup.
func escaped(text string) string {
	return strings.NewReplacer("*", `\*`, "_", `\_`, "<", `\<`, "|", `\|`, "`", "\\`", "[", `\[`, "~", `\~`).Replace(text)
}

// describeLatency says what an instruction takes on the core, by the first of its forms that the core has.
func (s *session) describeLatency(r *isa.Row) string {
	c := s.core()
	for _, f := range r.Forms() {
		var code [8]byte
		copy(code[:], isa.Word{Bits: f.Value, Size: f.Size, HasLimm: f.Limm}.Append(nil, false))
		in := c.decoder.Decode(isa.LittleCode(&code))
		if in.Row() == r {
			return c.cycles(&in)
		}
	}
	return c.name + " does not have it"
}

// cycles says what an instruction takes.
func (c *model) cycles(in *isa.Inst) string {
	d := c.timing.Describe(in)
	extra, why := c.timing.Base(&d)
	text := fmt.Sprintf("%s on %s", counted(1+int(extra), "cycle"), c.name)
	if extra > 0 {
		text += fmt.Sprintf(" (%s)", why)
	}
	if late, divider := d.Late(); late > 0 {
		text += fmt.Sprintf(", result after %s", counted(1+int(late), "cycle"))
		if divider {
			text += " beside the pipeline"
		}
	}
	if n := d.Penalty(); n > 0 {
		text += fmt.Sprintf(", %d more when it is taken", n)
	}
	return text
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// describeHere shows what the statement at an offset has become.
func (s *session) describeHere(d *document, off int) string {
	for _, p := range s.programsOf(d) {
		file := p.file(d.path)
		for _, in := range p.index.Insts {
			if in.File != file || in.Off != off {
				continue
			}
			inst, ok := p.decode(in, s.core())
			if !ok {
				return ""
			}
			return fmt.Sprintf("Here: `%s`, %s at %s+0x%x: %s", isa.Text(&inst, isa.TextOptions{Features: s.core().features}),
				counted(int(inst.Len), "byte"), escaped(in.Sect), in.Addr, s.core().cycles(&inst))
		}
	}
	return ""
}

// decode reads an instruction of the object.
func (p *program) decode(in asm.PlacedInst, c *model) (inst isa.Inst, ok bool) {
	code := p.object.Section(in.Sect)
	if int64(in.Addr) >= int64(len(code)) {
		return inst, false
	}
	inst, err := c.decoder.DecodeBytes(code[in.Addr:], false)
	return inst, err == nil && inst.Row() != nil
}

// roles of core registers by the C calling convention.
func role(reg uint8) string {
	switch {
	case reg <= 1:
		return "argument and result"
	case reg <= 7:
		return "argument"
	case reg <= 12:
		return "free for a function to change"
	case reg <= 25:
		return "kept by a function"
	case reg == isa.RegGP:
		return "global pointer"
	case reg == isa.RegFP:
		return "frame pointer, kept by a function"
	case reg == isa.RegSP:
		return "stack pointer"
	case reg == isa.RegILINK:
		return "return address of interrupts"
	case reg == 30:
		return "free for a function to change"
	case reg == isa.RegBLINK:
		return "return address"
	case reg < isa.RegPort0+isa.NumPorts:
		return "port of the address generation unit, where the core has one"
	case reg == isa.RegAccLo:
		return "accumulator, low word"
	case reg == isa.RegAccHi:
		return "accumulator, high word"
	case reg == isa.RegLPCount:
		return "count of the zero-overhead loop"
	case reg == isa.RegLimm:
		return "stands for a long immediate, and for no destination"
	case reg == isa.RegPCL:
		return "address of the instruction, its low two bits cleared"
	}
	return "extension register"
}

// describeRegister describes a core register or a pair, "" for what is none.
func describeRegister(word string) string {
	reg, ok := isa.RegByName(word)
	pair := ""
	if !ok {
		if low, high, cut := strings.Cut(strings.TrimPrefix(word, "r"), "r"); cut {
			if reg, ok = isa.RegByName("r" + low); ok {
				pair = ", with r" + high + " a pair of 64 bits"
			}
		}
	}
	if !ok {
		return ""
	}
	name := isa.RegName(reg)
	if name != word && pair == "" {
		word = fmt.Sprintf("%s` = `r%d", word, reg)
	}
	return fmt.Sprintf("`%s`: core register %d, %s%s", word, reg, role(reg), pair)
}

// describeAux describes an auxiliary register.
func (s *session) describeAux(word string) string {
	r, ok := isa.AuxByName(word, s.core().features)
	if !ok {
		if r, ok = isa.AuxByName(word, ^isa.Feature(0)); !ok {
			return ""
		}
	}
	text := fmt.Sprintf("`%s`: auxiliary register 0x%x, %s", r.Name, r.Addr, r.Access)
	if r.Needs != 0 {
		text += ", needs " + r.Needs.String()
	}
	if r.Own {
		text += "; the GNU tools do not know the name"
	}
	return text
}

// describeName describes the symbol, label or macro at an offset.
func (s *session) describeName(d *document, off int) string {
	for _, p := range s.programsOf(d) {
		n := p.resolve(d, off)
		if n == nil {
			continue
		}
		switch n.Kind {
		case asm.NameAux:
			return s.describeAux(n.Text)
		case asm.NameUndefined:
			if text := s.describeAux(n.Text); text != "" { // one that the core of the assembly lacks
				return text
			}
			return fmt.Sprintf("`%s`: not defined here, a symbol of another object", n.Text)
		}
		text := fmt.Sprintf("`%s`: %s", n.Text, kindText(n))
		for _, u := range n.Uses {
			if u.Def {
				return text + "\n\n" + p.definitionText(n, u)
			}
		}
		return text
	}
	return ""
}

func kindText(n *asm.Name) string {
	switch n.Kind {
	case asm.NameLabel, asm.NameNumber:
		text := "label"
		if n.Sect != "" {
			text += " in " + n.Sect
		}
		if n.Known {
			text += fmt.Sprintf("+0x%x", n.Value)
		}
		if n.Global {
			text += ", global"
		}
		return escaped(text)
	case asm.NameConstant:
		if n.Known {
			return fmt.Sprintf("constant %d = 0x%x", n.Value, uint32(n.Value))
		}
		return "expression"
	case asm.NameCommon:
		return fmt.Sprintf("common block of %d bytes", n.Value)
	case asm.NameMacro:
		return "macro"
	}
	return "symbol"
}

// maxShown is how many lines of a definition are shown.
const maxShown = 12

// definitionText shows the line of a definition, of a macro all lines, with the comment above.
func (p *program) definitionText(n *asm.Name, u asm.Use) string {
	t := p.files[u.File].text
	_, first := t.line(u.Off)
	last := first
	if n.Kind == asm.NameMacro {
		for last+1 < len(t.starts) && last-first < maxShown {
			last++
			if line := strings.TrimSpace(t.string[t.starts[last]:t.end(last)]); equalFold(line, ".endm") {
				break
			}
		}
	}
	for top := first - 1; top >= 0 && first-top <= maxShown && strings.HasPrefix(strings.TrimSpace(t.string[t.starts[top]:t.end(top)]), ";"); top-- {
		first = top
	}
	var lines []string
	for i := first; i <= last; i++ {
		lines = append(lines, strings.ReplaceAll(t.string[t.starts[i]:t.end(i)], "```", "'''"))
	}
	return "```arcasm\n" + strings.Join(lines, "\n") + "\n```"
}
