//go:build !unix

package tui

import (
	"errors"
	"os"
	"time"
)

// terminal fails on systems whose terminals are not supported.
type terminal struct{}

var errSystem = errors.New("this system's terminals are not supported")

func (t *terminal) begin(*os.File) error               { return errSystem }
func (t *terminal) end() error                         { return nil }
func (t *terminal) read(time.Duration) ([]byte, error) { return nil, errSystem }

func suspend() error { return errSystem }
