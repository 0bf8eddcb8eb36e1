package report

import (
	_ "embed" // for the style and the script of all pages
	"fmt"
	"html"
	"io"
	"reflect"
	"slices"
	"strings"
)

//go:embed page/page.css
var pageCSS HTML

//go:embed page/page.js
var pageJS HTML

// Style is the style sheet of all pages, for one that is not written by Markup.
func Style() HTML { return pageCSS }

// Markup writes a page as HTML. Text that comes in is escaped unless its type says that it is HTML already, so
// that no name of a program can become an element of the page. (html/template would do the same, but its look-up of
// methods by name keeps every exported method in the binary: a tenth of it.)
type Markup struct{ b strings.Builder }

// HTML is text that is HTML: a picture, a style sheet, a script of our own.
type HTML string

// Put writes a format as fmt.Printf does. Strings among the arguments are escaped, those of type HTML are not.
func (m *Markup) Put(format string, args ...any) {
	for i, a := range args {
		switch a := a.(type) {
		case HTML:
		case fmt.Stringer:
			args[i] = html.EscapeString(a.String())
		default:
			if v := reflect.ValueOf(a); v.Kind() == reflect.String {
				args[i] = html.EscapeString(v.String())
			}
		}
	}
	fmt.Fprintf(&m.b, format, args...)
}

// Begin writes the head of a page in the style of all pages; more is added to the style sheet.
func (m *Markup) Begin(title string, more HTML) {
	m.Put(`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>%s</title>
<style>%s%s</style>
</head>
<body>
`, title, pageCSS, more)
}

// End writes the foot of a page of the given version of the program, and the script of all pages.
func (m *Markup) End(version string) {
	m.Put(`<footer>arcsim %s. Cycles are the simulator's model; docs/timing.md says how sure each number is.</footer>
<script>%s</script>
</body>
</html>
`, version, pageJS)
}

// part is a part of a page that a link at the top leads to.
type part struct {
	id, title string
	write     func(*Markup)
	there     bool
}

// parts writes the links and the parts that are there.
func (m *Markup) parts(list []part) {
	m.Put("<nav><div>\n")
	for _, p := range list {
		if p.there {
			m.Put("<a href=\"#%s\">%s</a>\n", p.id, p.title)
		}
	}
	m.Put("</div></nav>\n<main>\n")
	for _, p := range list {
		if p.there {
			m.Put("<section id=\"%s\">\n", p.id)
			p.write(m)
			m.Put("</section>\n")
		}
	}
	m.Put("</main>\n")
}

// tile is a number at the top of a page.
type tile struct{ Value, Label, Class string }

// tiles writes the numbers at the top of a page.
func (m *Markup) tiles(list []tile) {
	m.Put(`<div class="tiles">`)
	for _, t := range list {
		m.Put(`<div class="tile %s"><b>%s</b><span>%s</span></div>`, t.Class, t.Value, t.Label)
	}
	m.Put("</div>\n")
}

// legendEntry is the name of a colour.
type legendEntry struct{ Name, Colour string }

// legendOf is the colours of issue cycles and of the reasons for which any of the stalls lost cycles.
func legendOf(reasons []string, stalls []map[string]uint64) []legendEntry {
	list := []legendEntry{{"issue", issueColour}}
	for i, r := range reasons {
		if slices.ContainsFunc(stalls, func(s map[string]uint64) bool { return s[r] != 0 }) {
			list = append(list, legendEntry{r, reasonColour(i)})
		}
	}
	return list
}

// legend writes the names of colours.
func (m *Markup) legend(list []legendEntry) {
	m.Put(`<div class="legend">`)
	for _, e := range list {
		m.Put(`<span><i style="background:%s"></i>%s</span>`, e.Colour, e.Name)
	}
	m.Put("</div>\n")
}

// WriteTo writes the page.
func (m *Markup) WriteTo(w io.Writer) (int64, error) {
	n, err := io.WriteString(w, m.b.String())
	return int64(n), err
}
