package timeline

import (
	"fmt"
	"strings"
)

// Marks of a region in a source file, each a comment on a line of its own.
const (
	beginMark = "ARCSIM-BEGIN"
	endMark   = "ARCSIM-END"
)

// labelPrefix begins the labels that Mark puts into a source.
const labelPrefix = "__arcsim_"

// Region is a marked stretch of a source file.
type Region struct {
	Name       string
	Line       int    // of its beginning
	Begin, End string // symbols that Mark puts there
}

// Mark finds the regions of a source file and puts a label in place of each mark, so that symbols tell
// where they are. Lines stay where they were.
func Mark(file, text string) (marked string, regions []Region, err error) {
	lines := strings.Split(text, "\n")
	open := -1
	fail := func(i int, format string, args ...any) (string, []Region, error) {
		return "", nil, fmt.Errorf("%s:%d: %s", file, i+1, fmt.Sprintf(format, args...))
	}
	for i, line := range lines {
		mark, name, ok := parseMark(line)
		if !ok {
			if strings.Contains(line, ";"+beginMark) || strings.Contains(line, ";"+endMark) {
				return fail(i, "%s and %s stand on lines of their own", beginMark, endMark)
			}
			continue
		}
		if mark == beginMark {
			if open >= 0 {
				return fail(i, "%s within the region that begins at line %d", beginMark, regions[open].Line)
			}
			if name == "" {
				name = fmt.Sprintf("line %d", i+1)
			}
			for _, r := range regions {
				if r.Name == name {
					return fail(i, "region %q begins at line %d already", name, r.Line)
				}
			}
			n := len(regions)
			regions = append(regions, Region{Name: name, Line: i + 1,
				Begin: fmt.Sprintf(labelPrefix+"begin_%d", n), End: fmt.Sprintf(labelPrefix+"end_%d", n)})
			lines[i], open = regions[n].Begin+":", n
			continue
		}
		if open < 0 {
			return fail(i, "%s without %s", endMark, beginMark)
		}
		if name != "" && name != regions[open].Name {
			return fail(i, "%s %s, but the region is %q", endMark, name, regions[open].Name)
		}
		lines[i], open = regions[open].End+":", -1
	}
	if open >= 0 {
		return fail(regions[open].Line-1, "no %s after %s", endMark, beginMark)
	}
	return strings.Join(lines, "\n"), regions, nil
}

// parseMark reads a line that is a mark and nothing else.
func parseMark(line string) (mark, name string, ok bool) {
	rest, ok := strings.CutPrefix(strings.TrimSpace(line), ";")
	if !ok {
		return "", "", false
	}
	mark, name, _ = strings.Cut(strings.TrimSpace(rest), " ")
	return mark, strings.TrimSpace(name), mark == beginMark || mark == endMark
}
