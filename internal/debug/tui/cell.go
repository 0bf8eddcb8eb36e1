package tui

import (
	"strings"
	"unicode"
)

// style is how a cell looks.
type style uint8

const (
	normal  style = iota
	bar           // a title or the line of the status
	chosen        // the title of the window that has the keys
	current       // the line at which the program stands
	changed       // differs from the stop before
	point         // a breakpoint
	faint
	red
	green
	yellow
	blue
	bold
)

// codes are the attributes of the styles, for ESC [ m; without colours the second ones.
var codes = [...][2]string{
	normal: {"0", "0"}, bar: {"0;7", "0;7"}, chosen: {"0;1;7", "0;1;7"}, current: {"0;1;7", "0;1;7"}, changed: {"0;1;33", "0;1"},
	point: {"0;31", "0;1"}, faint: {"0;2", "0"}, red: {"0;31", "0"}, green: {"0;32", "0"}, yellow: {"0;33", "0"}, blue: {"0;34", "0"},
	bold: {"0;1", "0;1"},
}

// cell is a place on the screen.
type cell struct {
	r rune
	s style
}

// canvas is a rectangle of cells.
type canvas struct {
	w, h  int
	cells []cell
}

func newCanvas(w, h int) *canvas {
	c := &canvas{w: max(w, 0), h: max(h, 0)}
	c.cells = make([]cell, c.w*c.h)
	for i := range c.cells {
		c.cells[i].r = ' '
	}
	return c
}

// put writes a text; what does not fit is cut. It returns the column behind it.
func (c *canvas) put(x, y int, s style, text string) int {
	for _, r := range text {
		if r == '\t' {
			for n := 8 - x%8; n > 0; n-- {
				c.set(x, y, cell{' ', s})
				x++
			}
			continue
		}
		if r, ok := shown(r); ok {
			c.set(x, y, cell{r, s})
			x++
		}
	}
	return x
}

func (c *canvas) set(x, y int, v cell) {
	if x >= 0 && x < c.w && y >= 0 && y < c.h {
		c.cells[y*c.w+x] = v
	}
}

// fill gives a line from a column on a style.
func (c *canvas) fill(x, y int, s style) {
	for ; x < c.w; x++ {
		if y >= 0 && y < c.h {
			c.cells[y*c.w+x].s = s
		}
	}
}

// copy puts another canvas in place, cut to a size.
func (c *canvas) copy(from *canvas, x, y, w, h int) {
	for j := range min(h, from.h) {
		for i := range min(w, from.w) {
			c.set(x+i, y+j, from.cells[j*from.w+i])
		}
	}
}

// String is the text of the canvas, lines without blanks at their ends.
func (c *canvas) String() string {
	var b strings.Builder
	for y := range c.h {
		var line strings.Builder
		for _, v := range c.cells[y*c.w : (y+1)*c.w] {
			line.WriteRune(v.r)
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	return b.String()
}

// shown is the rune that stands for another in one column: a terminal must not be moved by what a program
// prints or a source contains. Marks that take no column of their own are dropped.
func shown(r rune) (rune, bool) {
	switch {
	case unicode.Is(unicode.Mn, r) || unicode.Is(unicode.Me, r) || unicode.Is(unicode.Cf, r):
		return 0, false
	case !unicode.IsPrint(r), wide(r):
		return '?', true
	}
	return r, true
}

// wide tells whether terminals give a rune two columns.
func wide(r rune) bool {
	return r >= 0x1100 && (r <= 0x115f || r >= 0x2e80 && r <= 0xa4cf || r >= 0xac00 && r <= 0xd7a3 || r >= 0xf900 && r <= 0xfaff ||
		r >= 0xfe30 && r <= 0xfe6f || r >= 0xff00 && r <= 0xff60 || r >= 0xffe0 && r <= 0xffe6 || r >= 0x1f300)
}
