package dap

import (
	"errors"
	"path/filepath"
	"strings"

	protocol "github.com/google/go-dap"

	"arcv2dsp/internal/term/hostfile"
	"arcv2dsp/internal/term/steps"
)

// toClient and fromClient count lines as the client does.
func (s *session) toClient(line int) int {
	if s.zero {
		return line - 1
	}
	return line
}

func (s *session) fromClient(line int) int {
	if s.zero {
		return line + 1
	}
	return line
}

// sourceOf is a source file as the client sees it.
func (s *session) sourceOf(file string) *protocol.Source {
	src := &protocol.Source{Name: filepath.Base(file)}
	if path, ok := s.d.SourcePath(file); ok {
		src.Path = path
	} else {
		src.Path, src.PresentationHint, src.Origin = file, "deemphasize", "not found; sourceDirectories may say where it is"
	}
	return src
}

// nameOf finds the program's name of a file of the client: the one that was found there, else the one that
// has most folders in common with it.
func (s *session) nameOf(path string) string {
	path = filepath.Clean(path)
	best, most := filepath.Base(path), 0
	for _, file := range s.d.Files() {
		if found, ok := s.d.SourcePath(file); ok && found == path {
			return file
		}
		if n := commonEnd(file, path); n > most {
			best, most = file, n
		}
	}
	return best
}

// commonEnd counts the names that two paths have in common at their ends.
func commonEnd(a, b string) int {
	split := func(path string) []string { return strings.Split(filepath.ToSlash(filepath.Clean(path)), "/") }
	x, y := split(a), split(b)
	n := 0
	for n < len(x) && n < len(y) && x[len(x)-1-n] == y[len(y)-1-n] {
		n++
	}
	return n
}

func (s *session) loadedSources(struct{}) any {
	body := protocol.LoadedSourcesResponseBody{Sources: []protocol.Source{}}
	for _, file := range s.d.Files() {
		body.Sources = append(body.Sources, *s.sourceOf(file))
	}
	return body
}

// maxSource bounds the text of a source file.
const maxSource = 64 << 20

// source gives the text of a file that the client cannot find by itself.
func (s *session) source(a protocol.SourceArguments) any {
	if a.Source == nil || a.Source.Path == "" {
		steps.Check(errors.New("the source has no path"))
	}
	path, ok := s.d.SourcePath(s.nameOf(a.Source.Path))
	steps.Refuse(!ok, "%s is no source file of the program, or cannot be found", a.Source.Path)
	text := steps.Must(hostfile.Read(path, maxSource))
	return protocol.SourceResponseBody{Content: string(text)}
}

func (s *session) modules(protocol.ModulesArguments) any {
	m := protocol.Module{Id: 1, Name: filepath.Base(s.d.Program()), Path: s.d.Program(), SymbolStatus: "no line information"}
	if s.d.HasLines() {
		m.SymbolStatus = "symbols and lines"
	}
	if sections := s.d.Sections(); len(sections) > 0 {
		m.AddressRange = reference(sections[0].Addr)
	}
	return protocol.ModulesResponseBody{Modules: []protocol.Module{m}, TotalModules: 1}
}
