//go:build !(((amd64 || arm64) && (linux || darwin)) || (amd64 && windows))

package exec

import "unsafe"

const (
	available = false
	untried   = false
)

func mapCode(int) (write, run []byte, err error) { return nil, nil, ErrHost }
func unmapCode(_, _ []byte)                      {}

func (a *Area) open() error         { return ErrHost }
func (a *Area) seal(_, _ int) error { return ErrHost }

// Call is never reached: there is no area.
func Call(_ uintptr, _, _, _ unsafe.Pointer, acct uint64) (uint64, uint64) { return acct, 0 }
