package lsp

import (
	"errors"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"arcv2dsp/asm"
	"arcv2dsp/internal/term/hostfile"
)

// document is a source that is open in the editor.
type document struct {
	uri     string
	path    string
	version int
	*text

	statements []asm.Statement // nil until they are asked for
}

// scanned are the statements of the document.
func (d *document) scanned() []asm.Statement {
	if d.statements == nil {
		d.statements = asm.Scan(d.text.string)
	}
	return d.statements
}

// statementAt returns the statement that an offset is in or behind.
func (d *document) statementAt(off int) *asm.Statement {
	list := d.scanned()
	i, _ := slices.BinarySearchFunc(list, off, func(st asm.Statement, off int) int {
		if st.From <= off {
			return -1
		}
		return 1
	})
	if i == 0 {
		return &list[0]
	}
	return &list[i-1]
}

// Bounds of what a client may open and a folder may hold.
const (
	maxDocuments = 1000
	maxFiles     = 5000
	maxVisited   = 100_000
	maxFile      = 4 << 20
)

// pathOf returns the path of a URI; of one that is no file the URI itself, under which nothing is found.
func pathOf(uri string) string {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" {
		return uri
	}
	p := u.Path
	if runtime.GOOS == "windows" {
		p = strings.TrimPrefix(p, "/")
	}
	return path.Clean(p)
}

// uriOf returns the URI of a path: that of the editor when it has the file open.
func (s *session) uriOf(p string) string {
	if d := s.docs[p]; d != nil {
		return d.uri
	}
	if !strings.HasPrefix(p, "/") {
		p = "/" + p
	}
	return (&url.URL{Scheme: "file", Path: p}).String()
}

// sources are the files that programs consist of: those in the editor first, then those on disk.
type sources struct {
	s       *session
	folders []string
	found   map[string]*scannedFile
	looked  time.Time // when the folders were searched last
}

// scannedFile is a source on disk and what it includes, as written.
type scannedFile struct {
	modified time.Time
	includes []string
}

func newSources(s *session) *sources { return &sources{s: s, found: map[string]*scannedFile{}} }

func (f *sources) folder(uri string) {
	if p := pathOf(uri); filepath.IsAbs(filepath.FromSlash(p)) {
		f.folders = append(f.folders, p)
	}
}

// absolute is the path of a name as the assembler would open it.
func (f *sources) absolute(name string) string {
	name = path.Clean(filepath.ToSlash(name))
	if filepath.IsAbs(filepath.FromSlash(name)) || strings.Contains(name, "://") || strings.HasPrefix(name, "untitled:") {
		return name
	}
	if len(f.folders) > 0 {
		return path.Join(f.folders[0], name)
	}
	if dir, err := os.Getwd(); err == nil {
		return path.Join(filepath.ToSlash(dir), name)
	}
	return name
}

var errNoFile = errors.New("not a file")

// Open opens a file for the assembler.
func (f *sources) Open(name string) (fs.File, error) {
	p := f.absolute(name)
	if d := f.s.docs[p]; d != nil {
		return &openDocument{Reader: strings.NewReader(d.text.string), name: p}, nil
	}
	host := filepath.FromSlash(p)
	if info, err := os.Stat(host); err == nil && info.Mode()&(fs.ModeDevice|fs.ModeNamedPipe|fs.ModeSocket) != 0 {
		return nil, &fs.PathError{Op: "open", Path: name, Err: errNoFile} // reading the standard input would take the client's messages
	}
	return hostfile.Open(host, maxFile)
}

// openDocument is a document as a file.
type openDocument struct {
	*strings.Reader
	name string
}

func (d *openDocument) Stat() (fs.FileInfo, error) { return d, nil }
func (d *openDocument) Close() error               { return nil }
func (d *openDocument) Name() string               { return path.Base(d.name) }
func (d *openDocument) Mode() fs.FileMode          { return 0o444 }
func (d *openDocument) ModTime() time.Time         { return time.Time{} }
func (d *openDocument) IsDir() bool                { return false }
func (d *openDocument) Sys() any                   { return nil }

// read returns the text of a file, "" when there is none.
func (f *sources) read(p string) string {
	file, err := f.Open(p)
	if err != nil {
		return ""
	}
	defer func() { _ = file.Close() }() // only read
	data, err := io.ReadAll(io.LimitReader(file, maxFile))
	if err != nil {
		return ""
	}
	return string(data)
}

// exists reports whether there is a file.
func (f *sources) exists(p string) bool {
	if f.s.docs[p] != nil {
		return true
	}
	info, err := os.Stat(filepath.FromSlash(p))
	return err == nil && info.Mode().IsRegular()
}

// beginsProgram reports whether a file is assembled by itself, by its name.
func beginsProgram(p string) bool {
	switch strings.ToLower(path.Ext(p)) {
	case ".s", ".asm":
		return true
	}
	return false
}

// roots returns the files that are assembled and hold a file: itself, and those that include it.
func (f *sources) roots(p string) []string {
	if beginsProgram(p) {
		return []string{p}
	}
	f.search()
	files := slices.Collect(func(yield func(string) bool) {
		for name := range f.found {
			if !yield(name) {
				return
			}
		}
	})
	slices.Sort(files)
	var roots []string
	for _, name := range files {
		if beginsProgram(name) && f.reaches(name, p, map[string]bool{}, name) {
			roots = append(roots, name)
		}
	}
	return roots
}

