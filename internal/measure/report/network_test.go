package report

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// sampleNetwork has layers in a row, one past others, one that reads both inputs, and names that HTML would
// take for markup.
func sampleNetwork() *NetworkPage {
	run := NetworkRun{Core: "em9d xy_interleave=0", Line: "12,345,678 cycles & more", Placed: true, Inputs: []string{"1x8x8x3", "1x4"}, Layers: []NetworkLayer{
		{Name: "0 CONV_2D", Output: "1x8x8x4", Kernel: "arcq_conv2d_s8", Share: "80.0 %", Each: "0.61", Cycles: 9_876_543, Insts: 8_000_000,
			Stalls: map[string]uint64{"load-use": 1_876_543}, MACs: 16_000_000, Reads: []int{-1}, Places: "xccm yccm xccm", Tiles: 2, Copies: 1234},
		{Name: "1 UNIDIRECTIONAL_SEQUENCE_LSTM", Output: "1x8x8x4", Kernel: "(host)", Reads: []int{0, -2}, Share: "0.0 %"},
		{Name: "2 <ADD>", Output: "1x8x8x4", Kernel: "arcq_add_s8", Cycles: 2_469_135, Insts: 2_400_000, Share: "20.0 %",
			Stalls: map[string]uint64{"branch": 69_135}, Reads: []int{1, 0}},
	}}
	other := run
	other.Core, other.Placed = "em7d", false
	return &NetworkPage{Title: "Network <of> a test", Version: "test", Reasons: []string{"load-use", "branch", "sleep"}, Runs: []NetworkRun{run, other}}
}

func renderNetwork(t *testing.T, p *NetworkPage) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, p.Write(&b))
	return b.String()
}

func TestNetworkPage(t *testing.T) {
	html := renderNetwork(t, sampleNetwork())
	requireLinks(t, html)
	for _, want := range []string{"Network &lt;of&gt; a test", "2 &lt;ADD&gt;", "em9d xy_interleave=0", "12,345,678 cycles &amp; more", ">12.35 M<", ">0.77<",
		"9,876,543", "xccm yccm xccm", "(host)", ">1,234<"} {
		require.True(t, strings.Contains(html, want), want)
	}
	require.False(t, strings.Contains(html, ">sleep<"), "no cycles were lost so")
	require.Equal(t, 2, strings.Count(html, "<th>cycles go to</th>"))
	require.Equal(t, 1, strings.Count(html, "input, constants, output in"), "only one of the runs is placed")
	require.Equal(t, html, renderNetwork(t, sampleNetwork()), "the same results give the same page")
	requireLinks(t, renderNetwork(t, &NetworkPage{Title: "nothing"}))
}

// Two runs of the same layers stand side by side, with bars of one scale and a table of both; runs of other layers do not.
func TestNetworkPageBeside(t *testing.T) {
	p := sampleNetwork()
	second := &p.Runs[1]
	second.Layers = append([]NetworkLayer(nil), second.Layers...)
	second.Layers[0].Cycles, second.Layers[0].Insts = 2*9_876_543, 2*9_876_543-1_876_543
	html := renderNetwork(t, p)
	requireLinks(t, html)
	require.Equal(t, 1, strings.Count(html, `<div class="pair">`))
	for _, want := range []string{
		`<tr class="worse"><td>0 CONV_2D</td><td>arcq_conv2d_s8</td><td>arcq_conv2d_s8</td><td class="n">9,876,543</td><td class="n">19,753,086</td><td class="n delta">2.000</td></tr>`,
		`<tr class="same"><td>1 UNIDIRECTIONAL_SEQUENCE_LSTM</td><td>(host)</td><td>(host)</td><td class="n">0</td><td class="n">0</td><td class="n delta"></td></tr>`,
		`<tr class="worse"><td>all</td><td></td><td></td><td class="n">12,345,678</td><td class="n">22,222,221</td><td class="n delta">1.800</td></tr>`,
	} {
		require.Contains(t, html, want)
	}
	width := func(run *NetworkRun) float64 {
		w, err := strconv.ParseFloat(p.bars(run)[2].Parts[0].Width, 64)
		require.NoError(t, err)
		return w
	}
	require.InDelta(t, width(&p.Runs[0]), width(second), 0.01)
	second.Layers = second.Layers[:2]
	require.NotContains(t, renderNetwork(t, p), `<div class="pair">`)
}

// The picture is XML with a box for each layer and input, and a line or a way for each thing that flows. The bar
// of the slowest layer fills the width.
func TestNetworkPicture(t *testing.T) {
	p := sampleNetwork()
	svg := p.Runs[0].picture(12_345_678)
	for d := xml.NewDecoder(bytes.NewReader(svg)); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else {
			require.NoError(t, err)
		}
	}
	require.Equal(t, 5, strings.Count(string(svg), "<rect "))
	require.Equal(t, 2, strings.Count(string(svg), "<line "), "from layer 0 to 1, and from 1 to 2")
	require.Equal(t, 3, strings.Count(string(svg), "<path "), "past others: both inputs, and from 0 to 2")
	opacity := regexp.MustCompile(`fill-opacity="([\d.]+)"`).FindAllStringSubmatch(string(svg), -1)
	require.Equal(t, []string{"0", "0", "0.4", "0", "0.36"}, []string{opacity[0][1], opacity[1][1], opacity[2][1], opacity[3][1], opacity[4][1]})

	bars := p.bars(&p.Runs[0])
	sum := func(b layerBar) (all float64) {
		for _, part := range b.Parts {
			w, err := strconv.ParseFloat(part.Width, 64)
			require.NoError(t, err)
			all += w
		}
		return all
	}
	require.InDelta(t, 100, sum(bars[0]), 0.1)
	require.Zero(t, sum(bars[1]))
	require.InDelta(t, 25, sum(bars[2]), 0.1)
	require.Equal(t, "issue 8,000,000, load-use 1,876,543", bars[0].Hint)
}
