package tosa_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// fbs is a schema in flatc's own language, from the table of facts that the package reads.
func fbs(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	var head, tail strings.Builder
	owner, end := "", ""
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		row := strings.Split(strings.TrimRight(line, "\n"), "\t")
		kind, of, number, name, typ, value, note := row[0], row[1], row[2], row[3], row[4], row[5], row[6]
		switch {
		case name == "file_identifier":
			fmt.Fprintf(&tail, "file_identifier %q;\n", typ)
		case name == "root_table":
			fmt.Fprintf(&tail, "root_type %s;\n", typ)
		}
		if kind != "enum" && kind != "union" && kind != "table" {
			continue
		}
		if of != owner {
			head.WriteString(end)
			owner, end = of, " }\n"
			head.WriteString(kind + " " + of + map[string]string{"enum": ": uint32"}[kind] + " {")
		}
		switch {
		case kind == "enum":
			fmt.Fprintf(&head, " %s = %s,", name, number)
		case kind == "union" && number == "0", number == "-", strings.HasSuffix(typ, ".type"):
			// NONE, a table without fields, and the selector of a union are nowhere in the language
		case kind == "union":
			fmt.Fprintf(&head, " %s,", name)
		default:
			fmt.Fprintf(&head, " %s: %s", name, typ)
			if value != "-" && value != "false" && value != "0" {
				fmt.Fprintf(&head, " = %s", value)
			}
			if note == "required" || strings.HasPrefix(note, "force_align: ") {
				fmt.Fprintf(&head, " (%s)", note)
			}
			head.WriteString(";")
		}
	}
	return "namespace tosa;\n" + head.String() + end + tail.String()
}
