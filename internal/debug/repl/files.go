package repl

import (
	"os"
	"path/filepath"
)

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
