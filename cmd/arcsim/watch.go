package main

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"sync"
	"time"

	render "arcv2dsp/internal/measure/report"
	"arcv2dsp/internal/term/cli"
	"arcv2dsp/internal/term/hostfile"
	"arcv2dsp/internal/term/steps"
)

// watched are the files that work has read, each as it was then. Without --watch there are none to remember: nil.
type watched struct {
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

// note remembers files before they are read; "" is none.
func (in *watched) note(paths ...string) {
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
func (in *watched) any() bool {
	in.mu.Lock()
	defer in.mu.Unlock()
	return len(in.seen) > 0
}

// look returns the files as they are, and whether one is not as it was.
func (in *watched) look() (now map[string]stamp, changed bool) {
	in.mu.Lock()
	defer in.mu.Unlock()
	now = map[string]stamp{}
	for path, was := range in.seen {
		now[path] = stampOf(path)
		changed = changed || now[path] != was
	}
	return now, changed
}

// files is a file system whose files are noted when they are opened.
func (in *watched) files(tree hostfile.Tree) fs.FS { return noted{in: in, tree: tree} }

type noted struct {
	in   *watched
	tree hostfile.Tree
}

// Open implements fs.FS.
func (n noted) Open(name string) (fs.File, error) {
	n.in.note(filepath.Join(n.tree.Dir, filepath.FromSlash(name)))
	return n.tree.Open(name)
}

// pause is the time between two looks at the files.
const pause = 300 * time.Millisecond

// await returns when a file has changed and, as editors write in steps, is the same at two looks, or when the context ends.
func (in *watched) await(ctx context.Context) {
	var before map[string]stamp
	for {
		now, changed := in.look()
		if changed && maps.Equal(now, before) {
			return
		}
		wait := pause
		if before = now; changed {
			wait = pause / 3
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(wait):
		}
	}
}

// watch does work again whenever a file changes that it has read, also while it is at work, until the command is told to end. An
// error before any file was read is one of the command line, and the end; other errors are told.
func watch(ctx context.Context, in *watched, tell func(error), work func(ctx context.Context)) {
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

// livePage is the page of a file that browsers load anew when it changes. They are told by a script beside it: a page from a
// file may load that, and nothing else.
type livePage struct {
	file  string
	s     cli.Streams
	plain []byte // the page as it is without watching; nil before the first
	since string // version of the page that is shown
}

// script is the file that tells pages what is new.
func (p *livePage) script() string { return p.file + ".watch.js" }

// show puts a page in place of the one before.
func (p *livePage) show(page []byte) {
	p.plain = page
	p.put(page)
	steps.Check(hostfile.Write(p.script(), render.News(p.since, "")))
	p.s.Warn("report: %s", p.file)
}

// put writes a page that follows what is new.
func (p *livePage) put(page []byte) {
	p.since = fmt.Sprint(time.Now().UnixNano())
	steps.Check(hostfile.Write(p.file, render.Live(page, filepath.Base(p.script()), p.since)))
}

// tell shows an error above the last page that was good, or on an empty one.
func (p *livePage) tell(err error) {
	text := err.Error()
	p.s.Warn("%s", text)
	if p.since == "" {
		p.put(render.Empty(filepath.Base(p.file)))
	}
	steps.Check(hostfile.Write(p.script(), render.News(p.since, text)))
}

// end leaves the last good page, which follows nothing.
func (p *livePage) end() {
	_ = os.Remove(p.script()) // there may be none
	switch {
	case p.plain != nil:
		steps.Check(hostfile.Write(p.file, p.plain))
	case p.since != "":
		steps.Check(os.Remove(p.file))
	}
}
