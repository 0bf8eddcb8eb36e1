// Command site makes a web site of the project's Markdown: a page for each document, a search over all of them that
// needs no server, light and dark. Its first page is the workbench, in which the documents' examples run.
//
//	go run ./docs/site -o DIR
//
// With -documents it is made without the workbench, which takes minutes and needs npm.
package main

import (
	"bytes"
	_ "embed" // the layout of a page
	"encoding/json"
	"flag"
	"fmt"
	"html/template"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"arcv2dsp/internal/debug/workbench/bundle"
	"arcv2dsp/internal/term/steps"
)

//go:embed page.html
var layout string

//go:embed site.css
var style []byte

//go:embed search.js
var script []byte

//go:embed run.js
var runScript []byte

func main() {
	out := flag.String("o", "site", "`DIR` to write to")
	documents := flag.Bool("documents", false, "write the documents alone")
	flag.Parse()
	err := steps.Run(func() {
		build(".", *out, !*documents)
		if !*documents {
			steps.Check(bundle.Write(*out))
			steps.Check(bundle.Editor(*out))
			first(*out)
		}
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, "site:", err)
		os.Exit(1)
	}
}

// sources are the documents by their groups in the navigation, as patterns.
var sources = []struct {
	group    string
	patterns []string
}{
	{group: "Project", patterns: []string{"README.md", "CHANGELOG.md", "ARCHITECTURE.md", "RATIONALE.md", "CONTRIBUTING.md"}},
	{group: "Guides", patterns: []string{"docs/first_program.md", "docs/walkthrough.md", "docs/editors.md", "python/README.md"}},
	{group: "Reference", patterns: []string{"docs/*.md"}},
	{group: "Commands", patterns: []string{"docs/cli/*.md"}},
}

// page is a document of the site.
type page struct {
	Source string // path in the repository
	Path   string // on the site
	Group  string
	Title  string
	Body   template.HTML
	text   []byte
	root   ast.Node
}

// section is an entry of the search: the text below a heading.
type section struct {
	Page    string `json:"page"`  // title
	Title   string `json:"title"` // heading
	Address string `json:"address"`
	Text    string `json:"text"`
}

// site is all pages and the other files they link to.
type site struct {
	root   string
	bench  bool // the workbench is the first page
	pages  []*page
	at     map[string]*page // by source
	copies map[string]bool  // files of the repository
}

// first gives the workbench a link to the documents.
func first(out string) {
	const name = "index.html"
	text := steps.Must(os.ReadFile(filepath.Join(out, name)))
	save(out, name, bytes.Replace(text, []byte("<!-- documents -->"), []byte(`<a href="README.html">Documents</a>`), 1))
}

// build makes the site of the repository in root, for a first page that is the workbench or without that.
func build(root, out string, bench bool) {
	s := &site{root: root, bench: bench, at: map[string]*page{}, copies: map[string]bool{}}
	s.read()
	var index []section
	for _, p := range s.pages {
		s.link(p)
		index = append(index, sections(p)...)
	}
	for _, p := range s.pages {
		var body bytes.Buffer
		steps.Check(steps.In(p.Source, markdown.Renderer().Render(&body, p.text, p.root)))
		p.Body = template.HTML(body.String()) // of the project's own documents, without raw HTML
		s.write(p, out)
	}
	for name := range s.copies {
		save(out, name, steps.Must(os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))))
	}
	entries := steps.Must(json.Marshal(index))
	save(out, "index.js", slices.Concat([]byte("const sections = "), entries, []byte(";\n")))
	save(out, "site.css", style)
	save(out, "search.js", script)
	if bench {
		save(out, "run.js", runScript)
	}
}

// save writes a file of the site.
func save(out, name string, data []byte) {
	file := filepath.Join(out, filepath.FromSlash(name))
	steps.Check(os.MkdirAll(filepath.Dir(file), 0o755))
	steps.Check(os.WriteFile(file, data, 0o644))
}

// markdown is the dialect of the documents.
var markdown = goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithParserOptions(parser.WithAutoHeadingID()))

// read reads all documents.
func (s *site) read() {
	for _, group := range sources {
		for _, pattern := range group.patterns {
			found := steps.Must(filepath.Glob(filepath.Join(s.root, filepath.FromSlash(pattern))))
			if len(found) == 0 {
				steps.Check(fmt.Errorf("there is no %s: run it in the folder of the repository", pattern))
			}
			for _, file := range found {
				name := steps.Must(filepath.Rel(s.root, file))
				name = filepath.ToSlash(name)
				if s.at[name] != nil {
					continue
				}
				p := &page{Source: name, Group: group.group, Path: strings.TrimSuffix(name, ".md") + ".html"}
				if name == "README.md" && !s.bench {
					p.Path = "index.html"
				}
				p.text = steps.Must(os.ReadFile(file))
				p.root = markdown.Parser().Parse(text.NewReader(p.text))
				p.Title = title(p)
				s.pages = append(s.pages, p)
				s.at[name] = p
			}
		}
	}
}

