package isa

import (
	"slices"
	"strings"
)

// FormTexts lists the operand texts of a row's forms, each once, in the order in which they are tried.
func (r *Row) FormTexts() []string {
	var texts []string
	for _, f := range r.Forms() {
		if f.Text != "" && !slices.Contains(texts, f.Text) {
			texts = append(texts, f.Text)
		}
	}
	return texts
}

// MeaningText is the meaning with what the instruction executes as, and whether it is modelled.
func (r *Row) MeaningText() string {
	meaning := r.Meaning
	if r.Model() == NotModelled {
		meaning += " (not modelled)"
	}
	if r.Exec != Invalid {
		meaning = "as " + RowOf(r.Exec).Name + ": " + meaning
	}
	return meaning
}

// FlagText says which flags are written with .f, or always, and in brackets which are read.
func (r *Row) FlagText() string {
	if r.Exec != Invalid && !r.AlwaysFlags {
		return "" // 16-bit forms have no .f
	}
	s := r.WritesFlags.String()
	if r.ReadsFlags != 0 {
		s += "[" + r.ReadsFlags.String() + "]"
	}
	if r.AlwaysFlags && r.WritesFlags != 0 {
		s += " always"
	}
	return s
}

// AccText says what is read (r) and written (w) of the accumulator.
func (r *Row) AccText() string {
	part := func(a AccSet, letter string) string {
		switch a {
		case AccLo:
			return " " + letter + ":lo"
		case AccHi:
			return " " + letter + ":hi"
		case AccWide:
			return " " + letter
		}
		return ""
	}
	return strings.TrimSpace(part(r.ReadsAcc, "r") + part(r.WritesAcc, "w"))
}

// NeedsText lists the options of the row, and of single forms in brackets.
func (r *Row) NeedsText() string {
	var extra Feature
	for _, f := range r.Forms() {
		extra |= f.Needs &^ r.Needs
	}
	s := r.Needs.String()
	if extra != 0 {
		s = strings.TrimSpace(s + " (some forms: " + extra.String() + ")")
	}
	return s
}

// String says how an auxiliary register may be used.
func (a Access) String() string { return [...]string{"read, write", "read", "write"}[a] }
