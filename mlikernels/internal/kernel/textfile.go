package kernel

import (
	"io/fs"
	"path"
	"strings"
	"time"
)

// textFile is a file that exists only as a text.
type textFile struct {
	*strings.Reader
	name string
}

func newTextFile(name, text string) fs.File {
	return &textFile{Reader: strings.NewReader(text), name: path.Base(name)}
}

func (f *textFile) Stat() (fs.FileInfo, error) { return textInfo{f}, nil }
func (f *textFile) Close() error               { return nil }

// textInfo describes it.
type textInfo struct{ f *textFile }

func (i textInfo) Name() string       { return i.f.name }
func (i textInfo) Size() int64        { return i.f.Reader.Size() }
func (i textInfo) Mode() fs.FileMode  { return 0o444 }
func (i textInfo) ModTime() time.Time { return time.Time{} }
func (i textInfo) IsDir() bool        { return false }
func (i textInfo) Sys() any           { return nil }
