package browser

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/level"
)

// TestFaults shows a page with every fault that Readable looks for, and one that scrolls in a frame as it may.
func TestFaults(t *testing.T) {
	level.NeedsPlain(t, "starts a browser")
	file := filepath.Join(t.TempDir(), "bad.html")
	write := func(html string) {
		require.NoError(t, os.WriteFile(file, []byte(`<!DOCTYPE html><link rel="icon" href="data:,">`+html), 0o600))
	}
	write(`<p style="width:2000px">wide</p><p style="font-size:8px">small</p><p style="color:#ddd">pale</p>` +
		`<h1 style="width:20px;overflow:hidden">cut off</h1><p style="height:12px">in two<br>lines</p><a href="#nowhere">link</a><p id="a"></p><p id="a"></p>` +
		`<script>console.error("said", 1); nothing()</script>`)
	p := Open(t, file)
	p.Size(800, 600)
	var faults []string
	p.Eval(look, &faults)
	all := strings.Join(faults, "\n")
	for _, want := range []string{"pixels wider than the window", "letters of 8.0 pixels: small", "contrast 1.", ": pale", "cut: cut off", "cut: in two", "link to nowhere: #nowhere", "two elements have the id a"} {
		require.Contains(t, all, want)
	}
	require.Len(t, p.Console(), 2)
	require.Equal(t, "error: said 1", p.Console()[0])
	require.Contains(t, p.Console()[1], "nothing is not defined")

	write(`<div style="overflow:auto"><table style="width:2000px"><tr><td>wide in a frame</table></div>`)
	p.Go(file)
	p.Eval(look, &faults)
	require.Empty(t, faults)
}
