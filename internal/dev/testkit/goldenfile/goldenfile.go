// Package goldenfile compares texts that tests compute with those on record: golden files, tables of documents, sources that
// follow from others. With -update a test records the text instead. Start with File.
package goldenfile

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write the files and the sections of documents that tests compare with")

// Update reports whether texts are recorded. A test that computes a part of them on other days computes all then.
func Update() bool { return *update }

// File compares a file with the text that it should have.
func File(t testing.TB, path, text string) {
	t.Helper()
	record(t, path, "", "", text)
}

// Section compares the text of a file between two marks with what it should be. Without a first mark it begins with the file,
// without a second one it ends there.
func Section(t testing.TB, path, begin, end, text string) {
	t.Helper()
	record(t, path, begin, end, text)
}

// Recorded is the text between two marks, for tests that compute a part of it.
func Recorded(t testing.TB, path, begin, end string) string {
	t.Helper()
	have, err := os.ReadFile(path)
	require.NoError(t, err)
	_, inside, _, err := section(string(have), begin, end)
	require.NoError(t, err, path)
	return inside
}

func record(t testing.TB, path, begin, end, text string) {
	t.Helper()
	have, err := os.ReadFile(path)
	if !*update || begin+end != "" {
		require.NoError(t, err, "%s records what is computed", command(t))
	}
	before, recorded, after, err := section(string(have), begin, end)
	require.NoError(t, err, path)
	if !*update {
		if recorded != text {
			t.Fatalf("%s:%s\n%s records what is computed", path, difference(before, recorded, text), command(t))
		}
		return
	}
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte(before+text+after), 0o644))
}

// section cuts a text at two marks, which stay with what is outside.
func section(text, begin, end string) (before, inside, after string, err error) {
	at := 0
	if begin != "" {
		if at = strings.Index(text, begin); at < 0 {
			return "", "", "", fmt.Errorf("the mark %q is missing", begin)
		}
		at += len(begin)
	}
	before, inside = text[:at], text[at:]
	if end == "" {
		return before, inside, "", nil
	}
	if at = strings.Index(inside, end); at < 0 {
		return "", "", "", fmt.Errorf("the mark %q is missing", end)
	}
	return before, inside[:at], inside[at:], nil
}

// shown is how many lines a message has of either text.
const shown = 5

// difference states where two texts first differ, as a line of the file, and the lines from there on.
func difference(before, recorded, computed string) string {
	have, want := strings.SplitAfter(recorded, "\n"), strings.SplitAfter(computed, "\n")
	same := 0
	for same < len(have) && same < len(want) && have[same] == want[same] {
		same++
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%d: %d lines are on record, %d are computed; from the first on that differs:", strings.Count(before, "\n")+same+1, len(have), len(want))
	for _, side := range []struct {
		sign  string
		lines []string
	}{{sign: "-", lines: have[same:]}, {sign: "+", lines: want[same:]}} {
		for _, line := range side.lines[:min(len(side.lines), shown)] {
			fmt.Fprintf(&b, "\n%s %q", side.sign, line)
		}
	}
	return b.String()
}

// command is what runs the test again and records.
func command(t testing.TB) string {
	callers := make([]uintptr, 8)
	frames := runtime.CallersFrames(callers[:runtime.Callers(1, callers)])
	for {
		frame, more := frames.Next()
		directory, name := filepath.Split(frame.Function)
		pkg, _, _ := strings.Cut(name, ".")
		if pkg != "goldenfile" || !more {
			test, _, _ := strings.Cut(t.Name(), "/")
			return fmt.Sprintf("go test %s%s -run '^%s$' -update", directory, strings.TrimSuffix(pkg, "_test"), test)
		}
	}
}
