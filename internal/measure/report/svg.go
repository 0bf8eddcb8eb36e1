package report

import (
	"bytes"
	"encoding/xml"
	"fmt"
)

// drawing writes a picture as SVG for use inside a page. Colours are written as they are given, so a
// variable of the page's style sheet serves where light and dark pages differ. Coordinates are in pixels
// of the picture's own size, y downwards; the page scales it.
type drawing struct {
	b             bytes.Buffer
	width, height float64
}

func newDrawing(width, height float64, title string) *drawing {
	d := &drawing{width: width, height: height}
	fmt.Fprintf(&d.b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %s %s" role="img" font-size="11"><title>%s</title>`,
		num(width), num(height), escape(title))
	d.b.WriteByte('\n')
	return d
}

// bytes ends the picture.
func (d *drawing) bytes() []byte {
	d.b.WriteString("</svg>\n")
	return d.b.Bytes()
}

// num writes a coordinate with at most two decimals: a hundredth of a pixel cannot be seen.
func num(v float64) string {
	s := fmt.Sprintf("%.2f", v)
	for s[len(s)-1] == '0' {
		s = s[:len(s)-1]
	}
	if s[len(s)-1] == '.' {
		s = s[:len(s)-1]
	}
	return s
}

func escape(s string) string {
	var b bytes.Buffer
	_ = xml.EscapeText(&b, []byte(s)) // a Buffer does not fail
	return b.String()
}

func (d *drawing) line(x1, y1, x2, y2 float64, colour string, width float64) {
	fmt.Fprintf(&d.b, `<line x1="%s" y1="%s" x2="%s" y2="%s" stroke="%s" stroke-width="%s"/>`+"\n", num(x1), num(y1), num(x2), num(y2),
		colour, num(width))
}

// rect draws a filled rectangle; a browser shows the title when the pointer rests on it.
func (d *drawing) rect(x, y, w, h float64, colour, title string) {
	fmt.Fprintf(&d.b, `<rect x="%s" y="%s" width="%s" height="%s" fill="%s"><title>%s</title></rect>`+"\n", num(x), num(y), num(w), num(h),
		colour, escape(title))
}

// textAnchor is the side of a text that lies at its coordinates.
type textAnchor string

const (
	fromStart textAnchor = "start"
	centred   textAnchor = "middle"
	toEnd     textAnchor = "end"
)

func (d *drawing) text(x, y float64, at textAnchor, text string) {
	fmt.Fprintf(&d.b, `<text x="%s" y="%s" text-anchor="%s" fill="%s">%s</text>`+"\n", num(x), num(y), at, inkColour, escape(text))
}

// upText draws a text that reads upwards, centred at its coordinates.
func (d *drawing) upText(x, y float64, text string) {
	fmt.Fprintf(&d.b, `<text transform="translate(%s %s) rotate(-90)" text-anchor="middle" fill="%s">%s</text>`+"\n", num(x), num(y), inkColour,
		escape(text))
}

// mark draws the n-th kind of marker. The kinds are outlines of different sizes and forms, so that markers
// on one spot stay apart.
func (d *drawing) mark(n int, x, y float64, colour, title string) {
	r := 2.5 + 1.5*float64(n)
	form := [...]string{ // relative to the centre, in units of the radius
		"M-1 0a1 1 0 1 0 2 0a1 1 0 1 0 -2 0z",
		"M-1 -1h2v2h-2z",
		"M0 -1l1 1.8h-2z",
		"M0 -1l1 1l-1 1l-1 -1z",
	}[n%4]
	fill := "none"
	if n == 0 {
		fill = colour
	}
	fmt.Fprintf(&d.b, `<path class="mark" transform="translate(%s %s) scale(%s)" d="%s" fill="%s" fill-opacity=".6" stroke="%s" stroke-width="1.2"`+
		` vector-effect="non-scaling-stroke"><title>%s</title></path>`+"\n", num(x), num(y), num(r), form, fill, colour, escape(title))
}
