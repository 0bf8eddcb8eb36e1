package browser

import (
	"fmt"
	"image/png"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// Widths are those of a telephone, a small and a large screen.
var Widths = []int{360, 1280, 1920}

// look tells what cannot be read on a page. Wide tables scroll in their frames; the page does not.
const look = `(() => {
const channel = v => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
const light = c => 0.2126 * channel(c[0]) + 0.7152 * channel(c[1]) + 0.0722 * channel(c[2]);
const colour = s => s.match(/[\d.]+/g).map(Number);
const over = (front, back) => { const a = front[3] === undefined ? 1 : front[3]; return [0, 1, 2].map(i => front[i] * a + back[i] * (1 - a)); };
const visible = e => e.checkVisibility() && e.getClientRects().length > 0;
const say = e => (e.textContent || "").trim().slice(0, 40);
const faults = [];
const wide = document.documentElement.scrollWidth - innerWidth;
if (wide > 0) faults.push("the page is " + wide + " pixels wider than the window");
for (const e of document.querySelectorAll("h1, h2, h3, p, a, b, span, td, th, code, summary, figcaption, svg text, .ruler, .view b")) {
  if (!visible(e) || ![...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim())) continue;
  const style = getComputedStyle(e), svg = e.namespaceURI.endsWith("svg");
  let size = parseFloat(style.fontSize);
  if (svg) { const m = e.getScreenCTM(); size *= Math.hypot(m.c, m.d); }
  if (size < 9) faults.push("letters of " + size.toFixed(1) + " pixels: " + say(e));
  if (svg) continue; // upon shapes, whose colours pictures choose
  let back = [255, 255, 255], layers = [];
  for (let at = e; at; at = at.parentElement) {
    const c = colour(getComputedStyle(at).backgroundColor);
    if (c[3] === undefined || c[3] === 1) { back = c; break; }
    layers.push(c);
  }
  for (const c of layers.reverse()) back = over(c, back);
  const a = light(over(colour(style.color), back)), b = light(back);
  const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  if (contrast < 4.5) faults.push("contrast " + contrast.toFixed(1) + ": " + say(e));
}
const scrolls = e => /auto|scroll/.test(getComputedStyle(e).overflowX);
const framed = e => { while ((e = e.parentElement)) if (scrolls(e)) return true; return false; };
for (const e of document.querySelectorAll("h1, h2, h3, p, a, b, span, td, th, summary")) {
  if (!visible(e) || scrolls(e)) continue;
  const hidden = (e.scrollWidth > e.clientWidth + 1 || e.scrollHeight > e.clientHeight + 3) && getComputedStyle(e).display !== "inline";
  if (hidden || !framed(e) && e.getBoundingClientRect().right > innerWidth + 1) faults.push("cut: " + say(e));
}
for (const a of document.querySelectorAll("a[href^='#']")) {
  if (!document.getElementById(decodeURIComponent(a.hash.slice(1)))) faults.push("link to nowhere: " + a.hash);
}
const ids = [...document.querySelectorAll("[id]")].map(e => e.id);
for (const id of ids) if (ids.indexOf(id) !== ids.lastIndexOf(id)) faults.push("two elements have the id " + id);
return faults.slice(0, 20);
})()`

// Readable shows a page at all widths, light and dark. It expects that the page is not wider than the window, letters are
// large enough and stand out, nothing is cut, links within it lead somewhere, and the console stays empty. Pictures are kept as NAME-WIDTH-light.png and NAME-WIDTH-dark.png.
func Readable(t *testing.T, p *Page, name string) {
	t.Helper()
	for _, width := range Widths {
		backs := map[string]bool{}
		for _, dark := range []bool{false, true} {
			p.Size(width, 900)
			p.Dark(dark)
			var faults []string
			p.Eval(look, &faults)
			require.Empty(t, faults, "%s, %d pixels, dark %v", name, width, dark)
			backs[p.Text(`getComputedStyle(document.body).backgroundColor`)] = true
			shade := map[bool]string{false: "light", true: "dark"}[dark]
			var height int
			p.Eval(`document.documentElement.scrollHeight`, &height)
			requirePicture(t, p.Picture(fmt.Sprintf("%s-%d-%s", name, width, shade), width, min(height, 3000)), width)
		}
		require.Len(t, backs, 2, "%s is the same light and dark", name)
	}
	require.Empty(t, p.Console(), "%s writes to the console", name)
}

// requirePicture expects a picture of the width that is not blank.
func requirePicture(t *testing.T, file string, width int) {
	t.Helper()
	f, err := os.Open(file)
	require.NoError(t, err)
	defer func() { _ = f.Close() }() // only read
	img, err := png.Decode(f)
	require.NoError(t, err)
	require.Equal(t, width, img.Bounds().Dx())
	colours := map[[3]uint32]bool{}
	for y := 0; y < img.Bounds().Dy(); y += 3 {
		for x := 0; x < width; x += 3 {
			r, g, b, _ := img.At(x, y).RGBA()
			colours[[3]uint32{r, g, b}] = true
		}
	}
	require.Greater(t, len(colours), 30, "%s is blank", file)
}