// title is the first heading of a document.
func title(p *page) string {
	for n := p.root.FirstChild(); n != nil; n = n.NextSibling() {
		if h, ok := n.(*ast.Heading); ok {
			return plain(h, p.text)
		}
	}
	return p.Source
}

// plain is the text of a node without its marks.
func plain(n ast.Node, source []byte) string {
	var b strings.Builder
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) { // the function returns no error
		if !entering {
			if n.Type() == ast.TypeBlock {
				b.WriteByte(' ')
			}
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Text:
			b.Write(n.Segment.Value(source))
			if n.SoftLineBreak() {
				b.WriteByte(' ')
			}
		case *ast.CodeBlock, *ast.FencedCodeBlock:
			for i := range n.Lines().Len() {
				line := n.Lines().At(i)
				b.Write(line.Value(source))
			}
		}
		return ast.WalkContinue, nil
	})
	return strings.Join(strings.Fields(b.String()), " ")
}

// link makes the links of a document those of the site: to pages, and to files that are copied. A link to anything else in
// the repository, such as a folder, names it in the text and leads nowhere.
func (s *site) link(p *page) {
	var gone []*ast.Link
	_ = ast.Walk(p.root, func(n ast.Node, entering bool) (ast.WalkStatus, error) { // the function returns no error
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Link:
			to, ok := s.address(p, string(n.Destination))
			n.Destination = []byte(to)
			if !ok {
				gone = append(gone, n)
			}
		case *ast.Image:
			to, _ := s.address(p, string(n.Destination))
			n.Destination = []byte(to)
		}
		return ast.WalkContinue, nil
	})
	for _, n := range gone {
		for c := n.FirstChild(); c != nil; c = n.FirstChild() {
			n.Parent().InsertBefore(n.Parent(), n, c)
		}
		n.Parent().RemoveChild(n.Parent(), n)
	}
}

// address is where a link of a document leads on the site.
func (s *site) address(p *page, to string) (string, bool) {
	file, part, hasPart := strings.Cut(to, "#")
	if strings.Contains(to, ":") || file == "" {
		return to, true
	}
	name := path.Join(path.Dir(p.Source), file)
	target := name
	if other := s.at[name]; other != nil {
		target = other.Path
	} else {
		info, err := os.Stat(filepath.Join(s.root, filepath.FromSlash(name)))
		if err != nil || !info.Mode().IsRegular() {
			return to, false
		}
		s.copies[name] = true
	}
	target = up(p) + target
	if hasPart {
		target += "#" + part
	}
	return target, true
}

// up leads from a page to the root of the site.
func up(p *page) string { return strings.Repeat("../", strings.Count(p.Path, "/")) }

// sections divides a document at its headings.
func sections(p *page) []section {
	all := []section{{Page: p.Title, Title: p.Title, Address: p.Path}}
	for n := p.root.FirstChild(); n != nil; n = n.NextSibling() {
		if h, ok := n.(*ast.Heading); ok {
			if id, ok := h.AttributeString("id"); ok && h.Level > 1 {
				all = append(all, section{Page: p.Title, Title: plain(h, p.text), Address: p.Path + "#" + string(id.([]byte))})
			}
			continue
		}
		last := &all[len(all)-1]
		last.Text = strings.TrimSpace(last.Text + " " + plain(n, p.text))
	}
	return all
}

var pageTemplate = template.Must(template.New("page").Parse(layout))

// write writes a page with the navigation.
func (s *site) write(p *page, out string) {
	type group struct {
		Name  string
		Pages []*page
		Open  bool
	}
	var groups []group
	for _, source := range sources {
		g := group{Name: source.group, Open: source.group == p.Group}
		for _, other := range s.pages {
			if other.Group == source.group {
				g.Pages = append(g.Pages, other)
			}
		}
		groups = append(groups, g)
	}
	var b bytes.Buffer
	steps.Check(pageTemplate.Execute(&b, map[string]any{"Page": p, "Groups": groups, "Up": up(p), "Bench": s.bench}))
	save(out, p.Path, b.Bytes())
}
