package workbench

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net/url"
	"path"
	"strings"
)

// What a browser asks for here is one request a connection, GET without a body. Package net/http would do it with every
// version, method and kind of encryption that there is: a sixth of the command's size.

// maxHead bounds a request, which has no body.
const maxHead = 16 << 10

// statusError refuses a request.
type statusError struct {
	status int
	text   string
}

func (e *statusError) Error() string { return fmt.Sprintf("%d %s", e.status, e.text) }

// request is what a browser asks for.
type request struct {
	path   string            // decoded, without the slash at its beginning
	header map[string]string // by names in small letters
}

var errHead = &statusError{status: 400, text: "this is no request that a browser makes"}

// readRequest reads the head of a request. A header that stands twice is refused: two readers could take different ones.
func readRequest(r *bufio.Reader) (*request, error) {
	left := maxHead
	line := func() (string, error) {
		text, err := r.ReadSlice('\n')
		if left -= len(text); errors.Is(err, bufio.ErrBufferFull) || left < 0 {
			return "", &statusError{status: 431, text: "the request is too long"}
		}
		return strings.TrimSuffix(strings.TrimSuffix(string(text), "\n"), "\r"), err
	}
	first, err := line()
	if err != nil {
		return nil, err
	}
	words := strings.Split(first, " ")
	if len(words) != 3 || words[2] != "HTTP/1.1" || !strings.HasPrefix(words[1], "/") {
		return nil, errHead
	}
	if words[0] != "GET" {
		return nil, &statusError{status: 405, text: "only GET is served"}
	}
	at, err := url.ParseRequestURI(words[1])
	if err != nil {
		return nil, errHead
	}
	q := &request{path: strings.TrimPrefix(at.Path, "/"), header: map[string]string{}}
	for {
		text, err := line()
		if err != nil {
			return nil, err
		}
		if text == "" {
			return q, nil
		}
		name, value, ok := strings.Cut(text, ":")
		name = strings.ToLower(name)
		_, twice := q.header[name]
		if !ok || twice || name == "" || strings.ContainsAny(name, " \t") {
			return nil, errHead
		}
		q.header[name] = strings.TrimSpace(value)
	}
}

// policy lets the page ask nobody but this server.
const policy = "default-src 'self' data: blob: 'unsafe-inline' 'wasm-unsafe-eval'; connect-src 'self' data: blob:; frame-ancestors 'self'; base-uri 'none'; form-action 'none'"

// kinds are the types of the files of a page. Browsers run no script of another type.
var kinds = map[string]string{
	".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8",
	".json": "application/json", ".wasm": "application/wasm", ".svg": "image/svg+xml", ".png": "image/png",
}

// answer sends a file.
func answer(w io.Writer, name string, data []byte) error {
	kind := kinds[path.Ext(name)]
	if kind == "" {
		kind = "application/octet-stream"
	}
	return respond(w, "200 OK", kind, data)
}

// refuse says why a request is not served.
func refuse(w io.Writer, e *statusError) error {
	return respond(w, fmt.Sprintf("%d Refused", e.status), "text/plain; charset=utf-8", []byte(e.Error()+"\n"))
}

func respond(w io.Writer, status, kind string, data []byte) error {
	head := fmt.Sprintf("HTTP/1.1 %s\r\nContent-Type: %s\r\nContent-Length: %d\r\nConnection: close\r\nCache-Control: no-store\r\n"+
		"Content-Security-Policy: %s\r\nCross-Origin-Opener-Policy: same-origin\r\nCross-Origin-Resource-Policy: same-origin\r\n"+
		"Referrer-Policy: no-referrer\r\nX-Content-Type-Options: nosniff\r\n\r\n", status, kind, len(data), policy)
	_, err := w.Write(append([]byte(head), data...))
	return err
}
