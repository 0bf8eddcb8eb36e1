package asm

import (
	"io/fs"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// endless is a directory whose only file has no end, as /dev/zero.
type endless struct{ size int64 }

func (e endless) Open(string) (fs.File, error) { return e, nil }
func (e endless) Stat() (fs.FileInfo, error)   { return e, nil }
func (e endless) Read(b []byte) (int, error)   { clear(b); return len(b), nil }
func (e endless) Close() error                 { return nil }
func (e endless) Name() string                 { return "zero" }
func (e endless) Size() int64                  { return e.size }
func (e endless) Mode() fs.FileMode            { return fs.ModeDevice }
func (e endless) ModTime() time.Time           { return time.Time{} }
func (e endless) IsDir() bool                  { return false }
func (e endless) Sys() any                     { return nil }

// TestEndlessFile: a file that is too long, or a device that has no end, is refused; it neither keeps the
// assembler busy for ever nor fills the memory.
func TestEndlessFile(t *testing.T) {
	const want = `cannot read "zero": the file has more than 256 MB`
	_, err := AssembleString(Options{FS: endless{size: 1 << 40}}, "a.s", ".include \"zero\"\n")
	require.ErrorContains(t, err, want)
	if testing.Short() {
		t.Skip("reads 256 MB")
	}
	_, err = AssembleString(Options{FS: endless{}}, "a.s", ".incbin \"zero\"\n")
	require.ErrorContains(t, err, want)
}
