package link

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"debug/elf"

	"arcv2dsp/internal/program/elfarc"
)

// fuzzInputs are objects with something of everything that a script can place.
func fuzzInputs() []Input {
	a := start().refer("foo", elfarc.R_ARC_32, 4).section(".data", elf.SHF_ALLOC|elf.SHF_WRITE, 12).
		section(".rodata.str", elf.SHF_ALLOC|elf.SHF_MERGE|elf.SHF_STRINGS, 8).section(".text.b", elf.SHF_ALLOC|elf.SHF_EXECINSTR, 4)
	a.file.Sections[2].Entry = 1
	b := newObject().define("foo", elf.STB_GLOBAL).section(".data.x", elf.SHF_ALLOC|elf.SHF_WRITE, 8).section(".comment", 0, 4)
	return []Input{a.input("a.o"), b.input("b.o")}
}

// FuzzScript: no script makes the linker panic or hang, and what it links can be written.
func FuzzScript(f *testing.F) {
	paths, err := filepath.Glob("testdata/*/*.ld")
	if err != nil {
		f.Fatal(err)
	}
	for _, p := range paths {
		text, err := os.ReadFile(p)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	f.Add(defaultScript)
	in := fuzzInputs()
	f.Fuzz(func(t *testing.T, text string) {
		open := func(name string) ([]byte, error) {
			if name == "again" {
				return []byte(text), nil
			}
			return nil, os.ErrNotExist
		}
		im, err := Link(Options{Script: &Script{Name: "f.ld", Text: text}, Open: open, Map: discard{}}, in)
		if err != nil {
			if strings.TrimSpace(err.Error()) == "" {
				t.Fatal("an error without a message")
			}
			return
		}
		if size := programSize(im); size > 1<<24 {
			t.Skip("a large program")
		}
		if _, err := im.Bytes(); err != nil {
			t.Logf("cannot write: %v", err)
		}
	})
}

type discard struct{}

func (discard) Write(b []byte) (int, error) { return len(b), nil }

func programSize(im *Image) int {
	n := 0
	for _, s := range im.file.Sections {
		n += len(s.Data)
	}
	return n
}

// FuzzObject: no object or archive makes the linker panic or hang.
func FuzzObject(f *testing.F) {
	for _, in := range fuzzInputs() {
		f.Add(in.Data)
	}
	lib, err := (&elfarc.Archive{Members: []*elfarc.Member{{Name: "b.o", Data: fuzzInputs()[1].Data}}}).Bytes()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(lib)
	first := start().refer("foo", elfarc.R_ARC_32, 0).input("a.o")
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, gc := range []bool{false, true} {
			im, err := Link(Options{GCSections: gc}, []Input{first, {Name: "f.o", Data: data}})
			if err != nil {
				continue
			}
			if _, err := im.Bytes(); err != nil {
				t.Logf("cannot write: %v", err)
			}
		}
	})
}