// reaches reports whether a file includes another one, directly or through others.
func (f *sources) reaches(from, to string, seen map[string]bool, root string) bool {
	if seen[from] {
		return false
	}
	seen[from] = true
	file := f.found[from]
	if file == nil {
		file = &scannedFile{includes: includesOf(f.read(from))}
		f.found[from] = file
	}
	for _, name := range file.includes {
		p := f.included(name, from, root)
		if p == to || p != "" && f.reaches(p, to, seen, root) {
			return true
		}
	}
	return false
}

// included finds the file that an .include of a program means, as the assembler looks for it; "" when there is none.
func (f *sources) included(name, from, root string) string {
	dirs := append([]string{".", path.Dir(from)}, f.s.assembly(root).Include...)
	for _, dir := range dirs {
		if p := f.absolute(path.Join(filepath.ToSlash(dir), name)); f.exists(p) {
			return p
		}
		if filepath.IsAbs(name) {
			break
		}
	}
	return ""
}

// includesOf lists the names in the .include lines of a text.
func includesOf(s string) []string {
	var names []string
	for line := range strings.Lines(s) {
		fields := strings.TrimSpace(line)
		if len(fields) < len(".include") || !strings.EqualFold(fields[:len(".include")], ".include") {
			continue
		}
		if _, rest, ok := strings.Cut(fields, `"`); ok {
			if name, _, ok := strings.Cut(rest, `"`); ok {
				names = append(names, name)
			}
		}
	}
	return names
}

// again is how long what the folders hold counts as known.
const again = 3 * time.Second

// search finds the sources in the folders, and those of open documents.
func (f *sources) search() {
	if time.Since(f.looked) < again {
		return
	}
	f.looked = time.Now()
	before := f.found
	f.found = map[string]*scannedFile{}
	for p, d := range f.s.docs {
		f.found[p] = &scannedFile{includes: includesOf(d.text.string)}
	}
	dirs := slices.Clone(f.folders)
	visited := 0
	for p := range f.s.docs {
		if dir := path.Dir(p); !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
	}
	for i, dir := range dirs {
		deep := i < len(f.folders)
		_ = filepath.WalkDir(filepath.FromSlash(dir), func(name string, e fs.DirEntry, err error) error { // what cannot be read has no sources
			visited++
			switch {
			case err != nil:
				return nil
			case len(f.found) >= maxFiles, visited > maxVisited:
				return fs.SkipAll
			case e.IsDir():
				if p := filepath.ToSlash(name); p != dir && (!deep || strings.HasPrefix(e.Name(), ".") || e.Name() == "node_modules") {
					return fs.SkipDir
				}
				return nil
			}
			p := filepath.ToSlash(name)
			if !beginsProgram(p) || f.found[p] != nil {
				return nil
			}
			info, err := e.Info()
			if err != nil || !info.Mode().IsRegular() || info.Size() > maxFile {
				return nil
			}
			if old := before[p]; old != nil && old.modified.Equal(info.ModTime()) {
				f.found[p] = old
				return nil
			}
			f.found[p] = &scannedFile{modified: info.ModTime(), includes: includesOf(f.read(p))}
			return nil
		})
	}
}

// forget makes the folders be searched again: files may be others now.
func (f *sources) forget() { f.looked = time.Time{} }

func (s *session) didOpen(p struct {
	Document struct {
		documentID
		Text string `json:"text"`
	} `json:"textDocument"`
}) {
	if len(s.docs) >= maxDocuments {
		return
	}
	d := &document{uri: p.Document.URI, path: pathOf(p.Document.URI), version: p.Document.Version, text: newText(p.Document.Text)}
	s.docs[d.path] = d
	s.sources.forget()
	clear(s.programs) // a file may have become another one
	s.changed = true
}

func (s *session) didChange(p struct {
	Document documentID `json:"textDocument"`
	Changes  []struct {
		Range *stretch `json:"range"`
		Text  string   `json:"text"`
	} `json:"contentChanges"`
}) {
	d := s.docs[pathOf(p.Document.URI)]
	if d == nil {
		return
	}
	for _, c := range p.Changes {
		next := c.Text
		if c.Range != nil {
			next = d.text.edited(*c.Range, c.Text)
		}
		d.text = newText(next)
	}
	d.version, d.statements = p.Document.Version, nil
	s.touch(d.path)
}

// touch says that a file is another one now.
func (s *session) touch(p string) {
	if d := s.docs[p]; d != nil && s.sources.found[p] != nil {
		s.sources.found[p] = &scannedFile{includes: includesOf(d.text.string)}
	}
	for root, prog := range s.programs {
		if prog.has(p) {
			delete(s.programs, root)
		}
	}
	s.changed = true
}

func (s *session) didSave(p struct {
	Document documentID `json:"textDocument"`
}) {
	clear(s.programs) // other files on disk may have changed, too
	s.sources.forget()
	s.changed = true
}

func (s *session) didClose(p struct {
	Document documentID `json:"textDocument"`
}) {
	at := pathOf(p.Document.URI)
	if d := s.docs[at]; d != nil {
		delete(s.docs, at)
		s.sources.forget()
		clear(s.programs)
		s.tell(d.uri, nil, []diagnostic{})
		delete(s.published, d.uri)
		s.changed = true
	}
}

// document finds an open document.
func (s *session) document(id documentID) (*document, error) {
	if d := s.docs[pathOf(id.URI)]; d != nil {
		return d, nil
	}
	return nil, &protocolError{Code: invalidParams, Message: id.URI + " is not open"}
}
