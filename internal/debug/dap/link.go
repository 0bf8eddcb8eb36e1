package dap

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"sync"

	protocol "github.com/google/go-dap"

	"arcv2dsp/internal/debug/message"
)

// request is a message of the client.
type request struct {
	Seq       int             `json:"seq"`
	Type      string          `json:"type"`
	Command   string          `json:"command"`
	Arguments json.RawMessage `json:"arguments"`
}

// response answers a request.
type response struct {
	Seq        int    `json:"seq"`
	Type       string `json:"type"`
	RequestSeq int    `json:"request_seq"`
	Success    bool   `json:"success"`
	Command    string `json:"command"`
	Message    string `json:"message,omitempty"`
	Body       any    `json:"body,omitempty"`
}

// event tells the client something it has not asked for.
type event struct {
	Seq   int    `json:"seq"`
	Type  string `json:"type"`
	Event string `json:"event"`
	Body  any    `json:"body,omitempty"`
}

// link carries messages. The program's output comes from another goroutine than answers.
type link struct {
	r *bufio.Reader

	mu  sync.Mutex
	w   io.Writer
	seq int
	err error  // the first one of writing
	out []byte // what the program has printed and the client was not told
}

// read returns the next message. After any error but message.ErrMalformed there is none.
func (l *link) read() (request, error) {
	data, err := message.Read(l.r)
	if err != nil {
		return request{}, err
	}
	var m request
	if err := json.Unmarshal(data, &m); err != nil {
		return request{}, fmt.Errorf("%w: %w", message.ErrMalformed, err)
	}
	if m.Type != "request" || m.Command == "" {
		return m, fmt.Errorf("%w: type %q, command %q", message.ErrMalformed, m.Type, m.Command)
	}
	return m, nil
}

func (l *link) answer(to request, body any, err error) {
	l.flush()
	r := response{Type: "response", RequestSeq: to.Seq, Command: to.Command, Success: err == nil, Body: body}
	if err != nil {
		r.Message = err.Error()
		r.Body = protocol.ErrorResponseBody{Error: &protocol.ErrorMessage{Id: 1, Format: "{text}", Variables: map[string]string{"text": r.Message}, ShowUser: true}}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.seq++
	r.Seq = l.seq
	l.send(r)
}

func (l *link) event(name string, body any) {
	l.flush()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.tell(name, body)
}

func (l *link) tell(name string, body any) {
	l.seq++
	l.send(event{Seq: l.seq, Type: "event", Event: name, Body: body})
}

// send writes a message with the lock held.
func (l *link) send(m any) {
	if l.err == nil {
		l.err = message.Write(l.w, m)
	}
}

// maxHeld is how much the program prints before the client is told without the end of a line.
const maxHeld = 1 << 10

// Write tells the client what the program prints, line by line.
func (l *link) Write(text []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.out = append(l.out, text...)
	if n := len(l.out); n > maxHeld || n > 0 && l.out[n-1] == '\n' {
		l.print()
	}
	return len(text), nil
}

// flush tells the client what the program has printed so far.
func (l *link) flush() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.print()
}

func (l *link) print() {
	if len(l.out) > 0 {
		text := string(l.out)
		l.out = l.out[:0]
		l.tell("output", protocol.OutputEventBody{Category: "stdout", Output: text})
	}
}

// note writes a line to the console of the client.
func (l *link) note(text string) {
	l.event("output", protocol.OutputEventBody{Category: "console", Output: text + "\n"})
}
