package repl

import (
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"arcv2dsp/internal/debug"
)

// completer is the readline side of completion.
type completer struct{ s *Session }

// Do returns what can follow the text before pos, and how many letters of it are already there.
func (c completer) Do(line []rune, pos int) ([][]rune, int) {
	word, list := c.s.Complete(string(line[:pos]))
	var out [][]rune
	for _, text := range list {
		out = append(out, []rune(strings.TrimPrefix(text, word)))
	}
	return out, len([]rune(word))
}

// Complete returns the word at the end of a line and the words that it may become.
func (s *Session) Complete(line string) (word string, list []string) {
	text := strings.TrimLeft(line, " \t")
	commands := s.commands
	for {
		end := strings.IndexAny(text, " \t/")
		if end < 0 {
			for _, name := range names(commands) {
				if strings.HasPrefix(name, text) {
					list = append(list, name+" ")
				}
			}
			return text, list
		}
		c, err := lookup(commands, text[:end], "command")
		if err != nil {
			return "", nil
		}
		text = strings.TrimLeft(text[end:], " \t")
		if c.sub != nil && (c.run == nil || below(c.sub, firstWord(text))) {
			commands = c.sub
			continue
		}
		if strings.HasPrefix(text, "/") {
			_, text, _ = strings.Cut(text, " ")
		}
		if c.complete == nil {
			return "", nil
		}
		word = debug.LastWord(text)
		if i := strings.LastIndexAny(text, " \t"); isFileCompleter(c) {
			word = text[i+1:]
		}
		s.before = strings.TrimSuffix(text, word)
		list = c.complete(s, word)
		sort.Strings(list)
		return word, list
	}
}

// firstWord is a text up to its first blank.
func firstWord(text string) string {
	word, _, _ := strings.Cut(text, " ")
	return word
}

// isFileCompleter tells whether a command takes files, whose names may hold any character.
func isFileCompleter(c *command) bool {
	return strings.HasPrefix(c.args, "FILE") || strings.Contains(c.args, " FILE")
}

// completeExpr completes registers, variables and symbols.
func completeExpr(s *Session, word string) []string {
	_, list := s.d.Complete(s.before + word)
	return list
}

// starting keeps the names that start with a word.
func starting(names []string, word string) []string {
	return slices.DeleteFunc(names, func(name string) bool { return !strings.HasPrefix(name, word) })
}

// completePlace completes functions and source files; behind FILE: the functions of the file.
func completePlace(s *Session, word string) []string {
	if file, ok := strings.CutSuffix(s.before, ":"); ok {
		var list []string
		for _, f := range s.d.Functions(word) {
			line, known := s.d.LineAt(f.Addr)
			if known && strings.HasPrefix(f.Name, word) && (line.File == file || strings.HasSuffix(line.File, "/"+file)) {
				list = append(list, f.Name)
			}
		}
		return list
	}
	list := s.d.Symbols(word, debug.MaxCompletions)
	for _, f := range s.d.Files() {
		if base := filepath.Base(f); strings.HasPrefix(base, word) {
			list = append(list, base+":")
		}
	}
	return list
}

// completeFile completes file names.
func completeFile(_ *Session, word string) []string {
	matches, err := filepath.Glob(word + "*")
	if err != nil {
		return nil
	}
	for i, m := range matches {
		if info, err := os.Stat(m); err == nil && info.IsDir() {
			matches[i] = m + string(filepath.Separator)
		}
	}
	return matches
}

// completeCommand completes command names, for help.
func completeCommand(s *Session, word string) []string {
	return starting(names(s.commands), word)
}

// oneOf completes fixed words.
func oneOf(words ...string) func(*Session, string) []string {
	return func(_ *Session, word string) []string { return starting(slices.Clone(words), word) }
}
