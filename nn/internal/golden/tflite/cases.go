package tflite

import (
	_ "embed"
	"strings"
)

// caseText has calls with results that were computed on paper, from the definitions. Their test reads them.
//
//go:embed cases.txt
var caseText string

// CaseCounts says how many calls of each operator were computed on paper.
func CaseCounts() map[string]int {
	counts := map[string]int{}
	for line := range strings.Lines(caseText) {
		if name, _, _ := strings.Cut(strings.TrimSpace(line), " "); name != "" && name[0] != '#' && line[0] != ' ' {
			counts[name]++
		}
	}
	return counts
}
