package main

import (
	"slices"
	"strings"

	"arcv2dsp/asm"
	"arcv2dsp/internal/term/cli"
)

// writeDepends writes the rule that --MD asks for.
func (o *assembleOptions) writeDepends(obj *asm.Object, s cli.Streams) {
	if o.depends == "" {
		return
	}
	files := slices.Clone(obj.Files)
	if slices.Contains(o.files, "-") {
		files = slices.DeleteFunc(files, func(name string) bool { return name == standardInput })
	}
	slices.Reverse(files) // GNU as lists the last file first
	writeFile(o.depends, []byte(makeRule(o.out, files)), 0o666, s)
}

// ruleWidth is the width of a line of a rule.
const ruleWidth = 72

// makeRule says that target depends on files.
func makeRule(target string, files []string) string {
	var b strings.Builder
	text := quoteForMake(target)
	b.WriteString(text + ":")
	column := len(text) + 1
	for _, name := range files {
		text := quoteForMake(name)
		if column+len(text) > ruleWidth-len(" \\")-len(" ") {
			b.WriteString(" \\\n")
			column = -1 // the blank that begins a line is not counted
		}
		b.WriteString(" " + text)
		column += len(" ") + len(text)
	}
	b.WriteByte('\n')
	return b.String()
}

// quoteForMake writes a file name as make reads it: blanks behind a backslash, backslashes in front of
// them doubled, $ doubled.
func quoteForMake(name string) string {
	var b strings.Builder
	slashes := 0
	for i := range len(name) {
		c := name[i]
		switch c {
		case ' ', '\t':
			b.WriteString(strings.Repeat(`\`, slashes+1))
		case '$':
			b.WriteByte('$')
		}
		if slashes++; c != '\\' {
			slashes = 0
		}
		b.WriteByte(c)
	}
	return b.String()
}
