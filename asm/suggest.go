package asm

import (
	"sort"
	"strings"
)

// nearest finds the candidate that a misspelt name most likely means; "" when none is near.
func nearest(name string, candidates []string) string {
	if len(name) > 40 {
		return ""
	}
	sort.Strings(candidates)
	limit := 1 + len(name)/4
	best, bestDist := "", limit+1
	for _, c := range candidates {
		d := editDistance(name, c, bestDist+1)
		if d < bestDist || d == bestDist && best != "" && strings.HasPrefix(c, name) && !strings.HasPrefix(best, name) {
			best, bestDist = c, d
		}
	}
	return best
}

// editDistance counts insertions, deletions, changes and swaps of neighbours; it gives up at limit.
func editDistance(s, t string, limit int) int {
	if len(s)-len(t) >= limit || len(t)-len(s) >= limit {
		return limit
	}
	before, prev, cur := make([]int, len(t)+1), make([]int, len(t)+1), make([]int, len(t)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(s); i++ {
		cur[0] = i
		least := i
		for j := 1; j <= len(t); j++ {
			cost := 1
			if s[i-1] == t[j-1] {
				cost = 0
			}
			cur[j] = min(prev[j]+1, cur[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && s[i-1] == t[j-2] && s[i-2] == t[j-1] {
				cur[j] = min(cur[j], before[j-2]+1)
			}
			least = min(least, cur[j])
		}
		if least >= limit {
			return limit
		}
		before, prev, cur = prev, cur, before
	}
	return prev[len(t)]
}
