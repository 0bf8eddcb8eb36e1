package lsp

import (
	"slices"
	"strings"

	"arcv2dsp/asm"
	"arcv2dsp/isa"
)

// blockNames are the kinds of blocks that fold.
var blockNames = map[asm.Block]bool{asm.MacroBlock: true, asm.LoopBlock: true, asm.CondBlock: true, asm.FunctionBlock: true}

func (s *session) foldingRange(p at) (any, error) {
	d, err := s.document(p.Document)
	if err != nil {
		return nil, err
	}
	list := []foldingRange{}
	fold := func(from, to int, kind string) {
		if to > from {
			list = append(list, foldingRange{Start: from, End: to, Kind: kind})
		}
	}
	line := func(off int) int {
		_, n := d.line(off)
		return n
	}
	type opened struct {
		block asm.Block
		line  int
	}
	var open []opened
	comment := -1 // first line of a run of comments
	last := -1
	for _, st := range d.scanned() {
		n := line(st.From)
		if only := st.Word.Empty() && len(st.Labels) == 0 && !st.Comment.Empty(); only && comment < 0 {
			comment = n
		} else if !only && comment >= 0 {
			fold(comment, last, "comment")
			comment = -1
		}
		last = n
		switch {
		case blockNames[st.Opens]:
			open = append(open, opened{st.Opens, n})
		case st.Middle && len(open) > 0 && open[len(open)-1].block == asm.CondBlock:
			fold(open[len(open)-1].line, n-1, "")
			open[len(open)-1].line = n
		case st.Closes != asm.NoBlock:
			// A block that is not closed ends with the one around it.
			for i := len(open) - 1; i >= 0; i-- {
				if open[i].block == st.Closes {
					fold(open[i].line, n, "")
					open = open[:i]
					break
				}
			}
		}
	}
	if comment >= 0 {
		fold(comment, last, "comment")
	}
	for _, sym := range d.outline() {
		if sym.Kind == symbolFunction {
			fold(sym.Range.Start.Line, sym.Range.End.Line, "")
		}
	}
	return list, nil
}

func (s *session) documentSymbol(p at) (any, error) {
	d, err := s.document(p.Document)
	if err != nil {
		return nil, err
	}
	return d.outline(), nil
}

// outline are functions and other labels with the local ones behind them, macros and constants. A function is a label that
// is global or of type @function; it ends before the next one, or with its .size.
func (d *document) outline() []*documentSymbol {
	src := d.text.string
	functions := map[string]bool{}
	for _, st := range d.scanned() {
		switch strings.ToLower(src[st.Word.From:st.Word.To]) {
		case ".global", ".globl":
			for _, n := range st.Names {
				functions[src[n.From:n.To]] = true
			}
		case ".type":
			if len(st.Names) > 1 && src[st.Names[1].From:st.Names[1].To] == "function" {
				functions[src[st.Names[0].From:st.Names[0].To]] = true
			}
		}
	}
	list := []*documentSymbol{}
	var function, macro *documentSymbol
	add := func(name asm.Span, kind int, st asm.Statement) *documentSymbol {
		sym := &documentSymbol{Name: src[name.From:name.To], Kind: kind, Selected: d.stretch(name.From, name.To),
			Range: d.stretch(name.From, max(name.To, st.To))}
		switch {
		case macro != nil:
			macro.Children = append(macro.Children, sym)
			macro.Range.End = sym.Range.End
		case function != nil && kind != symbolFunction && kind != symbolMethod:
			function.Children = append(function.Children, sym)
			function.Range.End = sym.Range.End
		default:
			list = append(list, sym)
		}
		return sym
	}
	for _, st := range d.scanned() {
		word := strings.ToLower(src[st.Word.From:st.Word.To])
		for _, l := range st.Labels {
			if name := src[l.From:l.To]; functions[name] && macro == nil {
				function = add(l, symbolFunction, st)
			} else {
				add(l, symbolKey, st)
			}
		}
		switch {
		case st.Opens == asm.MacroBlock && macro == nil && len(st.Names) > 0:
			sym := add(st.Names[0], symbolMethod, st)
			sym.Detail = "macro"
			macro = sym
		case st.Closes == asm.MacroBlock && macro != nil:
			macro.Range.End = d.position(st.To)
			macro = nil
		case slices.Contains([]string{".equ", ".set", ".equiv", ".eqv"}, word) && len(st.Names) > 0 && macro == nil:
			add(st.Names[0], symbolConstant, st)
		case st.Assigns && !st.Word.Empty() && macro == nil:
			add(st.Word, symbolConstant, st)
		}
		if function != nil && macro == nil && !st.Word.Empty() {
			function.Range.End = d.position(st.To)
			if word == ".size" && len(st.Names) > 0 && src[st.Names[0].From:st.Names[0].To] == function.Name {
				function = nil
			}
		}
	}
	return list
}

// Kinds of tokens, in the order of tokenTypes.
const (
	tokenKeyword = iota
	tokenDirective
	tokenMacro
	tokenLabel
	tokenRegister
	tokenParameter
	tokenComment
	tokenNumber
)

// tokenTypes are the names of the protocol for them.
var tokenTypes = []string{"keyword", "decorator", "macro", "function", "variable", "parameter", "comment", "number"}

func (s *session) semanticTokens(p at) (any, error) {
	d, err := s.document(p.Document)
	if err != nil {
		return nil, err
	}
	macros := map[string]bool{}
	for _, prog := range s.programsOf(d) {
		for _, n := range prog.index.Names {
			if n.Kind == asm.NameMacro {
				macros[strings.ToLower(n.Text)] = true
			}
		}
	}
	data := []int{}
	var last position
	put := func(w asm.Span, kind int) {
		from, to := d.position(w.From), d.position(w.To)
		if w.Empty() || from.Line != to.Line {
			return
		}
		column := from.Character
		if from.Line == last.Line {
			column -= last.Character
		}
		data = append(data, from.Line-last.Line, column, to.Character-from.Character, kind, 0)
		last = from
	}
	src := d.text.string
	for _, st := range d.scanned() {
		for _, l := range st.Labels {
			put(l, tokenLabel)
		}
		word := src[st.Word.From:st.Word.To]
		_, directive := asm.DescribeDirective(word)
		rows, _ := asm.Meaning(word)
		switch {
		case st.Assigns:
			put(st.Word, tokenLabel)
		case macros[strings.ToLower(word)]:
			put(st.Word, tokenMacro)
		case directive:
			put(st.Word, tokenDirective)
		case rows != nil:
			put(st.Word, tokenKeyword)
		}
		for _, n := range st.Names {
			switch w := src[n.From:n.To]; {
			case strings.HasPrefix(w, `\`):
				put(n, tokenParameter)
			case '0' <= w[0] && w[0] <= '9':
				put(n, tokenNumber)
			case isRegister(w):
				put(n, tokenRegister)
			}
		}
		put(st.Comment, tokenComment)
	}
	return map[string]any{"data": data}, nil
}

func isRegister(word string) bool {
	_, ok := isa.RegByName(word)
	return ok
}
