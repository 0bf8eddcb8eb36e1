// Package watch does work again whenever a file changes that it has read.
package watch

import (
	"context"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"sync"
	"time"

	"arcv2dsp/internal/term/hostfile"
	"arcv2dsp/internal/term/steps"
)

// Files are the files that work has read, each as it was then. Nil are those of work that is done once: there is none to
// remember.
type Files struct {
	mu   sync.Mutex
	seen map[string]stamp
}

// stamp is what tells a file from itself at another time. One that is not there has none.
type stamp struct {
	size int64
	time time.Time
}

func stampOf(path string) (s stamp) {
	if info, err := os.Stat(path); err == nil {
		s = stamp{size: info.Size(), time: info.ModTime()}
	}
	return s
}

// Note remembers files before they are read; "" is none.
func (in *Files) Note(paths ...string) {
	if in == nil {
		return
	}
	in.mu.Lock()
	defer in.mu.Unlock()
	for _, path := range paths {
		if _, known := in.seen[path]; !known && path != "" {
			in.seen[path] = stampOf(path)
		}
	}
}

// any reports whether files are remembered.
func (in *Files) any() bool {
	in.mu.Lock()
	defer in.mu.Unlock()
	return len(in.seen) > 0
}

// look returns the files as they are, and whether one is not as it was.
func (in *Files) look() (now map[string]stamp, changed bool) {
	in.mu.Lock()
	defer in.mu.Unlock()
	now = map[string]stamp{}
	for path, was := range in.seen {
		now[path] = stampOf(path)
		changed = changed || now[path] != was
	}
	return now, changed
}

// FS is a file system whose files are noted when they are opened.
func (in *Files) FS(tree hostfile.Tree) fs.FS { return noted{in: in, tree: tree} }

type noted struct {
	in   *Files
	tree hostfile.Tree
}

// Open implements fs.FS.
func (n noted) Open(name string) (fs.File, error) {
	n.in.Note(filepath.Join(n.tree.Dir, filepath.FromSlash(name)))
	return n.tree.Open(name)
}

// Pause is the time between two looks at the files.
const Pause = 300 * time.Millisecond

// await returns when a file has changed and, as editors write in steps, is the same at two looks, or when the context ends.
func (in *Files) await(ctx context.Context) {
	var before map[string]stamp
	for {
		now, changed := in.look()
		if changed && maps.Equal(now, before) {
			return
		}
		wait := Pause
		if before = now; changed {
			wait = Pause / 3
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(wait):
		}
	}
}

// Work does work again whenever a file changes that it has read, also while it is at work, until the command is told to end.
// An error before any file was read is one of the command line, and the end; other errors are told.
func Work(ctx context.Context, in *Files, tell func(error), work func(ctx context.Context)) {
	for ctx.Err() == nil {
		in.mu.Lock()
		in.seen = map[string]stamp{}
		in.mu.Unlock()
		again, change := context.WithCancel(ctx)
		go func() {
			in.await(again)
			change()
		}()
		err := steps.Run(func() { work(again) })
		if err != nil && again.Err() == nil {
			if !in.any() {
				change()
				steps.Check(err)
			}
			tell(err)
		}
		<-again.Done()
		change()
	}
}
