package farm

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"sync"

	"arcv2dsp/internal/term/hostfile"
)

// Build says which program planned or ran something.
type Build struct {
	Version  string `json:"version"`
	Commit   string `json:"commit,omitempty"` // empty when it was built without, or from a changed tree
	Platform string `json:"platform"`
	SHA256   string `json:"sha256"` // of the executable
}

// ThisBuild is the running program.
var ThisBuild = sync.OnceValues(func() (Build, error) {
	b := Build{Platform: runtime.GOOS + "/" + runtime.GOARCH}
	if info, ok := debug.ReadBuildInfo(); ok {
		b.Version = info.Main.Version
		changed := false
		for _, s := range info.Settings {
			switch s.Key {
			case "vcs.revision":
				b.Commit = s.Value
			case "vcs.modified":
				changed = s.Value == "true"
			}
		}
		if changed {
			b.Commit = ""
		}
	}
	exe, err := os.Executable()
	if err == nil {
		b.SHA256, err = digest(exe)
	}
	return b, err
})

// same reports whether two builds compute the same: they are the same file, or of the same commit.
func (b Build) same(o Build) bool {
	return b.SHA256 == o.SHA256 || b.Commit != "" && b.Commit == o.Commit
}

func (b Build) String() string {
	name := "version " + b.Version
	if b.Commit != "" {
		name = "commit " + b.Commit[:min(12, len(b.Commit))]
	}
	return fmt.Sprintf("%s (%s, sha256 %s)", name, b.Platform, b.SHA256[:min(12, len(b.SHA256))])
}

// digest is the SHA-256 of a file.
func digest(path string) (string, error) {
	f, err := hostfile.Open(path, hostfile.Unbounded)
	if err != nil {
		return "", err
	}
	defer func() { _ = f.Close() }() // only read
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
