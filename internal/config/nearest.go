package config

import "strings"

// Nearest returns the name spelled most like the given one, or "" when none is close: at most two
// letters, or a third of the word, apart.
func Nearest(name string, names []string) string {
	best, bestDist := "", max(2, len(name)/3)+1
	for _, n := range names {
		d := distance(strings.ToLower(name), strings.ToLower(n))
		if d < bestDist || (d == bestDist && best != "" && n < best) {
			best, bestDist = n, d
		}
	}
	return best
}

// distance is the number of letters to insert, delete, replace or swap with a neighbour to turn a
// into b.
func distance(a, b string) int {
	const longest = 128
	if len(a) > longest || len(b) > longest {
		return longest
	}
	before, prev := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row := make([]int, len(b)+1)
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(prev[j]+1, row[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, prev = prev, row
	}
	return prev[len(b)]
}
