package workbench

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Bounds of a process of the page.
const (
	maxOrder     = 1 << 20   // bytes of the message that orders it
	maxFile      = 64 << 20  // bytes of a file, or of what is written to it at a time
	maxFiles     = 128 << 20 // bytes of all files that it gets, and of those that come back
	maxFileCount = 1000
	maxDisk      = 512 << 20 // bytes of its folder: one that writes more is killed
	maxQueue     = 10_000    // pieces of its input that it has not read
	maxProcesses = 16        // at a time
)

// order is the first message of a socket. The files follow, each a message of bytes.
type order struct {
	Args  []string `json:"argv"`
	Input bool     `json:"input"` // stays open for what the page writes
	Files []string `json:"files"` // paths
}

// ended is the last text of a socket. The files that the process wrote follow, each a message of bytes.
type ended struct {
	Status int      `json:"status"`
	Files  []string `json:"files"`
	Left   []string `json:"left"` // files that are too long to come back
}

// Kinds of bytes that a process sends: the first byte of their messages.
const (
	fromStdout = 1
	fromStderr = 2
)

// sent is the time of all files that a process gets: one that has another time, it wrote.
var sent = time.Unix(1_000_000_000, 0)

// run executes what a socket orders. It ends with the process, which a closed socket kills.
func (s *Server) run(ctx context.Context, w *socket) error {
	var o order
	op, text, err := w.read(maxOrder)
	if err != nil {
		return err
	}
	if op != opText || json.Unmarshal(text, &o) != nil {
		return errBroken
	}
	if err := o.check(); err != nil {
		return err
	}
	select {
	case s.processes <- struct{}{}:
		defer func() { <-s.processes }()
	default:
		return fmt.Errorf("%d processes run already", maxProcesses)
	}
	dir, err := os.MkdirTemp("", "arcsim-page-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }() // a temporary folder
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }()
	if err := receive(w, root, o.Files); err != nil {
		return err
	}
	_ = w.conn.SetReadDeadline(time.Time{})
	status, err := s.execute(ctx, w, &o, dir)
	if err != nil {
		return err
	}
	return giveBack(w, root, status)
}

// check refuses what is about files outside the folder, and commands that would serve or work for others.
func (o *order) check() error {
	if len(o.Args) == 0 {
		return fmt.Errorf("no command")
	}
	switch o.Args[0] {
	case "serve", "farm":
		return fmt.Errorf("the page runs no %s", o.Args[0])
	}
	if len(o.Files) > maxFileCount {
		return fmt.Errorf("%d files, at most %d", len(o.Files), maxFileCount)
	}
	for _, name := range o.Files {
		if !fs.ValidPath(name) || name == "." || !filepath.IsLocal(filepath.FromSlash(name)) {
			return fmt.Errorf("%q is no path below the folder of the page", name)
		}
	}
	for _, arg := range o.Args {
		if leaves(arg) {
			return fmt.Errorf("%q leads out of the folder of the page", arg)
		}
	}
	return nil
}

