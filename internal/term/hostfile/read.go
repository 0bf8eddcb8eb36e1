package hostfile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"os/signal"
	"path/filepath"
)

// streamLimit bounds what is kept of a file without a size, such as a pipe or a device.
const streamLimit = 64 << 20

// headSize is how much of a file ReadKind looks at before it reads the rest.
const headSize = 4096

// Read reads a file of no more than limit bytes. A file without a size is read until it ends or a signal asks the process to end, and
// no more than 64 MB of it.
func Read(path string, limit int64) ([]byte, error) { return ReadKind(path, limit, nil) }

// ReadKind reads a file as Read does, but no more than the first bytes of one that is of another kind: whose beginning known refuses.
func ReadKind(path string, limit int64, known func(head []byte) error) ([]byte, error) {
	in, err := Open(path, limit)
	if err != nil {
		return nil, err
	}
	defer func() { _ = in.Close() }() // only read
	head := make([]byte, headSize)
	n, err := io.ReadFull(in, head)
	head = head[:n]
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, err
	}
	if known != nil {
		if refused := known(head); refused != nil {
			return nil, refused
		}
	}
	if err != nil { // that was all
		return head, nil
	}
	room := in.size - headSize
	if in.signals != nil {
		room = in.left // as much memory as the bound, which is touched as the bytes come
	}
	b := bytes.NewBuffer(append(make([]byte, 0, headSize+max(room, 0)+bytes.MinRead), head...))
	if _, err := b.ReadFrom(in); err != nil {
		return nil, err
	}
	if in.signals != nil && b.Len() < b.Cap()/2 {
		return bytes.Clone(b.Bytes()), nil
	}
	return b.Bytes(), nil
}

// Input is an open file that is read to its bound at most.
type Input struct {
	file    *os.File
	path    string
	size    int64
	limit   int64
	left    int64
	signals chan os.Signal // of the process, while it may wait for the file; nil for one that is always there
	own     []byte         // what such a file is read into
}

// Unbounded is the limit of a file of which the reader keeps nothing.
const Unbounded = math.MaxInt64

// Open opens a file of which no more than limit bytes are read. Reading more is an error, and so is a regular file that is longer.
func Open(path string, limit int64) (*Input, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	in := &Input{path: path, limit: limit, left: limit}
	if info.Mode().IsRegular() {
		if in.size = info.Size(); in.size > limit {
			return nil, &TooLongError{Path: path, Limit: limit}
		}
		in.file, err = os.Open(path)
		return in, err
	}
	if info.IsDir() {
		in.file, err = os.Open(path)
		return in, err
	}
	if limit != Unbounded {
		in.limit = min(limit, streamLimit)
		in.left = in.limit
	}
	in.signals = make(chan os.Signal, 1)
	signal.Notify(in.signals, EndSignals...)
	type result struct {
		file *os.File
		err  error
	}
	done := make(chan result, 1)
	go func() {
		file, err := os.Open(path) // waits for the other end of a pipe
		done <- result{file: file, err: err}
	}()
	select {
	case r := <-done:
		if in.file = r.file; r.err != nil {
			signal.Stop(in.signals)
			return nil, r.err
		}
		return in, nil
	case <-in.signals: // the goroutine is left behind
		signal.Stop(in.signals)
		return nil, interrupted(path)
	}
}

// Read implements io.Reader.
func (in *Input) Read(p []byte) (int, error) {
	if in.limit != Unbounded {
		p = p[:min(int64(len(p)), in.left+1)]
	}
	n, err := in.read(p)
	if in.left -= int64(n); in.left < 0 && in.limit != Unbounded {
		return 0, &TooLongError{Path: in.path, Limit: in.limit}
	}
	return n, err
}

func (in *Input) read(p []byte) (int, error) {
	if in.signals == nil {
		return in.file.Read(p)
	}
	type result struct {
		n   int
		err error
	}
	done := make(chan result, 1)
	if in.own == nil {
		in.own = make([]byte, 64<<10)
	}
	own := in.own[:min(len(p), len(in.own))]
	go func() {
		n, err := in.file.Read(own) // even after the reader was interrupted
		done <- result{n: n, err: err}
	}()
	select {
	case r := <-done:
		return copy(p, own[:r.n]), r.err
	case <-in.signals:
		return 0, interrupted(in.path)
	}
}

// ReadAt implements io.ReaderAt for files with a size.
func (in *Input) ReadAt(p []byte, off int64) (int, error) { return in.file.ReadAt(p, off) }

// Size is the size of a regular file, and 0 of another.
func (in *Input) Size() int64 { return in.size }

// Stat implements fs.File.
func (in *Input) Stat() (fs.FileInfo, error) { return in.file.Stat() }

// ReadDir implements fs.ReadDirFile.
func (in *Input) ReadDir(n int) ([]fs.DirEntry, error) { return in.file.ReadDir(n) }

// Close closes the file.
func (in *Input) Close() error {
	if in.signals != nil {
		signal.Stop(in.signals)
	}
	return in.file.Close()
}

// Tree is a folder as a file system. Without Dir, names are paths of the host.
type Tree struct {
	Dir   string
	Limit int64 // of each file
}

// Open implements fs.FS.
func (t Tree) Open(name string) (fs.File, error) {
	path := name
	if t.Dir != "" {
		if !fs.ValidPath(name) {
			return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
		}
		path = filepath.Join(t.Dir, filepath.FromSlash(name))
	}
	return Open(path, t.Limit)
}

// ErrInterrupted is the error of a read that a signal has ended.
var ErrInterrupted = errors.New("interrupted")

func interrupted(path string) error { return fmt.Errorf("%s: %w", path, ErrInterrupted) }

// TooLongError is the error of reading a file that is longer than it may be.
type TooLongError struct {
	Path  string
	Limit int64
}

func (e *TooLongError) Error() string { return fmt.Sprintf("%s: more than %d bytes", e.Path, e.Limit) }
