package tui

import (
	"strings"
	"unicode/utf8"
)

// maxLines bounds the console's past.
const maxLines = 5000

// console is the output so far: lines of cells, the last one still open.
type console struct {
	lines  [][]cell
	col    int // where the next rune goes in the last line
	style  style
	escape []byte // an escape sequence, or a rune, that has not ended
	back   int    // lines the user scrolled back
}

// colours of ESC [ N m.
var colours = map[string]style{"": normal, "0": normal, "1": bold, "31": red, "32": green, "33": yellow, "34": blue}

// Write adds a text; it interprets colours, carriage return and the erasure of a line.
func (c *console) Write(text []byte) (int, error) {
	n := len(text)
	if len(c.escape) > 0 {
		text = append(c.escape, text...)
		c.escape = nil
	}
	for len(text) > 0 {
		if text[0] == 0x1b {
			end := sequenceEnd(text)
			if end == 0 {
				c.escape = append([]byte(nil), text...)
				break
			}
			c.sequence(string(text[:end]))
			text = text[end:]
			continue
		}
		if !utf8.FullRune(text) {
			c.escape = append([]byte(nil), text...)
			break
		}
		r, size := utf8.DecodeRune(text)
		c.rune(r)
		text = text[size:]
	}
	return n, nil
}

// sequenceEnd is the length of the escape sequence at the beginning of a text, 0 when it has not ended. A sequence
// without an end within 32 bytes counts as one of 32.
func sequenceEnd(text []byte) int {
	if len(text) == 1 {
		return 0
	}
	if text[1] != '[' {
		return 2
	}
	for i := 2; i < min(len(text), 32); i++ {
		if text[i] >= 0x40 && text[i] <= 0x7e {
			return i + 1
		}
	}
	if len(text) >= 32 {
		return 32
	}
	return 0
}

func (c *console) sequence(text string) {
	switch body := strings.TrimPrefix(text, "\x1b["); {
	case strings.HasSuffix(text, "m"):
		if s, ok := colours[strings.TrimSuffix(body, "m")]; ok {
			c.style = s
		}
	case text == "\x1b[K":
		c.open()
		last := &c.lines[len(c.lines)-1]
		*last = (*last)[:min(c.col, len(*last))]
	}
}

// open makes sure that there is a last line.
func (c *console) open() {
	if len(c.lines) == 0 {
		c.lines = append(c.lines, nil)
	}
}

func (c *console) rune(r rune) {
	c.open()
	switch r {
	case '\n':
		c.lines = append(c.lines, nil)
		c.col = 0
		if len(c.lines) > maxLines {
			c.lines = append([][]cell(nil), c.lines[len(c.lines)-maxLines:]...)
		}
		return
	case '\r':
		c.col = 0
		return
	case '\t':
		for first := true; first || c.col%8 != 0; first = false {
			c.add(' ')
		}
		return
	}
	if r, ok := shown(r); ok {
		c.add(r)
	}
}

func (c *console) add(r rune) {
	last := &c.lines[len(c.lines)-1]
	for len(*last) < c.col {
		*last = append(*last, cell{' ', normal})
	}
	if c.col < len(*last) {
		(*last)[c.col] = cell{r, c.style}
	} else {
		*last = append(*last, cell{r, c.style})
	}
	c.col++
}

// draw shows the end of the console, wrapped, with the line that is edited behind it. It returns where the
// cursor is; y is negative when it is scrolled away.
func (c *console) draw(w, h int, prompt string, e *editor) (out *canvas, x, y int) {
	out = newCanvas(w, h)
	var rows [][]cell
	wrap := func(line []cell) {
		for len(line) > w {
			rows = append(rows, line[:w])
			line = line[w:]
		}
		rows = append(rows, line)
	}
	lines := c.lines
	var open []cell
	if n := len(lines); n > 0 {
		open, lines = lines[n-1], lines[:n-1]
	}
	for _, line := range lines[max(0, len(lines)-h-c.back):] {
		wrap(line)
	}
	edited := append([]cell(nil), open...)
	for _, r := range prompt {
		edited = append(edited, cell{r, normal})
	}
	cursor := len(edited)
	if e != nil {
		cursor += e.at
		for _, r := range e.text {
			r, ok := shown(r)
			if !ok {
				r = '?'
			}
			edited = append(edited, cell{r, normal})
		}
	}
	first := len(rows)
	wrap(append(edited, cell{' ', normal}))
	c.back = min(c.back, max(len(rows)-h, 0))
	top := max(len(rows)-h-c.back, 0)
	for y, row := range rows[top:min(top+h, len(rows))] {
		for x, v := range row {
			out.set(x, y, v)
		}
	}
	y = first + cursor/w - top
	if y >= h {
		y = -1
	}
	return out, cursor % w, y
}
