//go:build !linux

package serial

import (
	"errors"
	"io"
)

// openTerminal fails: only Linux has pseudo-terminals here.
func openTerminal() (io.ReadWriteCloser, string, error) {
	return nil, "", errors.New("a UART on a pseudo-terminal needs Linux; tcp:PORT works everywhere")
}
