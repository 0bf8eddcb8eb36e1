package report

import (
	"fmt"
	"io"
	"math"
	"slices"
)

// NetworkPage is the cost of networks on cores as one HTML file that needs nothing else: a picture of the network,
// a bar for each layer with the reasons for lost cycles, and a table.
type NetworkPage struct {
	Title   string
	Version string   // of the program that measured
	Note    string   // what was measured, a sentence
	Reasons []string // names of the reasons for lost cycles; each has its colour by its place
	Runs    []NetworkRun
}

// NetworkRun is a network on a core.
type NetworkRun struct {
	Core   string
	Line   string // the sums, in a line
	Inputs []string
	Layers []NetworkLayer
	Placed bool // the layers name the memories of their data
	Map    []NetworkPlace
}

// NetworkPlace is a piece of memory that tensors share, and the layers that it is in use for, -1 before the first.
type NetworkPlace struct {
	Memory, Name  string
	Offset, Bytes int
	First, Last   int
}

// NetworkLayer is an operator of a network on a core, as the page shows it. Its numbers come twice where the
// page draws them: as text and as values.
type NetworkLayer struct {
	Name, Output, Kernel    string
	Source                  string // the address of the kernel's annotated source, empty for none
	Share, Each, Peak, Lost string
	Millis                  string // at the clock of the core
	Ins, Outs, Attrs        string // tensors with their names, and what the file says besides
	Places                  string
	Tiles                   int
	Cycles, Insts, Copies   uint64
	Bound                   uint64 // the least cycles that the work takes, 0 when unknown
	MACs                    int64
	Bytes                   int
	Stalls                  map[string]uint64
	Reads                   []int // the layers whose outputs it reads, -1 for the first input of the network and so on downwards
}

// layerBar is the bar of a layer.
type layerBar struct {
	Name, Kernel, Hint, Cycles, Each string
	Parts                            []barPart
}

type barPart struct {
	Width  string // percent
	Colour string
}

// Write renders the page.
func (p *NetworkPage) Write(w io.Writer) error {
	var m Markup
	m.Begin(p.Title, "")
	m.Put("<header>\n<h1>%s</h1>\n<p>%s Counts are exact and the same on every host.</p>\n", p.Title, p.Note)
	m.tiles(p.numbers())
	m.Put("</header>\n<nav><div>\n")
	var stalls []map[string]uint64
	for i := range p.Runs {
		m.Put("<a href=\"#run-%d\">%s</a>\n", i, p.Runs[i].Core)
		for _, l := range p.Runs[i].Layers {
			stalls = append(stalls, l.Stalls)
		}
	}
	if p.paired() {
		m.Put("<a href=\"#beside\">Layer by layer</a>\n")
	}
	m.Put("<a href=\"#layers\">Layers</a>\n</div></nav>\n<main>\n")
	m.legend(legendOf(p.Reasons, stalls))
	p.writeRuns(&m)
	m.Put(`<section id="layers">
<h2>Layers</h2>
<p class="note">The peak is two multiply-accumulates in a cycle. Multiply-accumulates on real data: padding is not counted.</p>
`)
	for i := range p.Runs {
		p.Runs[i].writeTable(&m)
	}
	m.Put("</section>\n</main>\n")
	m.End(p.Version)
	_, err := m.WriteTo(w)
	return err
}

// sums are the cycles and multiply-accumulates of all layers.
func (r *NetworkRun) sums() (cycles uint64, macs int64) {
	for _, l := range r.Layers {
		cycles, macs = cycles+l.Cycles, macs+l.MACs
	}
	return cycles, macs
}

// numbers are the tiles at the top of the page.
func (p *NetworkPage) numbers() []tile {
	var list []tile
	for i := range p.Runs {
		run := &p.Runs[i]
		cycles, macs := run.sums()
		list = append(list, tile{Value: rounded(cycles), Label: "cycles on " + run.Core})
		if macs > 0 && cycles > 0 {
			list = append(list, tile{Value: fmt.Sprintf("%.2f", float64(cycles)/float64(macs)), Label: "cycles per multiply-accumulate on " + run.Core})
		}
	}
	return list
}

// writeRun writes the picture of a run and the bars of its layers.
func (p *NetworkPage) writeRun(m *Markup, n int) {
	run := &p.Runs[n]
	cycles, _ := run.sums()
	m.Put(`<section id="run-%d">
<h2>%s</h2>
<p class="note">%s</p>
<div class="network">
<div class="card picture">%s</div>
<div class="card bars">
`, n, run.Core, run.Line, HTML(run.picture(cycles)))
	for _, b := range p.bars(run) {
		m.Put(`<div class="layer"><div class="what"><b>%s</b> <span>%s</span></div>
<div class="stack" title="%s">`, b.Name, b.Kernel, b.Hint)
		for _, part := range b.Parts {
			m.Put(`<i style="width:%s%%;background:%s"></i>`, part.Width, part.Colour)
		}
		m.Put("</div>\n<div class=\"cost\"><b>%s</b> <span>%s</span></div></div>\n", b.Cycles, b.Each)
	}
	m.Put("</div>\n</div>\n")
	for _, memory := range run.memories() {
		m.Put("<h3>%s over the layers</h3>\n<p class=\"note\">From left to right the layers, upwards the addresses: a box is as long as its tensors are needed.</p>\n<div class=\"card picture\">%s</div>\n",
			memory, HTML(run.course(memory)))
	}
	m.Put("</section>\n")
}

