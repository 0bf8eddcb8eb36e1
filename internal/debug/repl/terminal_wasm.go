package repl

import "errors"

// newTerminal fails: a WebAssembly module has streams, and no terminal whose lines could be edited.
func newTerminal(*Session) (reader, error) {
	return nil, errors.New("no terminal on this platform: commands come from standard input, -ex or -x")
}
