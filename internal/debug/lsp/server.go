package lsp

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"arcv2dsp/asm"
	"arcv2dsp/internal/debug/message"
)

// Options are the surroundings of a session. A client may give others when it begins.
type Options struct {
	Core    string           // whose instructions and cycles count
	Include []string         // folders of .include
	Defsym  map[string]int64 // names with values
	Profile string           // listing of a profiled run, as arcsim run --annotate writes it
	// Library finds what completes the assembly of sources that include those of a library: a folder of Include that is "@" and
	// its name. Without it there are none.
	Library func(name string) (Library, error)
}

// Library gives the assembly of a file what its includes need.
type Library func(o asm.Options, file string) asm.Options

// ErrNoShutdown is the error of a client that ends the session without having asked for it.
var ErrNoShutdown = errors.New("exit without shutdown")

// session is one client.
type session struct {
	w   io.Writer
	err error // the first one of writing
	opt Options

	initialized bool
	shut        bool
	ended       bool

	docs     map[string]*document // open ones, by path
	programs map[string]*program  // by the path of their first file
	sources  *sources
	model    *model // of the core, nil until it is asked for
	profile  *profiled

	refreshes bool // the client asks for hints again when it is told to
	asked     int  // how often it was told

	changed   bool              // diagnostics are due
	published map[string]string // what the client was told, by URI

	mu        sync.Mutex
	cancelled map[string]bool // by the id as it is written
}

// quiet is how long nothing must come before changes are diagnosed: who types waits for nothing.
const quiet = 20 * time.Millisecond

// watching is how often the listing of a run is looked at.
const watching = time.Second

// Serve serves one client until it leaves.
func Serve(ctx context.Context, rw io.ReadWriter, opt Options) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s := newSession(rw, opt)
	type received struct {
		data []byte
		err  error
	}
	in := make(chan received, 64)
	go func() {
		defer close(in)
		r := bufio.NewReader(rw)
		for {
			data, err := message.Read(r)
			if err == nil {
				s.noteCancel(data)
			}
			select {
			case in <- received{data, err}:
			case <-ctx.Done():
				return
			}
			if err != nil && !errors.Is(err, message.ErrMalformed) {
				return
			}
		}
	}()
	watch := time.NewTicker(watching)
	defer watch.Stop()
	for !s.ended && s.err == nil {
		var due <-chan time.Time
		if s.changed {
			due = time.After(quiet)
		}
		select {
		case m, ok := <-in:
			switch {
			case !ok || errors.Is(m.err, io.EOF):
				return s.err
			case errors.Is(m.err, message.ErrMalformed):
				s.refuse(nil, parseError, m.err.Error())
			case m.err != nil:
				return fmt.Errorf("protocol: %w", m.err)
			default:
				s.take(m.data)
			}
		case <-due:
			s.diagnose()
		case <-watch.C:
			s.watchProfile()
		case <-ctx.Done():
			return nil
		}
	}
	if s.err == nil && !s.shut {
		return ErrNoShutdown
	}
	return s.err
}

func newSession(w io.Writer, opt Options) *session {
	s := &session{w: w, opt: opt, docs: map[string]*document{}, programs: map[string]*program{}, published: map[string]string{},
		cancelled: map[string]bool{}}
	s.sources = newSources(s)
	return s
}

// noteCancel remembers a request that the client takes back, before it comes up.
func (s *session) noteCancel(data []byte) {
	var m struct {
		Method string `json:"method"`
		Params struct {
			ID json.RawMessage `json:"id"`
		} `json:"params"`
	}
	if json.Unmarshal(data, &m) != nil || m.Method != "$/cancelRequest" {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.cancelled) > 1000 { // of requests that were answered long ago
		clear(s.cancelled)
	}
	s.cancelled[string(m.Params.ID)] = true
}

func (s *session) isCancelled(id *json.RawMessage) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	was := s.cancelled[string(*id)]
	delete(s.cancelled, string(*id))
	return was
}

func (s *session) send(m any) {
	if s.err == nil {
		s.err = message.Write(s.w, m)
	}
}

func (s *session) refuse(id *json.RawMessage, code int, text string) {
	s.send(refusal{Version: "2.0", ID: id, Error: &protocolError{Code: code, Message: text}})
}

func (s *session) notify(method string, params any) {
	s.send(notification{Version: "2.0", Method: method, Params: params})
}

// take answers a message.
func (s *session) take(data []byte) {
	var m incoming
	if err := json.Unmarshal(data, &m); err != nil {
		code := parseError
		if json.Valid(data) {
			code = invalidRequest
		}
		s.refuse(nil, code, "malformed message: "+err.Error())
		return
	}
	if m.Method == "" {
		if m.ID == nil {
			s.refuse(nil, invalidRequest, "malformed message: no method")
		}
		return // the client's answer to a request; there are none
	}
	h, known := handlers[m.Method]
	if m.ID == nil {
		if known && h.notice && (s.initialized && !s.shut || m.Method == "exit") {
			_, _ = h.run(s, m.Params) // nobody waits for an answer
		}
		return
	}
	switch {
	case s.isCancelled(m.ID):
		s.refuse(m.ID, cancelledCode, "cancelled")
	case s.shut:
		s.refuse(m.ID, invalidRequest, "the session is shut down")
	case !known || h.notice:
		s.refuse(m.ID, unknownMethod, m.Method+" is not supported")
	case !s.initialized && m.Method != "initialize":
		s.refuse(m.ID, uninitialized, "initialize comes first")
	default:
		result, err := h.run(s, m.Params)
		var refused *protocolError
		switch {
		case err == nil:
			s.send(answer{Version: "2.0", ID: m.ID, Result: result})
		case errors.As(err, &refused):
			s.refuse(m.ID, refused.Code, refused.Message)
		default:
			s.refuse(m.ID, requestFailed, err.Error())
		}
	}
}

