package report

import (
	"bytes"
	"fmt"
	"image/color"
	"maps"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

var (
	ink         = color.RGBA{R: 0x33, G: 0x41, B: 0x55, A: 0xff}
	faint       = color.RGBA{R: 0xe2, G: 0xe8, B: 0xf0, A: 0xff}
	accent      = color.RGBA{R: 0x0f, G: 0x76, B: 0x6e, A: 0xff}
	warning     = color.RGBA{R: 0xb4, G: 0x53, B: 0x09, A: 0xff}
	issueColour = color.RGBA{R: 0xcb, G: 0xd5, B: 0xe1, A: 0xff}
)

// reasonColour is the colour of the n-th reason: hues far apart for neighbours.
func reasonColour(n int) color.RGBA {
	palette := [...]uint32{
		0xe11d48, 0x2563eb, 0xd97706, 0x7c3aed, 0x059669, 0x0891b2, 0xdb2777, 0x65a30d,
		0xea580c, 0x4f46e5, 0x0d9488, 0xca8a04, 0x1e3a8a, 0x16a34a, 0x78350f, 0x475569,
	}
	c := palette[n%len(palette)]
	return color.RGBA{R: uint8(c >> 16), G: uint8(c >> 8), B: uint8(c), A: 0xff}
}

func css(c color.RGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }

// newPlot returns a plot in the style of the page.
func newPlot() *plot.Plot {
	p := plot.New()
	p.BackgroundColor = nil
	sans := func(size vg.Length) font.Font {
		return font.Font{Typeface: "Liberation", Variant: "Sans", Size: size}
	}
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		a.Color, a.Label.TextStyle.Color, a.Tick.Color, a.Tick.Label.Color = faint, ink, faint, ink
		a.Label.TextStyle.Font, a.Tick.Label.Font = sans(11), sans(9)
		a.Label.Padding = 6
	}
	p.Legend.TextStyle.Font, p.Legend.TextStyle.Color = sans(9), ink
	return p
}

// svg renders a plot for use inside HTML.
func svg(p *plot.Plot, w, h vg.Length) ([]byte, error) {
	c := vgsvg.New(w, h)
	p.Draw(draw.New(c))
	var b bytes.Buffer
	if _, err := c.WriteTo(&b); err != nil {
		return nil, err
	}
	text := b.String()
	at := strings.Index(text, "<svg")
	if at < 0 {
		return nil, fmt.Errorf("the plot is no SVG")
	}
	return []byte(text[at:]), nil
}

// coreColours tell the cores apart.
var coreColours = [...]color.RGBA{
	accent, {R: 0x7c, G: 0x3a, B: 0xed, A: 0xff}, {R: 0x25, G: 0x63, B: 0xeb, A: 0xff}, {R: 0xdb, G: 0x27, B: 0x77, A: 0xff},
}

// coreShapes keep dots apart that lie on each other.
var coreShapes = [...]draw.GlyphDrawer{draw.CircleGlyph{}, draw.BoxGlyph{}, draw.PyramidGlyph{}, draw.PlusGlyph{}}

