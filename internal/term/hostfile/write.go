package hostfile

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

// Write writes a file that is there completely or, when the host fails, not at all.
func Write(path string, data []byte) error { return WriteMode(path, data, newMode) }

// newMode are the permissions of a new file, of which the user's mask takes some.
const newMode = 0o666

// WriteMode is Write for a file that, when it is new, has other permissions than usual, such as a program.
func WriteMode(path string, data []byte, mode fs.FileMode) error {
	f, err := create(path, mode)
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
	file   *os.File
	path   string       // "" for what cannot be replaced
	mode   *fs.FileMode // permissions of the file that is replaced; nil for a new one
	failed error        // the first error of a write: the file is not complete
	done   bool
}

// Write implements io.Writer.
func (f *File) Write(p []byte) (int, error) {
	n, err := f.file.Write(p)
	if err != nil && f.failed == nil {
		if pe := (*fs.PathError)(nil); errors.As(err, &pe) && f.path != "" {
			err = &fs.PathError{Op: pe.Op, Path: f.path, Err: pe.Err} // nobody knows the other name
		}
		f.failed = err
	}
	return n, err
}

// Create begins a file. Commit gives it its name; Discard, which may follow in any case, removes it without that.
func Create(path string) (*File, error) { return create(path, newMode) }

func create(path string, mode fs.FileMode) (*File, error) {
	f := &File{path: path}
	if info, err := os.Stat(path); err == nil {
		if !info.Mode().IsRegular() || strings.HasPrefix(path, "/dev/") { // standard output may be a file
			file, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
			return &File{file: file}, err
		}
		old := info.Mode().Perm()
		f.mode = &old
		if f.path, err = filepath.EvalSymlinks(path); err != nil {
			return nil, err
		}
	}
	var err error
	f.file, err = temporary(f.path, mode)
	if pe := (*fs.PathError)(nil); errors.As(err, &pe) {
		err = &fs.PathError{Op: "create", Path: path, Err: pe.Err} // nobody knows the other name
	}
	return f, err
}

// longestBase keeps the name of a temporary file within what file systems take.
const longestBase = 200

// temporary opens a new file beside a path.
func temporary(path string, mode fs.FileMode) (*os.File, error) {
	base := filepath.Base(path)
	base = base[:min(len(base), longestBase)]
	for {
		name := filepath.Join(filepath.Dir(path), fmt.Sprintf(".%s-%d", base, rand.Uint32()))
		f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, mode)
		if !errors.Is(err, fs.ErrExist) {
			return f, err
		}
	}
}

// Close is Commit, for writers that close what they write to.
func (f *File) Close() error { return f.Commit() }

// Commit ends the file, which has its name from now on. A file of which a write failed is removed.
func (f *File) Commit() error {
	if f.done {
		return nil
	}
	f.done = true
	if f.path == "" {
		return errors.Join(f.failed, f.file.Close())
	}
	err := f.failed
	if err == nil {
		err = f.file.Sync()
	}
	if err == nil && f.mode != nil {
		err = f.file.Chmod(*f.mode)
	}
	if err = errors.Join(err, f.file.Close()); err == nil {
		err = os.Rename(f.file.Name(), f.path)
	}
	if err != nil {
		_ = os.Remove(f.file.Name()) // the first error counts
	}
	return err
}

// Discard removes a file that was not completed.
func (f *File) Discard() {
	if f.done {
		return
	}
	f.done = true
	_ = f.file.Close() // its contents are lost anyway
	if f.path != "" {
		_ = os.Remove(f.file.Name())
	}
}

// Writable reports early, before hours of work, why a file could not be written.
func Writable(path string) error {
	f, err := Create(path)
	if err != nil {
		return err
	}
	f.Discard()
	return nil
}

// Append opens a file that grows over runs or while somebody watches it, such as a log: what is there of it is of use without
// the rest.
func Append(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, newMode)
}

// AppendPrivate is Append for what other users do not read, such as a history of commands.
func AppendPrivate(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
}

// Log is Append for a file that begins anew.
func Log(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, newMode)
}
