package report

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestLive: the script stands once, at the end of the page, whatever the page and the names say.
func TestLive(t *testing.T) {
	page := renderRun(t, &RunPage{Program: "</body>", Flame: &Frame{Name: "all"}})
	live := string(Live([]byte(page), `a"<b>.watch.js`, "7"))
	require.Equal(t, page, live[:strings.Index(live, "<script data-from")]+live[strings.LastIndex(live, "</body>"):])
	require.Contains(t, live, `<script data-from="a&#34;&lt;b&gt;.watch.js" data-version="7">`)
	require.True(t, strings.HasSuffix(live, "</script>\n</body>\n</html>\n"))
	require.Equal(t, `arcsimNews(...["7","x.s:1: \u003c/script\u003e \"a\""]);`+"\n", string(News("7", `x.s:1: </script> "a"`)))
	require.Contains(t, string(Live(Empty("<x>"), "s", "1")), "<title>&lt;x&gt;</title>")
}
