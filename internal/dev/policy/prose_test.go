package policy

import (
	"bufio"
	"bytes"
	"go/scanner"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// proseRule is a turn of phrase that comments and documents do without.
type proseRule struct {
	name    string
	pattern *regexp.Regexp
	instead string
}

// proseRules are the phrases that were found often and that hid their subject. A clause that begins with "what" and
// is itself a subject, an object or an explanation leaves the reader to guess a noun; behind a verb such as "say" or
// "know" it is a question, which is fine.
var proseRules = []proseRule{
	{name: "headless clause at the start of a sentence", pattern: regexp.MustCompile(`(^|[.:;!] )What [a-z][^?]*$`), instead: "name the thing"},
	{name: "headless clause as a definition", pattern: regexp.MustCompile(`\b(is|are|was|were|than) what\b`), instead: "name the thing"},
	{name: "headless clause as an explanation", pattern: regexp.MustCompile(`[a-z)]: what\b`), instead: "name the thing"},
	{name: "belongs into", pattern: regexp.MustCompile(`\bbelong(s|ed|ing)? into\b`), instead: "belongs in, belongs to"},
	{name: "counts to", pattern: regexp.MustCompile(`\bcount(s|ed)? to (the|a|one|its|their)\b`), instead: "counts as, counts towards"},
	{name: "a word twice", pattern: regexp.MustCompile(`(?i)\b(the the|a a|an an|of of|to to|in in|is is|and and|for for|with with)\b`), instead: "once"},
	{name: "a misspelt word", pattern: regexp.MustCompile(`(?i)\b(teh|recieve[sd]?|seperate(d|ly)?|occured|occurence|paramter|lenght|adress|acces|wich|wether|untill|succesful(ly)?|neccessary|refered|overriden|begining|explicitely|transfered|independant|existance|arbitary|dependend|resp\.)\b`), instead: "the dictionary's spelling"},
}

// generated matches the head of a generated file.
var generated = regexp.MustCompile(`(Code g|<!-- G)enerated `)

// proseLine is a line of a comment or document.
type proseLine struct {
	line int
	text string
}

// written is the tree as people read it: the names of all files, and the prose of those that have some.
type written struct {
	files []string // with slashes, from the root
	prose map[string][]proseLine
}

// readProse reads the tree once for all tests.
var readProse = sync.OnceValues(func() (*written, error) {
	w := &written{prose: map[string][]proseLine{}}
	root := filepath.Join("..", "..", "..")
	err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name := d.Name(); name == ".git" || name == "fuzz" || name == "node_modules" {
				return filepath.SkipDir
			}
			return nil
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		name = filepath.ToSlash(name)
		w.files = append(w.files, name)
		if lines, err := prose(path); err != nil {
			return err
		} else if len(lines) > 0 {
			w.prose[name] = lines
		}
		return nil
	})
	return w, err
})

// TestProse lists the places where comments of Go and assembly sources or documents break the rules, with -v (make
// prose). It fails for none of them: rules about style advise, they do not refuse a patch. Generated files follow from
// texts that are checked where they stand.
func TestProse(t *testing.T) {
	tree, err := readProse()
	require.NoError(t, err)
	for name, lines := range tree.prose {
		for _, l := range lines {
			for _, rule := range proseRules {
				if at := rule.pattern.FindString(l.text); at != "" {
					t.Logf("%s:%d: %s: %q; %s", name, l.line, rule.name, strings.TrimSpace(at), rule.instead)
				}
			}
		}
	}
	require.Greater(t, len(tree.prose), 1000, "sources and documents were found")
}

// sourceName matches the name of a Go source or an include, with folders or without, and any source with folders.
var sourceName = regexp.MustCompile(`(?:^|[^\w./*<{-])((?:[\w-]+/)*[\w-]+\.(?:go|inc)|(?:[\w-]+/)+[\w-]+\.(?:s|md|toml))\b`)

// TestNamedSourcesExist: a source or document that a comment or document names is in the tree, below the folders that
// stand before its name. CHANGELOG names files of earlier releases.
func TestNamedSourcesExist(t *testing.T) {
	tree, err := readProse()
	require.NoError(t, err)
	byName := map[string][]string{"mli_layout.inc": {"mli_layout.inc"}} // made from the descriptions of structures
	for _, name := range tree.files {
		byName[path.Base(name)] = append(byName[path.Base(name)], name)
	}
	found := 0
	for in, lines := range tree.prose {
		if in == "CHANGELOG.md" {
			continue
		}
		for _, l := range lines {
			for _, m := range sourceName.FindAllStringSubmatch(l.text, -1) {
				found++
				if !slices.ContainsFunc(byName[path.Base(m[1])], func(name string) bool { return name == m[1] || strings.HasSuffix(name, "/"+m[1]) }) {
					t.Errorf("%s:%d: there is no %s", in, l.line, m[1])
				}
			}
		}
	}
	require.Greater(t, found, 300, "comments and documents name sources")
}

// prose returns the lines of a file that people read: comments, or the text of a document.
func prose(path string) ([]proseLine, error) {
	ext := filepath.Ext(path)
	if ext != ".go" && ext != ".s" && ext != ".inc" && ext != ".md" {
		return nil, nil
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if head, _, _ := bytes.Cut(data, []byte("\n\n")); generated.Match(head) {
		return nil, nil
	}
	if ext == ".go" {
		return goComments(data), nil
	}
	var lines []proseLine
	in, fenced := bufio.NewScanner(bytes.NewReader(data)), false
	in.Buffer(nil, 1<<20)
	for n := 1; in.Scan(); n++ {
		text := in.Text()
		if ext == ".md" {
			switch {
			case strings.HasPrefix(text, "```"):
				fenced = !fenced
			case !fenced && !strings.HasPrefix(text, "    ") && !strings.HasPrefix(text, "#"):
				lines = append(lines, proseLine{n, text})
			}
		} else if _, comment, ok := strings.Cut(text, "; "); ok {
			lines = append(lines, proseLine{n, comment})
		}
	}
	return lines, in.Err()
}

// goComments returns the lines of the comments of a Go source.
func goComments(data []byte) []proseLine {
	var (
		lines []proseLine
		s     scanner.Scanner
		fset  = token.NewFileSet()
		file  = fset.AddFile("", -1, len(data))
	)
	s.Init(file, data, func(token.Position, string) {}, scanner.ScanComments)
	for {
		pos, tok, text := s.Scan()
		if tok == token.EOF {
			return lines
		}
		if tok != token.COMMENT {
			continue
		}
		at := fset.Position(pos).Line
		for i, l := range strings.Split(text, "\n") {
			lines = append(lines, proseLine{at + i, strings.TrimSpace(strings.TrimPrefix(l, "//"))})
		}
	}
}
