// Package records reads files of recorded calls for tests: JSON objects, one a line, compressed where the name ends in
// .gz. Start with Lines.
package records

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"io"
	"iter"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// maxLine bounds a line.
const maxLine = 256 << 20

// Lines are the lines of a file with their numbers, from 1 on, without empty ones. A line holds until the next one.
func Lines(t testing.TB, path string) iter.Seq2[int, []byte] {
	t.Helper()
	return func(yield func(int, []byte) bool) {
		file, err := os.Open(path)
		require.NoError(t, err)
		defer func() { require.NoError(t, file.Close()) }()
		var text io.Reader = file
		if strings.HasSuffix(path, ".gz") {
			text, err = gzip.NewReader(file)
			require.NoError(t, err, path)
		}
		lines := bufio.NewScanner(text)
		lines.Buffer(nil, maxLine)
		for n := 1; lines.Scan(); n++ {
			if line := bytes.TrimSpace(lines.Bytes()); len(line) > 0 && !yield(n, line) {
				return
			}
		}
		require.NoError(t, lines.Err(), path)
	}
}

// Each reads the lines of a file by a function, and fails the test where it does.
func Each[T any](t testing.TB, path string, read func([]byte) (T, error)) iter.Seq2[int, T] {
	t.Helper()
	return func(yield func(int, T) bool) {
		for n, line := range Lines(t, path) {
			x, err := read(line)
			require.NoError(t, err, "%s:%d", path, n)
			if !yield(n, x) {
				return
			}
		}
	}
}
