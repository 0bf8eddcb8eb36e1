package report

import (
	"encoding/json"
	"io"
)

// JSON writes a value for other programs, indented, with its characters as they are.
func JSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}
