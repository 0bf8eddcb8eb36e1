package asm

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
)

// FuzzAssemble gives the assembler any text: it must come to an end without a panic, and what it
// refuses must have places.
func FuzzAssemble(f *testing.F) {
	files, err := filepath.Glob("testdata/*.s")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text), byte(len(text)))
	}
	include := fstest.MapFS{"include.inc": {Data: []byte(" .macro m a\n add r0,r0,\\a\n .endm\n")}}
	f.Fuzz(func(t *testing.T, text string, bits byte) {
		opts := Options{
			FS: include, Relax: bits&1 != 0, Debug: bits&2 != 0, BigEndian: bits&4 != 0, GNUBugs: bits&8 != 0, FoldData: bits&16 != 0,
			KeepLocals: bits&16 != 0, CPU: []string{"em9d", "em4", "hs4xd", "em"}[bits>>6],
		}
		var index Index
		if bits&32 != 0 {
			opts.Listing = &ListingOptions{Macros: true, Symbols: true}
			opts.Index = &index
		}
		a, err := newAssembler(&opts)
		if err != nil {
			t.Fatal(err)
		}
		a.expandable, a.fillable, a.maxSize = 1<<16, 1<<16, 1<<16 // so that a run is over soon
		obj, err := a.run([]Source{{Name: "fuzz.s", Text: text}})
		for _, n := range index.Names {
			for _, u := range n.Uses {
				if got := index.Files[u.File].Text[u.Off : u.Off+u.Len]; !strings.EqualFold(got, n.Text) && n.Kind != NameNumber { // 00b is 0b
					t.Fatalf("%q stands where %q should", got, n.Text)
				}
			}
		}
		for _, st := range Scan(text) {
			for _, span := range append(append(st.Labels, st.Names...), st.Word, st.Operands, st.Comment) {
				_ = text[span.From:span.To]
			}
		}
		if err != nil {
			var list ErrorList
			if !errors.As(err, &list) || len(list) == 0 || len(list) > 20 {
				t.Fatalf("%v", err)
			}
			for _, e := range list {
				if e.Msg == "" || e.Pos.Line < 0 || e.Pos.Col < 1 {
					t.Fatalf("%+v", e)
				}
			}
			return
		}
		if _, err := obj.Bytes(); err != nil && !strings.Contains(err.Error(), "file number") {
			t.Fatal(err)
		}
		var out strings.Builder
		if err := obj.WriteListing(&out); err != nil {
			t.Fatal(err)
		}
	})
}
