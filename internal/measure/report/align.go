package report

import (
	"fmt"
	"slices"
)

// Beside is a line of two texts beside each other: its places in the first and the second, -1 where one has none.
type Beside struct{ Before, Now int }

// maxAligned bounds the pairs of lines that are tried. Texts that differ in more lines are beside each other as they stand.
const maxAligned = 4 << 20

// AlignLines puts equal lines of two texts beside each other, as many as can be in order. Lines between them that differ are
// beside each other one by one.
func AlignLines(before, now []string) []Beside {
	var list []Beside
	first := 0
	for first < min(len(before), len(now)) && before[first] == now[first] {
		list = append(list, Beside{Before: first, Now: first})
		first++
	}
	last := 0 // equal ones at the end
	for last < min(len(before), len(now))-first && before[len(before)-1-last] == now[len(now)-1-last] {
		last++
	}
	i, j := first, first
	differ := func(toI, toJ int) {
		for ; i < toI || j < toJ; i, j = min(i+1, toI), min(j+1, toJ) {
			b := Beside{Before: i, Now: j}
			if i == toI {
				b.Before = -1
			}
			if j == toJ {
				b.Now = -1
			}
			list = append(list, b)
		}
	}
	for _, equal := range common(before[first:len(before)-last], now[first:len(now)-last]) {
		differ(first+equal.Before, first+equal.Now)
		list = append(list, Beside{Before: i, Now: j})
		i, j = i+1, j+1
	}
	differ(len(before)-last, len(now)-last)
	for n := last; n > 0; n-- {
		list = append(list, Beside{Before: len(before) - n, Now: len(now) - n})
	}
	return list
}

// common is the longest row of lines that both texts have in order.
func common(before, now []string) (list []Beside) {
	if len(before)*len(now) > maxAligned {
		return nil
	}
	// most has the length of the row that begins at a pair or behind it.
	most := make([][]int32, len(before)+1)
	most[len(before)] = make([]int32, len(now)+1)
	for i := len(before) - 1; i >= 0; i-- {
		most[i] = make([]int32, len(now)+1)
		for j := len(now) - 1; j >= 0; j-- {
			if before[i] == now[j] {
				most[i][j] = 1 + most[i+1][j+1]
			} else {
				most[i][j] = max(most[i+1][j], most[i][j+1])
			}
		}
	}
	for i, j := 0, 0; i < len(before) && j < len(now); {
		switch {
		case before[i] == now[j]:
			list = append(list, Beside{Before: i, Now: j})
			i, j = i+1, j+1
		case most[i+1][j] >= most[i][j+1]:
			i++
		default:
			j++
		}
	}
	return slices.Clip(list)
}

// Change compares cycles, of which fewer are better: better, worse or same, and by how much.
func Change(before, now uint64) (class, text string) {
	switch {
	case now == before:
		return "same", "="
	case now > before:
		class = "worse"
	default:
		class = "better"
	}
	if before == 0 {
		return class, "+" + Thousands(now)
	}
	return class, fmt.Sprintf("%+.2f %%", 100*(float64(now)-float64(before))/float64(before))
}
