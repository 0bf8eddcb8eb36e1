package loader

import (
	"bytes"
	"fmt"
	"io"
	"os"
)

// maxProgram bounds the file of a program.
const maxProgram = 1 << 30

// ReadFile reads a file of no more than limit bytes. What is no regular file has no size beforehand, and
// may never end.
func ReadFile(path string, limit int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // only read
	var b bytes.Buffer
	if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
		b.Grow(int(min(info.Size(), limit) + bytes.MinRead))
	}
	if _, err := b.ReadFrom(io.LimitReader(f, limit+1)); err != nil {
		return nil, err
	}
	if int64(b.Len()) > limit {
		return nil, fmt.Errorf("%s: more than %d bytes", path, limit)
	}
	return b.Bytes(), nil
}
