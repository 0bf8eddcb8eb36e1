package hostio

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestWatch: a text is found at the same byte however the output is cut into writes; patterns that ask for an end wait for it.
func TestWatch(t *testing.T) {
	long := strings.Repeat("x", 3*maxWatchedLine)
	for _, tt := range []struct {
		name, until, fail, text string
		at                      int // bytes printed when the text is found, 0 for never
		status                  uint32
	}{
		{name: "in the middle of a line", until: "cd", text: "abcdef\n", at: 4},
		{name: "in a later line", until: "^cd", text: "ab\ncd", at: 5},
		{name: "not across lines", until: "bc", text: "ab\nc\n"},
		{name: "end of a line", until: "ab$", text: "abc\nab\n", at: 7},
		{name: "end of a line before a return", until: "ab$", text: "ab\r\n", at: 4},
		{name: "end of a word", until: `\bPASS\b`, text: "PASSED\nPASS 1\n", at: 14},
		{name: "failure of the same line first", until: "test", fail: "t", text: "a test\n", at: 3, status: 1},
		{name: "success before failure", until: "te", fail: "st", text: "a test\n", at: 4},
		{name: "behind a line too long to keep", until: "y$", text: long + "y\n", at: len(long) + 2},
		{name: "never", until: "z", text: "abc\n" + long},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var list []Pattern
			for _, p := range []struct {
				expr   string
				status uint32
			}{{tt.fail, 1}, {tt.until, 0}} {
				if p.expr != "" {
					pattern, err := NewPattern(p.expr, p.status)
					require.NoError(t, err)
					list = append(list, pattern)
				}
			}
			for _, size := range []int{1, 2, 3, 7, len(tt.text)} {
				w := &Watch{Until: list}
				printed, found := 0, 0
				w.Found = func(p *Pattern) {
					found++
					require.Equal(t, tt.status, p.Status)
					if size == 1 {
						require.Equal(t, tt.at, printed)
					}
				}
				for rest := tt.text; rest != ""; {
					n := min(size, len(rest))
					printed += n
					w.See([]byte(rest[:n]))
					rest = rest[n:]
				}
				want := 0
				if tt.at != 0 {
					want = 1
				}
				require.Equal(t, want, found, "writes of %d bytes", size)
			}
		})
	}
	_, err := NewPattern("a(", 0)
	require.Error(t, err)
}
