package lsp

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"arcv2dsp/asm"
	"arcv2dsp/isa"
)

// completion lists what may stand at a place.
func (s *session) completion(p at) (any, error) {
	d, err := s.document(p.Document)
	if err != nil {
		return nil, err
	}
	off := d.offset(p.Position)
	st := d.statementAt(off)
	from := off
	for from > st.From && (isWord(d.text.string[from-1]) || d.text.string[from-1] == '\\') {
		from--
	}
	typed := d.text.string[from:off]
	var items []completionItem
	switch {
	case !st.Comment.Empty() && off > st.Comment.From:
	case strings.HasPrefix(typed, `\`):
		items = d.parameters(off)
	case off <= st.Word.To || st.Word.Empty():
		items = s.opcodes(d, typed)
	default:
		items = s.operands(d, st, off)
	}
	fits := []completionItem{}
	r := d.stretch(from, off)
	for _, item := range items {
		if item.Kind == itemReference && item.Label == typed {
			continue // what is being typed is a symbol to the assembler
		}
		if strings.HasPrefix(strings.ToLower(item.Label), strings.ToLower(typed)) {
			item.Edit = &textEdit{Range: r, NewText: item.Label}
			fits = append(fits, item)
		}
	}
	return map[string]any{"isIncomplete": false, "items": fits}, nil
}

// parameters are those of the macro around.
func (d *document) parameters(off int) []completionItem {
	body := d.macroAround(off)
	if body == nil {
		return nil
	}
	items := []completionItem{{Label: `\@`, Kind: itemVariable, Detail: "number of the expansion"}}
	for _, w := range body[0].Names[min(1, len(body[0].Names)):] {
		items = append(items, completionItem{Label: `\` + d.text.string[w.From:w.To], Kind: itemVariable, Detail: "parameter"})
	}
	return items
}

// fixedOpcodes are the instructions and directives.
var fixedOpcodes = sync.OnceValue(func() []completionItem {
	var items []completionItem
	for _, name := range asm.Mnemonics() {
		rows, _ := asm.Meaning(name)
		items = append(items, completionItem{Label: name, Kind: itemFunction, Detail: rows[0].Syntax})
	}
	for _, name := range asm.Directives() {
		text, _ := asm.DescribeDirective(name)
		items = append(items, completionItem{Label: name, Kind: itemKeyword, Detail: strings.TrimSpace(name + " " + text.Args)})
	}
	return items
})

// opcodes are what a statement may begin with: suffixes behind a dot, otherwise instructions, directives and macros.
func (s *session) opcodes(d *document, typed string) []completionItem {
	if dot := strings.LastIndexByte(typed, '.'); dot > 0 {
		return suffixes(typed[:dot])
	}
	items := slices.Clone(fixedOpcodes())
	for _, p := range s.programsOf(d) {
		for _, n := range p.index.Names {
			if n.Kind == asm.NameMacro {
				items = append(items, completionItem{Label: n.Text, Kind: itemModule, Detail: "macro"})
			}
		}
	}
	return items
}

// suffixes are those that an instruction takes, behind what is written of it.
func suffixes(word string) []completionItem {
	rows, _ := asm.Meaning(word)
	var set isa.ModSet
	for _, r := range rows {
		for _, f := range r.Forms() {
			set |= f.Allow | f.Require
		}
	}
	var items []completionItem
	add := func(kind isa.ModSet, detail string, names ...string) {
		for _, name := range names {
			if set&kind != 0 {
				items = append(items, completionItem{Label: word + "." + name, Kind: itemOperator, Detail: detail})
			}
		}
	}
	add(isa.ModF, "write the flags", "f")
	for c := isa.Cond(1); c < 16; c++ {
		add(isa.ModCC, "if "+c.String()+", flags "+c.Reads().String(), c.String())
	}
	add(isa.ModD, "with a delay slot", "d")
	add(isa.ModT, "predicted taken", "t")
	add(isa.ModT, "predicted not taken", "nt")
	add(isa.ModAA, "write the address back, before the access", "aw")
	add(isa.ModAA, "write the address back, behind the access", "ab")
	add(isa.ModAA, "scale the offset", "as")
	add(isa.ModX, "extend the sign", "x")
	add(isa.ModDI, "past the cache", "di")
	return items
}

// registers are the core registers by all names.
var registers = sync.OnceValue(func() []completionItem {
	var items []completionItem
	for reg := range uint8(64) {
		if name := isa.RegName(reg); name != "0" && name != "reserved" {
			items = append(items, completionItem{Label: name, Kind: itemVariable, Detail: role(reg)})
		}
	}
	return items
})

// operands are registers, auxiliary ones where an instruction takes them, and the names of the program.
func (s *session) operands(d *document, st *asm.Statement, off int) []completionItem {
	word := d.text.string[st.Word.From:st.Word.To]
	var items []completionItem
	_, directive := asm.DescribeDirective(word)
	if !directive {
		items = slices.Clone(registers())
	}
	if rows, _ := asm.Meaning(word); len(rows) > 0 && strings.Contains(d.text.string[st.Operands.From:max(st.Operands.From, off)], "[") {
		switch rows[0].Op {
		case isa.LR, isa.SR, isa.AEX:
			for _, r := range isa.AuxRegs() {
				if s.core().features.Has(r.Needs) {
					items = append(items, completionItem{Label: r.Name, Kind: itemReference, Detail: s.describeAux(r.Name)})
				}
			}
		}
	}
	names := map[string]completionItem{}
	for _, p := range s.programsOf(d) {
		for _, n := range p.index.Names {
			switch n.Kind {
			case asm.NameLabel, asm.NameCommon, asm.NameUndefined:
				names[n.Text] = completionItem{Label: n.Text, Kind: itemReference, Detail: kindText(n)}
			case asm.NameConstant:
				names[n.Text] = completionItem{Label: n.Text, Kind: itemConstant, Detail: kindText(n)}
			case asm.NameNumber, asm.NameMacro, asm.NameAux:
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		items = append(items, names[name])
	}
	return items
}

// resolve adds what is too long for a list.
func (s *session) resolve(item completionItem) (any, error) {
	switch item.Kind {
	case itemFunction:
		item.Documentation = markdown(s.describeInstruction(item.Label))
	case itemKeyword:
		if text, ok := asm.DescribeDirective(item.Label); ok {
			item.Documentation = markdown(directiveText(item.Label, text))
		}
	case itemVariable:
		if text := describeRegister(item.Label); text != "" {
			item.Documentation = markdown(text)
		}
	}
	return item, nil
}
