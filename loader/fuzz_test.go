package loader

import (
	"os"
	"testing"
)

// bounded is a memory that counts, so that a fuzz input cannot fill the host's.
type bounded struct{ n uint64 }

func (m *bounded) Poke(addr uint32, data []byte) error { m.n += uint64(len(data)); return nil }

// FuzzRead: no file makes the loader panic; a file it accepts can be loaded and asked for symbols.
func FuzzRead(f *testing.F) {
	elf, err := os.ReadFile("testdata/sort.elf")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(elf)
	f.Add(program(f, nil, segment(0x100, "abcd", 0x20), segment(0x200, "ef", 0)))
	f.Add([]byte(":020000040001F9\n:040000006162636472\n:00000001FF\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		im, err := Read("fuzz", data)
		if err != nil {
			return
		}
		var m bounded
		if total := im.Load(&m); total == nil && m.n > maxImage {
			t.Fatalf("loaded %d bytes", m.n)
		}
		im.Symbols.At(im.Entry)
		im.Section(im.Entry)
	})
}
