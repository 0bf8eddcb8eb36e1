package workbench

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io/fs"
	"net"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// Options are what a server serves.
type Options struct {
	Page    map[string][]byte // files of the page by their paths; index.html is the first
	Program string            // that the page runs, with Name as its own name
	Name    string
	Folder  string // its files are those that the page begins with; "" for none
	Open    string // the one of them that the page opens, alone but for the sources beside a source; "" for all files
}

// Server shows the page to browsers of this machine, and runs what it orders. Whoever has its address can: the address has a
// secret, pages of other origins are refused although a browser might send them here, and so are names of this machine that
// somebody else's name server gave.
type Server struct {
	o         Options
	listener  net.Listener
	token     string
	origins   map[string]bool // HOST:PORT
	processes chan struct{}
	clients   chan struct{}
}

// Bounds of what clients may do to the server.
const (
	maxClients = 100              // at a time
	patience   = 10 * time.Second // for a request, and for an answer to be taken
	upload     = time.Minute      // for an order with its files
)

// New prepares a server at a listener of this machine.
func New(listener net.Listener, o Options) (*Server, error) {
	at, ok := listener.Addr().(*net.TCPAddr)
	if !ok || !at.IP.IsLoopback() {
		return nil, fmt.Errorf("%v: the page is for this machine alone", listener.Addr())
	}
	s := &Server{
		o: o, listener: listener, token: rand.Text(), origins: map[string]bool{},
		processes: make(chan struct{}, maxProcesses), clients: make(chan struct{}, maxClients),
	}
	for _, host := range []string{"127.0.0.1", "localhost", "::1"} {
		s.origins[net.JoinHostPort(host, fmt.Sprint(at.Port))] = true
	}
	return s, nil
}

// URL is the address of the page, with the secret.
func (s *Server) URL() string { return "http://" + s.listener.Addr().String() + "/" + s.token + "/" }

// Serve serves until the context ends, and ends all processes then. It closes the listener.
func (s *Server) Serve(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	context.AfterFunc(ctx, func() { _ = s.listener.Close() }) // ends Accept
	var clients sync.WaitGroup
	defer clients.Wait()
	defer cancel()
	for {
		s.clients <- struct{}{}
		conn, err := s.listener.Accept()
		if err != nil {
			if ctx.Err() != nil {
				return nil
			}
			return err
		}
		clients.Go(func() {
			defer func() { <-s.clients }()
			defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
			defer func() { _ = conn.Close() }()
			s.client(ctx, conn)
		})
	}
}

// client serves a connection: one request.
func (s *Server) client(ctx context.Context, conn net.Conn) {
	_ = conn.SetDeadline(time.Now().Add(patience))
	r := bufio.NewReaderSize(conn, maxHead)
	q, err := readRequest(r)
	var name string
	if err == nil {
		name, err = s.admit(q)
	}
	if err == nil && name == "socket" {
		var w *socket
		if w, err = upgrade(q, conn, r); err == nil {
			_ = conn.SetReadDeadline(time.Now().Add(upload))
			_ = conn.SetWriteDeadline(time.Time{}) // a page may take its time to read
			w.close(s.run(ctx, w))
			return
		}
	}
	var data []byte
	if err == nil {
		data, err = s.file(name)
	}
	var e *statusError
	switch {
	case err == nil:
		_ = answer(conn, name, data) // the browser may be gone
	case errors.As(err, &e):
		_ = refuse(conn, e)
	}
}

