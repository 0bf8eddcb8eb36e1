package tui

import (
	"slices"
	"strings"
)

// editor is the line being typed.
type editor struct {
	text    []rune
	at      int
	history []string
	line    int    // of the history, len(history) for the new one
	kept    []rune // the new line while an old one is shown
	search  *search
}

func (e *editor) begin() { e.text, e.at, e.line, e.search = nil, 0, len(e.history), nil }

func (e *editor) insert(text string) {
	r := []rune(text)
	e.text = slices.Insert(e.text, e.at, r...)
	e.at += len(r)
}

// cut removes the text between two places.
func (e *editor) cut(from, to int) {
	if from, to = max(from, 0), min(to, len(e.text)); from < to {
		e.text = slices.Delete(e.text, from, to)
		e.at = from
	}
}

// wordStart is where the word before the cursor begins.
func (e *editor) wordStart() int {
	at := e.at
	for at > 0 && e.text[at-1] == ' ' {
		at--
	}
	for at > 0 && e.text[at-1] != ' ' {
		at--
	}
	return at
}

// recall goes through the history.
func (e *editor) recall(step int) {
	to := e.line + step
	if to < 0 || to > len(e.history) {
		return
	}
	if e.line == len(e.history) {
		e.kept = e.text
	}
	if e.line = to; to == len(e.history) {
		e.text = e.kept
	} else {
		e.text = []rune(e.history[to])
	}
	e.at = len(e.text)
}

// edit does what a key means to the line; false when it means nothing.
func (e *editor) edit(k key) bool {
	switch k.name {
	case "ctrl-r":
		e.beginSearch()
	case "":
		e.insert(string(k.r))
	case "left", "ctrl-b":
		e.at = max(e.at-1, 0)
	case "right", "ctrl-f":
		e.at = min(e.at+1, len(e.text))
	case "home", "ctrl-a":
		e.at = 0
	case "end", "ctrl-e":
		e.at = len(e.text)
	case "backspace":
		e.cut(e.at-1, e.at)
	case "delete", "ctrl-d":
		at := e.at
		e.cut(at, at+1)
	case "ctrl-k":
		e.cut(e.at, len(e.text))
	case "ctrl-u":
		e.cut(0, e.at)
	case "ctrl-w":
		e.cut(e.wordStart(), e.at)
	case "up", "ctrl-p":
		e.recall(-1)
	case "down", "ctrl-n":
		e.recall(1)
	default:
		return false
	}
	return true
}

// complete puts what all words that fit have in common behind the cursor and returns the words when there
// are several.
func (e *editor) complete(words func(line string) (word string, list []string)) []string {
	word, list := words(string(e.text[:e.at]))
	if len(list) == 0 {
		return nil
	}
	common := list[0]
	for _, l := range list[1:] {
		for !strings.HasPrefix(l, common) {
			common = common[:len(common)-1]
		}
	}
	if rest, ok := strings.CutPrefix(common, word); ok {
		e.insert(rest)
		if rest != "" || len(list) == 1 {
			return nil
		}
	}
	return list
}
