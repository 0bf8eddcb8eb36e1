package nn

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"arcv2dsp/internal/term/hostfile"
)

// NPZ is an open .npz file: tensors by name.
type NPZ struct {
	path  string
	file  *hostfile.Input
	zip   *zip.Reader
	files map[string]*zip.File
}

// OpenNPZ opens a .npz file.
func OpenNPZ(path string) (*NPZ, error) {
	file, err := hostfile.Open(path, hostfile.Unbounded)
	if err != nil {
		return nil, err
	}
	z, err := zip.NewReader(file, file.Size())
	if err != nil {
		_ = file.Close() // only read
		if errors.Is(err, zip.ErrFormat) {
			err = errors.New("no NumPy archive")
		}
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	a := &NPZ{path: path, file: file, zip: z, files: map[string]*zip.File{}}
	for _, f := range z.File {
		a.files[strings.TrimSuffix(f.Name, ".npy")] = f
	}
	return a, nil
}

// Close closes the file.
func (a *NPZ) Close() error { return a.file.Close() }

// Names lists the tensors in the order of the file.
func (a *NPZ) Names() []string {
	names := make([]string, len(a.zip.File))
	for i, f := range a.zip.File {
		names[i] = strings.TrimSuffix(f.Name, ".npy")
	}
	return names
}

// npzMaxBytes bounds one unpacked tensor.
const npzMaxBytes = 1 << 30

// Tensor reads a tensor. A name that is not there is fs.ErrNotExist; every fault is an *fs.PathError of the archive
// that names the member.
func (a *NPZ) Tensor(name string) (*Tensor, error) {
	t, err := a.read(name)
	if err != nil {
		return nil, &fs.PathError{Op: "read", Path: a.path, Err: fmt.Errorf("member %s: %w", name, err)}
	}
	return t, nil
}

func (a *NPZ) read(name string) (*Tensor, error) {
	f, ok := a.files[name]
	if !ok {
		return nil, fs.ErrNotExist
	}
	if f.UncompressedSize64 > npzMaxBytes {
		return nil, fmt.Errorf("%d bytes are too many", f.UncompressedSize64)
	}
	r, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	data, err := io.ReadAll(io.LimitReader(r, npzMaxBytes))
	if err != nil {
		return nil, err
	}
	return ParseNPY(data)
}
