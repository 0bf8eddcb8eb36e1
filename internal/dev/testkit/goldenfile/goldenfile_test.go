package goldenfile_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/goldenfile"
)

// failing is a test whose failure is kept.
type failing struct {
	testing.TB
	message string
}

func (f *failing) Errorf(format string, a ...any) { f.message += fmt.Sprintf(format, a...) }

func (f *failing) Fatalf(format string, a ...any) {
	f.Errorf(format, a...)
	f.FailNow()
}

func (f *failing) FailNow() { runtime.Goexit() }

// failure is what a comparison says, "" where it passes.
func failure(t *testing.T, compare func(t testing.TB)) string {
	f, done := &failing{TB: t}, make(chan struct{})
	go func() {
		defer close(done)
		compare(f)
	}()
	<-done
	return f.message
}

// TestComparison: equal texts pass; of others the first line that differs is named, a few lines of each, and the command.
func TestComparison(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.md")
	require.NoError(t, os.WriteFile(path, []byte("head\n<b>\n1\n2\n<e>\ntail\n"), 0o644))
	command := "\ngo test arcv2dsp/internal/dev/testkit/goldenfile -run '^TestComparison$' -update records what is computed"
	for _, c := range []struct {
		begin, end, text, want string
	}{
		{text: "head\n<b>\n1\n2\n<e>\ntail\n"},
		{begin: "<b>\n", end: "<e>\n", text: "1\n2\n"},
		{end: "<e>\n", text: "head\n<b>\n1\n2\n"},
		{begin: "<e>\n", text: "tail\n"},
		{begin: "<b>\n", end: "<e>\n", text: "1\n3\n", want: path + ":4: 3 lines are on record, 3 are computed; from the first on that differs:\n" +
			`- "2\n"` + "\n" + `- ""` + "\n" + `+ "3\n"` + "\n" + `+ ""` + command},
		{begin: "<e>\n", text: "tail\n" + strings.Repeat("x\n", 100), want: path + ":7: 2 lines are on record, 102 are computed; from the first on that differs:\n" +
			`- ""` + strings.Repeat("\n"+`+ "x\n"`, 5) + command},
	} {
		have := failure(t, func(t testing.TB) {
			if c.begin+c.end == "" {
				goldenfile.File(t, path, c.text)
			} else {
				goldenfile.Section(t, path, c.begin, c.end, c.text)
			}
		})
		require.Equal(t, c.want, have)
	}
	require.Contains(t, failure(t, func(t testing.TB) { goldenfile.Section(t, path, "<c>", "", "") }), `the mark "<c>" is missing`)
	require.Contains(t, failure(t, func(t testing.TB) { goldenfile.Section(t, path, "<e>", "<b>", "") }), `the mark "<b>" is missing`)
	missing := failure(t, func(t testing.TB) { goldenfile.File(t, path+"x", "") })
	require.Contains(t, missing, "no such file")
	require.Contains(t, missing, strings.TrimSpace(command))
}

// TestRecording: with -update files are written, directories made and sections replaced; a document without its marks stays as it is.
func TestRecording(t *testing.T) {
	require.NoError(t, flag.Set("update", "true"))
	defer func() { require.NoError(t, flag.Set("update", "false")) }()
	path := filepath.Join(t.TempDir(), "new", "a.md")
	text := func() string {
		b, err := os.ReadFile(path)
		require.NoError(t, err)
		return string(b)
	}
	goldenfile.File(t, path, "head\n<b>\n1\n<e>\ntail\n")
	require.Equal(t, "head\n<b>\n1\n<e>\ntail\n", text())
	goldenfile.Section(t, path, "<b>\n", "<e>\n", "2\n3\n")
	goldenfile.Section(t, path, "", "<b>\n", "first\n")
	goldenfile.Section(t, path, "<e>\n", "", "last\n")
	require.Equal(t, "first\n<b>\n2\n3\n<e>\nlast\n", text())
	require.Contains(t, failure(t, func(t testing.TB) { goldenfile.Section(t, path, "<c>", "", "") }), `the mark "<c>" is missing`)
	require.Equal(t, "first\n<b>\n2\n3\n<e>\nlast\n", text())
}
