package debug

import (
	"slices"
	"strings"
)

// MaxCompletions bounds a list of symbols.
const MaxCompletions = 200

// separators end the word that is completed.
const separators = " \t+-*/&|^~!<>=?:()[]{},.@"

// LastWord is the word at the end of an expression.
func LastWord(text string) string { return text[strings.LastIndexAny(text, separators)+1:] }

// Complete returns the word at the end of an expression and what it may become: a member of the structure before
// it, a register, a variable or a symbol.
func (d *Debugger) Complete(text string) (word string, list []string) {
	word = LastWord(text)
	before := strings.TrimSuffix(text, word)
	register := strings.HasPrefix(word, "$")
	if object, ok := strings.CutSuffix(strings.TrimSuffix(before, "->"), "."); ok || strings.HasSuffix(before, "->") {
		list = d.Members(lastOperand(object))
	} else if register {
		list = append(list, "$acc0")
		for _, r := range append(d.Registers(), d.AuxRegisters()...) {
			list = append(list, "$"+strings.ToLower(r.Name))
		}
	} else {
		list = d.Names(word, MaxCompletions)
	}
	return word, slices.DeleteFunc(list, func(name string) bool { return !strings.HasPrefix(name, word) })
}

// lastOperand is the end of a text that can be the structure before a dot: names, members, elements.
func lastOperand(text string) string {
	depth, at := 0, len(text)
	for at > 0 {
		switch c := text[at-1]; {
		case c == ']' || c == ')':
			depth++
		case (c == '[' || c == '(') && depth > 0:
			depth--
		case depth == 0 && strings.IndexByte(separators, c) >= 0 && c != '.' &&
			!(c == '>' && at > 1 && text[at-2] == '-') && !(c == '-' && at < len(text) && text[at] == '>'):
			return text[at:]
		}
		at--
	}
	return text
}
