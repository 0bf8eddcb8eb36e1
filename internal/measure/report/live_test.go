package report

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestLive: the script stands once, at the end of the page, whatever the page and the names say.
func TestLive(t *testing.T) {
	page := renderRun(t, &RunPage{Program: "</body>", Flame: &Frame{Name: "all"}})
	followed := string(live([]byte(page), `a"<b>.watch.js`, "7"))
	require.Equal(t, page, followed[:strings.Index(followed, "<script data-from")]+followed[strings.LastIndex(followed, "</body>"):])
	require.Contains(t, followed, `<script data-from="a&#34;&lt;b&gt;.watch.js" data-version="7">`)
	require.True(t, strings.HasSuffix(followed, "</script>\n</body>\n</html>\n"))
	require.Equal(t, `arcsimNews(...["7","x.s:1: \u003c/script\u003e \"a\""]);`+"\n", string(news("7", `x.s:1: </script> "a"`)))
	require.Contains(t, string(live(empty("<x>"), "s", "1")), "<title>&lt;x&gt;</title>")
}
