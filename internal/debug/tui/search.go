package tui

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// search looks through the history for the last line that contains a text; Ctrl-R begins it.
type search struct {
	text   string
	line   int    // of the history that is shown, len(history) before one was found
	before []rune // the line when the search began
	none   bool   // no earlier line has the text
}

// prompt stands in place of the prompt while the user searches.
func (s *search) prompt() string {
	if s.none {
		return fmt.Sprintf("(no earlier line)`%s': ", s.text)
	}
	return fmt.Sprintf("(search)`%s': ", s.text)
}

// beginSearch begins a search.
func (e *editor) beginSearch() {
	e.search = &search{line: len(e.history), before: e.text}
	e.kept = e.text
}

// find shows the last line of the history before a place that contains the text.
func (e *editor) find(before int) {
	s := e.search
	for i := before - 1; i >= 0 && s.text != ""; i-- {
		if at := strings.LastIndex(e.history[i], s.text); at >= 0 {
			s.line, s.none = i, false
			e.text, e.line = []rune(e.history[i]), i
			e.at = utf8.RuneCountInString(e.history[i][:at])
			return
		}
	}
	s.none = s.text != ""
}

// searchKey does what a key means to a search. It returns false when the key ends the search with the line that is
// shown, and means to that line what it always does.
func (e *editor) searchKey(k key) bool {
	s := e.search
	switch k.name {
	case "":
		s.text += string(k.r)
		e.find(min(s.line+1, len(e.history)))
	case "ctrl-r":
		e.find(s.line)
	case "backspace":
		if r := []rune(s.text); len(r) > 0 {
			s.text = string(r[:len(r)-1])
		}
		e.find(len(e.history))
	case "ctrl-g":
		e.text, e.at, e.line, e.search = s.before, len(s.before), len(e.history), nil
	default:
		e.search = nil
		return false
	}
	return true
}