// memories are those of the map, in its order.
func (r *NetworkRun) memories() (list []string) {
	for _, p := range r.Map {
		if !slices.Contains(list, p.Memory) {
			list = append(list, p.Memory)
		}
	}
	return list
}

// Measures of the picture of a memory over time, in pixels.
const (
	mapWidth  = 720.0
	mapHeight = 240.0
	mapLeft   = 70.0 // left of it are the addresses
	mapFoot   = 24.0
	mapLetter = 6.5 // of a name in a box
)

// course draws a memory over the layers: a box for each piece of it.
func (r *NetworkRun) course(memory string) []byte {
	top := 1
	for _, p := range r.Map {
		if p.Memory == memory {
			top = max(top, p.Offset+p.Bytes)
		}
	}
	d := newDrawing(mapWidth, mapHeight+mapFoot, memory+" over the layers, on "+r.Core)
	step := (mapWidth - mapLeft - 4) / float64(len(r.Layers)+1)
	x := func(layer int) float64 { return mapLeft + step*float64(layer+1) }
	y := func(offset int) float64 { return mapHeight - (mapHeight-8)*float64(offset)/float64(top) }
	d.line(mapLeft, mapHeight, mapWidth-4, mapHeight, inkColour, 1)
	d.line(mapLeft, 8, mapLeft, mapHeight, inkColour, 1)
	d.text(mapLeft-6, 14, toEnd, Thousands(uint64(top)))
	d.text(mapLeft-6, mapHeight, toEnd, "0")
	d.text(mapLeft, mapHeight+16, fromStart, "start")
	d.text(mapWidth-4, mapHeight+16, toEnd, fmt.Sprintf("layer %d", len(r.Layers)-1))
	for i, p := range r.Map {
		if p.Memory != memory {
			continue
		}
		left, width, height := x(p.First), step*float64(p.Last-p.First+1), y(p.Offset)-y(p.Offset+p.Bytes)
		fmt.Fprintf(&d.b, `<g><title>%s</title><rect x="%s" y="%s" width="%s" height="%s" fill="%s" fill-opacity="0.55" stroke="%s" stroke-width="0.6"/>`,
			escape(fmt.Sprintf("%s: %s bytes at %s, layers %d to %d", p.Name, Thousands(uint64(p.Bytes)), Thousands(uint64(p.Offset)), p.First, p.Last)),
			num(left), num(y(p.Offset+p.Bytes)), num(width), num(height), reasonColour(i%8), inkColour)
		if name := p.Name; height >= 13 && float64(len(name))*mapLetter < width {
			d.text(left+4, y(p.Offset+p.Bytes)+12, fromStart, name)
		}
		d.b.WriteString("</g>\n")
	}
	return d.bytes()
}

// writeTable writes a row for each layer.
func (r *NetworkRun) writeTable(m *Markup) {
	m.Put(`<h3>%s</h3>
<div class="card"><table>
<thead><tr><th>layer</th><th>output</th><th>kernel</th><th class="n">cycles</th><th class="n">ms</th><th class="n">share</th><th class="n">MACs</th><th class="n">per MAC</th><th class="n">of the peak</th><th class="n">bound</th><th class="n">of it</th><th class="n">bytes</th><th>cycles go to</th><th>inputs</th><th>outputs</th><th>attributes</th>`, r.Core)
	if r.Placed {
		m.Put(`<th>input, constants, output in</th><th class="n">copies</th><th class="n">parts</th>`)
	}
	m.Put("</tr></thead>\n<tbody>\n")
	for _, l := range r.Layers {
		m.Put(`<tr><td>%s</td><td>%s</td><td>`, l.Name, l.Output)
		if l.Source != "" {
			m.Put(`<a href="%s">%s</a>`, l.Source, l.Kernel)
		} else {
			m.Put("%s", l.Kernel)
		}
		m.Put(`</td><td class="n">%s</td><td class="n">%s</td><td class="n">%s</td><td class="n">%s</td><td class="n">%s</td><td class="n">%s</td><td class="n">%s</td><td class="n">%s</td><td class="n">%s</td><td>%s</td><td>%s</td><td>%s</td><td>%s</td>`,
			Thousands(l.Cycles), l.Millis, l.Share, Thousands(uint64(l.MACs)), l.Each, l.Peak, Thousands(l.Bound), OfBound(l.Bound, l.Cycles), Thousands(uint64(l.Bytes)), l.Lost, l.Ins, l.Outs, l.Attrs)
		if r.Placed {
			m.Put(`<td>%s</td><td class="n">%s</td><td class="n">%d</td>`, l.Places, Thousands(l.Copies), l.Tiles)
		}
		m.Put("</tr>\n")
	}
	m.Put("</tbody></table></div>\n")
}

