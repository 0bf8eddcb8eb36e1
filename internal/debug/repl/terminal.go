package repl

import (
	"errors"
	"io"
	"os"
	"path/filepath"

	"github.com/chzyer/readline"
)

// terminal edits lines.
type terminal struct{ rl *readline.Instance }

func newTerminal(s *Session) (reader, error) {
	if s.cfg.History != "" {
		if err := os.MkdirAll(filepath.Dir(s.cfg.History), 0o700); err != nil {
			s.cfg.History = ""
		}
	}
	cfg := &readline.Config{
		HistoryFile: s.cfg.History, HistoryLimit: 1000, HistorySearchFold: true,
		AutoComplete: completer{s}, InterruptPrompt: "^C", Stdout: s.cfg.Out, Stderr: s.cfg.Err,
	}
	rl, err := readline.NewEx(cfg)
	if err != nil {
		return nil, err
	}
	return &terminal{rl: rl}, nil
}

func (t *terminal) Line(prompt string) (string, error) {
	t.rl.SetPrompt(prompt)
	line, err := t.rl.Readline()
	if errors.Is(err, readline.ErrInterrupt) {
		return "", errAbandoned
	}
	if err != nil && !errors.Is(err, io.EOF) {
		return "", err
	}
	return line, err
}

func (t *terminal) Close() error { return t.rl.Close() }

// HistoryFile is where the lines of earlier sessions are kept: in $XDG_STATE_HOME, else in
// ~/.local/state. It is "" when there is no home directory.
func HistoryFile() string {
	dir := os.Getenv("XDG_STATE_HOME")
	if dir == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			return ""
		}
		dir = filepath.Join(home, ".local", "state")
	}
	return filepath.Join(dir, "arcsim", "history")
}

// InitFile is the command file executed at the start of each session, in $XDG_CONFIG_HOME, else in
// ~/.config; it need not exist.
func InitFile() string {
	dir, err := os.UserConfigDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "arcsim", "init")
}
