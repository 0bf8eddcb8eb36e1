package asm

import "strings"

// Span is a stretch of a text, in bytes.
type Span struct{ From, To int }

// Empty reports whether nothing is in it.
func (s Span) Empty() bool { return s.From >= s.To }

// Statement is a statement as it is written: Scan finds them without executing anything, so macros, loops and conditionals
// stand as they do in the file.
type Statement struct {
	Span
	Labels   []Span // without the colon
	Word     Span   // instruction, directive, macro, or the name that = gives a value
	Operands Span   // what follows it, without blanks around
	Comment  Span   // from its first character to the end of the line, of the last statement of a line
	Names    []Span // words in the operands: registers, symbols, parameters with their backslash
	Assigns  bool   // by =
	Opens    Block
	Closes   Block
	Middle   bool // .else and .elseif
}

// Block is what a directive begins and another one ends.
type Block uint8

// The kinds of blocks.
const (
	NoBlock Block = iota
	MacroBlock
	LoopBlock
	CondBlock
	FunctionBlock // .cfi_startproc
)

// blockOf tells which block a directive, in lower case, begins or ends.
func blockOf(word string) (opens, closes Block, middle bool) {
	switch {
	case opensMacro(word):
		return MacroBlock, NoBlock, false
	case word == ".endm":
		return NoBlock, MacroBlock, false
	case opensLoop(word):
		return LoopBlock, NoBlock, false
	case word == ".endr":
		return NoBlock, LoopBlock, false
	case word == ".endif", word == ".endc":
		return NoBlock, CondBlock, false
	case word == ".cfi_startproc":
		return FunctionBlock, NoBlock, false
	case word == ".cfi_endproc":
		return NoBlock, FunctionBlock, false
	}
	if d := directives[word]; d != nil && d.cond {
		if strings.HasPrefix(word, ".else") {
			return NoBlock, NoBlock, true
		}
		return CondBlock, NoBlock, false
	}
	return NoBlock, NoBlock, false
}

// Scan finds the statements of a text. Lines that have only a comment or nothing are statements without words.
func Scan(text string) []Statement {
	a := &assembler{gaveUp: true} // reports nothing
	a.s = text
	if !strings.HasSuffix(text, "\n") {
		a.s += "\n"
	}
	var list []Statement
	for a.i < len(a.s) {
		st := a.scanStatement()
		if a.s[a.i] == '`' {
			a.i++
		} else {
			end := a.i + strings.IndexByte(a.s[a.i:], '\n')
			if c := a.s[a.i]; c == ';' || c == '#' {
				st.Comment = Span{a.i, min(end, len(text))}
			}
			a.i = end + 1
		}
		list = append(list, st)
	}
	return list
}

// scanStatement reads up to the end of a statement and leaves the cursor there.
func (a *assembler) scanStatement() (st Statement) {
	st.From = a.i
	for {
		a.skipBlanks()
		start := a.i
		for isNameChar(a.s[a.i]) || a.s[a.i] == '\\' && (isNameFirst(a.s[a.i+1]) || a.s[a.i+1] == '@') {
			a.i++
			if a.s[a.i-1] == '\\' && a.s[a.i] == '@' {
				a.i++
			}
			if strings.HasPrefix(a.s[a.i:], `\()`) {
				a.i += len(`\()`)
			}
		}
		word := Span{start, a.i}
		a.skipBlanks()
		if !word.Empty() && a.s[a.i] == ':' {
			a.i++
			if a.s[a.i] == ':' {
				a.i++
			}
			st.Labels = append(st.Labels, word)
			continue
		}
		st.Word = word
		break
	}
	if a.s[a.i] == '=' {
		st.Assigns = true
		for a.s[a.i] == '=' {
			a.i++
		}
		a.skipBlanks()
	}
	if !st.Assigns {
		st.Opens, st.Closes, st.Middle = blockOf(strings.ToLower(a.s[st.Word.From:st.Word.To]))
	}
	st.Operands.From = a.i
	a.scanOperands(&st)
	st.To = a.i
	st.Operands.To = max(st.Operands.From, st.Operands.From+len(strings.TrimRight(a.s[st.Operands.From:a.i], " \t\r\f\v\x00")))
	return st
}

// scanOperands passes the rest of a statement and finds its names.
func (a *assembler) scanOperands(st *Statement) {
	for c := a.s[a.i]; !isEnd(c); c = a.s[a.i] {
		if !isNameChar(c) && c != '\\' {
			a.skipPiece()
			continue
		}
		start := a.i
		for a.i++; isNameChar(a.s[a.i]) || a.s[a.i] == '\\' || a.s[a.i] == '@' && a.s[a.i-1] == '\\'; {
			a.i++
		}
		st.Names = append(st.Names, Span{start, a.i})
	}
}
