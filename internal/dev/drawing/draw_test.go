package drawing

// The picture: rows of boxes, lines between them.

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"fmt"
	"slices"
)

// Measures in pixels.
const (
	boxWidth  = 158.0
	boxHeight = 58.0
	passWidth = 4.0 // of a line that passes between boxes
	between   = 12.0
	rowGap    = 46.0
	margin    = 12.0
)

// colours of light and dark pages.
const colours = `.box { fill:#fff; stroke:#94a3b8 } .line { fill:none; stroke:#94a3b8; stroke-width:1.3 } text { fill:#0f172a; font:12px "Liberation Sans",Arial,sans-serif; text-anchor:middle }
.title { font-weight:bold; fill:#0f766e } .back { fill:#f8fafc }
@media (prefers-color-scheme:dark) { .box { fill:#111a2c; stroke:#475569 } .line { stroke:#64748b } text { fill:#e2e8f0 } .title { fill:#2dd4bf } .back { fill:#0b1220 } }`

// node is a box, or a place where a line passes through a row.
type node struct {
	group int // -1 for a line that passes
	level int
	down  []int // nodes one row below that lines lead to
	x     float64
}

func (n *node) width() float64 {
	if n.group < 0 {
		return passWidth
	}
	return boxWidth
}

// draw returns the picture of the packages.
func draw(list []pkg) ([]byte, error) {
	g, err := graphOf(list)
	if err != nil {
		return nil, err
	}
	level, err := g.levels()
	if err != nil {
		return nil, err
	}
	nodes := nodesOf(g.reduced(), level)
	rows := rowsOf(nodes)
	width := place(nodes, rows)
	height := 2*margin + float64(len(rows))*(boxHeight+rowGap) - rowGap
	top := func(n *node) float64 { return margin + float64(len(rows)-1-n.level)*(boxHeight+rowGap) }

	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %.0f" width="%.0f" height="%.0f" role="img"><title>The packages and who imports whom</title>
<style>%s</style>
<rect class="back" width="100%%" height="100%%" rx="8"/>
`, width, height, width, height, colours)
	for i := range nodes {
		from := &nodes[i]
		if from.group < 0 {
			fmt.Fprintf(&b, `<path class="line" d="M%.1f %.1fv%.1f"/>`+"\n", from.x, top(from), boxHeight)
		}
		for _, j := range from.down {
			to := &nodes[j]
			y1, y2 := top(from)+boxHeight, top(to)
			fmt.Fprintf(&b, `<path class="line" d="M%.1f %.1fC%.1f %.1f %.1f %.1f %.1f %.1f"/>`+"\n", from.x, y1, from.x, (y1+y2)/2, to.x, (y1+y2)/2, to.x, y2)
		}
	}
	for i := range nodes {
		n := &nodes[i]
		if n.group < 0 {
			continue
		}
		g, y := groups[n.group], top(n)
		fmt.Fprintf(&b, `<rect class="box" x="%.1f" y="%.1f" width="%.0f" height="%.0f" rx="7"/>`+"\n", n.x-boxWidth/2, y, boxWidth, boxHeight)
		line := y + 20
		if len(g.lines) == 1 {
			line += 6
		}
		fmt.Fprintf(&b, `<text class="title" x="%.1f" y="%.1f">%s</text>`+"\n", n.x, line, escape(g.title))
		for k, text := range g.lines {
			fmt.Fprintf(&b, `<text x="%.1f" y="%.1f">%s</text>`+"\n", n.x, line+15*float64(k+1), escape(text))
		}
	}
	b.WriteString("</svg>\n")
	return b.Bytes(), nil
}

func escape(s string) string {
	var b bytes.Buffer
	_ = xml.EscapeText(&b, []byte(s)) // a Buffer does not fail
	return b.String()
}

// nodesOf returns the boxes, in the order of groups, and behind them the places where lines pass through rows. Lines to the
// same box pass together.
func nodesOf(g graph, level []int) []node {
	nodes := make([]node, len(g))
	for i := range g {
		nodes[i] = node{group: i, level: level[i]}
	}
	type passing struct{ to, level int }
	passes := map[passing]int{}
	for i := range g {
		for j, imports := range g[i] {
			if !imports {
				continue
			}
			at := i
			for l := level[i] - 1; l > level[j]; l-- {
				next, ok := passes[passing{j, l}]
				if !ok {
					next = len(nodes)
					passes[passing{j, l}] = next
					nodes = append(nodes, node{group: -1, level: l})
				}
				nodes[at].lead(next)
				at = next
			}
			nodes[at].lead(j)
		}
	}
	return nodes
}

func (n *node) lead(to int) {
	if !slices.Contains(n.down, to) {
		n.down = append(n.down, to)
	}
}

// rowsOf orders the nodes of each level, the lowest first, so that lines are short: by the mean place of the nodes that they
// lead to and come from, in rounds up and down.
func rowsOf(nodes []node) [][]int {
	up := make([][]int, len(nodes))
	rows := [][]int{}
	for i := range nodes {
		for len(rows) <= nodes[i].level {
			rows = append(rows, nil)
		}
		rows[nodes[i].level] = append(rows[nodes[i].level], i)
		for _, j := range nodes[i].down {
			up[j] = append(up[j], i)
		}
	}
	at := make([]float64, len(nodes))
	set := func(row []int) {
		for c, i := range row {
			at[i] = (float64(c) + 0.5) / float64(len(row))
		}
	}
	for _, row := range rows {
		set(row)
	}
	const rounds = 12
	for round := range rounds {
		for k := range rows {
			row, others := rows[k], func(i int) []int { return nodes[i].down }
			if round%2 == 1 {
				row, others = rows[len(rows)-1-k], func(i int) []int { return up[i] }
			}
			key := map[int]float64{}
			for _, i := range row {
				key[i] = at[i]
				if list := others(i); len(list) > 0 {
					sum := 0.0
					for _, j := range list {
						sum += at[j]
					}
					key[i] = sum / float64(len(list))
				}
			}
			slices.SortStableFunc(row, func(a, b int) int { return cmp.Compare(key[a], key[b]) })
			set(row)
		}
	}
	return rows
}

// place gives the nodes their coordinates and returns the width of the picture: rows are as wide as the widest, and nodes
// move towards those that they are connected with as far as their neighbours let them.
func place(nodes []node, rows [][]int) (width float64) {
	for _, row := range rows {
		taken := -between
		for _, i := range row {
			taken += nodes[i].width() + between
		}
		width = max(width, taken+2*margin)
	}
	for _, row := range rows {
		x := margin
		for _, i := range row {
			nodes[i].x = x + nodes[i].width()/2
			x += nodes[i].width() + between
		}
	}
	const rounds = 60
	for range rounds {
		wish, count := make([]float64, len(nodes)), make([]float64, len(nodes))
		for i := range nodes {
			for _, j := range nodes[i].down {
				wish[i], count[i] = wish[i]+nodes[j].x, count[i]+1
				wish[j], count[j] = wish[j]+nodes[i].x, count[j]+1
			}
		}
		for _, row := range rows {
			settle(nodes, row, width, func(i int) float64 { return wish[i] / max(count[i], 1) })
		}
	}
	return width
}

// settle moves the nodes of a row halfway to where they wish to be, keeping their order and distance.
func settle(nodes []node, row []int, width float64, wish func(int) float64) {
	for _, i := range row {
		nodes[i].x += (wish(i) - nodes[i].x) / 2
	}
	left := margin
	for _, i := range row {
		half := nodes[i].width() / 2
		nodes[i].x = max(nodes[i].x, left+half)
		left = nodes[i].x + half + between
	}
	right := width - margin
	for _, i := range slices.Backward(row) {
		half := nodes[i].width() / 2
		nodes[i].x = min(nodes[i].x, right-half)
		right = nodes[i].x - half - between
	}
}
