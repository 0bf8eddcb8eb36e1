package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
)

// tar writes files as NAME.tar.gz, in a folder NAME.
func (r *release) tar(name string, t tree) error {
	var b bytes.Buffer
	packed, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return err
	}
	w := tar.NewWriter(packed)
	for _, path := range t.paths() {
		f := t[path]
		h := &tar.Header{Name: name + "/" + path, Mode: int64(f.mode), Size: int64(len(f.data)), ModTime: r.when, Format: tar.FormatUSTAR}
		if err := w.WriteHeader(h); err != nil {
			return err
		}
		if _, err := w.Write(f.data); err != nil {
			return err
		}
	}
	if err := w.Close(); err != nil {
		return err
	}
	if err := packed.Close(); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(r.out, name+".tar.gz"), b.Bytes(), 0o644)
}

// zip writes files as NAME.zip, in a folder NAME.
func (r *release) zip(name string, t tree) error {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, path := range t.paths() {
		f := t[path]
		h := &zip.FileHeader{Name: name + "/" + path, Method: zip.Deflate, Modified: r.when}
		h.SetMode(f.mode)
		to, err := w.CreateHeader(h)
		if err != nil {
			return err
		}
		if _, err := to.Write(f.data); err != nil {
			return err
		}
	}
	if err := w.Close(); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(r.out, name+".zip"), b.Bytes(), 0o644)
}

// pack compresses a text as Debian wants its manual pages, without name and time.
func pack(data []byte) ([]byte, error) {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := io.Copy(w, bytes.NewReader(data)); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
