package tui

import (
	"os"
	"path/filepath"
	"strings"

	"arcv2dsp/internal/term/hostfile"
)

// maxHistory bounds the lines that are read of the file.
const maxHistory = 1000

// maxHistoryFile bounds the file itself.
const maxHistoryFile = 16 << 20

// readHistory returns the lines of earlier sessions. The file is a convenience: without it there are none.
func readHistory(path string) []string {
	if path == "" {
		return nil
	}
	data, err := hostfile.Read(path, maxHistoryFile)
	if err != nil {
		return nil
	}
	list := strings.Split(strings.TrimSpace(string(data)), "\n")
	return list[max(len(list)-maxHistory, 0):]
}

// remember adds a line to the history and its file.
func (s *Screen) remember(line string) {
	e := &s.edit
	if strings.TrimSpace(line) == "" || len(e.history) > 0 && e.history[len(e.history)-1] == line {
		return
	}
	e.history = append(e.history, line)
	if s.cfg.History == "" {
		return
	}
	if os.MkdirAll(filepath.Dir(s.cfg.History), 0o700) != nil {
		return
	}
	f, err := hostfile.AppendPrivate(s.cfg.History)
	if err != nil {
		return // a convenience
	}
	_, _ = f.WriteString(line + "\n")
	_ = f.Close()
}
