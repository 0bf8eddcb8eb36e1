// Package hostfile reads and writes files of the host for commands: reading is bounded, for a path may name
// a device that never ends; writing leaves a whole file or none.
package hostfile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
)

// Read reads a file of no more than limit bytes. A file that is not regular has no size beforehand, and
// may never end: it is read until a signal asks the process to end, and no more than streamLimit bytes of it.
func Read(path string, limit int64) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.Mode().IsRegular() {
		if info.Size() > limit {
			return nil, &TooLongError{Path: path, Limit: limit}
		}
		return read(path, limit, info.Size())
	}
	ended := make(chan os.Signal, 1)
	signal.Notify(ended, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer signal.Stop(ended)
	type result struct {
		data []byte
		err  error
	}
	done := make(chan result, 1)
	go func() {
		data, err := read(path, min(limit, streamLimit), 0)
		done <- result{data: data, err: err}
	}()
	select {
	case r := <-done:
		return r.data, r.err
	case <-ended: // whoever waits for the other end of a pipe is left behind
		return nil, fmt.Errorf("%s: %w", path, ErrInterrupted)
	}
}

// streamLimit bounds what is read of a file without a size.
const streamLimit = 256 << 20

// ErrInterrupted is the error of a read that a signal has ended.
var ErrInterrupted = errors.New("interrupted")

// read reads a file of no more than limit bytes, most likely of size bytes.
func read(path string, limit, size int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // only read
	var b bytes.Buffer
	b.Grow(int(size) + bytes.MinRead)
	if _, err := b.ReadFrom(io.LimitReader(f, limit+1)); err != nil {
		return nil, err
	}
	if int64(b.Len()) > limit {
		return nil, &TooLongError{Path: path, Limit: limit}
	}
	return b.Bytes(), nil
}

// TooLongError is the error of reading a file that is longer than it may be.
type TooLongError struct {
	Path  string
	Limit int64
}

func (e *TooLongError) Error() string { return fmt.Sprintf("%s: more than %d bytes", e.Path, e.Limit) }

// Write writes a file that is there completely or, when the host fails, not at all.
func Write(path string, data []byte) error {
	f, err := Create(path)
	if err != nil {
		return err
	}
	defer f.Discard()
	if _, err := f.Write(data); err != nil {
		return err
	}
	return f.Commit()
}

// File is a file under another name until it is complete. Devices and pipes are written to as they are; the file that a
// symbolic link names is replaced, not the link.
type File struct {
	*os.File
	path string // "" for what cannot be replaced
	mode fs.FileMode
	done bool
}

// Create begins a file. Commit gives it its name; Discard, which may follow in any case, removes it without that.
func Create(path string) (*File, error) {
	f := &File{path: path, mode: 0o644}
	if info, err := os.Stat(path); err == nil {
		if !info.Mode().IsRegular() || strings.HasPrefix(path, "/dev/") { // standard output may be a file
			file, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
			return &File{File: file}, err
		}
		f.mode = info.Mode().Perm()
		if f.path, err = filepath.EvalSymlinks(path); err != nil {
			return nil, err
		}
	}
	var err error
	f.File, err = os.CreateTemp(filepath.Dir(f.path), "."+filepath.Base(f.path)+"-*")
	if pe := (*fs.PathError)(nil); errors.As(err, &pe) {
		err = &fs.PathError{Op: "create", Path: path, Err: pe.Err} // nobody knows the other name
	}
	return f, err
}

// Commit ends the file, which has its name from now on.
func (f *File) Commit() error {
	f.done = true
	if f.path == "" {
		return f.Close()
	}
	err := errors.Join(f.Sync(), f.Chmod(f.mode), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), f.path)
	}
	if err != nil {
		_ = os.Remove(f.Name()) // the first error counts
	}
	return err
}

// Discard removes a file that was not completed.
func (f *File) Discard() {
	if f.done {
		return
	}
	_ = f.Close() // its contents are lost anyway
	if f.path != "" {
		_ = os.Remove(f.Name())
	}
}
