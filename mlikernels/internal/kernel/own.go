package kernel

import (
	"errors"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// OwnSource is the source of a kernel under a new name, with the includes of its own folder in their places; what
// kernels share stays included. Further names of the kernel are left out: the library has them.
func (k *Kernel) OwnSource(name string) (string, error) {
	text, err := expanded(k.Of.Files(), k.Source.File)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		words := strings.FieldsFunc(line, func(r rune) bool { return !wordRune(r) })
		if !slices.ContainsFunc(words, func(w string) bool { return slices.Contains(k.Aliases, w) }) {
			b.WriteString(line)
		}
	}
	return regexp.MustCompile(`\b`+regexp.QuoteMeta(k.Symbol)+`\b`).ReplaceAllString(b.String(), name), nil
}

// Compiled is a regular expression that is compiled at its first use: most runs of a program have none.
func Compiled(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}

// wordRune reports whether symbols have a letter.
func wordRune(r rune) bool {
	return r == '_' || '0' <= r && r <= '9' || 'A' <= r && r <= 'Z' || 'a' <= r && r <= 'z'
}

// includeLine matches a line that includes a file.
var includeLine = Compiled(`^\s*\.include\s+"([^"]+)"`)

// labelledIf matches a label in front of a condition.
var labelledIf = Compiled(`^([\w.$]+:)\s*(\.if)`)

// expanded is a source with the includes of its folder in their places. Those in a macro stay: the text of a macro is
// read with its arguments.
func expanded(files fs.FS, file string) (string, error) {
	text, err := fs.ReadFile(files, file)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	macros := 0
	for line := range strings.Lines(string(text)) {
		switch words := strings.Fields(line); {
		case len(words) > 0 && words[0] == ".macro":
			macros++
		case len(words) > 0 && words[0] == ".endm":
			macros--
		}
		// In what a condition skips, an .if behind a label would not count.
		line = labelledIf().ReplaceAllString(line, "$1\n\t$2")
		m := includeLine().FindStringSubmatch(line)
		if m == nil || macros > 0 {
			b.WriteString(line)
			continue
		}
		part, err := expanded(files, path.Join(path.Dir(file), m[1]))
		if errors.Is(err, fs.ErrNotExist) && strings.Contains(m[1], "/") {
			part, err = expanded(files, m[1])
		}
		switch {
		case errors.Is(err, fs.ErrNotExist):
			b.WriteString(line)
		case err != nil:
			return "", err
		default:
			b.WriteString(part)
		}
	}
	return b.String(), nil
}
