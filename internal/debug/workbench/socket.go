package workbench

import (
	"bufio"
	"bytes"
	"crypto/sha1"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"time"
)

// Kinds of frames of a WebSocket (RFC 6455, section 5.2).
const (
	opMore   = 0 // goes on with the message of the frame before
	opText   = 1
	opBinary = 2
	opClose  = 8
	opPing   = 9
	opPong   = 10
)

// Reasons to close a WebSocket (RFC 6455, section 7.4.1).
const (
	closeDone    = 1000
	closeBroken  = 1002 // against the protocol
	closeRefused = 1008
	closeTooBig  = 1009
)

// socket is the server's end of a WebSocket. One goroutine reads, any may write.
type socket struct {
	conn net.Conn
	r    *bufio.Reader

	writing sync.Mutex
}

// closing is the error of a connection that ends, with the reason that the other end is told.
type closing struct {
	code uint16
	text string
}

func (e *closing) Error() string { return fmt.Sprintf("%d %s", e.code, e.text) }

var errBroken = &closing{code: closeBroken, text: "against the protocol"}

// upgrade answers a request for a WebSocket.
func upgrade(q *request, conn net.Conn, r *bufio.Reader) (*socket, error) {
	key, err := base64.StdEncoding.DecodeString(q.header["sec-websocket-key"])
	if err != nil || len(key) != 16 || !strings.EqualFold(q.header["upgrade"], "websocket") ||
		!strings.Contains(strings.ToLower(q.header["connection"]), "upgrade") || q.header["sec-websocket-version"] != "13" {
		return nil, errHead
	}
	sum := sha1.Sum([]byte(q.header["sec-websocket-key"] + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11")) // RFC 6455, section 1.3
	_, err = fmt.Fprintf(conn, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: %s\r\n\r\n",
		base64.StdEncoding.EncodeToString(sum[:]))
	return &socket{conn: conn, r: r}, err
}

// read returns the next message. One that is longer than the limit is an error before it is read. A ping is answered on the way.
func (s *socket) read(limit int64) (op byte, data []byte, err error) {
	var message bytes.Buffer
	for {
		final, kind, part, err := s.frame(limit - int64(message.Len()))
		if err != nil {
			return 0, nil, err
		}
		switch {
		case kind == opClose:
			return 0, nil, io.EOF
		case kind == opPing:
			err = s.write(opPong, part)
		case kind == opPong:
		case (kind == opMore) == (op == 0): // the first frame has the kind, the others have none
			return 0, nil, errBroken
		default:
			op = max(op, kind)
			message.Write(part)
			if final {
				return op, message.Bytes(), nil
			}
		}
		if err != nil {
			return 0, nil, err
		}
	}
}

// frame reads a frame. What is announced may never come: memory grows with what does.
func (s *socket) frame(limit int64) (final bool, op byte, data []byte, err error) {
	var head [14]byte
	if _, err = io.ReadFull(s.r, head[:2]); err != nil {
		return false, 0, nil, err
	}
	final, op = head[0]&0x80 != 0, head[0]&0x0f
	length, rest := int64(head[1]&0x7f), 0
	switch length {
	case 126:
		rest = 2
	case 127:
		rest = 8
	}
	control := op >= opClose
	if head[0]&0x70 != 0 || head[1]&0x80 == 0 || op > opPong || op > opBinary && !control || control && (!final || rest != 0) {
		return false, 0, nil, errBroken // extensions, no mask, unknown kinds, long control frames
	}
	if _, err = io.ReadFull(s.r, head[2:2+rest+4]); err != nil {
		return false, 0, nil, errors.Join(io.ErrUnexpectedEOF, err)
	}
	switch rest {
	case 2:
		length = int64(binary.BigEndian.Uint16(head[2:]))
	case 8:
		length = int64(binary.BigEndian.Uint64(head[2:]))
	}
	if length < 0 || length > limit && !control {
		return false, 0, nil, &closing{code: closeTooBig, text: "the message is too long"}
	}
	var text bytes.Buffer
	if _, err = io.CopyN(&text, s.r, length); err != nil {
		return false, 0, nil, io.ErrUnexpectedEOF
	}
	data, mask := text.Bytes(), head[2+rest:]
	for i := range data {
		data[i] ^= mask[i%4]
	}
	return final, op, data, nil
}

// write sends a message.
func (s *socket) write(op byte, parts ...[]byte) error {
	data := bytes.Join(parts, nil)
	head := []byte{0x80 | op}
	switch n := len(data); {
	case n < 126:
		head = append(head, byte(n))
	case n < 1<<16:
		head = binary.BigEndian.AppendUint16(append(head, 126), uint16(n))
	default:
		head = binary.BigEndian.AppendUint64(append(head, 127), uint64(n))
	}
	s.writing.Lock()
	defer s.writing.Unlock()
	_, err := s.conn.Write(append(head, data...))
	return err
}

// close tells the other end why nothing more comes.
func (s *socket) close(why error) {
	c := &closing{code: closeDone}
	if why != nil && !errors.As(why, &c) {
		c = &closing{code: closeRefused, text: why.Error()}
	}
	text := c.text[:min(len(c.text), 120)] // a control frame has 125 bytes
	_ = s.write(opClose, binary.BigEndian.AppendUint16(nil, c.code), []byte(strings.ToValidUTF8(text, "")))
	if half, ok := s.conn.(interface{ CloseWrite() error }); ok { // what the other end still sends would make it lose what it has not read
		_ = half.CloseWrite()
		_ = s.conn.SetReadDeadline(time.Now().Add(2 * time.Second))
		_, _ = io.Copy(io.Discard, s.conn)
	}
	_ = s.conn.Close() // nothing is left to lose
}
