// Package screen is a terminal for tests: it knows the escape sequences by which programs draw on the whole
// screen and says what a user sees.
package screen

import (
	"fmt"
	"strings"
	"sync"
)

// Screen is the picture on a terminal.
type Screen struct {
	mu     sync.Mutex
	w, h   int
	cells  [][]rune
	x, y   int
	rest   string
	other  bool // the alternate screen is shown
	hidden bool // the cursor is
}

// New returns an empty screen.
func New(w, h int) *Screen {
	s := &Screen{}
	s.Resize(w, h)
	return s
}

// Resize gives the screen another size and empties it.
func (s *Screen) Resize(w, h int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.w, s.h = w, h
	s.clear()
}

func (s *Screen) clear() {
	s.cells = make([][]rune, s.h)
	for y := range s.cells {
		s.cells[y] = []rune(strings.Repeat(" ", s.w))
	}
}

// Alternate reports whether the alternate screen is shown.
func (s *Screen) Alternate() bool { s.mu.Lock(); defer s.mu.Unlock(); return s.other }

// Hidden reports whether the cursor is not shown.
func (s *Screen) Hidden() bool { s.mu.Lock(); defer s.mu.Unlock(); return s.hidden }

// String is the text on the screen.
func (s *Screen) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var b strings.Builder
	for _, line := range s.cells {
		b.WriteString(strings.TrimRight(string(line), " ") + "\n")
	}
	return b.String()
}

// Write implements io.Writer.
func (s *Screen) Write(text []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rest += string(text)
	for s.rest != "" {
		if s.rest[0] == 0x1b {
			end := strings.IndexFunc(s.rest[1:], func(r rune) bool { return r != '[' && r >= 0x40 && r <= 0x7e })
			if end < 0 {
				break
			}
			s.sequence(s.rest[:end+2])
			s.rest = s.rest[end+2:]
			continue
		}
		r := []rune(s.rest)[0]
		s.rest = s.rest[len(string(r)):]
		switch r {
		case '\r':
			s.x = 0
		case '\n':
			if s.y++; s.y >= s.h {
				s.y = s.h - 1
				s.cells = append(s.cells[1:], []rune(strings.Repeat(" ", s.w)))
			}
		default:
			if s.x < s.w && s.y < s.h && r >= ' ' {
				s.cells[s.y][s.x] = r
				s.x++
			}
		}
	}
	return len(text), nil
}

func (s *Screen) sequence(text string) {
	switch {
	case text == "\x1b[2J":
		s.clear()
	case text == "\x1b[?1049h", text == "\x1b[?1049l":
		s.other = text[len(text)-1] == 'h'
		s.clear()
	case text == "\x1b[?25h", text == "\x1b[?25l":
		s.hidden = text[len(text)-1] == 'l'
	case strings.HasSuffix(text, "H"):
		var x, y int
		if n, _ := fmt.Sscanf(text, "\x1b[%d;%dH", &y, &x); n == 2 {
			s.x, s.y = x-1, y-1
		}
	}
}
