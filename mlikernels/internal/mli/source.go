package mli

import (
	"embed"
	"fmt"
	"io/fs"
	"maps"
	"strings"
)

// sources has the includes and sources that are the same in every version.
//
//go:embed shared/*.inc helpers/*.s
var sources embed.FS

// layoutInclude is the include with the offsets of structures and the statuses.
const layoutInclude = "shared/mli_layout.inc"

// Texts are the sources and includes that a version has beside its own files: these, and the layout of its structures.
func Texts(layout string, more map[string]string) map[string]string {
	texts := map[string]string{layoutInclude: layout + statusText()}
	maps.Copy(texts, more)
	err := fs.WalkDir(sources, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := sources.ReadFile(name)
		texts[name] = string(text)
		return err
	})
	if err != nil {
		panic(err) // the files are part of the program
	}
	return texts
}

// Body is the text that the source of a function is made from.
type Body struct {
	Title   string
	Types   string   // what its types are, for people
	Include string   // the include with the symbols of its types, "" for none
	Symbols []string // further ones: "NAME,value"
	Name    string   // of the function
	File    string   // the include with its body
}

// Source is the text of the source.
func (s Body) Source() string {
	var b strings.Builder
	fmt.Fprintf(&b, "; %s: %s.\n\n", s.Title, s.Types)
	if s.Include != "" {
		fmt.Fprintf(&b, "\t.include \"%s\"\n", s.Include)
	}
	for _, e := range s.Symbols {
		fmt.Fprintf(&b, "\t.equ\t%s\n", e)
	}
	b.WriteString("\t.text\n")
	return b.String() + Function(s.Name, fmt.Sprintf("\t.include \"%s\"\n", s.File))
}

// Function is a function in a source.
func Function(name, body string) string {
	return fmt.Sprintf("\t.align\t4\n\t.global\t%[1]s\n\t.type\t%[1]s,@function\n%[1]s:\n%[2]s\t.size\t%[1]s,.-%[1]s\n", name, body)
}
