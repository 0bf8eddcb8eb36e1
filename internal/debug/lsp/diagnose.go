package lsp

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"arcv2dsp/asm"
)

func equalFold(a, b string) bool { return strings.EqualFold(a, b) }

// diagnose assembles what is open and tells the client the messages, file by file.
func (s *session) diagnose() {
	s.changed = false
	byURI := map[string][]diagnostic{}
	told := map[string]bool{}
	for _, at := range slices.Sorted(maps.Keys(s.docs)) {
		d := s.docs[at]
		byURI[d.uri] = append([]diagnostic{}, byURI[d.uri]...)
		for _, p := range s.programsOf(d) {
			if told[p.root] || p.root == d.path && !beginsProgram(d.path) {
				continue // an include without a program: what it lacks is elsewhere
			}
			told[p.root] = true
			s.collect(p, byURI)
		}
	}
	for uri := range s.published {
		if byURI[uri] == nil {
			byURI[uri] = []diagnostic{}
		}
	}
	for _, uri := range slices.Sorted(maps.Keys(byURI)) {
		var version *int
		if d := s.docs[pathOf(uri)]; d != nil {
			version = &d.version
		}
		s.tell(uri, version, byURI[uri])
	}
}

// tell publishes the diagnostics of a file, unless the client has them.
func (s *session) tell(uri string, version *int, list []diagnostic) {
	text, err := json.Marshal(struct {
		URI         string       `json:"uri"`
		Version     *int         `json:"version,omitempty"`
		Diagnostics []diagnostic `json:"diagnostics"`
	}{uri, version, list})
	if err != nil || s.published[uri] == string(text) {
		return
	}
	s.published[uri] = string(text)
	s.notify("textDocument/publishDiagnostics", json.RawMessage(text))
}

// collect sorts the messages of a program by file.
func (s *session) collect(p *program, to map[string][]diagnostic) {
	if p.failed != "" {
		uri := s.uriOf(p.root)
		to[uri] = append(to[uri], diagnostic{Severity: 1, Source: source, Message: p.failed})
	}
	for _, e := range p.messages() {
		d := diagnostic{Severity: 1, Source: source, Message: e.Msg}
		if e.Warning {
			d.Severity = 2
		}
		uri := s.uriOf(s.sources.absolute(e.Pos.File))
		d.Range = p.stretch(s, e.Pos)
		for i, n := range e.Notes {
			if i == maxNotes {
				break
			}
			d.Related = append(d.Related, related{Message: n.Msg,
				Location: location{URI: s.uriOf(s.sources.absolute(n.Pos.File)), Range: p.stretch(s, n.Pos)}})
		}
		if !slices.ContainsFunc(to[uri], func(old diagnostic) bool { return old.Range == d.Range && old.Message == d.Message }) {
			to[uri] = append(to[uri], d)
		}
	}
}

// source names the origin of a diagnostic.
const source = "arcsim"

// maxNotes bounds the places that led to a message.
const maxNotes = 10

// stretch is the word at a place of the assembler, whose lines end with a line feed.
func (p *program) stretch(s *session, at asm.Pos) stretch {
	var t *text
	if i := p.file(s.sources.absolute(at.File)); i >= 0 {
		t = p.files[i].text
	} else {
		t = newText(s.sources.read(s.sources.absolute(at.File)))
	}
	start := 0
	for range at.Line - 1 {
		n := strings.IndexByte(t.string[start:], '\n')
		if n < 0 {
			break
		}
		start += n + 1
	}
	rest, _, _ := strings.Cut(t.string[start:], "\n")
	from := min(at.Col-1, len(rest))
	to := from
	for to < len(rest) && isWord(rest[to]) {
		to++
	}
	if to == from && to < len(rest) {
		to++
	}
	return t.stretch(start+from, start+to)
}

// isWord reports whether a character may stand in a name.
func isWord(c byte) bool {
	return c >= 0x80 || c == '_' || c == '.' || c == '$' || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}
