package tosacheck

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write docs/tosa_operators.md")

func TestReferenceIsFresh(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, WriteReference(&b))
	path := filepath.Join("..", "..", "docs", "tosa_operators.md")
	if *update {
		require.NoError(t, os.WriteFile(path, b.Bytes(), 0o644))
	}
	have, err := os.ReadFile(path)
	require.NoError(t, err, "run go test ./internal/tosacheck -update")
	require.Equal(t, b.String(), string(have), "run go test ./internal/tosacheck -update")
}
