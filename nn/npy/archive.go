package npy

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"arcv2dsp/nn"
)

// Archive is an open .npz file: tensors by name.
type Archive struct {
	zip   *zip.ReadCloser
	files map[string]*zip.File
}

// OpenArchive opens a .npz file.
func OpenArchive(path string) (*Archive, error) {
	z, err := zip.OpenReader(path)
	if err != nil {
		if errors.Is(err, zip.ErrFormat) {
			return nil, fmt.Errorf("%s: no NumPy archive", path)
		}
		return nil, err
	}
	a := &Archive{zip: z, files: map[string]*zip.File{}}
	for _, f := range z.File {
		a.files[strings.TrimSuffix(f.Name, ".npy")] = f
	}
	return a, nil
}

// Close closes the file.
func (a *Archive) Close() error { return a.zip.Close() }

// Names lists the tensors in the order of the file.
func (a *Archive) Names() []string {
	names := make([]string, len(a.zip.File))
	for i, f := range a.zip.File {
		names[i] = strings.TrimSuffix(f.Name, ".npy")
	}
	return names
}

// maxBytes bounds one unpacked tensor.
const maxBytes = 1 << 30

// Tensor reads a tensor. A name that is not there is fs.ErrNotExist.
func (a *Archive) Tensor(name string) (*nn.Tensor, error) {
	f, ok := a.files[name]
	if !ok {
		return nil, fmt.Errorf("%s: %w", name, fs.ErrNotExist)
	}
	if f.UncompressedSize64 > maxBytes {
		return nil, fmt.Errorf("%s: %d bytes are too many", name, f.UncompressedSize64)
	}
	r, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	data, err := io.ReadAll(io.LimitReader(r, maxBytes))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	t, err := Parse(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return t, nil
}
