package asm

import (
	"io/fs"
	"math/rand/v2"
	"strings"
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

// TestLocateInAnyOrder: lines are counted from the place before where that lies behind, and are the same in any order.
func TestLocateInAnyOrder(t *testing.T) {
	text := strings.Repeat("nop\nadd r0, r0, 1\n", 50)
	r := rand.New(rand.NewPCG(1, 2))
	for _, s := range []source{{name: "a", text: text, first: 1}, {name: "a", text: text, first: 7, period: 2},
		{name: "a", text: text, first: 1, marks: []lineMark{{off: 40, file: "b", line: 100}, {off: 222, file: "c", line: 5}}}} {
		for range 300 {
			fresh := s // nothing is counted yet
			fresh.counted = counted{}
			off := r.IntN(len(text) + 1)
			want, line := fresh.locate(off)
			got, again := s.locate(off)
			require.Equal(t, want, got, off)
			require.Equal(t, line, again)
		}
	}
}
