package serial

import (
	"context"
	"io"
	"net"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// expect reads exactly a text.
func expect(t *testing.T, r io.Reader, text string) {
	t.Helper()
	got := make([]byte, len(text))
	_, err := io.ReadFull(r, got)
	require.NoError(t, err)
	require.Equal(t, text, string(got))
}

// TestSocket: one client after the other talks to the UART; what is sent in between is lost.
func TestSocket(t *testing.T) {
	at := make(chan string, 1)
	opened := make(chan io.ReadWriteCloser, 1)
	go func() {
		s, err := Open(t.Context(), "tcp:0", func(text string) { at <- text[strings.LastIndex(text, " ")+1:] })
		if err == nil {
			opened <- s
		}
		close(opened)
	}()
	address := <-at
	client, err := net.Dial("tcp", address)
	require.NoError(t, err)
	s := <-opened
	require.NotNil(t, s)
	_, err = s.Write([]byte("hello"))
	require.NoError(t, err)
	expect(t, client, "hello")
	_, err = client.Write([]byte("one"))
	require.NoError(t, err)
	expect(t, s, "one")
	require.NoError(t, client.Close())
	read := make(chan string, 1)
	go func() {
		var p [3]byte
		_, _ = io.ReadFull(s, p[:])
		read <- string(p[:])
	}()
	require.Eventually(t, func() bool { return s.(*socket).now() == nil }, 10*time.Second, time.Millisecond)
	n, err := s.Write([]byte("lost"))
	require.NoError(t, err)
	require.Equal(t, 4, n)
	client, err = net.Dial("tcp", address)
	require.NoError(t, err)
	_, err = client.Write([]byte("two"))
	require.NoError(t, err)
	require.Equal(t, "two", <-read)
	require.NoError(t, s.Close())
	_, err = s.Read(make([]byte, 1))
	require.Equal(t, io.EOF, err)
	require.NoError(t, client.Close())
}

// TestOpen: what is no place is refused, and waiting for a client ends with the run.
func TestOpen(t *testing.T) {
	for _, where := range []string{"", "usb", "tcp:", "tcp:x", "tcp:65536", "tcp:-1", "pty:1"} {
		_, err := Open(t.Context(), where, func(string) {})
		require.ErrorContains(t, err, "neither pty nor tcp:PORT", where)
	}
	ctx, cancel := context.WithCancel(t.Context())
	_, err := Open(ctx, "tcp:0", func(string) { cancel() })
	require.ErrorIs(t, err, context.Canceled)
}

// TestTerminal: bytes pass a pseudo-terminal as they are, and what nobody reads does not stop the program.
func TestTerminal(t *testing.T) {
	if runtime.GOOS != "linux" {
		_, err := Open(t.Context(), "pty", func(string) {})
		require.ErrorContains(t, err, "needs Linux")
		return
	}
	name := ""
	s, err := Open(t.Context(), "pty", func(text string) { name = text[strings.LastIndex(text, " ")+1:] })
	if err != nil {
		t.Skipf("no pseudo-terminals here: %v", err)
	}
	user := open(t, name)
	_, err = s.Write([]byte("\x03\x04\r\n\xff"))
	require.NoError(t, err)
	expect(t, user, "\x03\x04\r\n\xff")
	_, err = user.Write([]byte("\x03a\r"))
	require.NoError(t, err)
	expect(t, s, "\x03a\r")
	start := time.Now()
	for range 1000 {
		_, err = s.Write(make([]byte, 1000))
		require.NoError(t, err)
	}
	require.Less(t, time.Since(start), 20*time.Second)
	require.NoError(t, s.Close())
	require.NoError(t, user.Close())
}