// admit returns the path below the secret of a request that comes from the page or from its user.
func (s *Server) admit(q *request) (name string, err error) {
	host := q.header["host"]
	if !s.origins[host] {
		return "", &statusError{status: 403, text: fmt.Sprintf("%q is no name of this machine's page", host)}
	}
	if origin, there := q.header["origin"]; there && origin != "http://"+host {
		return "", &statusError{status: 403, text: "pages of other origins have no access"}
	}
	if site := q.header["sec-fetch-site"]; site != "" && site != "none" && site != "same-origin" {
		return "", &statusError{status: 403, text: "pages of other sites have no access"}
	}
	token, name, _ := strings.Cut(q.path, "/")
	if subtle.ConstantTimeCompare([]byte(token), []byte(s.token)) != 1 {
		return "", &statusError{status: 403, text: "the address lacks the secret that the command printed"}
	}
	if name == "socket" && q.header["origin"] == "" {
		return "", &statusError{status: 403, text: "only the page opens sockets"}
	}
	if name == "" {
		name = "index.html"
	}
	if !fs.ValidPath(name) {
		return "", &statusError{status: 400, text: "no path below the page"}
	}
	return name, nil
}

// place is where the page tells that it is served.
const place = "<!-- serve -->"

// file returns a file of the page, or of the folder that it begins with.
func (s *Server) file(name string) ([]byte, error) {
	switch mine, below := strings.CutPrefix(name, "files/"); {
	case below:
		return s.own(mine)
	case name == "files":
		list := struct {
			Open  string   `json:"open"`
			Files []string `json:"files"`
		}{Open: s.o.Open, Files: s.folder()}
		var b bytes.Buffer
		err := json.NewEncoder(&b).Encode(list)
		return b.Bytes(), err
	}
	data, ok := s.o.Page[name]
	if !ok {
		return nil, &statusError{status: 404, text: "no such file"}
	}
	if name == "index.html" {
		data = bytes.Replace(data, []byte(place), fmt.Appendf(nil, `<meta name="arcsim-serve" content="%s">`, html.EscapeString(s.token)), 1)
	}
	return data, nil
}

// isSource reports whether a file is an assembly source or may be included by one.
func isSource(name string) bool {
	return slices.Contains([]string{".s", ".S", ".asm", ".inc", ".h"}, path.Ext(name))
}

// mine reports whether a file of the folder is for the page. Names with a dot at the beginning never are.
func (s *Server) mine(name string) bool {
	if strings.HasPrefix(name, ".") || strings.Contains(name, "/.") {
		return false
	}
	beside := isSource(s.o.Open) && isSource(name) && !strings.Contains(name, "/")
	return s.o.Open == "" || name == s.o.Open || beside
}

// folder lists the files that the page begins with.
func (s *Server) folder() []string {
	list := []string{}
	if s.o.Folder == "" {
		return list
	}
	root, err := os.OpenRoot(s.o.Folder)
	if err != nil {
		return list // it has gone
	}
	defer func() { _ = root.Close() }() // nothing was written
	left := int64(maxFiles)
	_ = fs.WalkDir(root.FS(), ".", func(name string, e fs.DirEntry, err error) error {
		switch {
		case err != nil || name == ".":
			return nil // what cannot be read is passed over
		case len(list) == maxFileCount:
			return fs.SkipAll
		case e.IsDir() && !s.mine(name):
			return fs.SkipDir
		case !e.Type().IsRegular() || !s.mine(name):
			return nil
		}
		if info, err := e.Info(); err == nil && info.Size() <= min(maxFile, left) {
			left -= info.Size()
			list = append(list, name)
		}
		return nil
	})
	return list
}

// own reads a file of the folder. A link that leads out of it is refused.
func (s *Server) own(name string) ([]byte, error) {
	missing := &statusError{status: 404, text: "no such file of the folder"}
	if s.o.Folder == "" || !fs.ValidPath(name) || !s.mine(name) {
		return nil, missing
	}
	root, err := os.OpenRoot(s.o.Folder)
	if err != nil {
		return nil, missing
	}
	defer func() { _ = root.Close() }() // nothing was written
	host := filepath.FromSlash(name)
	if info, err := root.Lstat(host); err != nil || !info.Mode().IsRegular() || info.Size() > maxFile {
		return nil, missing
	}
	data, err := root.ReadFile(host)
	if err != nil {
		return nil, missing
	}
	return data, nil
}
