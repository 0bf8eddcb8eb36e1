package report

import (
	"fmt"
	"io"
)

// Document is an answer in two forms: for programs and for people.
type Document struct {
	JSON any
	Text func(io.Writer) error
}

// Lines is the text of a document whose lines are known.
func Lines(lines ...any) func(io.Writer) error {
	return func(w io.Writer) error {
		for _, l := range lines {
			if _, err := fmt.Fprintln(w, l); err != nil {
				return err
			}
		}
		return nil
	}
}
