// Package message frames the messages of editors: a header with the length, an empty line, then as many bytes of JSON. The
// Debug Adapter Protocol and the Language Server Protocol frame alike; what a message says is the matter of packages
// dap and lsp.
//
// Damage costs the message that has it, never the connection: Read goes on behind it.
package message

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// ErrMalformed is the error of a message that does not follow the protocol; the next one may.
var ErrMalformed = errors.New("malformed message")

// Bounds of what a client may send.
const (
	MaxLength = 16 << 20 // bytes of a message
	maxHeader = 4 << 10  // bytes of a line of a header
)

// Read returns the next message. After any error but ErrMalformed there is none.
func Read(r *bufio.Reader) ([]byte, error) {
	length, err := readHeader(r)
	if err != nil {
		return nil, err
	}
	if length > MaxLength {
		if _, err := io.CopyN(io.Discard, r, length); err != nil {
			return nil, io.ErrUnexpectedEOF
		}
		return nil, fmt.Errorf("%w: %d bytes, at most %d", ErrMalformed, length, MaxLength)
	}
	// What is announced may never come: memory grows with what does.
	var text bytes.Buffer
	if _, err := io.CopyN(&text, r, length); err != nil {
		return nil, io.ErrUnexpectedEOF
	}
	return text.Bytes(), nil
}

// lengthName begins the line that states the length, in any case of letters.
const lengthName = "content-length:"

// readHeader reads lines up to the empty one and returns the length that one of them states.
func readHeader(r *bufio.Reader) (length int64, err error) {
	length = -1
	var damage error
	for first := true; ; first = false {
		line, err := readLine(r)
		switch {
		case errors.Is(err, io.EOF) && !first:
			return 0, io.ErrUnexpectedEOF
		case err != nil:
			return 0, err
		case line == "" && first:
			continue // what is left of a damaged message
		case line == "" && damage != nil:
			return 0, damage
		case line == "" && length < 0:
			return 0, fmt.Errorf("%w: a header without Content-Length", ErrMalformed)
		case line == "":
			return length, nil
		}
		// The rest of a damaged message may stand before the name.
		at := len(line) - len(lengthName)
		for at >= 0 && !strings.EqualFold(line[at:at+len(lengthName)], lengthName) {
			at--
		}
		if at < 0 {
			if !strings.Contains(line, ":") { // it is no other line of a header, such as Content-Type
				damage = fmt.Errorf("%w: %.40q is no line of a header", ErrMalformed, line)
			}
			continue
		}
		value := strings.TrimSpace(line[at+len(lengthName):])
		n, err := strconv.ParseUint(value, 10, 62)
		if err != nil {
			damage = fmt.Errorf("%w: Content-Length %.40q", ErrMalformed, value)
			continue
		}
		length = int64(n)
	}
}

// readLine reads a line without its end, and of a long one what stands last: a message that follows damage begins there.
func readLine(r *bufio.Reader) (string, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		line = append(line, part...)
		line = append(line[:0], line[max(len(line)-maxHeader, 0):]...)
		switch {
		case err == nil:
			return strings.TrimRight(string(line), "\r\n"), nil
		case !errors.Is(err, bufio.ErrBufferFull):
			if errors.Is(err, io.EOF) && len(line) > 0 {
				err = io.ErrUnexpectedEOF
			}
			return "", err
		}
	}
}

// Write sends a message.
func Write(w io.Writer, message any) error {
	text, err := json.Marshal(message)
	if err != nil {
		return err
	}
	_, err = w.Write(append([]byte(fmt.Sprintf("Content-Length: %d\r\n\r\n", len(text))), text...))
	return err
}