// leaves reports whether an argument may name a file outside the folder: the words of a list, and values behind a name and =.
func leaves(arg string) bool {
	for _, word := range strings.FieldsFunc(arg, func(r rune) bool { return strings.ContainsRune("=,: \t", r) }) {
		word = strings.ReplaceAll(word, `\`, "/")
		if before, _, ok := strings.Cut(word, "/"); ok && (before == "" || before == "@" || len(before) == 2 && before[0] == '-') {
			return true // an absolute path, also behind a flag of one letter
		}
		if slices.Contains(strings.Split(word, "/"), "..") {
			return true
		}
	}
	return false
}

// receive writes the files that follow an order.
func receive(w *socket, root *os.Root, names []string) error {
	left := int64(maxFiles)
	for _, name := range names {
		op, data, err := w.read(min(maxFile, left))
		if err != nil {
			return err
		}
		if op != opBinary {
			return errBroken
		}
		left -= int64(len(data))
		host := filepath.FromSlash(name)
		if err := root.MkdirAll(filepath.Dir(host), 0o700); err != nil {
			return err
		}
		if err := root.WriteFile(host, data, 0o600); err != nil {
			return err
		}
		if err := root.Chtimes(host, sent, sent); err != nil {
			return err
		}
	}
	return nil
}

// execute runs a process to its end and returns its status.
func (s *Server) execute(ctx context.Context, w *socket, o *order, dir string) (status int, err error) {
	ctx, kill := context.WithCancel(ctx)
	defer kill()
	cmd := exec.CommandContext(ctx, s.o.Program)
	cmd.Args = append([]string{s.o.Name}, o.Args...)
	cmd.Dir = dir
	cmd.Env = []string{"PATH=", "SYSTEMROOT=" + os.Getenv("SYSTEMROOT")} // without a path it starts no others
	cmd.WaitDelay = time.Second
	belongs(cmd)
	out, errs := &stream{w: w, kind: fromStdout, broken: kill}, &stream{w: w, kind: fromStderr, broken: kill}
	cmd.Stdout, cmd.Stderr = out, errs
	var input io.WriteCloser
	if o.Input {
		if input, err = cmd.StdinPipe(); err != nil {
			return 0, err
		}
	}
	done := make(chan error, 1)
	started := make(chan error)
	go func() { done <- supervise(cmd, started) }()
	if err := <-started; err != nil {
		return 0, err
	}
	var watching sync.WaitGroup
	var full atomic.Bool
	watching.Go(func() { full.Store(tooLarge(ctx, dir, kill)) })
	watching.Go(func() {
		feed(w, input)
		kill() // the page has closed its end, or the process has ended
	})
	<-done // the state has the status
	kill()
	_ = w.conn.SetReadDeadline(time.Now()) // ends feed
	watching.Wait()
	if full.Load() {
		_, _ = fmt.Fprintf(errs, "arcsim: killed: its files have more than %d MB\n", maxDisk>>20)
	}
	if status = cmd.ProcessState.ExitCode(); status < 0 {
		status = 128 + 9 // as shells have it for one that was killed
	}
	return status, nil
}

// stream sends what a process prints. A page that is gone ends the process.
type stream struct {
	w      *socket
	kind   byte
	broken func()
}

func (s *stream) Write(p []byte) (int, error) {
	if err := s.w.write(opBinary, []byte{s.kind}, p); err != nil {
		s.broken()
		return 0, err
	}
	return len(p), nil
}

// feed gives a process what the page writes: bytes, and a text, whatever it says, for the end of its input. It returns when the
// socket is closed or something else comes, also while the process reads nothing.
func feed(w *socket, input io.WriteCloser) {
	queue := make(chan []byte, maxQueue)
	var waiting atomic.Int64
	if input != nil {
		go func() {
			for data := range queue {
				_, _ = input.Write(data) // it may have ended
				waiting.Add(-int64(len(data)))
			}
			_ = input.Close()
		}()
	}
	open := input != nil
	for {
		op, data, err := w.read(maxFile)
		if err != nil || !open || op != opText && (len(queue) == maxQueue || waiting.Add(int64(len(data))) > maxFiles) {
			break
		}
		if op == opText {
			open = false
			close(queue)
		} else {
			queue <- data
		}
	}
	if open {
		close(queue)
	}
}

// tooLarge kills a process that writes more than a page may, and says so.
func tooLarge(ctx context.Context, dir string, kill func()) bool {
	tick := time.NewTicker(250 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return false
		case <-tick.C:
		}
		sum := int64(0)
		walk(dir, func(_ string, info fs.FileInfo) { sum += info.Size() })
		if sum > maxDisk {
			kill()
			return true
		}
	}
}

// walk calls a function for the regular files below a folder, by their paths below it. What cannot be read is passed over.
func walk(dir string, f func(name string, info fs.FileInfo)) {
	_ = filepath.WalkDir(dir, func(at string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return nil
		}
		info, err := e.Info()
		if name, relErr := filepath.Rel(dir, at); err == nil && relErr == nil {
			f(filepath.ToSlash(name), info)
		}
		return nil
	})
}

// giveBack sends the status of a process and the files that it wrote.
func giveBack(w *socket, root *os.Root, status int) error {
	e := ended{Status: status, Files: []string{}, Left: []string{}}
	left := int64(maxFiles)
	var list [][]byte
	walk(root.Name(), func(name string, info fs.FileInfo) {
		if info.ModTime().Equal(sent) {
			return
		}
		data, err := []byte(nil), error(nil)
		if info.Size() <= min(maxFile, left) && len(e.Files) < maxFileCount {
			data, err = root.ReadFile(filepath.FromSlash(name))
		}
		if err != nil || int64(len(data)) < info.Size() {
			if len(e.Left) < maxFileCount {
				e.Left = append(e.Left, name)
			}
			return
		}
		left -= int64(len(data))
		e.Files, list = append(e.Files, path.Clean(name)), append(list, data)
	})
	var text bytes.Buffer
	if err := json.NewEncoder(&text).Encode(e); err != nil {
		return err
	}
	if err := w.write(opText, text.Bytes()); err != nil {
		return err
	}
	for _, data := range list {
		if err := w.write(opBinary, data); err != nil {
			return err
		}
	}
	return nil
}
