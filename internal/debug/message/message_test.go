package message

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// framed is a message as a client sends it.
func framed(text string) string { return fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(text), text) }

// TestRead: messages come as they were sent, other lines of a header do not matter, and damage costs one message.
func TestRead(t *testing.T) {
	r := bufio.NewReader(strings.NewReader(framed(`{"a":1}`) +
		"content-type: application/vscode-jsonrpc; charset=utf-8\r\ncontent-length:  2\r\n\r\n{}" +
		"Content-Length: x\r\n\r\n" + framed("[1]") +
		"Content-Type: x\r\n\r\n" + framed("[2]") +
		"nonsense\r\n\r\n" + framed("[3]") +
		fmt.Sprintf("Content-Length: %d\r\n\r\n", MaxLength+1) + strings.Repeat("x", MaxLength+1) + framed("[4]") +
		"Content-Size: 3\r\n\r\nabc\xff\xff" + framed("[6]") +
		"Content-Size: 3\r\n\r\n" + strings.Repeat("z", 3*maxHeader) + framed("[7]") +
		"X: " + strings.Repeat("y", 3*maxHeader) + "\n\n" + framed("[5]") + framed("")))
	for _, want := range []string{`{"a":1}`, "{}", "!", "[1]", "!", "[2]", "!", "[3]", "!", "[4]", "!", "[6]", "!", "[7]", "!", "[5]", ""} {
		text, err := Read(r)
		if want == "!" {
			require.ErrorIs(t, err, ErrMalformed)
			continue
		}
		require.NoError(t, err, want)
		require.Equal(t, want, string(text))
	}
	_, err := Read(r)
	require.ErrorIs(t, err, io.EOF)
}

// TestReadEnds: a message that is cut ends the connection.
func TestReadEnds(t *testing.T) {
	for _, text := range []string{"Content-Length: 5\r\n\r\n{}", "Content-Length: 5", "Content-Length: 5\r\n", "Content-Length: 4000000000000\r\n\r\n{}"} {
		_, err := Read(bufio.NewReader(strings.NewReader(text)))
		require.ErrorIs(t, err, io.ErrUnexpectedEOF, text)
	}
}

func TestWrite(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, Write(&b, map[string]string{"ä": "x"}))
	require.Equal(t, framed(`{"ä":"x"}`), b.String())
	require.Error(t, Write(&b, func() {}))
}
