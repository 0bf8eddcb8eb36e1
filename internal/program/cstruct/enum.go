package cstruct

import (
	"fmt"
	"strings"
)

// Enum is an enumeration of the interface.
type Enum struct {
	Name    string // of the C type
	Members []Member
	// Large is the name of a last member that makes the type 32 bits wide whatever the compiler prefers.
	Large string
}

// Member is a named number of an enumeration.
type Member struct {
	Name  string
	Value int
	Doc   string // printed beside it in the header
}

// Numbered are members from 0 on.
func Numbered(names ...string) []Member {
	all := make([]Member, len(names))
	for i, name := range names {
		all[i] = Member{Name: name, Value: i}
	}
	return all
}

// Typedef declares the enumeration.
func (e *Enum) Typedef() string {
	var b strings.Builder
	b.WriteString("typedef enum {\n")
	for _, m := range e.Members {
		format := "    %s = %d,%s\n"
		if m.Value > 9 && e.wide() {
			format = "    %s = %#x,%s\n"
		}
		doc := ""
		if m.Doc != "" {
			doc = " /* " + m.Doc + " */"
		}
		fmt.Fprintf(&b, format, m.Name, m.Value, doc)
	}
	fmt.Fprintf(&b, "    %s = 0x02000000\n} %s;\n", e.Large, e.Name)
	return b.String()
}

// wide reports whether the numbers are sets of bits rather than a count.
func (e *Enum) wide() bool {
	for _, m := range e.Members {
		if m.Value > 0xff {
			return true
		}
	}
	return false
}
