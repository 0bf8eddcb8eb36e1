package nn

import (
	"archive/zip"
	"bufio"
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

// Bounds of one unpacked tensor, and of its header.
const (
	npzMaxElements = 1 << 26
	npzMaxHeader   = 1 << 16
)

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
	r, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	in := bufio.NewReaderSize(r, npzMaxHeader)
	head, err := in.Peek(npzMaxHeader)
	if err != nil && err != io.EOF {
		return nil, err
	}
	t, elements, err := declaredNPY(head) // a few bytes may unpack to much: the header says how much is right
	if err != nil {
		return nil, err
	}
	size := len(head) - len(elements) + t.Bytes()
	switch {
	case t.Len() > npzMaxElements:
		return nil, fmt.Errorf("shape %v has more than %d elements", t.Shape, npzMaxElements)
	case f.UncompressedSize64 != uint64(size):
		return nil, fmt.Errorf("%d bytes, with a header of %d and the elements of %s%v there are %d", f.UncompressedSize64,
			len(head)-len(elements), t.Type, t.Shape, size)
	}
	data, err := io.ReadAll(in)
	if err != nil {
		return nil, err
	}
	return ParseNPY(data)
}
