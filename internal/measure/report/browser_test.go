package report

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/browser"
	"arcv2dsp/internal/dev/testkit/level"
)

// shown opens a page in a browser.
func shown(t *testing.T, html string) *browser.Page {
	t.Helper()
	level.NeedsLong(t, "starts a browser")
	file := filepath.Join(t.TempDir(), "index.html")
	require.NoError(t, os.WriteFile(file, []byte(html), 0o600))
	return browser.Open(t, file)
}

// TestBrowserRun shows the page of a run, clicks a frame of its flame graph and goes back, and follows a link into a
// listing that is closed.
func TestBrowserRun(t *testing.T) {
	sample := sampleRun()
	sample.Listings = append([]Listing{{ID: "f-9", Name: "first"}}, sample.Listings...)
	p := shown(t, renderRun(t, sample))
	browser.Readable(t, p, "run")
	const wide = `[...document.querySelectorAll("#graph svg")].filter(f => f.checkVisibility()).map(f => f.querySelector("text").textContent + " " + f.getAttribute("width")).join(", ")`
	require.Equal(t, "all 100.000%, main 100.000%, operator<< 75.000%", p.Text(wide))
	p.Eval(`document.querySelectorAll("#graph svg")[2].dispatchEvent(new MouseEvent("click"))`, nil)
	require.Equal(t, "all 100%, main 100%, operator<< 100%", p.Text(wide))
	require.Equal(t, "operator<<: 750 cycles, 75.00 %; own 750", p.Text(`document.getElementById("picked").textContent`))
	p.Eval(`document.querySelectorAll("#graph svg")[0].dispatchEvent(new MouseEvent("click"))`, nil)
	require.Equal(t, "all 100%, main 100%, operator<< 75%", p.Text(wide))
	require.Equal(t, "no", p.Text(`document.getElementById("f-0").open ? "yes" : "no"`))
	p.Eval(`document.querySelector("#functions a").click(); new Promise(done => setTimeout(done, 200))`, nil)
	require.Equal(t, "yes", p.Text(`document.getElementById("f-0").open ? "yes" : "no"`))
	require.Empty(t, p.Console())
}

// TestBrowserReport shows the page about measurements. A kernel's name leads to its hot loop, which opens.
func TestBrowserReport(t *testing.T) {
	sample := samplePage()
	sample.Loops = append(sample.Loops, HotLoop{Name: "mli20:mli_krn_depthwise_conv2d_hwcn_sa8_sa8_sa32/5x5_64_16x16_pad2", Core: "em9d"})
	p := shown(t, render(t, sample))
	browser.Readable(t, p, "report")
	p.Eval(`document.querySelector("#matrix td a").click(); new Promise(done => setTimeout(done, 200))`, nil)
	require.Equal(t, "open", p.Text(`document.querySelector("#loops details").open ? "open" : "closed"`))
	require.Empty(t, p.Console())
}

// TestBrowserBeside: two runs of a network are as high on the page as each other, the second right of the first.
func TestBrowserBeside(t *testing.T) {
	p := shown(t, renderNetwork(t, sampleNetwork()))
	browser.Readable(t, p, "network")
	const place = `(() => { const [a, b] = ["run-0", "run-1"].map(id => document.getElementById(id).getBoundingClientRect());
		return (a.top == b.top ? "level" : "stacked") + " " + (b.left >= a.right ? "beside" : "over") })()`
	require.Equal(t, "level beside", p.Text(place))
	require.Empty(t, p.Console())
}

// TestBrowserSort has the page sort and filter its matrix.
func TestBrowserSort(t *testing.T) {
	p := shown(t, render(t, samplePage()))
	for _, test := range []struct{ script, want string }{
		{`press("name")`, "bad conv/3x3 conv/5x5 dot"},
		{`press("cycles0"); press("cycles0")`, "conv/5x5 conv/3x3 dot bad"},
		{`press("peak0")`, "conv/3x3 conv/5x5 dot bad"},
		{`press("cycles1")`, "dot conv/3x3 conv/5x5 bad"},
		{`find.value = "5X5"; find.dispatchEvent(new Event("input"))`, "conv/5x5"},
	} {
		p.Go(p.File)
		p.Eval(`var press = k => document.querySelector('th[data-key="' + k + '"]').click(), find = document.getElementById("find"); `+test.script, nil)
		require.Equal(t, test.want, p.Text(`[...document.querySelectorAll("#matrix tbody tr")].filter(r => !r.hidden).map(r => r.cells[0].textContent).join(" ")`), test.script)
	}
	require.Empty(t, p.Console())
}

// TestBrowserNetwork shows the page of a network. The names in its picture stand out from the boxes they are in.
func TestBrowserNetwork(t *testing.T) {
	p := shown(t, renderNetwork(t, sampleNetwork()))
	browser.Readable(t, p, "network")
	const contrast = `(() => {
const channel = v => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
const light = c => 0.2126 * channel(c[0]) + 0.7152 * channel(c[1]) + 0.0722 * channel(c[2]);
const colour = s => s.match(/[\d.]+/g).map(Number);
let least = 99;
for (const g of document.querySelectorAll("svg g")) {
  const rect = getComputedStyle(g.querySelector("rect")), card = colour(getComputedStyle(g.closest(".card")).backgroundColor);
  const fill = colour(rect.fill), part = Number(rect.fillOpacity), back = [0, 1, 2].map(i => fill[i] * part + card[i] * (1 - part));
  const a = light(colour(getComputedStyle(g.querySelector("text")).fill)), b = light(back);
  least = Math.min(least, (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05));
}
return least;
})()`
	for _, dark := range []bool{false, true} {
		p.Dark(dark)
		var least float64
		p.Eval(contrast, &least)
		require.GreaterOrEqual(t, least, 4.5, "dark %v", dark)
		require.Less(t, least, 22.0, "there are boxes")
	}
}