// rounded is a number in three digits or a little more: a tile is narrow.
func rounded(n uint64) string {
	switch {
	case n >= 1e6:
		return fmt.Sprintf("%.2f M", float64(n)/1e6)
	case n >= 1e4:
		return fmt.Sprintf("%.1f k", float64(n)/1e3)
	}
	return Thousands(n)
}

// bars are as wide as their cycles: the slowest layer fills the width, of two runs beside each other the slowest of both.
func (p *NetworkPage) bars(run *NetworkRun) []layerBar {
	most := run.slowest()
	if p.paired() {
		most = max(p.Runs[0].slowest(), p.Runs[1].slowest())
	}
	var list []layerBar
	for _, l := range run.Layers {
		b := layerBar{Name: l.Name, Kernel: l.Kernel, Cycles: Thousands(l.Cycles), Each: l.Share}
		if l.Each != "" {
			b.Each = l.Each + " per MAC"
		}
		part := func(what, colour string, n uint64) {
			if n == 0 {
				return
			}
			b.Parts = append(b.Parts, barPart{Width: num(100 * float64(n) / float64(most)), Colour: colour})
			if b.Hint != "" {
				b.Hint += ", "
			}
			b.Hint += fmt.Sprintf("%s %s", what, Thousands(n))
		}
		part("issue", issueColour, l.Insts)
		for i, reason := range p.Reasons {
			part(reason, reasonColour(i), l.Stalls[reason])
		}
		list = append(list, b)
	}
	return list
}

// Measures of the picture of a network, in pixels.
const (
	pictureWidth = 336.0
	boxLeft      = 76.0 // left of it are the lines that pass by boxes
	boxRow       = 34.0
	boxHeight    = 24.0
	lanes        = 8 // of these lines
	boxLetters   = 34
)

// picture draws the layers from top to bottom, darker the more of the cycles they take, and what flows between
// them: straight lines to the next layer, lines at the left past others.
func (r *NetworkRun) picture(cycles uint64) []byte {
	rows := len(r.Inputs) + len(r.Layers)
	d := newDrawing(pictureWidth, boxRow*float64(rows)+8, "the layers and what flows between them, on "+r.Core)
	top := func(row int) float64 { return boxRow*float64(row) + 6 }
	rowOf := func(read int) int {
		if read < 0 {
			return -1 - read
		}
		return len(r.Inputs) + read
	}
	middle := (boxLeft + pictureWidth - 8) / 2
	busy := make([]int, lanes) // the row from which on a lane is free
	for i, l := range r.Layers {
		to := rowOf(i)
		var from []int
		for _, read := range l.Reads {
			if row := rowOf(read); row >= 0 && row < to && !slices.Contains(from, row) {
				from = append(from, row)
			}
		}
		for _, row := range from {
			if row == to-1 {
				d.line(middle, top(row)+boxHeight, middle, top(to), inkColour, 1.2)
				continue
			}
			lane := 0
			for k := range busy { // the innermost free lane, else the outermost
				if lane = k; busy[k] <= row {
					break
				}
			}
			busy[lane] = to
			x := boxLeft - 10 - 8*float64(lane)
			y1, y2 := top(row)+boxHeight-6, top(to)+6
			fmt.Fprintf(&d.b, `<path d="M%s %sH%sV%sH%s" fill="none" stroke="%s" stroke-width="1.2"/>`+"\n", num(boxLeft), num(y1), num(x), num(y2), num(boxLeft), inkColour)
		}
	}
	box := func(row int, left, right, hint string, share float64) {
		fmt.Fprintf(&d.b, `<g><title>%s</title><rect x="%s" y="%s" width="%s" height="%s" rx="5" fill="var(--accent)" fill-opacity="%s" stroke="%s"/>`, escape(hint),
			num(boxLeft), num(top(row)), num(pictureWidth-boxLeft-8), num(boxHeight), num(share), inkColour)
		d.text(boxLeft+7, top(row)+16, fromStart, left)
		if len(left)+len(right) <= boxLetters { // else only the table has it
			d.text(pictureWidth-14, top(row)+16, toEnd, right)
		}
		d.b.WriteString("</g>\n")
	}
	for i, name := range r.Inputs {
		box(i, "input", name, "input "+name, 0)
	}
	for i, l := range r.Layers {
		share := 0.0
		if cycles > 0 {
			share = float64(l.Cycles) / float64(cycles)
		}
		box(rowOf(i), l.Name, l.Output, fmt.Sprintf("%s, %s: %s cycles, %.1f %%", l.Name, l.Output, Thousands(l.Cycles), 100*share), min(0.4, 0.8*math.Sqrt(share)))
	}
	return d.bytes()
}
