package tui

import "unicode/utf8"

// key is a key that was pressed: a rune, or one with a name.
type key struct {
	name string
	r    rune
}

// Keys that mean something while the program runs.
const (
	ctrlC = 0x03
	ctrlZ = 0x1a
)

// sequences are the escape sequences of keys.
var sequences = map[string]string{
	"\x1b[A": "up", "\x1b[B": "down", "\x1b[C": "right", "\x1b[D": "left", "\x1bOA": "up", "\x1bOB": "down", "\x1bOC": "right",
	"\x1bOD": "left", "\x1b[H": "home", "\x1b[F": "end", "\x1bOH": "home", "\x1bOF": "end", "\x1b[1~": "home", "\x1b[4~": "end",
	"\x1b[7~": "home", "\x1b[8~": "end", "\x1b[3~": "delete", "\x1b[5~": "page-up", "\x1b[6~": "page-down",
}

// nextKey takes a key off the input; n is 0 when more of it must come first.
func nextKey(in []byte) (k key, n int) {
	switch c := in[0]; {
	case c == 0x1b:
		if len(in) == 1 {
			return key{}, 0
		}
		end := sequenceEnd(in)
		if in[1] == 'O' {
			end = 0
			if len(in) > 2 {
				end = 3
			}
		}
		if end == 0 {
			return key{}, 0
		}
		name := sequences[string(in[:end])]
		if name == "" {
			name = "unknown"
		}
		return key{name: name}, end
	case c == '\r' || c == '\n':
		return key{name: "enter"}, 1
	case c == '\t':
		return key{name: "tab"}, 1
	case c == 0x7f || c == 0x08:
		return key{name: "backspace"}, 1
	case c < 0x20:
		return key{name: "ctrl-" + string(rune('a'+c-1))}, 1
	case !utf8.FullRune(in):
		return key{}, 0
	}
	r, size := utf8.DecodeRune(in)
	return key{r: r}, size
}
