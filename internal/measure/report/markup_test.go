package report

import (
	"bytes"
	"net/netip"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestMarkupEscapes: whatever the type of a text, it cannot begin an element or end an attribute, unless it is HTML.
func TestMarkupEscapes(t *testing.T) {
	type verdict string
	var m Markup
	m.Put(`<p title="%s">%s|%s|%d|%.1f|%v</p>`, `"><script>`, verdict("<b>"), HTML("<i>5</i>"), 7, 0.25, netip.MustParseAddr("fe80::1%<x>"))
	var b bytes.Buffer
	n, err := m.WriteTo(&b)
	require.NoError(t, err)
	require.EqualValues(t, b.Len(), n)
	require.Equal(t, `<p title="&#34;&gt;&lt;script&gt;">&lt;b&gt;|<i>5</i>|7|0.2|fe80::1%&lt;x&gt;</p>`, b.String())
}
