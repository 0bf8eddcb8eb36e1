package report

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"
)

// Align is the side a column is aligned to.
type Align uint8

const (
	Left  Align = iota // text
	Right              // numbers
)

// Column is one column of a table.
type Column struct {
	Name  string
	Align Align
	Min   int // narrowest in text, so that tables below each other line up
}

// Table is a header and rows of text. A row may have fewer cells than there are columns; a row
// without cells is a rule across the table.
type Table struct {
	Columns []Column
	Rows    [][]string
}

// Add appends a row; numbers are written with separators of thousands.
func (t *Table) Add(cells ...any) {
	row := make([]string, len(cells))
	for i, c := range cells {
		switch v := c.(type) {
		case string:
			row[i] = v
		case int:
			row[i] = Thousands(uint64(v))
		case uint64:
			row[i] = Thousands(v)
		case float64:
			row[i] = fmt.Sprintf("%.2f", v)
		default:
			row[i] = fmt.Sprint(v)
		}
	}
	t.Rows = append(t.Rows, row)
}

// Rule appends a line across the table.
func (t *Table) Rule() { t.Rows = append(t.Rows, nil) }

// gap separates columns of text.
const gap = "  "

// Text writes the table with aligned columns.
func (t *Table) Text(w io.Writer) error {
	width := make([]int, len(t.Columns))
	for i, c := range t.Columns {
		width[i] = max(c.Min, utf8.RuneCountInString(c.Name))
	}
	for _, r := range t.Rows {
		for i, c := range r {
			width[i] = max(width[i], utf8.RuneCountInString(c))
		}
	}
	total := 0
	for _, n := range width {
		total += n
	}
	total += len(gap) * max(0, len(width)-1)
	rule := strings.Repeat("-", total)

	b := bufio.NewWriter(w)
	line := func(cells []string) {
		var s strings.Builder
		for i, c := range cells {
			if i > 0 {
				s.WriteString(gap)
			}
			pad := strings.Repeat(" ", width[i]-utf8.RuneCountInString(c))
			if t.Columns[i].Align == Right {
				s.WriteString(pad + c)
			} else {
				s.WriteString(c + pad)
			}
		}
		fmt.Fprintln(b, strings.TrimRight(s.String(), " "))
	}
	line(t.names())
	fmt.Fprintln(b, rule)
	for _, r := range t.Rows {
		if r == nil {
			fmt.Fprintln(b, rule)
			continue
		}
		line(r)
	}
	return b.Flush()
}

func (t *Table) names() []string {
	names := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		names[i] = c.Name
	}
	return names
}

// Markdown writes the table for documents.
func (t *Table) Markdown(w io.Writer) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "| %s |\n|", strings.Join(t.names(), " | "))
	for _, c := range t.Columns {
		b.WriteString(map[Align]string{Left: "---|", Right: "---:|"}[c.Align])
	}
	fmt.Fprintln(b)
	for _, r := range t.Rows {
		if r != nil {
			fmt.Fprintf(b, "| %s |\n", strings.Join(t.full(r), " | "))
		}
	}
	return b.Flush()
}

// TSV writes the table for other programs: one line per row, tabs between the cells.
func (t *Table) TSV(w io.Writer) error {
	b := bufio.NewWriter(w)
	fmt.Fprintln(b, strings.Join(t.names(), "\t"))
	for _, r := range t.Rows {
		if r != nil {
			fmt.Fprintln(b, strings.Join(t.full(r), "\t"))
		}
	}
	return b.Flush()
}

// full is a row with a cell for every column.
func (t *Table) full(r []string) []string {
	cells := make([]string, len(t.Columns))
	copy(cells, r)
	return cells
}

// Thousands writes a number with separators.
func Thousands(n uint64) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// MostFirst are the keys of counts, the greatest count first.
func MostFirst(counts map[string]uint64) []string {
	return slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	})
}
