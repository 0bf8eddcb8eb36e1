package gdbserver

import (
	"bufio"
	"bytes"
	"context"
	"debug/elf"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"arcv2dsp"
	"arcv2dsp/internal/debug"

	"github.com/stretchr/testify/require"
)

const sortO2 = "../../../testdata/elf/small/sort-em4_dmips-O2.elf"

// service is a server with a program.
type service struct {
	addr    string
	cancel  context.CancelFunc
	symbols map[string]uint32

	mu      sync.Mutex
	notices []string
	done    chan struct{}
	end     End
	err     error
}

// serve starts a server; it has ended when the test has.
func serve(t testing.TB, opt Options) *service {
	t.Helper()
	return serveProgram(t, sortO2, opt)
}

func serveProgram(t testing.TB, path string, opt Options) *service {
	t.Helper()
	m, err := arcv2dsp.New(arcv2dsp.Config{Stdout: io.Discard, Stderr: io.Discard})
	require.NoError(t, err)
	require.NoError(t, m.LoadFile(path))
	d, err := debug.New(m, debug.Options{})
	require.NoError(t, err)
	l, err := Listen("0")
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	s := &service{addr: l.Addr().String(), cancel: cancel, symbols: map[string]uint32{}, done: make(chan struct{})}
	opt.Notice = func(text string) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.notices = append(s.notices, text)
	}
	f, err := elf.Open(path)
	require.NoError(t, err)
	list, err := f.Symbols()
	require.NoError(t, err)
	require.NoError(t, f.Close())
	for _, sym := range list {
		s.symbols[sym.Name] = uint32(sym.Value)
	}
	go func() {
		defer close(s.done)
		s.end, s.err = Serve(ctx, l, d, opt)
	}()
	t.Cleanup(func() {
		cancel()
		s.wait(t)
		require.NoError(t, d.Close())
		require.NoError(t, m.Close())
	})
	return s
}

// wait waits for the end of the server.
func (s *service) wait(t testing.TB) End {
	t.Helper()
	select {
	case <-s.done:
	case <-time.After(2 * time.Minute):
		t.Fatal("the server does not end")
	}
	require.NoError(t, s.err)
	return s.end
}

// client speaks the protocol, written from its description and not from the server.
type client struct {
	t     testing.TB
	conn  net.Conn
	in    *bufio.Reader
	noAck bool
}

func (s *service) dial(t testing.TB) *client {
	t.Helper()
	conn, err := net.Dial("tcp", s.addr)
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	require.NoError(t, conn.SetDeadline(time.Now().Add(2*time.Minute)))
	return &client{t: t, conn: conn, in: bufio.NewReader(conn)}
}

// connect connects and switches to the mode without acknowledgements.
func (s *service) connect(t testing.TB) *client {
	t.Helper()
	c := s.dial(t)
	require.Equal(t, "OK", c.ask("QStartNoAckMode"))
	c.raw("+")
	c.noAck = true
	return c
}

func (c *client) raw(bytes string) {
	c.t.Helper()
	_, err := io.WriteString(c.conn, bytes)
	require.NoError(c.t, err)
}

func frame(payload string) string {
	sum := byte(0)
	for i := range len(payload) {
		sum += payload[i]
	}
	return fmt.Sprintf("$%s#%02x", payload, sum)
}

func (c *client) byte() byte {
	c.t.Helper()
	b, err := c.in.ReadByte()
	require.NoError(c.t, err)
	return b
}

// reply reads a packet and undoes run-length encoding and escaping.
func (c *client) reply() string {
	c.t.Helper()
	require.Equal(c.t, byte('$'), c.byte())
	var out []byte
	sum := byte(0)
	next := func() byte {
		b := c.byte()
		sum += b
		return b
	}
	for {
		b := c.byte()
		if b == '#' {
			break
		}
		sum += b
		switch b {
		case '$':
			c.t.Fatal("a packet in a packet")
		case '*':
			n := next()
			require.Contains(c.t, " !\"%&'()*,./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~", string(n))
			require.NotEmpty(c.t, out)
			out = append(out, bytes.Repeat(out[len(out)-1:], int(n)-29)...)
		case '}':
			out = append(out, next()^0x20)
		default:
			out = append(out, b)
		}
	}
	want, err := strconv.ParseUint(string([]byte{c.byte(), c.byte()}), 16, 8)
	require.NoError(c.t, err)
	require.Equal(c.t, byte(want), sum, "checksum")
	if !c.noAck {
		c.raw("+")
	}
	return string(out)
}

func (c *client) send(payload string) {
	c.t.Helper()
	c.raw(frame(payload))
	if !c.noAck {
		require.Equal(c.t, byte('+'), c.byte())
	}
}

// ask sends a packet and returns the reply.
func (c *client) ask(payload string) string {
	c.t.Helper()
	c.send(payload)
	return c.reply()
}

// console reads what is printed up to the reply itself.
func (c *client) console() (text, reply string) {
	c.t.Helper()
	for {
		r := c.reply()
		if len(r) < 3 || r[0] != 'O' {
			return text, r
		}
		b, err := hex.DecodeString(r[1:])
		require.NoError(c.t, err)
		text += string(b)
	}
}

// read32 decodes the bytes of a register or word.
func read32(t testing.TB, text string) uint32 {
	t.Helper()
	b, err := hex.DecodeString(text)
	require.NoError(t, err)
	require.Len(t, b, 4)
	return binary.LittleEndian.Uint32(b)
}

func hex32(v uint32) string {
	return hex.EncodeToString(binary.LittleEndian.AppendUint32(nil, v))
}

func (c *client) register(n int) uint32 {
	c.t.Helper()
	return read32(c.t, c.ask(fmt.Sprintf("p%x", n)))
}

func (c *client) word(addr uint32) uint32 {
	c.t.Helper()
	return read32(c.t, c.ask(fmt.Sprintf("m%x,4", addr)))
}

// stop is a stop reply taken apart.
type stop struct {
	signal string
	pairs  map[string]string
}

func parseStop(t testing.TB, reply string) stop {
	t.Helper()
	require.True(t, strings.HasPrefix(reply, "T") && len(reply) > 3, "stop reply: %q", reply)
	s := stop{signal: reply[1:3], pairs: map[string]string{}}
	for _, pair := range strings.Split(strings.TrimSuffix(reply[3:], ";"), ";") {
		name, value, ok := strings.Cut(pair, ":")
		require.True(t, ok, "stop reply: %q", reply)
		s.pairs[name] = value
	}
	require.NotEmpty(t, s.pairs["thread"])
	return s
}

// pc is the expedited PC.
func (s stop) pc(t testing.TB) uint32 {
	t.Helper()
	return read32(t, s.pairs["40"])
}

func (c *client) resume(payload string) stop {
	c.t.Helper()
	return parseStop(c.t, c.ask(payload))
}

// spin sends the program into an endless loop in unused memory and leaves it running.
func (c *client) spin(resume string) {
	c.t.Helper()
	const addr = 0x4000_0000
	require.Equal(c.t, "OK", c.ask(fmt.Sprintf("M%x,2:00f0", addr))) // b_s .
	require.Equal(c.t, "OK", c.ask("P40="+hex32(addr)))
	c.send(resume)
}
