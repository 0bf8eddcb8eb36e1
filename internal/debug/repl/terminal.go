//go:build !wasm

package repl

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"sync/atomic"

	"github.com/chzyer/readline"
)

// terminal edits lines.
type terminal struct {
	rl   *readline.Instance
	keys *deleteKeys
}

func newTerminal(s *Session) (reader, error) {
	if s.cfg.History != "" {
		if err := os.MkdirAll(filepath.Dir(s.cfg.History), 0o700); err != nil {
			s.cfg.History = ""
		}
	}
	keys := &deleteKeys{ReadCloser: readline.NewCancelableStdin(readline.Stdin)}
	cfg := &readline.Config{
		Stdin: keys, Listener: keys, FuncFilterInputRune: keys.filter,
		HistoryFile: s.cfg.History, HistoryLimit: 1000, HistorySearchFold: true,
		AutoComplete: completer{s}, InterruptPrompt: "^C", Stdout: s.cfg.Out, Stderr: s.cfg.Err,
	}
	rl, err := readline.NewEx(cfg)
	if err != nil {
		return nil, err
	}
	return &terminal{rl: rl, keys: keys}, nil
}

func (t *terminal) Line(prompt string) (string, error) {
	t.rl.SetPrompt(prompt)
	t.keys.length.Store(0)
	line, err := t.rl.Readline()
	if errors.Is(err, readline.ErrInterrupt) {
		return "", errAbandoned
	}
	if err != nil && !errors.Is(err, io.EOF) {
		return "", err
	}
	return line, err
}

// deleteKeys tells the Delete key from Ctrl-D, which the editor takes for the same: on an empty line
// Ctrl-D ends the session, Delete does nothing.
type deleteKeys struct {
	io.ReadCloser
	matched int          // characters of deleteKey read last
	pressed atomic.Int32 // Delete keys that the editor has not yet seen
	length  atomic.Int32 // of the line
}

const deleteKey = "\x1b[3~"

func (k *deleteKeys) Read(p []byte) (int, error) {
	n, err := k.ReadCloser.Read(p)
	for _, c := range p[:n] {
		switch {
		case c == deleteKey[k.matched]:
			k.matched++
		case c == deleteKey[0]:
			k.matched = 1
		default:
			k.matched = 0
		}
		if k.matched == len(deleteKey) {
			k.matched = 0
			k.pressed.Add(1)
		}
	}
	return n, err
}

func (k *deleteKeys) filter(r rune) (rune, bool) {
	if r != readline.CharDelete || k.pressed.Load() == 0 {
		return r, true
	}
	k.pressed.Add(-1)
	return r, k.length.Load() > 0
}

// OnChange implements readline.Listener.
func (k *deleteKeys) OnChange(line []rune, _ int, _ rune) ([]rune, int, bool) {
	k.length.Store(int32(len(line)))
	return nil, 0, false
}

func (t *terminal) Close() error { return t.rl.Close() }
