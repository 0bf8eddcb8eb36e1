package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"

	"arcv2dsp/internal/term/steps"
)

// tar writes files as NAME.tar.gz, in a folder NAME.
func (r *release) tar(name string, t tree) {
	var b bytes.Buffer
	packed := steps.Must(gzip.NewWriterLevel(&b, gzip.BestCompression))
	w := tar.NewWriter(packed)
	for _, path := range t.paths() {
		f := t[path]
		h := &tar.Header{Name: name + "/" + path, Mode: int64(f.mode), Size: int64(len(f.data)), ModTime: r.when, Format: tar.FormatUSTAR}
		steps.Check(w.WriteHeader(h))
		steps.Must(w.Write(f.data))
	}
	steps.Check(w.Close())
	steps.Check(packed.Close())
	steps.Check(os.WriteFile(filepath.Join(r.out, name+".tar.gz"), b.Bytes(), 0o644))
}

// zip writes files as NAME.zip, in a folder NAME.
func (r *release) zip(name string, t tree) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, path := range t.paths() {
		f := t[path]
		h := &zip.FileHeader{Name: name + "/" + path, Method: zip.Deflate, Modified: r.when}
		h.SetMode(f.mode)
		to := steps.Must(w.CreateHeader(h))
		steps.Must(to.Write(f.data))
	}
	steps.Check(w.Close())
	steps.Check(os.WriteFile(filepath.Join(r.out, name+".zip"), b.Bytes(), 0o644))
}

// pack compresses a text as Debian wants its manual pages, without name and time.
func pack(data []byte) []byte {
	var b bytes.Buffer
	w := steps.Must(gzip.NewWriterLevel(&b, gzip.BestCompression))
	steps.Must(io.Copy(w, bytes.NewReader(data)))
	steps.Check(w.Close())
	return b.Bytes()
}