// throughput draws MACs per cycle against the size of the call, below the peaks of the cores: calls
// that are large enough come close to it. Nil when there are no MACs.
func (p *Page) throughput() ([]byte, error) {
	c := newPlot()
	c.X.Label.Text, c.Y.Label.Text = "MACs of the call", "MACs per cycle"
	c.X.Scale, c.X.Tick.Marker = plot.LogScale{}, decades{}
	c.Y.Scale, c.Y.Tick.Marker = plot.LogScale{}, decades{fine: true}
	grid := plotter.NewGrid()
	grid.Horizontal.Color, grid.Vertical.Color = faint, faint
	c.Add(grid)
	peaks := map[uint64][]string{} // cores by peak
	low, high, right, left := 1.0, 0.0, 1.0, math.Inf(1)
	var dots []*plotter.Scatter
	var cores []string
	for n, core := range p.Cores {
		var points plotter.XYs
		var peak uint64
		for i := range p.Results {
			m := &p.Results[i]
			if m.Core != core || !m.counted() || m.percentOfPeak() < 0 {
				continue
			}
			peak = m.Peak
			at := plotter.XY{X: float64(m.Work), Y: float64(m.Work) / float64(m.Cycles)}
			points = append(points, at)
			low, high, left, right = min(low, at.Y), max(high, at.Y, float64(peak)), min(left, at.X), max(right, at.X)
		}
		if len(points) == 0 {
			continue
		}
		peaks[peak] = append(peaks[peak], core)
		d, err := plotter.NewScatter(points)
		if err != nil {
			return nil, err
		}
		at := coreColours[n%len(coreColours)]
		d.GlyphStyle = draw.GlyphStyle{Color: color.NRGBA{R: at.R, G: at.G, B: at.B, A: 0xa0}, Radius: 3, Shape: coreShapes[n%len(coreShapes)]}
		dots, cores = append(dots, d), append(cores, core)
	}
	if len(dots) == 0 {
		return nil, nil
	}
	for _, peak := range slices.Sorted(maps.Keys(peaks)) {
		line, err := plotter.NewLine(plotter.XYs{{X: left / 2, Y: float64(peak)}, {X: right * 2, Y: float64(peak)}})
		if err != nil {
			return nil, err
		}
		line.LineStyle = draw.LineStyle{Color: warning, Width: 1.5}
		c.Add(line)
		c.Legend.Add(fmt.Sprintf("peak of %s: %d MACs per cycle", strings.Join(peaks[peak], ", "), peak), line)
	}
	for i, d := range dots {
		c.Add(d)
		c.Legend.Add("kernels on "+cores[i], d)
	}
	c.X.Min, c.X.Max, c.Y.Min, c.Y.Max = left/2, right*2, low/1.8, high*1.5
	c.Legend.Top, c.Legend.Left = false, false
	c.Legend.XOffs, c.Legend.YOffs, c.Legend.Padding = -8, 8, 4
	return svg(c, 800, 380)
}

// decades marks powers of ten, and 2 and 5 between them where there is room.
type decades struct{ fine bool }

// Ticks returns the marks of an axis.
func (d decades) Ticks(lo, hi float64) (ticks []plot.Tick) {
	for e := math.Floor(math.Log10(lo)); e <= math.Ceil(math.Log10(hi)); e++ {
		for _, m := range []float64{1, 2, 5} {
			v := m * math.Pow(10, e)
			if v < lo || v > hi || m != 1 && !d.fine {
				continue
			}
			label := fmt.Sprintf("%g", v)
			switch {
			case v >= 1e6:
				label = fmt.Sprintf("%g M", v/1e6)
			case v >= 1e3:
				label = fmt.Sprintf("%g k", v/1e3)
			}
			ticks = append(ticks, plot.Tick{Value: v, Label: label})
		}
	}
	return ticks
}

// stallStacks draws where the cycles of each kernel and program go: a bar of issue cycles and lost
// cycles by reason, in percent. Nil when there are no results.
func (p *Page) stallStacks(core string) ([]byte, error) {
	list := p.perKernel(core)
	if len(list) == 0 {
		return nil, nil
	}
	c := newPlot()
	c.X.Label.Text = "percent of the cycles"
	c.X.Min, c.X.Max = 0, 100
	var names []string
	n := len(list)
	values := func(of func(*Measured) uint64) plotter.Values {
		v := make(plotter.Values, n)
		for i, m := range list {
			v[n-1-i] = 100 * float64(of(m)) / float64(m.Cycles)
		}
		return v
	}
	for i := range list {
		names = append(names, shortName(list[n-1-i].Name))
	}
	const row = vg.Length(13)
	var below *plotter.BarChart
	add := func(v plotter.Values, colour color.Color) error {
		bar, err := plotter.NewBarChart(v, row-4)
		if err != nil {
			return err
		}
		bar.Horizontal, bar.Color = true, colour
		bar.LineStyle.Width = 0
		if below != nil {
			bar.StackOn(below)
		}
		below = bar
		c.Add(bar)
		return nil
	}
	if err := add(values(func(m *Measured) uint64 { return m.Insts }), issueColour); err != nil {
		return nil, err
	}
	for i, reason := range p.Reasons {
		v := values(func(m *Measured) uint64 { return m.Stalls[reason] })
		some := false
		for _, x := range v {
			some = some || x != 0
		}
		if some {
			if err := add(v, reasonColour(i)); err != nil {
				return nil, err
			}
		}
	}
	c.NominalY(names...)
	c.Y.Tick.Label.Font.Size = 8
	c.Y.Min, c.Y.Max = -0.6, float64(n)-0.4
	return svg(c, 860, row*vg.Length(n)+50)
}