// handler answers a kind of message; notices get no answer.
type handler struct {
	notice bool
	run    func(s *session, raw json.RawMessage) (any, error)
}

// request makes a handler of a function that takes parameters of a type.
func request[P any](f func(*session, P) (any, error)) handler {
	return handler{run: func(s *session, raw json.RawMessage) (any, error) {
		var p P
		if len(raw) > 0 {
			if err := json.Unmarshal(raw, &p); err != nil {
				return nil, &protocolError{Code: invalidParams, Message: "params: " + err.Error()}
			}
		}
		return f(s, p)
	}}
}

func notice[P any](f func(*session, P)) handler {
	h := request(func(s *session, p P) (any, error) {
		f(s, p)
		return nil, nil
	})
	h.notice = true
	return h
}

// handlers are all messages that are answered. init breaks a circle: handlers answer.
var handlers map[string]handler

func init() {
	handlers = map[string]handler{
		"initialize":                       request((*session).initialize),
		"initialized":                      notice(func(*session, struct{}) {}),
		"shutdown":                         request((*session).shutdown),
		"exit":                             notice(func(s *session, _ struct{}) { s.ended = true }),
		"textDocument/didOpen":             notice((*session).didOpen),
		"textDocument/didChange":           notice((*session).didChange),
		"textDocument/didSave":             notice((*session).didSave),
		"textDocument/didClose":            notice((*session).didClose),
		"workspace/didChangeConfiguration": notice((*session).configure),
		"textDocument/hover":               request((*session).hover),
		"textDocument/completion":          request((*session).completion),
		"completionItem/resolve":           request((*session).resolve),
		"textDocument/definition":          request((*session).definition),
		"textDocument/references":          request((*session).references),
		"textDocument/documentHighlight":   request((*session).highlight),
		"textDocument/prepareRename":       request((*session).prepareRename),
		"textDocument/rename":              request((*session).rename),
		"textDocument/documentSymbol":      request((*session).documentSymbol),
		"textDocument/foldingRange":        request((*session).foldingRange),
		"textDocument/formatting":          request((*session).formatting),
		"textDocument/inlayHint":           request((*session).inlayHint),
		"textDocument/semanticTokens/full": request((*session).semanticTokens),
	}
}

// settings are what a client may say about the surroundings; what it leaves out stays.
type settings struct {
	Core    *string          `json:"core"`
	Include []string         `json:"include"`
	Defsym  map[string]int64 `json:"defsym"`
	Profile *string          `json:"profile"`
}

type initial struct {
	Capabilities struct {
		Workspace struct {
			InlayHint struct {
				Refresh bool `json:"refreshSupport"`
			} `json:"inlayHint"`
		} `json:"workspace"`
	} `json:"capabilities"`
	RootURI string `json:"rootUri"`
	Folders []struct {
		URI string `json:"uri"`
	} `json:"workspaceFolders"`
	Options *settings `json:"initializationOptions"`
}

func (s *session) initialize(p initial) (any, error) {
	if s.initialized {
		return nil, &protocolError{Code: invalidRequest, Message: "the session is initialized already"}
	}
	s.initialized, s.refreshes = true, p.Capabilities.Workspace.InlayHint.Refresh
	for _, f := range p.Folders {
		s.sources.folder(f.URI)
	}
	if len(p.Folders) == 0 {
		s.sources.folder(p.RootURI)
	}
	if p.Options != nil {
		s.set(*p.Options)
	}
	return map[string]any{
		"serverInfo": map[string]string{"name": "arcsim lsp"},
		"capabilities": map[string]any{
			"positionEncoding":           "utf-16",
			"textDocumentSync":           map[string]any{"openClose": true, "change": 2, "save": true},
			"hoverProvider":              true,
			"completionProvider":         map[string]any{"resolveProvider": true, "triggerCharacters": []string{".", "\\", "["}},
			"definitionProvider":         true,
			"referencesProvider":         true,
			"documentHighlightProvider":  true,
			"renameProvider":             map[string]bool{"prepareProvider": true},
			"documentSymbolProvider":     true,
			"foldingRangeProvider":       true,
			"documentFormattingProvider": true,
			"inlayHintProvider":          true,
			"semanticTokensProvider": map[string]any{
				"legend": map[string]any{"tokenTypes": tokenTypes, "tokenModifiers": []string{}}, "full": true,
			},
		},
	}, nil
}

func (s *session) shutdown(struct{}) (any, error) {
	s.shut = true
	return nil, nil
}

// set takes settings over.
func (s *session) set(o settings) {
	if o.Core != nil && *o.Core != s.opt.Core {
		s.opt.Core, s.model = *o.Core, nil
	}
	if o.Include != nil {
		s.opt.Include = o.Include
	}
	if o.Defsym != nil {
		s.opt.Defsym = o.Defsym
	}
	if o.Profile != nil {
		s.opt.Profile = *o.Profile
	}
	clear(s.programs)
	s.changed = true
}

func (s *session) configure(p struct {
	Settings struct {
		Arcsim *settings `json:"arcsim"`
	} `json:"settings"`
}) {
	if p.Settings.Arcsim != nil {
		s.set(*p.Settings.Arcsim)
	}
}
