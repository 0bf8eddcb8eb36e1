package main

import (
	"bytes"
	"io"
	"net"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestUART: a client talks to the UART of a program; its console stays where it was.
func TestUART(t *testing.T) {
	told, msg := io.Pipe()
	var out bytes.Buffer
	status := make(chan int, 1)
	go func() {
		status <- Main([]string{"run", "--uart", "tcp:0", "-p", "nsim_mem-dev=uart0,kind=dwuart,base=0xf0000000,irq=24", "../../testdata/guest/elf/uart.elf"},
			strings.NewReader("input of the console\n"), &out, msg)
		_ = msg.Close() // a pipe has none
	}()
	var text [200]byte
	n, err := told.Read(text[:])
	require.NoError(t, err)
	words := strings.Fields(string(text[:n]))
	require.Equal(t, "arcsim: waiting for a client of the UART at", strings.Join(words[:len(words)-1], " "))
	client, err := net.Dial("tcp", words[len(words)-1])
	require.NoError(t, err)
	_, err = client.Write([]byte("loud\n"))
	require.NoError(t, err)
	said, err := io.ReadAll(client)
	require.NoError(t, err)
	require.Equal(t, "ready> LOUD\n", string(said))
	require.Equal(t, 7, <-status)
	require.Empty(t, out.String())
}
