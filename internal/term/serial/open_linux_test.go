package serial

import (
	"os"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// open opens the end of the user.
func open(t *testing.T, name string) *os.File {
	t.Helper()
	f, err := os.OpenFile(name, os.O_RDWR|syscall.O_NOCTTY, 0)
	require.NoError(t, err)
	return f
}
