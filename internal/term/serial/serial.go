// Package serial connects the UART of a simulated board with a program of the host, by a socket of this machine or a
// pseudo-terminal.
//
// Start with Open.
package serial

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"runtime"
	"strconv"
	"strings"
	"sync"
)

// Open opens the other end of a UART: pty, or tcp:PORT, of which this machine alone may be a client. It tells where to connect,
// and waits for the first client of a socket; what is sent while nobody is connected is lost, as on a cable.
func Open(ctx context.Context, where string, tell func(text string)) (io.ReadWriteCloser, error) {
	if where == "pty" {
		t, name, err := openTerminal()
		if err == nil {
			tell("UART at " + name)
		}
		return t, err
	}
	text, isTCP := strings.CutPrefix(where, "tcp:")
	port, err := strconv.ParseUint(text, 10, 16)
	if !isTCP || err != nil {
		return nil, fmt.Errorf("%q is neither pty nor tcp:PORT", where)
	}
	if runtime.GOARCH == "wasm" { // package net would listen to this process alone
		return nil, errors.New("WebAssembly has no sockets")
	}
	l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
	if err != nil {
		return nil, err
	}
	tell(fmt.Sprintf("waiting for a client of the UART at %v", l.Addr()))
	stop := context.AfterFunc(ctx, func() { _ = l.Close() }) // wakes Accept
	defer stop()
	s := &socket{listener: l}
	if err := s.accept(); err != nil {
		_ = l.Close() // the first error counts
		if ctx.Err() != nil {
			err = ctx.Err()
		}
		return nil, err
	}
	return s, nil
}

// socket serves one client after the other.
type socket struct {
	listener net.Listener
	mu       sync.Mutex
	client   net.Conn // nil while nobody is connected
	closed   bool
}

// accept waits for the next client.
func (s *socket) accept() error {
	c, err := s.listener.Accept()
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return errors.Join(net.ErrClosed, c.Close())
	}
	s.client = c
	return nil
}

// now is the client that is connected.
func (s *socket) now() net.Conn {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.client
}

// Read returns what a client sends. When it leaves, Read waits for the next one; only Close ends the input.
func (s *socket) Read(p []byte) (int, error) {
	for {
		if c := s.now(); c != nil {
			n, err := c.Read(p)
			if n > 0 {
				return n, nil
			}
			if err == nil {
				continue
			}
			s.mu.Lock()
			_ = c.Close() // the client is gone
			s.client = nil
			s.mu.Unlock()
		}
		if s.accept() != nil {
			return 0, io.EOF
		}
	}
}

// Write sends to the client that is there.
func (s *socket) Write(p []byte) (int, error) {
	if c := s.now(); c != nil {
		_, _ = c.Write(p) // whoever leaves does not end the program
	}
	return len(p), nil
}

// Close disconnects the client.
func (s *socket) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	err := s.listener.Close()
	if s.client != nil {
		err = errors.Join(err, s.client.Close())
	}
	return err
}
