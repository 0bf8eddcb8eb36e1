// Package spelling finds the name that somebody who misspelt one most likely meant, and words the hint.
package spelling

import (
	"cmp"
	"fmt"
	"strings"
)

// longest is the length from which on a name is no slip of somebody who writes names.
const longest = 64

// abbreviation is how many letters of the beginning of a name are enough to mean it.
const abbreviation = 3

// Nearest returns the name most like the given one, "" when none is close. A name that goes on after the
// given one is close; any other is when few letters must be inserted, deleted, replaced or swapped with
// their neighbours.
func Nearest(name string, names []string) string {
	name = strings.ToLower(name)
	if name == "" || len(name) > longest {
		return ""
	}
	limit := max(2, len(name)/3)
	if len(name) <= abbreviation {
		limit = 1
	}
	best, found := match{distance: limit + 1}, false
	for _, n := range names {
		m := match{name: n, distance: distance(name, strings.ToLower(n), best.distance+1)}
		m.longer = strings.HasPrefix(strings.ToLower(n), name)
		if m.longer && len(name) >= abbreviation {
			m.distance = 1
		}
		if m.distance <= limit && (!found || m.before(best)) {
			best, found = m, true
		}
	}
	return best.name
}

// few is how many names a message lists.
const few = 12

// Hint says, behind a name that nothing has, which one may have been meant: the one spelled most like it, or all when
// they are few.
func Hint(name string, known []string) string {
	if near := Nearest(name, known); near != "" {
		return fmt.Sprintf(", did you mean %q?", near)
	}
	if len(known) <= few {
		return ", there is " + strings.Join(known, ", ")
	}
	return ""
}

// Unknown is the error of a name that nothing has, with what may have been meant.
func Unknown(what, name string, known []string) error {
	return fmt.Errorf("unknown %s %q%s", what, name, Hint(name, known))
}

// match is how like a name is.
type match struct {
	name     string
	distance int
	longer   bool // the given name is its beginning
}

// before orders matches, the likeliest first.
func (m match) before(n match) bool {
	switch {
	case m.distance != n.distance:
		return m.distance < n.distance
	case m.longer != n.longer:
		return m.longer
	case len(m.name) != len(n.name):
		return len(m.name) < len(n.name)
	}
	return cmp.Less(m.name, n.name)
}

// distance counts insertions, deletions, changes and swaps of neighbours that turn s into t; it gives up
// at limit.
func distance(s, t string, limit int) int {
	if len(s)-len(t) >= limit || len(t)-len(s) >= limit {
		return limit
	}
	before, prev, row := make([]int, len(t)+1), make([]int, len(t)+1), make([]int, len(t)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(s); i++ {
		row[0] = i
		least := i
		for j := 1; j <= len(t); j++ {
			change := prev[j-1]
			if s[i-1] != t[j-1] {
				change++
			}
			row[j] = min(prev[j]+1, row[j-1]+1, change)
			if i > 1 && j > 1 && s[i-1] == t[j-2] && s[i-2] == t[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
			least = min(least, row[j])
		}
		if least >= limit {
			return limit
		}
		before, prev, row = prev, row, before
	}
	return prev[len(t)]
}
